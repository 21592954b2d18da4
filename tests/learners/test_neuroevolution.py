"""Neuro-evolution: who mates, what children inherit, curricula, and that it learns."""

from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.errors import LudusError
from ludus.learners.base import parse_settings
from ludus.learners.evolution import neuroevolution
from ludus.learners.evolution.neuroevolution import NeuroEvolutionState, next_generation
from ludus.learners.evolution.operators import mutate_genes, two_point_crossover
from ludus.learners.names import learner
from tests.effort import nightly
from tests.learners.learning import as_player, score, trained
from tests.small import SMALL

BOTH = ["marker", "fixed-network"]


def ranked(**given: Any) -> tuple[Any, NeuroEvolutionState]:
    """Networks whose genes are all their own number, and who are the fitter the larger it is; those from 40 on tie."""
    settings = parse_settings(learner("marker"), given)
    state = learner("marker").start(settings, ludus.game("othello8"), 1)
    population = np.repeat(np.arange(50, dtype=np.int8)[:, None], 5000, axis=1)
    fitness = np.minimum(np.arange(50), 40) / 40
    return settings, state._replace(population=population, fitness=fitness, rounds=7)


def test_children_of_the_twelve_fittest_replace_the_24_least_fit() -> None:
    settings, state = ranked(mutation=0)
    population, born = next_generation(settings, state, stream(1, "test"))
    assert (population[24:] == state.population[24:]).all()
    assert (born[:24] == 7).all()
    assert (born[24:] == 0).all()
    parents = [set(np.unique(each).tolist()) for each in population[:24]]
    assert all(len(each) <= 2 and min(each) >= 38 for each in parents)
    # ten tie for the first places, two more are 39 and 38
    assert {number for each in parents for number in each} >= {38, 39}
    assert len({tuple(each) for each in parents}) > 6  # of twelve pairs


def test_two_points_of_crossover_and_children_who_complement_each_other() -> None:
    one, other = np.zeros(1000, np.int8), np.ones(1000, np.int8)
    cuts = []
    for index in range(200):
        child, sibling = np.empty((2, 1000), np.int8)
        two_point_crossover(one, other, child, sibling, stream(1, "test", index))
        assert (child + sibling == 1).all()
        cuts.append(int(np.sum(np.diff(child) != 0)))
    assert max(cuts) == 2
    assert np.mean(np.array(cuts) == 2) > 0.9


@pytest.mark.parametrize("size", [128, 16])
def test_mutation_adds_and_wraps_around(size: int) -> None:
    genes = np.full(200_000, 120, np.int8)
    mutate_genes(genes, 0.004, size, stream(1, "test"))
    changed = genes[genes != 120].astype(int)
    assert 700 < len(changed) < 900  # 0.4% of 200,000, less those that change by nothing
    moved = (changed - 120 + 128) % 256 - 128
    assert moved.min() < -0.9 * size
    assert moved.max() > 0.85 * size
    assert abs(moved).max() <= size
    assert changed.min() < 0  # some went over the edge


@pytest.mark.parametrize(("ties", "kept"), [("old", range(24, 48)), ("new", range(24))])
def test_ties(ties: str, kept: range) -> None:
    """All are equally fit; those from 24 on came before those below, and the last two are fitter."""
    settings, state = ranked(ties=ties, mutation=0)
    state = state._replace(fitness=np.r_[np.zeros(48), 1.0, 1.0], born=np.r_[np.full(24, 3), np.zeros(26, int)])
    population, _ = next_generation(settings, state, stream(1, "test"))
    assert {number for number in range(48) if (population[number] == number).all()} == set(kept)


STEPS = [("marker", "othello6"), ("fixed-network", "checkers:moves=20"), ("marker", "go5")]
STEPS += nightly(*((name, game) for name in BOTH for game in ("othello6", "checkers:moves=20", "go5")))


@pytest.mark.parametrize(("name", "game"), STEPS)
def test_a_few_steps_in_every_game(name: str, game: str) -> None:
    plays, method = ludus.game(game), learner(name)
    settings = parse_settings(method, SMALL[name] | {"opponents": "random; population", "generations": "1; 2"})
    state = method.start(settings, plays, 7)
    kept = [np.copy(each) for each in state]
    steps = 0
    while method.done(settings, state) < 1:
        old, (state, row) = state, method.step(settings, plays, 7, state)
        again, _ = method.step(settings, plays, 7, old)
        assert all(np.array_equal(a, b) for a, b in zip(state, again, strict=True)), "the same step differs"
        assert all(np.isfinite(value) for value in row.values())
        steps += 1
    assert steps == 7  # three generations and two trials of two rounds
    assert all(np.array_equal(a, b) for a, b in zip(kept, method.start(settings, plays, 7), strict=True))
    assert 0 <= score(as_player(method.player(settings, plays, state), plays), "random", games=4) <= 1


