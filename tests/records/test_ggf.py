"""GGF as the world writes it, and as we do."""

from dataclasses import replace

import pytest

import ludus
from ludus.records import ggf
from ludus.records.record import BadRecord, Record
from tests.records.games import random_record

BOARD = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"


def test_a_file_from_the_server() -> None:
    """Each match begins with the number of its games."""
    text = (
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[./mEdax]RB[2197.01]TI[05:00//02:00]"
        f"TY[8r20]RE[-12.000:t]{BOARD}B[f5//0.01]W[D6/1.25/3.1]B[c3];)\r\n"
        f"2 (;GM[Othello]RE[?]TY[8]{BOARD.replace(' ', '').replace('[8', '[8 ').replace('*]', ' *]')}B[F5];)"
        "(;GM[othello]RE[-127.000];)\n"
    )
    one, two, three = ggf.read(text)
    assert one == Record(
        ludus.game("othello8"),
        "",
        ("f5", "d6", "c3"),
        ("Saio1200", "./mEdax"),
        0.0,
        "time",
        (("place", "GGS/os"), ("date", "2003.12.15_13:24:03.MST"), ("RB", "2197.01"), ("TI", "05:00//02:00")),
    )
    assert ggf.read(ggf.write([one])) == [one]
    assert (two.moves, two.outcome) == (("f5",), None)
    assert (three.moves, three.outcome) == ((), None)


@pytest.mark.parametrize(
    ("said", "outcome", "reason", "score"),
    [
        ("+12.000", 1.0, "", "+12"),
        ("-4", 0.0, "", "-4"),
        ("+64.000:r", 1.0, "resigned", ""),
        ("-2.5:t", 0.0, "time", ""),
        ("+0.000", 0.5, "", "+0"),
        ("+8.000:s", 1.0, "", "+8"),
        ("?", None, "", ""),
        ("what", None, "", ""),
    ],
)
def test_results(said: str, outcome: float | None, reason: str, score: str) -> None:
    (record,) = ggf.read(f"(;GM[Othello]RE[{said}]B[f5];)")
    assert (record.outcome, record.reason, record.tag("score")) == (outcome, reason, score)
    assert ggf.read(ggf.write([record])) == [record]


@pytest.mark.parametrize("name", ["othello4", "othello6", "othello8"])
def test_round_trip(name: str) -> None:
    records = [random_record(name, seed) for seed in range(15)] + [random_record(name, 1, longest=3)]
    assert name == "othello4" or any("pass" in record.moves for record in records)
    text = ggf.write(records)
    assert ggf.read(text) == records
    assert ggf.read(text.replace("W[PA]", "").replace("B[PA]", "")) == records
    assert len(text.splitlines()) == len(records)


def test_round_trip_from_another_position_with_a_reason() -> None:
    start = "------" * 2 + "--OX--" + "--XXX-" + "------" * 2 + " O"
    record = replace(random_record("othello6", 1, start), players=("[a]", "\\"), tags=(("event", "E"), ("XY", "z")))
    assert ggf.read(ggf.write([record])) == [record]
    resigned = replace(random_record("othello6", 1, start, 5), outcome=0.0, reason="resigned")
    assert ggf.read(ggf.write([resigned])) == [resigned]


BAD = [
    ("(;GM[Othello]\nB[f5]W[f5];)", "line 3", "move 2: 'f5' is not legal for White"),
    ("(;GM[Amazons]B[f5];)", "line 2", "which would begin with (;GM[Othello]"),
    ("(;)", "line 1", "which would begin with (;GM[Othello]"),
    ("(;GM[Othello]TY[8a]B[f5];)", "line 2", "TY[8a] is anti-Othello"),
    ("(;GM[Othello]BO[10 ---- *];)", "line 2", "Othello can't be played on a board of size 10"),
    ("(;GM[Othello]BO[8 ---O*--- *];)", "line 2", "is not a board; write BO[8 -------- -------- "),
    ("(;GM[Othello]\nB[f5];", "line 3", "the file ends inside a game"),
]


@pytest.mark.parametrize(("text", "where", "problem"), BAD, ids=[problem for _, _, problem in BAD])
def test_a_bad_game_is_named_and_those_before_it_are_kept(text: str, where: str, problem: str) -> None:
    with pytest.raises(BadRecord) as bad:
        ggf.read("(;GM[Othello]B[f5];)\n" + text, strict=True)
    assert (bad.value.number, bad.value.where) == (2, where)
    assert problem in str(bad.value)
    assert [record.moves for record in bad.value.records] == [("f5",)]


def test_go_cannot_be_written() -> None:
    with pytest.raises(ludus.LudusError, match="game 1 can't be written: GGF can't hold games of go5"):
        ggf.write([random_record("go5", 1, longest=3)])
