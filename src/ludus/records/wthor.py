"""WTHOR, the format of the French Othello Federation's database: Othello on 8x8 squares, in files `.wtb`.

A header of 16 bytes, then 68 bytes a game: numbers of tournament, Black and White, two scores, 60 moves without passes.

Names are in other files, so players and events are known by their numbers; 0 is unknown. Only names that are numbers
are written, and the year of the first game's date.
"""

import math
import re
import struct
from collections.abc import Iterable, Iterator

import numpy as np

from ludus.errors import WrongGame
from ludus.games.game import Game, Position
from ludus.games.othello import GAME as OTHELLO
from ludus.records.record import (
    BadRecord,
    Found,
    Games,
    Move,
    Record,
    Told,
    collect,
    outcome_of,
    score_of,
    untold,
    write_each,
)
from ludus.records.replaying import Wanted, follow_all, move_texts, replay, replay_record

HEADER = struct.Struct("<4B I H H 4B")
"""Century, year, month, day; games; players; year of the games; size of board, puzzles, depth, reserved."""
ENTRY = struct.Struct("<3H 2B 60s")
"""Event, Black, White; Black's discs, the same at best play; moves."""
GAME = Game(OTHELLO, 8)
MOVES = 60
"""The most in a game, without passes."""
SQUARES = np.array(
    [8 * (n // 10 - 1) + n % 10 - 1 if n // 10 in range(1, 9) and n % 10 in range(1, 9) else -1 for n in range(256)]
)
"""The squares that bytes stand for: the row as tens and the column as ones, both from 1."""
BLOCK = 1024
"""How many games are replayed in one call of the kernel."""


def read(data: bytes, *, strict: bool = False, progress: Told = untold) -> Games:
    """The games of a WTHOR file."""
    return collect(_records(data), strict, progress)


def write(records: Iterable[Record]) -> bytes:
    """A WTHOR file with these games of 8x8 Othello."""
    records = list(records)
    games = list(write_each(records, _entry))
    year = _number(records[0].tag("date")[:4]) if records else 0
    # the day of writing would make every file different
    return HEADER.pack(20, 0, 1, 1, len(games), 0, year, 8, 0, 0, 0) + b"".join(games)


def _records(data: bytes) -> Iterator[Found]:
    if len(data) < HEADER.size:
        problem = f"the file has {len(data)} bytes; a WTHOR file begins with a header of 16 bytes"
        yield 1.0, BadRecord(problem, "byte 0")
        return
    *_, games, _, year, size, puzzles, _, _ = HEADER.unpack_from(data)
    if size not in (0, 8):
        yield 1.0, BadRecord(f"the board is {size}x{size}; Ludus reads games on 8x8", "byte 12")
        return
    if puzzles:
        yield 1.0, BadRecord("the file holds puzzles; Ludus reads games, which have a 0 here", "byte 13")
        return
    whole = min(games, (len(data) - HEADER.size) // ENTRY.size)
    for first in range(0, whole, BLOCK):
        yield from _block(data, first, min(BLOCK, whole - first), year)
    end = HEADER.size + whole * ENTRY.size
    if whole < games:
        yield 1.0, BadRecord(f"the file is cut off; its header promises {games} games of 68 bytes each", f"byte {end}")
    elif len(data) > end:
        problem = f"the file is longer than the {games} games of 68 bytes that its header promises"
        yield 1.0, BadRecord(problem, f"byte {end}")


def _block(data: bytes, first: int, games: int, year: int) -> Iterator[Found]:
    """So many games from number `first` on, replayed in one call; only those that are wrong are replayed again."""
    place = HEADER.size + first * ENTRY.size
    entries = np.frombuffer(data, np.uint8, games * ENTRY.size, place).reshape(games, ENTRY.size)
    squares = SQUARES[entries[:, 8:]]
    lengths = np.where(entries[:, 8:], np.arange(1, MOVES + 1), 0).max(1)
    places, unknown = np.append(squares, 64), np.full(squares.size + 1, -1)
    wanted = Wanted(places, places, unknown, unknown)
    made, ends = np.empty((games, 2 * MOVES), np.int64), np.empty((games, 4))
    follow_all(GAME.rules, GAME.start().state, wanted, lengths, made, ends)
    rows = zip(made.tolist(), lengths.tolist(), ends.tolist(), strict=True)
    for moves, length, (at, n, over, margin) in rows:
        try:
            event, black, white, discs, _, played = ENTRY.unpack_from(data, place)
            if discs > 64:
                raise BadRecord(f"Black has {discs} discs; there are 64 squares", f"byte {place + 6}")
            if at < length:
                # says what is wrong
                where = [f"byte {place + 8 + i}" for i in range(length)]
                replay(GAME.start(), [Move(_name(played[i], place + 8 + i), None, where[i]) for i in range(length)])
            tags = [("event", str(event))] if event else []
            if year:
                tags.append(("date", str(year)))
            score = 2.0 * discs - 64
            final = margin + (60 - length) * ((margin > 0) - (margin < 0))
            if not (over and score in (margin, final)):
                tags.append(("score", f"{score:+g}"))
            names = str(black or ""), str(white or "")
            record = Record(
                GAME, "", tuple(move_texts(GAME, moves[: int(n)])), names, outcome_of(score), "", tuple(tags)
            )
            yield place / len(data), record
        except BadRecord as bad:
            yield place / len(data), bad
        place += ENTRY.size


def _name(square: int, place: int) -> str:
    row, column = divmod(square, 10)
    if not (1 <= row <= 8 and 1 <= column <= 8):
        raise BadRecord(f"{square} is not a square; squares are 11 (a1) to 88 (h8), row first", f"byte {place}")
    return f"{'abcdefgh'[column - 1]}{row}"


def _entry(record: Record) -> bytes:
    if record.game != GAME or record.start or record.setups:
        where = " from another position" if record.start or record.setups else ""
        raise WrongGame(f"WTHOR can't hold games of {record.game.name}{where}; it holds whole games of othello8")
    if record.outcome is None:
        raise WrongGame("WTHOR can't hold a game without a result")
    (moves, _, last, _), _ = replay_record(record)
    squares = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in moves if move != "pass")
    discs = _discs(record, last)
    return ENTRY.pack(_number(record.tag("event")), *map(_number, record.players), discs, discs, squares)


def _discs(record: Record, last: Position) -> int:
    """Black's discs when the winner is given the empty squares, in whole numbers, of which the winner has more."""
    score = score_of(record, last)
    if score is None:
        score = 128 * (record.outcome or 0.0) - 64
    elif score == last.margin:
        score = last.game.type.final_margin(last)
    discs = 32 + score / 2
    return min(math.ceil(discs), 64) if score > 0 else max(math.floor(discs), 0)


def _number(text: str) -> int:
    """The number that a name is, or 0 for unknown."""
    return int(text) if re.fullmatch(r"\d{1,5}", text, re.ASCII) and int(text) < 65536 else 0
