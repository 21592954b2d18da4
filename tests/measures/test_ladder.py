"""Ladders: the likeliest rating, who is met, and what is told of it."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.measures import ladder as ladders
from ludus.measures.ladder import climb, ladder, likeliest
from ludus.measures.ratings import Result, write_results
from ludus.play.intervals import expected
from tests.players.test_engines import FollowingPlayer

ABSENT = "gtp:/no/such/program --gtp"


RUNGS = ("random", "mobility", "alphabeta:depth=3", "alphabeta:depth=6", ABSENT)


def short_ladder(folder: Path, monkeypatch: pytest.MonkeyPatch, names: Sequence[str] = RUNGS) -> None:
    """A ladder of 4x4 Othello, by default one whose highest rung is a program that is not here."""
    write_results(folder / "ladder-othello4.csv", [Result(a, b, 15, 10, 75) for a, b in pairwise(names)])
    monkeypatch.setattr(ladders, "FOLDER", folder)


def test_the_likeliest_rating_is_where_scores_are_expected() -> None:
    rungs, truth = (-300.0, 0.0, 250.0), 120.0
    games = [(rung, np.full(200, expected(truth - rung))) for rung in rungs]
    assert likeliest(games, 0.0).value == pytest.approx(truth, abs=3)
    assert likeliest([(0.0, np.ones(20))], 0.0).value > 400  # all won: high, but not without end


def test_intervals_hold_19_times_in_20() -> None:
    rng, truth, held = np.random.default_rng(1), 150.0, 0
    for _ in range(400):
        games = [(rung, (rng.random(100) < expected(truth - rung)).astype(float)) for rung in (0.0, 200.0)]
        low, high = likeliest(games, 0.0).interval
        held += low <= truth <= high
    assert 370 <= held <= 390


@pytest.mark.parametrize("board", ladders.ladders())
def test_shipped_ladders_have_random_at_their_foot(board: str) -> None:
    rungs = ladder(ludus.game(board))
    assert [each.elo for each in rungs] == sorted((each.elo for each in rungs), reverse=True)
    assert [each.elo for each in rungs if each.player == "random"] == [0.0]
    assert rungs[0].elo > 500


@pytest.mark.parametrize("asked", [{"games": 0}, {"precision": np.inf}, {"precision": np.nan}])
def test_a_climb_of_no_games_is_refused(asked: dict[str, float]) -> None:
    with pytest.raises(ludus.LudusError, match="play 1 game or more, to a precision of 0 or more"):
        ludus.ladder("random", "othello8", progress=False, **asked)


def test_other_rules_have_no_ladder() -> None:
    with pytest.raises(ludus.LudusError, match=r"go5:komi=0\.5 has no ladder; there are ladders for checkers, go5"):
        ladder(ludus.game("go5:komi=0.5"))


def test_a_player_stops_at_its_own_rung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short_ladder(tmp_path, monkeypatch)
    seen: list[int] = []
    found = climb(
        ludus.player("mobility", "othello4"), games=200, precision=60, progress=lambda played, elo: seen.append(played)
    )
    (rung,) = [each for each in ladder(ludus.game("othello4")) if each.player == "mobility"]
    assert found.elo.interval[0] - 100 < rung.elo < found.elo.interval[1] + 100
    assert found.missing == (ABSENT,)
    assert (found.games, seen) == (seen[-1], [20 * (i + 1) for i in range(len(seen))])
    assert found.games < 200  # known well enough by then
    assert found.seconds_a_move > 0


def test_an_engine_that_knows_its_own_moves_can_climb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short_ladder(tmp_path, monkeypatch)
    found = climb(FollowingPlayer("following", ludus.game("othello4")), games=20)
    assert found.elo.value < 300
    assert found.seconds_a_move > 0


def test_who_fails_while_it_is_timed_has_climbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that never starts loses all its games."""
    short_ladder(tmp_path, monkeypatch)
    found = climb(ludus.player("gtp:true", "othello4"), games=2)
    assert (found.standings[0].losses, found.seconds_a_move) == (2, 0.0)


def test_a_rung_that_fails_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that does not start has not been beaten."""
    short_ladder(tmp_path, monkeypatch, names=["random", "gtp:true", "mobility"])
    found = climb(ludus.player("random", "othello4"), games=40)
    assert found.missing == ("gtp:true",)
    assert "gtp:true" not in [each.rung.player for each in found.standings]
    assert found.games == 40
