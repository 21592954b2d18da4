"""How much of the board a player loses: the measure of abramson2001."""

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import key
from ludus.errors import InvalidSetting, WrongGame
from ludus.play.positions import Series, play_from
from ludus.players.base import CompiledPlayer

SIDES = ("first", "second", "both")


def territory_lost(
    ours: CompiledPlayer, theirs: CompiledPlayer, games: int, *, start: str = "", side: str = "first", seed: int = 1
) -> NDArray[np.float64]:
    """The opponent's lead at the end of each game, as a fraction of the greatest there is; below 0 where `ours` leads.

    Games begin in the position `start`, written in the game's own text, or as usual. With `side="both"` the players
    change sides from one game to the next.
    """
    if ours.game != theirs.game:
        raise WrongGame(
            f"{ours.label} plays {ours.game} and {theirs.label} plays {theirs.game}; both must play one game"
        )
    if side not in SIDES:
        raise InvalidSetting(f"invalid side={side!r}: must be one of {', '.join(SIDES)}")
    game, lost = ours.game, np.empty(games)
    begin = game.position(start) if start else game.start()
    series = Series(SIDES.index(side), game.type.max_margin(game.rules), key(seed, "territory"))
    play_from(game.rules, begin.state, ours.parts, theirs.parts, series, lost)
    return lost
