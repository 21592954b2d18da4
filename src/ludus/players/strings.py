"""Player strings: how the command line, files and the page name a player.

`random`, `heuristic`, `alphabeta:depth=3,value=positional`, `noisy:0.1,heuristic`, `gtp:gnugo --mode gtp`, or the path
of a player file or of a finished run.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from ludus import players
from ludus.discovery import named
from ludus.errors import LudusError
from ludus.games.game import Game, Option, parse_options
from ludus.players.player import Player, PlayerKind
from ludus.storage import present

MOST_WITHIN = 5
"""How many players can be around one, as there are two in `noisy:0.1,restrained:wally`: each makes compiling longer."""

_within: ContextVar[int] = ContextVar("within", default=0)


@cache
def kinds() -> dict[str, PlayerKind]:
    """Every kind of player by name."""
    return named(players, "PLAYERS", PlayerKind)


def player(text: str, game: Game) -> Player:
    """The player that `text` names, for this game."""
    text = text.strip()
    name, _, arguments = text.partition(":")
    if name in kinds():
        if _within.get() > MOST_WITHIN:
            raise LudusError(f"{text!r:.60} is within too many other players; write at most {MOST_WITHIN} around one")
        outside = _within.set(_within.get() + 1)
        try:
            return kinds()[name].make(text, game, arguments)
        finally:
            _within.reset(outside)
    file = file_of(text)
    if present(file) and file.is_file():
        from ludus.players.files import load_player  # which needs the kinds of this module

        return load_player(file, game)
    raise LudusError(
        f"there is no player {text!r}; it is a player file, a finished run or begins with one of {', '.join(kinds())} "
        "(`ludus players` tells more)"
    )


def file_of(path: str) -> Path:
    """The file of a player that is named by it or by its finished run."""
    place = Path(path)
    return place / "player.safetensors" if present(place) and place.is_dir() else place


def settings(kind: str, arguments: str, options: tuple[Option, ...]) -> dict[str, Any]:
    """What a player string chooses for these options, defaults included."""
    return {option.name: option.default for option in options} | parse_options(kind, arguments, options)


def only(kind: str, game: Game, choices: Mapping[str, Any]) -> Any:
    """The choice for this game: by its name without options, its family, or `any`; an error if there is none."""
    for key in (game.board, game.family.name, "any"):
        if key in choices:
            return choices[key]
    raise LudusError(f"{kind} does not play {game.name}; it plays {', '.join(choices)}")
