"""Openings: the first moves of a game, made before the players take over.

Two games are played from each, with colours swapped, so that nobody gains by the luck of an opening.
"""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludus.errors import LudusError
from ludus.games.game import Game, Position

MOST_SEQUENCES = 10_000
"""More openings than that are of no use: no match goes through them all."""

BARRED_BALLOTS = {"9-14 21-17", "9-14 23-18", "10-14 21-17", "10-14 23-18", "11-16 23-19", "12-16 23-19"}
"""Two-move ballots in which a man is lost at once."""


@dataclass(frozen=True)
class Openings:
    """Either a table of openings, or a number of random moves."""

    name: str
    table: NDArray[np.int64]
    """[openings, moves]; a match goes through it in an order that its seed decides."""
    plies: int = 0
    """Where the table is empty, how many random moves open each pair of games."""


def openings(game: Game, name: str = "usual") -> Openings:
    """The openings of that name: `usual`, `four-ply`, `ballots`, `none`, or `random:K`."""
    usual = {"othello": "four-ply", "checkers": "ballots"}.get(game.family.name, "random:2")
    name = usual if name == "usual" else name
    nothing = np.empty((0, 0), np.int64)
    if name == "none":
        return Openings(name, nothing)
    if re.fullmatch("random:[0-9]{1,4}", name) and int(name[7:]) <= 1000:
        return Openings(name, nothing, int(name[7:]))
    if name == "four-ply":
        return Openings(name, _sequences(game, 4))
    if name == "ballots":
        if game.family.name != "checkers":
            raise LudusError(f"ballots are openings of checkers, not of {game.name}; write random:4")
        return Openings(name, _ballots(game))
    raise LudusError(
        f"there are no openings {name!r}; there is usual, four-ply, ballots, none, or random:K with K moves"
    )


@cache
def _sequences(game: Game, plies: int) -> NDArray[np.int64]:
    """Every sequence of so many moves."""
    found: list[tuple[int, ...]] = []

    def extend(position: Position, moves: tuple[int, ...]) -> None:
        if len(moves) == plies:
            found.append(moves)
        if len(moves) == plies or len(found) > MOST_SEQUENCES:
            return
        for move in position.legal.values():
            extend(position.play(move), (*moves, move))

    extend(game.start(), ())
    if not 0 < len(found) <= MOST_SEQUENCES:
        count = f"more than {MOST_SEQUENCES:,}" if found else "no"
        raise LudusError(f"{game.name} has {count} openings of {plies} moves, which is no use; write random:{plies}")
    return np.array(found, np.int64)


@cache
def _ballots(game: Game) -> NDArray[np.int64]:
    """The 43 ways to make the first move each, without those that lose a man."""
    found, start = [], game.start()
    for first, move in start.legal.items():
        for second, reply in start.play(first).legal.items():
            if f"{first} {second}" not in BARRED_BALLOTS:
                found.append((move, reply))
    return np.array(found, np.int64)
