"""A Go player that keeps to the moves which `rules=abramson2001` leaves, and passes when there are none.

Players made for those rules never pass and would, under others, fill their own eyes until they die. So restrained they
can meet programs that know only the usual rules.
"""

from typing import Any, NamedTuple

import numpy as np

from ludus import vocabulary as words
from ludus.bits import alone, both, either, filled
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.games.go import Go, choking, nowhere
from ludus.kernels import kernel
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import only, player
from ludus.vocabulary import says


class Restrained(NamedTuple):
    player: Any


@kernel
def permitted(game, state, moves, n, out):
    """Write those of the legal moves that don't join stones into atari, without the pass; return how many."""
    spots = nowhere(game)
    for i in range(n):
        if moves[i] < game.size * game.size:
            spots = either(spots, alone(spots, moves[i]))
    barred, kept = choking(game, state, spots), 0
    for i in range(n):
        if moves[i] < game.size * game.size and not filled(both(alone(spots, moves[i]), barred)):
            out[kept] = moves[i]
            kept += 1
    return kept


@says(words.choose, Restrained, Go)
def _(player, game, state, moves, n, dice):
    left = np.empty(words.width(game), np.int64)
    kept = permitted(game, state, moves, n, left)
    if kept == 0:
        return moves[n - 1]  # a pass
    return words.choose(player.player, game, state, left, kept, dice)


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    only("restrained", game, {"go": Restrained})
    inner = player(arguments, game)
    if not isinstance(inner, CompiledPlayer):
        raise LudusError(f"{arguments} can't be restrained; a program of its own decides by itself when to pass")
    return CompiledPlayer(text, game, Restrained(inner.parts))


PLAYERS = (
    PlayerKind(
        "restrained",
        "Go: another player, but no stones joined into atari, and a pass when nothing else is left",
        "restrained:wally",
        _make,
    ),
)
