"""WTHOR files, which store no passes and no names."""

import struct
from dataclasses import replace

import pytest

import ludus
from ludus.records import ggf, wthor
from ludus.records.record import BadRecord
from tests.records.games import random_record


def header(games: int, year: int = 2003, size: int = 8, puzzles: int = 0) -> bytes:
    return bytes([20, 4, 2, 29]) + struct.pack("<IHH", games, 0, year) + bytes([size, puzzles, 24, 0])


def entry(moves: bytes, discs: int = 40) -> bytes:
    return struct.pack("<HHH", 17, 300, 0) + bytes([discs, 33]) + moves.ljust(60, b"\0")


def test_bytes() -> None:
    """f5 is 56: row 5, column 6."""
    (record,) = wthor.read(header(1) + entry(bytes([56, 64, 33])))
    assert record.moves == ("f5", "d6", "c3")
    assert record.players == ("300", "")
    assert record.outcome == 1.0
    assert record.tags == (("event", "17"), ("date", "2003"), ("score", "+16"))
    assert wthor.read(wthor.write([record])) == [record]
    assert wthor.read(header(0, size=0)) == wthor.read(wthor.write([])) == []


@pytest.mark.parametrize(("discs", "outcome"), [(64, 1.0), (33, 1.0), (32, 0.5), (31, 0.0), (0, 0.0)])
def test_the_discs_of_black_tell_the_outcome(discs: int, outcome: float) -> None:
    assert wthor.read(header(1) + entry(b"8", discs))[0].outcome == outcome


def test_round_trip_without_names() -> None:
    records = [random_record("othello8", seed) for seed in range(40)]
    data = wthor.write(records)
    assert len(data) == 16 + 68 * 40
    assert sum("pass" in record.moves for record in records) > 5
    assert wthor.read(data) == [replace(record, players=("", "")) for record in records]


def test_games_that_the_board_did_not_decide() -> None:
    won = replace(random_record("othello8", 1, longest=20), outcome=1.0, reason="resigned", players=("1", "65536"))
    (record,) = wthor.read(wthor.write([won]))
    assert (record.moves, record.outcome, record.players) == (won.moves, 1.0, ("1", ""))
    assert record.tags == (("score", "+64"),)


@pytest.mark.parametrize(
    ("score", "discs"), [("+1", 33), ("-1", 31), ("+2", 33), ("+999", 64), ("-999", 0), ("nan", 64), ("inf", 64)]
)
def test_scores_that_no_board_shows(score: str, discs: int) -> None:
    outcome = float(not score.startswith("-"))
    odd = replace(random_record("othello8", 1, longest=20), outcome=outcome, tags=(("score", score),))
    data = wthor.write([odd])
    assert data[16 + 6] == discs
    assert wthor.read(data)[0].outcome == ggf.read(ggf.write([odd]))[0].outcome == outcome


BAD = [
    (header(2)[:9], "game 1, byte 0", "begins with a header of 16"),
    (header(2, size=10), "game 1, byte 12", "the board is 10x10"),
    (header(2, puzzles=1), "game 1, byte 13", "the file holds puzzles"),
    (header(2) + entry(b"8") + entry(b"8")[:30], "game 2, byte 84", "its header promises 2 games of 68 bytes each"),
    (header(2) + entry(b"8") + entry(b"88"), "game 2, byte 93", "move 2: 'f5' is not legal for White"),
    (header(2) + entry(b"8") + entry(b"8\0@"), "game 2, byte 93", "0 is not a square; squares are 11 (a1) to 88 (h8)"),
    (header(2) + entry(b"8") + entry(bytes([19])), "game 2, byte 92", "19 is not a square"),
    (header(2) + entry(b"8") + entry(b"8", 65), "game 2, byte 90", "Black has 65 discs"),
    (header(1) + entry(b"8") + b"\0", "game 2, byte 84", "the file is longer than the 1 games"),
]


@pytest.mark.parametrize(("data", "where", "problem"), BAD, ids=[problem for _, _, problem in BAD])
def test_a_bad_game_is_named_and_those_before_it_are_kept(data: bytes, where: str, problem: str) -> None:
    with pytest.raises(BadRecord) as bad:
        wthor.read(data, strict=True)
    assert f"game {bad.value.number}, {bad.value.where}" == where
    assert problem in str(bad.value)
    assert [record.moves for record in bad.value.records] == ([] if where.startswith("game 1") else [("f5",)])


def test_what_cannot_be_written() -> None:
    for name, start, problem in [
        ("othello6", "", "WTHOR can't hold games of othello6;"),
        (
            "othello8",
            "--------" * 3 + "---OXX--" + "---XO---" + "--------" * 3 + " O",
            "othello8 from another position; it holds whole games of othello8",
        ),
    ]:
        with pytest.raises(ludus.LudusError, match=problem):
            wthor.write([random_record(name, 1, start)])
    with pytest.raises(ludus.LudusError, match="can't hold a game without a result"):
        wthor.write([random_record("othello8", 1, longest=4)])
