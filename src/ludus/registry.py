"""What there is: every game, found from the files in its folder.

To add a game, drop a file into `ludus/games` that ends with `GAME = ...`. Another package offers its own through
the entry point group `ludus`; whatever object the entry point names is registered by what it is.
"""

import re
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any

from ludus import games as games_folder
from ludus.errors import LudusError
from ludus.games.game import Family, Game


@cache
def families() -> dict[str, Family]:
    """Every kind of game by name."""
    found = [
        module.GAME
        for each in iter_modules(games_folder.__path__, games_folder.__name__ + ".")
        if hasattr(module := import_module(each.name), "GAME")
    ]
    found += [game for point in entry_points(group="ludus") if isinstance(game := point.load(), Family)]
    return {family.name: family for family in sorted(found, key=lambda family: family.name)}


def variants() -> list[Game]:
    """Every game in every size, with its default options."""
    return [Game(family, size) for family in families().values() for size in family.sizes or (0,)]


def game(name: str) -> Game:
    """The game of that name, such as `othello8`, `checkers`, or `go9:komi=5.5,ko=simple`."""
    parts = re.fullmatch(r"([a-z_]+?)(\d*)(?::(.*))?", name.strip().lower())
    family = families().get(parts[1]) if parts else None
    if parts is None or family is None:
        known = ", ".join(f"{each.name}{each.default_size or ''}" for each in families().values())
        raise LudusError(f"there is no game {name!r}; there is {known} (`ludus games` lists them all)")
    return Game(family, _size(family, parts[2]), _options(family, parts[3]))


def _size(family: Family, text: str) -> int:
    if not family.sizes and text:
        raise LudusError(f"{family.name} has one size of board; write just {family.name}, not {family.name}{text}")
    if text and text not in [str(size) for size in family.sizes]:
        sizes = ", ".join(str(size) for size in family.sizes)
        raise LudusError(f"{family.name} can't be played on a board of size {text}; the sizes are {sizes}")
    return int(text or family.default_size)


def _options(family: Family, text: str | None) -> tuple[tuple[str, Any], ...]:
    known, chosen = {option.name: option for option in family.options}, {}
    for part in text.split(",") if text else []:
        name, _, value = (each.strip() for each in part.partition("="))
        if name not in known:
            raise LudusError(
                f"{family.name} has no option {name!r}; its options are {', '.join(known)}"
                if known
                else f"{family.name} has no options, so nothing can follow its name"
            )
        chosen[name] = known[name].parse(value)
    return tuple(sorted((name, value) for name, value in chosen.items() if value != known[name].default))
