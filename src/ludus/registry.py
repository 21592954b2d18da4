"""What there is: every game, found from the files in its folder.

To add a game, drop a file into `ludus/games` that ends with `GAME = ...`. Another package offers its own through
the entry point group `ludus`; whatever object the entry point names is registered by what it is.
"""

import re
from functools import cache

from ludus import games as games_folder
from ludus.discovery import named
from ludus.errors import LudusError
from ludus.games.game import Family, Game, parse_options


@cache
def families() -> dict[str, Family]:
    """Every kind of game by name."""
    return dict(sorted(named(games_folder, "GAME", Family).items()))  # type: ignore[type-abstract]


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
    defaults = {option.name: option.default for option in family.options}
    chosen = parse_options(family.name, parts[3] or "", family.options)
    return Game(family, _size(family, parts[2]), tuple(sorted(chosen.items() - defaults.items())))


def _size(family: Family, text: str) -> int:
    if not family.sizes and text:
        raise LudusError(f"{family.name} has one size of board; write just {family.name}, not {family.name}{text}")
    if text and text not in [str(size) for size in family.sizes]:
        sizes = ", ".join(str(size) for size in family.sizes)
        raise LudusError(f"{family.name} can't be played on a board of size {text}; the sizes are {sizes}")
    return int(text or family.default_size)
