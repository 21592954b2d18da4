"""A record by itself."""

from dataclasses import replace

import pytest

import ludus
from ludus.records.record import BadRecord, Move, Record, one_line
from ludus.records.replaying import replay
from tests.records.games import random_record


def test_positions_are_those_of_the_game() -> None:
    record = Record(ludus.game("othello8"), "", ("f5", "d6", "c3"), ("", ""), None)
    positions = record.positions()
    assert [position.current_player for position in positions] == [0, 1, 0, 1]
    assert positions[-1] == ludus.game("othello8").start().play("f5").play("d6").play("c3")


def test_positions_name_the_first_illegal_move() -> None:
    record = random_record("go5", 1, longest=9)
    with pytest.raises(ludus.LudusError, match=r"^move 10: 'Z9' is not a move of go5") as problem:
        replace(record, moves=(*record.moves, "Z9")).positions()
    assert "legal is" not in str(problem.value)


def test_tags() -> None:
    record = replace(random_record("go5", 1, longest=1), tags=(("event", "A"), ("event", "B")))
    assert (record.tag("event"), record.tag("date")) == ("A", "")


def test_passes_are_added_where_the_other_side_moves() -> None:
    start = ludus.game("go5").start()
    moves = [Move("C3", 0, "line 1"), Move("c4", 0, "line 2"), Move("pass", 1, "line 3"), Move("pass", 0, "line 3")]
    found, _, last, _ = replay(start, [*moves, Move("pass", 1, "line 4")])
    assert found == ("C3", "pass", "C4", "pass", "pass")
    assert last.over


def test_a_side_that_must_move_cannot_be_passed_over() -> None:
    with pytest.raises(BadRecord, match="line 7: move 1, d3, is by the wrong side: it is Black's turn") as bad:
        replay(ludus.game("othello8").start(), [Move("d3", 1, "line 7")])
    assert (bad.value.where, bad.value.records) == ("line 7", [])


def test_nothing_in_a_name_can_move_the_cursor() -> None:
    assert one_line(" A\tB\n\u3000C\x1b[2J\x00 ") == "A B C[2J"