def test_the_number_of_threads_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "4"):
        monkeypatch.setenv("LUDUS_WORKERS", threads)
        found.append(trained("marker", "othello6", **SMALL["marker"]))
    assert np.array_equal(found[0].parts.wiring.weights, found[1].parts.wiring.weights)  # type: ignore[attr-defined]


def test_a_curriculum_begins_as_its_first_phase_alone() -> None:
    """So the networks of the first phase can be had without those of the second."""
    alone, both = (
        parse_settings(learner("marker"), SMALL["marker"] | {"opponents": opponents, "generations": generations})
        for opponents, generations in (("random", "3"), ("random; discs", "3; 1"))
    )
    game, states = ludus.game("othello6"), []
    for settings in (alone, both):
        state = learner("marker").start(settings, game, 1)
        for _ in range(5):
            state, _ = learner("marker").step(settings, game, 1, state)
        states.append(state)
    assert states[0].champion.tobytes() == states[1].champion.tobytes()
    assert np.array_equal(states[0].population, states[1].population)


@pytest.mark.parametrize("judged", ["once", "anew", "mean"])
def test_how_survivors_are_evaluated(judged: str) -> None:
    settings = parse_settings(learner("marker"), SMALL["marker"] | {"judged": judged, "generations": "9; 9"})
    game, method = ludus.game("othello6"), learner("marker")
    state = method.start(settings, game, 1)
    kept = []
    for _ in range(9):
        old, (state, _) = state, method.step(settings, game, 1, state)
        survivors = state.born < old.rounds
        kept.append(bool(old.rounds and np.array_equal(state.fitness[survivors], old.fitness[survivors])))
        more = 0 if judged == "once" and old.rounds else 4
        assert (state.played[survivors] == old.played[survivors] + more).all()
        assert (state.played[~survivors] == 4).all()
    assert all(kept[1:]) == (judged == "once")


@pytest.mark.parametrize(("colours", "sides"), [("first", [0] * 4), ("second", [1] * 4), ("both", [0, 0, 1, 1])])
def test_one_colour_only(colours: str, sides: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of an odd number are played as the second player."""
    numbers, play_games = list[int](), neuroevolution.play_games

    def noted(*given: Any) -> None:
        schedule, results = given[3:]
        numbers.extend(range(schedule.begin, schedule.begin + len(results.scores)))
        play_games(*given)

    monkeypatch.setattr(neuroevolution, "play_games", noted)
    settings = parse_settings(learner("marker"), SMALL["marker"] | {"colours": colours})
    game, method = ludus.game("othello6"), learner("marker")
    state, _ = method.step(settings, game, 1, method.start(settings, game, 1))
    assert sorted(number % 2 for number in numbers) == sorted(sides * settings.population)
    assert state.fitness.std() > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"opponents": "random; discs", "generations": "5"}, "invalid generations=5: there are 2 opponents"),
        ({"parents": 26}, "invalid parents=26 for marker: they have 52 children, too many for a population of 50"),
        ({"opponents": "nobody", "generations": "5"}, "unknown player 'nobody'"),
        ({"opponents": "alphabeta:seconds=1", "generations": "5"}, "it is too slow to evolve against"),
        ({"generations": "5; many"}, "invalid generations=5; many for marker: must be a whole number for each phase"),
        ({"games": 5}, "invalid games=5 for marker: must be a multiple of 2"),
        (
            {"genes": 10**6, "population": 100},
            "invalid population=100 with hall=50 for marker: .* allow at most 134 in",
        ),
    ],
)
def test_invalid_settings_are_reported(given: dict[str, Any], message: str) -> None:
    with pytest.raises(LudusError, match=message):
        learner("marker").start(parse_settings(learner("marker"), given), ludus.game("othello8"), 1)


def test_marker_networks_learn_to_beat_the_random_mover() -> None:
    asked = {"opponents": "random", "generations": "40", "trial_games": 100}
    assert score(trained("marker", "othello6", **asked), "random") > 0.75


def test_networks_that_play_each_other_learn() -> None:
    asked = {"opponents": "population", "generations": "60", "trial_games": 50}
    assert score(trained("marker", "othello6", **asked), "random") > 0.65


def test_a_fixed_network_learns() -> None:
    asked = {"opponents": "random", "generations": "60", "trial_games": 100}
    assert score(trained("fixed-network", "othello6", **asked), "random") > 0.7
