"""Performance in percent: known values, a slow twin of the kernel, and nothing that depends on the workers."""

import math

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream, uniform
from ludus.evaluators.piece_counter import PieceCounter
from ludus.measures.performance import (
    compiled,
    generalization,
    head_to_head,
    heuristic,
    jackknife,
    over_runs,
    random_opponent_scores,
)
from ludus.players.base import CompiledPlayer
from ludus.players.greedy import Greedy
from ludus.players.names import player


def named(name: str, game: str = "othello8") -> CompiledPlayer:
    return compiled(player(name, ludus.game(game)))


def test_the_standard_heuristic_generalizes_as_published() -> None:
    found = generalization(named("heuristic"), 20_000, workers=2)
    assert found.value == pytest.approx(78.6, abs=1.5)
    assert 0.8 < found.interval[1] - found.interval[0] < 1.4


@pytest.mark.parametrize(
    ("game", "name"), [("othello8", "heuristic"), ("othello6", "random"), ("checkers", "pieces"), ("go5", "random")]
)
def test_the_kernel_plays_the_games_of_a_slow_loop_for_any_workers(game: str, name: str) -> None:
    measured, games = named(name, game), 7
    scores = []
    for index in range(games):
        rng = stream(3, "random opponent", index // 2)
        weights = np.array([2 * uniform(rng) - 1 for _ in range(measured.game.squares)])
        seats = [measured.seat(), CompiledPlayer("opponent", measured.game, Greedy(PieceCounter(weights))).seat()]
        position, rng = measured.game.start(), stream(3, "generalization", index)
        while not position.over:
            position = position.play(seats[(position.current_player + index) % 2].choose(position, rng))
        scores.append(position.outcome if index % 2 == 0 else 1 - (position.outcome or 0))
    assert random_opponent_scores(measured, games, 3).tolist() == scores
    some = random_opponent_scores(measured, 1100, 3)
    assert np.array_equal(random_opponent_scores(measured, 1100, 3, workers=3), some)
    assert some[:games].tolist() == scores


def test_a_player_is_its_own_equal() -> None:
    for name, game in (("heuristic", "othello8"), ("jain2018", "othello6"), ("pieces", "checkers")):
        low, high = heuristic(named(name, game), 4000, workers=2).interval
        assert low < 50 < high
    assert heuristic(named("random"), 2000).interval[1] < 25


def test_head_to_head_is_everybody_against_everybody() -> None:
    strong = [named("heuristic"), named("positional")]
    weak = [named(f"weights:seed={seed}") for seed in range(3)]
    found = head_to_head(strong, weak, games_each=20)
    assert found == head_to_head(strong, weak, games_each=20, workers=3)
    assert found.value == pytest.approx(100 - head_to_head(weak, strong, games_each=20).value, abs=6)
    assert found.interval[0] > 50
    single = [head_to_head([one], [other], games_each=200).value for one in strong for other in weak]
    assert found.value == pytest.approx(np.mean(single), abs=8)
    with pytest.raises(ludus.LudusError, match="write an even number"):
        head_to_head(strong, weak, games_each=3)
    with pytest.raises(ludus.LudusError, match="all of one game"):
        head_to_head(strong, [named("discs", "othello6")])


def test_an_average_over_runs_has_students_interval() -> None:
    found = over_runs([1.0, 2.0, 3.0, 4.0, 5.0])
    half = 2.776445 * np.sqrt(2.5 / 5)  # t for 4 degrees of freedom, from a table
    assert (found.value, *found.interval) == pytest.approx((3, 3 - half, 3 + half), abs=1e-5)
    with pytest.raises(ludus.LudusError, match="two or more"):
        over_runs([1.0])


def test_the_jackknife_gives_students_interval_of_a_mean_and_one_of_other_figures() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0, 9.0])
    mean, usual = jackknife(lambda runs: float(values[list(runs)].mean()), 5), over_runs(values.tolist())
    assert (mean.value, *mean.interval, mean.n) == pytest.approx((usual.value, *usual.interval, usual.n))
    # of the logarithm of a mean, by the delta method
    found = jackknife(lambda runs: math.log(values[list(runs)].mean() + 100), 5, (4.64, math.inf))
    assert found.value == pytest.approx(math.log(usual.value + 100))
    assert found.interval[1] - found.value == pytest.approx((usual.interval[1] - usual.value) / 104.8, rel=0.01)
    assert found.interval[0] == 4.64


def test_only_compiled_players_can_be_measured() -> None:
    with pytest.raises(ludus.LudusError, match="too slow to be measured"):
        named("alphabeta:seconds=0.1")
