"""Player strings: how the command line, files and the page name a player.

`random`, `heuristic`, `alphabeta:depth=3,value=positional`, `noisy:0.1,heuristic`, `gtp:gnugo --mode gtp`, or the path
of a player file or of a finished run.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ludus import players
from ludus.discovery import offered
from ludus.errors import LudusError
from ludus.games.game import Game, Option, parse_options
from ludus.players.player import Player, PlayerKind


@cache
def kinds() -> dict[str, PlayerKind]:
    """Every kind of player by name."""
    return {kind.name: kind for kind in offered(players, "PLAYERS", PlayerKind)}


def player(text: str, game: Game) -> Player:
    """The player that `text` names, for this game."""
    text = text.strip()
    name, _, arguments = text.partition(":")
    if name in kinds():
        return kinds()[name].make(text, game, arguments)
    file = Path(text) / "player.safetensors" if Path(text).is_dir() else Path(text)
    if file.is_file():
        from ludus.players.files import load_player  # which needs the kinds of this module

        return load_player(file, game)
    raise LudusError(
        f"there is no player {text!r}; it is a player file, a finished run or begins with one of {', '.join(kinds())} "
        "(`ludus players` tells more)"
    )


def settings(kind: str, arguments: str, options: tuple[Option, ...]) -> dict[str, Any]:
    """What a player string chooses for these options, defaults included."""
    return {option.name: option.default for option in options} | parse_options(kind, arguments, options)


def only(kind: str, game: Game, choices: Mapping[str, Any]) -> Any:
    """The choice for this game: by its name without options, or by its family; an error if there is none."""
    for key in (game.board, game.family.name):
        if key in choices:
            return choices[key]
    raise LudusError(f"{kind} does not play {game.name}; it plays {', '.join(choices)}")
