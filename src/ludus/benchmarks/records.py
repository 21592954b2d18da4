"""How fast files of games are read: every game parsed, replayed and checked."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ludus.benchmarks.turns import Bench, Row
from ludus.games.names import game
from ludus.play.matches import match
from ludus.players.names import player
from ludus.records.files import FORMATS
from ludus.records.record import Record

FILES = (("othello8", ".wtb", 60), ("checkers", ".pdn", 60), ("go19", ".sgf", 250))
"""A board, a format, and how many moves a game has at the most: about as many as in archives."""

GAMES = 20


def record_reading(bench: Bench) -> Iterator[Row]:
    """Games a second that are read from each format, random ones that are broken off where people resign."""
    for name, ending, moves in FILES:
        row = bench.compare_repeated(f"{ending[1:]} records", partial(_read, ending, _file(name, ending, moves)))
        yield row | {"per_second": GAMES * row["per_second"]}


def _file(name: str, ending: str, moves: int) -> Any:
    return FORMATS[ending].write(random_records(name, moves))


def _read(ending: str, content: Any, times: int) -> None:
    for _ in range(times):
        FORMATS[ending].read(content, strict=True)


def random_records(name: str, moves: int) -> list[Record]:
    """Random games of at most so many moves, in which the first player is then said to have won."""
    anybody = player("random", game(name))
    played = match(anybody, anybody, GAMES, seed=1, opening="none", record=True)
    return [replace(record, moves=record.moves[:moves], outcome=1.0) for record in played.records()]
