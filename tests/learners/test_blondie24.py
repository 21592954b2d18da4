"""Evolution of networks: who plays whom, who survives, how children differ, and what the pool is for."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.compile.rng import key, stream
from ludus.errors import LudusError
from ludus.evaluators.subsquares import architecture, network
from ludus.learners.base import parse_settings
from ludus.learners.evolution.blondie24 import (
    Blondie24Learner,
    NetworkPopulation,
    next_generation,
    phenotypes,
    random_networks,
)
from ludus.learners.evolution.social import SocialState, publish, social_phase
from ludus.learners.evolution.tournaments import Pairings, round_robin
from ludus.learners.names import learner
from ludus.players.social import after_game
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec

CHECKERS = ludus.game("checkers")
COUNT = architecture(CHECKERS, (1,)).count
FAST = {"population": 6, "opponents": 2, "depth": 1, "hidden": "3", "generations": 3}


def settings(name: str = "blondie24", **chosen: object):
    return parse_settings(learner(name), FAST | chosen)


@pytest.mark.parametrize("name", ["blondie24", "social"])
def test_any_number_of_workers_learns_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, found = learner(name), []
    for workers in ("1", "3"):
        monkeypatch.setenv("LUDUS_WORKERS", workers)
        state = method.start(settings(name), CHECKERS, 5)
        for _ in range(3):
            state, row = method.step(settings(name), CHECKERS, 5, state)
        found.append((state, row))
    (one, first), (other, second) = found
    assert first == second
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", ["blondie24", "blondie24-rr", "social"])
def test_a_population_larger_than_memory(name: str) -> None:
    asked = parse_settings(learner(name), {"population": 1000, "hidden": "900,900"})
    with pytest.raises(LudusError, match=f"invalid population=1000 for {name}: networks of .* allow at most 149; ask"):
        learner(name).start(asked, CHECKERS, 1)


def test_layers_that_are_no_numbers() -> None:
    with pytest.raises(LudusError, match="invalid hidden=² for blondie24: must be the number of units in each layer"):
        settings(hidden="²")


def test_everybody_chooses_different_others_or_meets_all() -> None:
    pairs = learner("blondie24").pairs(settings(population=8, opponents=5), stream(1, "test"))
    for one in range(8):
        chosen = pairs[pairs[:, 0] == one, 1].tolist()
        assert len(set(chosen)) == 5
        assert one not in chosen
    everybody = learner("blondie24-rr").pairs(parse_settings(learner("blondie24-rr"), {}), stream(1, "test"))
    assert len({tuple(pair) for pair in everybody.tolist()}) == len(everybody) == 870


def test_points_are_those_of_the_games_played() -> None:
    """Of points for games alone, all share equally many; of wins and losses, one side wins what the other loses."""
    method = learner("blondie24")
    population = random_networks(settings(), CHECKERS, 6, stream(1, "test"))
    games, _ = method.evaluate_population(settings(win=1, draw=1, loss=1), CHECKERS, 1, 1, population)
    assert games.sum() == 2 * 12
    balance, row = method.evaluate_population(settings(win=1, draw=0, loss=-1), CHECKERS, 1, 1, population)
    assert balance.sum() == 0
    assert np.any(balance)
    points, _ = method.evaluate_population(settings(), CHECKERS, 1, 1, population)
    assert points.sum() == -12 * (1 - row["draws"])


def test_children_differ_by_steps_that_adapt_themselves() -> None:
    population = random_networks(settings(hidden="40,10"), CHECKERS, 4, stream(1, "test"))
    after = next_generation(population, np.array([1.0, 5.0, 3.0, 3.0]), stream(2, "test"))
    assert np.array_equal(after.numbers[:2], population.numbers[[1, 2]])  # the better half survives, the best first
    rate = 1 / np.sqrt(2 * np.sqrt(5046))
    growth = np.log(after.steps[2:] / population.steps[[1, 2]])
    assert growth.std() == pytest.approx(rate, rel=0.05)
    moved = (after.numbers[2:] - population.numbers[[1, 2]]) / after.steps[2:]
    assert (moved.mean(), moved.std()) == (pytest.approx(0, abs=0.05), pytest.approx(1, rel=0.05))
    assert set(np.round(after.kings[2:] - population.kings[[1, 2]], 6)) <= {-0.1, 0.0, 0.1}
    kings = population._replace(kings=np.full(4, 3.0))
    assert max(next_generation(kings, np.zeros(4), stream(i, "test")).kings.max() for i in range(9)) == 3.0


def made_up(points: list[float], source: list[int], pool: list[float]) -> SocialState:
    """Networks of which each has its own number everywhere; those of the pool have 100 and more."""

    def population(first: int, count: int) -> NetworkPopulation:
        numbers = np.repeat(np.arange(first, first + count, dtype=np.float32)[:, None], COUNT, 1)
        return NetworkPopulation(numbers, numbers + 0.5, np.full(count, 2.0))

    return SocialState(
        *population(0, len(points)),
        np.array(source),
        np.array(points),
        *population(100, len(pool)),
        np.array(pool),
        10,
        0,
    )


def test_the_best_publish_or_confirm_and_the_others_may_change() -> None:
    social = parse_settings(learner("social"), {"hidden": "1"})
    before = made_up([5, 5, 4.6, 2, -3, 0, 1, 2, 3, -1], [-1, 1, -1, -1, 0, -1, -1, -1, -1, -1], [2.0, -4.0])
    ways = set()
    for seed in range(20):
        after = social_phase(social, CHECKERS, before, stream(seed, "test"))
        assert after.pool_points.tolist() == [2, 5, 5]  # the second is confirmed, the new one published
        assert after.pool_numbers[:, 0].tolist() == [100, 101, 0]
        assert after.numbers[:3, 0].tolist() == [0, 1, 2]  # satisfied: 4.6 is 0.95 of the way
        for i in range(3, 10):
            if after.source[i] >= 0 and after.source[i] != before.source[i]:
                assert after.numbers[i, 0] == after.pool_numbers[after.source[i], 0]
                ways.add("copied")
            elif after.numbers[i, 0] == i:
                ways.add("kept")
            else:
                assert abs(after.numbers[i, 0]) <= 0.2
                ways.add("new")
    assert ways == {"copied", "kept", "new"}
    assert before.pool_points.tolist() == [2, -4]


def test_strategies_are_drawn_from_the_pool_by_their_points() -> None:
    social = parse_settings(learner("social"), {"hidden": "1"})
    before = made_up([9.0] + [0.0] * 60, [2] + [-1] * 60, [0.0, 3.0, 8.0])
    drawn = np.zeros(3)
    for seed in range(30):
        after = social_phase(social, CHECKERS, before, stream(seed, "test"))
        drawn += np.bincount(after.source[1:][after.source[1:] >= 0], minlength=3)
    assert drawn.sum() == pytest.approx(600, rel=0.15)
    assert drawn / drawn.sum() == pytest.approx(np.array([1, 4, 10]) / 15, abs=0.06)  # confirmed with 9 points


def test_a_pool_of_one_holds_the_last_of_the_best() -> None:
    social = parse_settings(learner("social"), {"plan": "C1", "hidden": "1"})
    state = made_up([4, 4, 4, 0], [-1, -1, 0, 0], [1.0])
    kept = set()
    for seed in range(20):
        after = publish(social, state, np.array([0, 1, 2]), stream(seed, "test"))
        assert len(after.pool_points) == 1
        assert after.source.tolist() == [-1] * 4  # what they were copies of has left
        kept.add(float(after.pool_numbers[0, 0]))
    assert kept == {0, 1, 2}


class Towards(Blondie24Learner):
    """Evolution in which points are for ten numbers that are near one half, instead of for games."""

    name = "towards"

    def evaluate_population(self, settings, game, seed, generation, population):
        return -np.square(population.numbers[:, :10] - 0.5).mean(axis=1), {"games": 0}


def test_evolution_goes_where_the_points_are() -> None:
    method, asked = Towards(), settings(population=30, hidden="1")
    state = method.start(asked, CHECKERS, 1)
    errors = []
    for _ in range(200):
        state, _ = method.step(asked, CHECKERS, 1, state)
        errors.append(-state.points.max())
    assert errors[0] > 0.15
    assert errors[-1] < 0.1 * errors[0]
    assert errors == sorted(errors, reverse=True)  # survivors are evaluated alike, so the best is never lost


def test_who_loses_tries_something_else_and_remembers() -> None:
    record, current = np.zeros((3, 3), np.int64), 0
    played = []
    for score in (1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0):
        played.append(current)
        record, current = after_game(record, current, score)
    # won and lost with 0; drew and lost with 1; lost with 2; then back to the best record
    assert played == [0, 0, 1, 1, 2, 0, 1]
    assert record.tolist() == [[1, 0, 2], [0, 1, 2], [0, 0, 1]]
    assert current == 0


def test_an_evolved_weight_of_the_sum_ranks_positions_as_quieter_outputs_do() -> None:
    chosen = settings(sum_weight="evolved", loudness=3.0)
    population = random_networks(chosen, CHECKERS, 4, stream(1, "test"))
    assert population.numbers.shape == (4, chosen.architecture(CHECKERS).count + 1)
    population.numbers[:, -1] = [0.5, 2.0, 0.0, -1.0]  # without a weight, or with one below 0, pieces hardly count
    played = phenotypes(chosen, CHECKERS, population)
    outputs = 1 + 3  # the bias, and one weight for each unit of the last layer
    assert np.array_equal(played.numbers[:, :-outputs], population.numbers[:, : -outputs - 1])
    factors = played.numbers[:, -outputs:] / population.numbers[:, -outputs - 1 : -1]
    assert np.allclose(factors, np.array([[6.0], [1.5], [300.0], [300.0]]), rtol=1e-5)


def test_the_last_generation_may_be_judged_by_a_round_robin_and_kings_may_be_tied() -> None:
    method, chosen = learner("blondie24"), settings(rounds=2, final_rounds=1, first_king=1.5, king_step=0.0)
    state = method.start(chosen, CHECKERS, 1)
    for games in (24, 48, 72 + 30):
        state, row = method.step(chosen, CHECKERS, 1, state)
        assert row["games"] == games
    assert set(state.kings) == {1.5}
    final = Pairings(round_robin(6), key(1, "blondie24 final"), 0)
    assert np.array_equal(state.points, method.play_pairings(chosen, CHECKERS, state.population, final)[0])


def test_a_board_that_is_not_turned_shows_both_sides_the_same_squares(tmp_path: Path) -> None:
    chosen = settings(turned=False)
    run = Run(RunSpec.create("blondie24", "checkers", FAST | {"turned": False}), tmp_path).complete()
    evaluator = run.player.parts.evaluator
    assert np.array_equal(evaluator.rows[0], evaluator.rows[1])
    turned = network(chosen.architecture(CHECKERS), np.zeros(chosen.numbers(CHECKERS), np.float32), 2.0)
    assert not np.array_equal(turned.rows[0], turned.rows[1])
