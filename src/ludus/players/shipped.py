"""Players that come with the package: files in `ludus/shipped`, named `KIND-NAME.safetensors`.

A player string names one as `KIND:NAME`, such as `blondie24:c10`. Its file says how each was trained.
"""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from ludus.errors import UnknownName
from ludus.games.game import Game
from ludus.players.base import CompiledPlayer
from ludus.suggestions import did_you_mean

FOLDER = Path(__file__).parents[1] / "shipped"


@cache
def shipped(kind: str) -> dict[str, Path]:
    """The files of the shipped players of that kind, by name."""
    begin = f"{kind}-"  # no part of a pattern: a player string may begin with anything
    files = sorted(FOLDER.glob("*.safetensors"))
    return {file.stem.removeprefix(begin): file for file in files if file.stem.startswith(begin)}


def shipped_in(text: str) -> list[Path]:
    """The files of the shipped players that a player string names, anywhere in it."""
    found = []
    for part in re.split(r"[,=]", text):
        words = part.split(":")
        found += [shipped(kind)[name] for kind, name in pairwise(words) if name in shipped(kind)]
    return found


def shipped_player(text: str, game: Game) -> CompiledPlayer:
    """The shipped player that a string such as `blondie24:c10` names."""
    from ludus.players.files import load_player  # which needs the kinds that need this module

    kind, _, name = text.partition(":")
    if name not in shipped(kind):
        names = ", ".join(f"{kind}:{each}" for each in shipped(kind)) or "none of this kind"
        meant = did_you_mean(text, [f"{kind}:{each}" for each in shipped(kind)])
        raise UnknownName(f"unknown player {text!r}{meant}; players that come with Ludus: {names}")
    found = load_player(shipped(kind)[name], game, text)
    assert isinstance(found, CompiledPlayer)
    return found
