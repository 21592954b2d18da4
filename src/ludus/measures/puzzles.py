"""Puzzles: positions of played games with one move that is clearly better than every other.

The judge of a review says what each move is worth. A position is a puzzle if every other move would be at least a
mistake, or would give away the result of the game by exact play; the proof is the value of the best move and of the
next best. A puzzle is easy if a search of one move finds it with the game's usual evaluator, medium if one of three
does, and else hard.

Those that come with Ludus are in shipped/puzzles.csv, which docs/puzzles.py finds in games of our own players.
"""

import csv
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ludus.games.game import Game, Position
from ludus.games.names import game as game_named
from ludus.measures.judges import Judge
from ludus.measures.review import grade_of
from ludus.players.names import player
from ludus.players.search.alphabeta import search, unlimited_budget
from ludus.players.shipped import FOLDER

FILE = FOLDER / "puzzles.csv"
DIFFICULTIES = ("easy", "medium", "hard")
DEPTHS = (1, 3)
"""How far somebody looks who solves an easy puzzle, and a medium one."""
MISTAKE = 2
"""The grade that every other move must have."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one clearly best move, and the proof of it."""

    game: str
    position: str
    line: tuple[str, ...]
    """Best play; its first move is the solution."""
    value: float
    """Of the best move to the side to move, in `unit`."""
    second: float
    """Of the next best move."""
    unit: str
    exact: bool
    """Whether both values are results of best play to the end."""
    difficulty: str
    source: str
    """The game that it is from."""

    @property
    def id(self) -> str:
        """The same for the same position."""
        return hashlib.sha256(f"{self.game} {self.position}".encode()).hexdigest()[:16]

    @property
    def move(self) -> str:
        return self.line[0]

    def start(self) -> Position:
        return game_named(self.game).position(self.position)

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id} | {each.name: getattr(self, each.name) for each in fields(self)}


def puzzle(judging: Judge, position: Position, source: str) -> Puzzle | None:
    """The puzzle that this position is; None if it is none."""
    if len(position.legal) < 2:
        return None
    best = judging.judge(position)
    second = judging.second(position, best.move)
    exact, margin = best.exact and second.exact, judging.loss(best, second)
    decides = exact and (best.value > 0) - (best.value < 0) > (second.value > 0) - (second.value < 0)
    if grade_of(margin, judging.grades) < MISTAKE and not decides:
        return None
    return Puzzle(
        game=position.game.name,
        position=position.text,
        line=judging.line(position, best.move),
        value=round(best.value, 2),
        second=round(second.value, 2),
        unit=judging.unit,
        exact=exact,
        difficulty=difficulty(position, best.move),
        source=source,
    )


def shape(position: Position) -> tuple[int, ...]:
    """The same for positions that are mirror images of each other: as puzzles they are one."""
    images = [position.mirrored(symmetry) for symmetry in range(len(position.game.symmetries))]
    return min((each.current_player, *each.cells.tolist()) for each in images)


def difficulty(position: Position, move: str) -> str:
    """How hard it is to find a move, by how far one must look."""
    parts = _searcher(position.game)
    moves = np.array(list(position.legal.values()), np.int64)
    for depth, name in zip(DEPTHS, DIFFICULTIES, strict=False):
        found = search(parts, position.game.rules, position.state, moves, depth, unlimited_budget())
        if int(found[0]) == position.legal[move]:
            return name
    return DIFFICULTIES[-1]


@cache
def _searcher(game: Game) -> Any:
    return getattr(player(f"alphabeta:depth={DEPTHS[-1]},ties=first", game), "parts", None)


@cache
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """The puzzles that come with Ludus."""
    return tuple(read_puzzles(FILE))


def read_puzzles(file: Path) -> list[Puzzle]:
    with file.open(newline="") as rows:
        return [
            Puzzle(
                row["game"],
                row["position"],
                tuple(row["line"].split()),
                float(row["value"]),
                float(row["second"]),
                row["unit"],
                row["exact"] == "yes",
                row["difficulty"],
                row["source"],
            )
            for row in csv.DictReader(rows)
        ]


def write_puzzles(file: Path, puzzles: Iterable[Puzzle]) -> None:
    with file.open("w", newline="") as rows:
        writer = csv.writer(rows, lineterminator="\n")
        writer.writerow([each.name for each in fields(Puzzle)])
        for each in puzzles:
            values = [getattr(each, name.name) for name in fields(Puzzle)]
            values[2], values[6] = " ".join(each.line), "yes" if each.exact else "no"
            writer.writerow([f"{value:g}" if isinstance(value, float) else value for value in values])
