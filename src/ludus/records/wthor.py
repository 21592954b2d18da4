"""WTHOR, the format of the French Othello Federation's database: Othello on 8x8 squares, in files `.wtb`.

A header of 16 bytes, then 68 bytes a game: numbers of tournament, Black and White, two scores, 60 moves without passes.

Names are in other files, so players and events are known by their numbers; 0 is unknown. Only names that are numbers
are written, and the year of the first game's date.
"""

import re
import struct
from collections.abc import Iterable, Iterator

from ludus.errors import WrongGame
from ludus.games.game import Game, Position
from ludus.games.othello import GAME as OTHELLO
from ludus.records.record import (
    BadRecord,
    Move,
    Record,
    collect,
    outcome_of,
    replay,
    replay_record,
    score_of,
    score_tag,
    write_each,
)

HEADER = struct.Struct("<4B I H H 4B")
"""Century, year, month, day; games; players; year of the games; size of board, puzzles, depth, reserved."""
ENTRY = struct.Struct("<3H 2B 60s")
"""Event, Black, White; Black's discs, the same at best play; moves."""
GAME = Game(OTHELLO, 8)


def read(data: bytes) -> list[Record]:
    """The games of a WTHOR file."""
    return collect(_records(data))


def write(records: Iterable[Record]) -> bytes:
    """A WTHOR file with these games of 8x8 Othello."""
    records = list(records)
    games = list(write_each(records, _entry))
    year = _number(records[0].tag("date")[:4]) if records else 0
    # the day of writing would make every file different
    return HEADER.pack(20, 0, 1, 1, len(games), 0, year, 8, 0, 0, 0) + b"".join(games)


def _records(data: bytes) -> Iterator[Record]:
    if len(data) < HEADER.size:
        raise BadRecord(f"the file has {len(data)} bytes; a WTHOR file begins with a header of 16 bytes", "byte 0")
    *_, games, _, year, size, puzzles, _, _ = HEADER.unpack_from(data)
    if size not in (0, 8):
        raise BadRecord(f"the board is {size}x{size}; Ludus reads games on 8x8", "byte 12")
    if puzzles:
        raise BadRecord("the file holds puzzles; Ludus reads games, which have a 0 here", "byte 13")
    for place in range(HEADER.size, HEADER.size + games * ENTRY.size, ENTRY.size):
        if place + ENTRY.size > len(data):
            raise BadRecord(f"the file is cut off; its header promises {games} games of 68 bytes each", f"byte {place}")
        yield _record(data, place, year)
    if len(data) > HEADER.size + games * ENTRY.size:
        problem = f"the file is longer than the {games} games of 68 bytes that its header promises"
        raise BadRecord(problem, f"byte {HEADER.size + games * ENTRY.size}")


def _record(data: bytes, place: int, year: int) -> Record:
    event, black, white, discs, _, squares = ENTRY.unpack_from(data, place)
    if discs > 64:
        raise BadRecord(f"Black has {discs} discs; there are 64 squares", f"byte {place + 6}")
    played = squares.rstrip(b"\0")
    moves = [Move(_name(square, place + 8 + i), None, f"byte {place + 8 + i}") for i, square in enumerate(played)]
    found, last = replay(GAME.start(), moves)
    tags = [(name, str(number)) for name, number in (("event", event), ("date", year)) if number]
    score = 2.0 * discs - 64
    names = str(black or ""), str(white or "")
    return Record(GAME, "", found, names, outcome_of(score), "", (*tags, *score_tag(last, score)))


def _name(square: int, place: int) -> str:
    row, column = divmod(square, 10)
    if not (1 <= row <= 8 and 1 <= column <= 8):
        raise BadRecord(f"{square} is not a square; squares are 11 (a1) to 88 (h8), row first", f"byte {place}")
    return f"{'abcdefgh'[column - 1]}{row}"


def _entry(record: Record) -> bytes:
    if record.game != GAME or record.start:
        where = " from another position" if record.start else ""
        raise WrongGame(f"WTHOR can't hold games of {record.game.name}{where}; it holds whole games of othello8")
    if record.outcome is None:
        raise WrongGame("WTHOR can't hold a game without a result")
    moves, last = replay_record(record)
    squares = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for _, move in moves if move != "pass")
    discs = _discs(record, last)
    return ENTRY.pack(_number(record.tag("event")), *map(_number, record.players), discs, discs, squares)


def _discs(record: Record, last: Position) -> int:
    """Black's discs when the winner is given the empty squares, in whole numbers and on the winner's side."""
    score = score_of(record, last)
    if score is None:
        score = 128 * (record.outcome or 0.0) - 64
    elif score == last.margin:
        score = last.game.type.final_margin(last)
    return int(score + 64) // 2


def _number(text: str) -> int:
    """The number that a name is, or 0 for unknown."""
    return int(text) if re.fullmatch(r"\d{1,5}", text, re.ASCII) and int(text) < 65536 else 0
