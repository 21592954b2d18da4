"""Openings: the first moves of a game, made before the players take over.

Two games are played from each, with colours swapped, so that no player gains by the luck of an opening.
"""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting, UnknownName, WrongGame
from ludus.games.game import Game, Position
from ludus.registry import game_types

MAX_SEQUENCES = 10_000
"""Longer tables are refused: no match would go through them."""


@dataclass(frozen=True)
class Openings:
    """A table of openings, or a number of random moves."""

    name: str
    table: NDArray[np.int64]
    """[openings, moves]; a match goes through it in an order that depends on its seed."""
    plies: int = 0
    """If the table is empty, how many random moves open each pair of games."""

    @property
    def length(self) -> int:
        """How many moves are made before the players take over, unless the game ends first."""
        return self.table.shape[1] if len(self.table) else self.plies


def openings(game: Game, name: str = "usual") -> Openings:
    """The openings of that name: `usual`, `none`, `four-ply`, `random:K`, or the game's own, such as `ballots`."""
    name = game.defaults.openings if name == "usual" else name
    nothing = np.empty((0, 0), np.int64)
    if name == "none":
        return Openings(name, nothing)
    if re.fullmatch("random:[0-9]{1,4}", name) and int(name[7:]) <= 1000:
        return Openings(name, nothing, int(name[7:]))
    if name == "four-ply":
        return Openings(name, _sequences(game, 4))
    if name in game.type.openings:
        return Openings(name, _table(game, name))
    if owners := [each.name for each in game_types().values() if name in each.openings]:
        raise WrongGame(f"{name} are openings of {', '.join(owners)}, not of {game.name}; try random:4")
    known = ", ".join(["usual", "none", "four-ply", *game.type.openings])
    raise UnknownName(f"unknown openings {name!r}; known openings: {known}, or random:K for K random moves")


@cache
def _sequences(game: Game, plies: int) -> NDArray[np.int64]:
    """Every sequence of `plies` moves."""
    found: list[tuple[int, ...]] = []

    def extend(position: Position, moves: tuple[int, ...]) -> None:
        if len(moves) == plies:
            found.append(moves)
        if len(moves) == plies or len(found) > MAX_SEQUENCES:
            return
        for move in position.legal.values():
            extend(position.play(move), (*moves, move))

    extend(game.start(), ())
    if not 0 < len(found) <= MAX_SEQUENCES:
        count = f"more than {MAX_SEQUENCES:,}" if found else "no"
        raise InvalidSetting(f"{game.name} has {count} openings of {plies} moves; use random:{plies} instead")
    return np.array(found, np.int64)


@cache
def _table(game: Game, name: str) -> NDArray[np.int64]:
    return game.type.openings[name](game)
