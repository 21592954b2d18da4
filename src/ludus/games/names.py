"""Games by name: `othello8`, `checkers`, `go9:komi=5.5,ko=simple`."""

import re

from ludus.errors import UnknownName
from ludus.games.game import Game, GameType, parse_options
from ludus.registry import game_types
from ludus.suggestions import did_you_mean


def variants() -> list[Game]:
    """Every game in every size, with its default options."""
    return [Game(each, size) for each in game_types().values() for size in each.sizes or (0,)]


def game(name: str) -> Game:
    """The game of that name, such as `othello8`, `checkers`, or `go9:komi=5.5,ko=simple`."""
    parts = re.fullmatch(r"([a-z_]+?)(\d*)(?::(.*))?", name.strip().lower())
    found = game_types().get(parts[1]) if parts else None
    if parts is None or found is None:
        known = ", ".join(f"{each.name}{each.default_size or ''}" for each in game_types().values())
        meant = did_you_mean(name.partition(":")[0], [each.name for each in variants()])
        raise UnknownName(f"unknown game {name!r}{meant}; known games: {known} (`ludus games` lists them all)")
    defaults = {option.name: option.default for option in found.options}
    chosen = parse_options(found.name, parts[3] or "", found.options)
    return Game(found, _size(found, parts[2]), tuple(sorted(chosen.items() - defaults.items())))


def _size(found: GameType, text: str) -> int:
    if not found.sizes and text:
        raise UnknownName(f"{found.name} has one size of board; write {found.name}, not {found.name}{text}")
    if text and text not in [str(size) for size in found.sizes]:
        sizes = ", ".join(str(size) for size in found.sizes)
        raise UnknownName(f"{found.name} can't be played on a board of size {text}; its sizes: {sizes}")
    return int(text or found.default_size)
