"""A record by itself."""

import random
from dataclasses import replace

import pytest

import ludus
from ludus.records.record import BadRecord, Move, Record, one_line
from ludus.records.replaying import replay
from tests.effort import EFFORT
from tests.naive.replay import replay as naive_replay
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


def as_files_have_them(name: str, choice: random.Random) -> list[Move]:
    """The moves of a random game, with passes left out, sides or none, and perhaps one that is wrong."""
    record = random_record(name, choice.randrange(10**6), longest=choice.choice([20, 60, 1000]))
    sided, bare = choice.random() < 0.5, choice.random() < 0.5
    listed = [(text, i % 2 if sided else None) for i, text in enumerate(record.moves)]
    listed = [(text, side) for text, side in listed if not (bare and text == "pass" and (sided or name[:2] != "go"))]
    if choice.random() < 0.7:
        place = choice.randrange(len(listed) + 1)
        text = choice.choice(["pass", "a1", "C3", "11-15", "1x10x19", "99-1", "z", *(text for text, _ in listed)])
        listed.insert(place, (text, choice.choice([0, 1, None])))
    return [Move(text, side, f"line {i}") for i, (text, side) in enumerate(listed)]


@pytest.mark.parametrize("name", ["othello6", "checkers", "go5"])
def test_kernels_replay_as_python_does(name: str) -> None:
    """The same moves, the same last position, or the same error in the same place."""
    choice, start, bad = random.Random(name), ludus.game(name).start(), 0
    for _ in range(60 * EFFORT):
        moves = as_files_have_them(name, choice)
        try:
            wanted: object = naive_replay(start, moves)
        except BadRecord as problem:
            wanted, bad = str(problem), bad + 1
        try:
            moves_found, _, last, _ = replay(start, moves)
            found: object = moves_found, last
        except BadRecord as problem:
            found = str(problem)
        assert found == wanted
    assert 10 < bad < 60 * EFFORT
