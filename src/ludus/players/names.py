"""Player strings: how the command line, files and the page name a player.

`random`, `heuristic`, `alphabeta:depth=3,value=positional`, `noisy:0.1,heuristic`, `gtp:gnugo --mode gtp`, or the path
of a player file or of a finished run.
"""

from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.errors import InvalidSetting, UnknownName
from ludus.games.game import Game, Option, parse_options
from ludus.players.base import Player
from ludus.registry import player_kinds
from ludus.storage import present
from ludus.suggestions import did_you_mean

MOST_WITHIN = 5
"""How many players can be around one, as there are two in `noisy:0.1,restrained:wally`: each makes compiling longer."""

_within: ContextVar[int] = ContextVar("within", default=0)


def player(text: str, game: Game) -> Player:
    """The player that `text` names, for this game."""
    text = text.strip()
    name, _, arguments = text.partition(":")
    if name in player_kinds():
        if _within.get() > MOST_WITHIN:
            raise InvalidSetting(f"{text!r:.60} has too many players around one; write at most {MOST_WITHIN}")
        outside = _within.set(_within.get() + 1)
        try:
            return player_kinds()[name].make(text, game, arguments)
        finally:
            _within.reset(outside)
    file = player_file(text)
    if present(file) and file.is_file():
        from ludus.players.files import load_player  # which needs the kinds of this module

        found = load_player(file, game)
        return replace(found, label=text)  # as it was given, which may be the folder of its run
    if text and (len(Path(text).parts) > 1 or file.suffix == ".safetensors"):
        raise UnknownName(_no_such_path(text))
    raise UnknownName(
        f"unknown player {text!r}{did_you_mean(name, _names())}; name a player file, a finished run, or a player "
        f"string that begins with one of {', '.join(player_kinds())} (`ludus players` describes them)"
    )


def _names() -> list[str]:
    """What a player string may begin with, and the runs that are here."""
    return [*player_kinds(), *(each.name for each in _listed(Path()) if present(each / "player.safetensors"))]


def _listed(folder: Path) -> list[Path]:
    """What is in a folder, if one may look."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _no_such_path(text: str) -> str:
    """What is wrong with the path of a player."""
    place = Path(text)
    if present(place):
        runs = sorted(each.parent.name for each in place.glob("*/run.json")) if place.is_dir() else []
        if runs:
            return f"{text} holds {len(runs)} runs; name one, such as {place / runs[0]}"
        return f"{text} has no player yet; name a player file or a finished run"
    beside = place.parent if present(place.parent) else Path()
    near = did_you_mean(text, [str(each) for each in _listed(beside)])
    return (
        f"there is no file or run {text}{near}; name a player file, a finished run or a player string (`ludus players`)"
    )


def player_file(path: str) -> Path:
    """The file of a player that is named by it or by its finished run."""
    place = Path(path)
    return place / "player.safetensors" if present(place) and place.is_dir() else place


def settings(kind: str, arguments: str, options: tuple[Option, ...]) -> dict[str, Any]:
    """What a player string chooses for these options, defaults included."""
    return {option.name: option.default for option in options} | parse_options(kind, arguments, options)
