"""Regret: what perfect play in endings loses, and what other players lose."""

from dataclasses import dataclass

import pytest

import ludus
from ludus.compile.rng import Rng
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.players.base import Player, Seat
from ludus.players.search.solver import score


@dataclass(frozen=True, repr=False)
class Solving(Player):
    """Plays the solver's moves."""

    def seat(self) -> Seat:
        return SolvingSeat()


class SolvingSeat(Seat):
    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal[ludus.solve(position).move]


def test_who_searches_to_the_end_loses_nothing() -> None:
    """The searcher and the solver are two programs."""
    found = ludus.regret("alphabeta:depth=2,exact=8", "othello6", games=20, empty=8)
    assert found.choices > 20
    assert found.mistakes == 0 == found.per_game.value
    # of whose ending on the smallest board the opening is a part, which others have chosen
    assert ludus.regret("alphabeta:depth=2,exact=8", "othello4", games=8).mistakes == 0


def test_others_lose() -> None:
    found = ludus.regret("random", "othello6", games=40, empty=8)
    assert found.per_game.value > 2
    assert 0.2 < found.mistakes / found.choices < 0.95
    assert found.to_json()["games"] == 40
    assert found == ludus.regret("random", "othello6", games=40, empty=8, workers=1)


def test_who_plays_the_solvers_moves_loses_nothing_in_go() -> None:
    found = ludus.regret(Solving("solver", ludus.game("go3")), games=8)
    assert (found.unit, found.unsolved, found.mistakes) == ("points", 0, 0)
    assert found.choices > 20
    assert found.per_game.value == 0


def test_others_lose_points_in_go() -> None:
    found = ludus.regret("random", "go3", games=10)
    assert found.per_game.value > 5
    assert 0.1 < found.mistakes / found.choices < 0.95
    assert found.to_json()["per_game"] == found.per_game.value
    assert found.to_json()["unit"] == "points"
    assert "points a game" in repr(found)


def test_the_loss_of_a_move_is_known() -> None:
    """Black has all of 3x3 from the centre; who passes instead gives White the same."""
    start = ludus.game("go3").start()
    best = score(start, 1_000_000)
    assert best == 9
    assert [best + (score(start.play(move), 1_000_000) or 0) for move in ("B2", "pass")] == [0, 18]


def test_what_the_solver_is_not_sure_of_is_left_out() -> None:
    found = ludus.regret("random", "go3", games=4, nodes=1)
    sure = ludus.regret("random", "go3", games=4)
    assert found.unsolved > 0 == sure.unsolved
    assert found.choices + found.unsolved == sure.choices
    assert "unsolved" in repr(found)


def test_a_game_that_was_cut_off_has_no_score() -> None:
    game = ludus.game("go3:plies=4")
    position = game.start()
    for move in ("B2", "A1", "B1", "A3"):
        position = position.play(move)
    assert position.over
    assert score(position, 1000) is None
    passed = game.start().play("B2").play("pass").play("pass")
    assert (passed.over, score(passed, 1000)) == (True, -9)


@pytest.mark.parametrize(
    ("game", "asked", "wrong"),
    [
        ("checkers", {}, "does not play checkers"),
        ("go9", {}, "too large to solve"),
        ("othello6", {"games": 5}, "even"),
        ("othello6", {"empty": 25}, "24"),
        ("othello6", {"nodes": 0}, "nodes=0"),
    ],
)
def test_what_can_not_be_measured(game: str, asked: dict[str, int], wrong: str) -> None:
    with pytest.raises(LudusError, match=wrong):
        ludus.regret("random", game, **asked)
