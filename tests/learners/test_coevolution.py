"""Coevolution: who meets whom, who has children, and that it learns."""

from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.rng import normal, stream
from ludus.evaluators.piece_counter import HEURISTIC, PieceCounter
from ludus.learners.base import parse_settings
from ludus.learners.coevolution import (
    CoevolutionSettings,
    CoevolutionState,
    evaluate_population,
    next_generation,
    pairings,
    play_pairings,
)
from ludus.learners.evolution.operators import mutate_gaussian, mutate_uniform
from ludus.learners.evolution.tournaments import Pairings
from ludus.learners.names import learner
from ludus.play.games import play_out
from ludus.players.greedy import Greedy, random_weights
from tests.learners.learning import generalization, trained

KEYS = np.uint64(1), np.uint64(2)
OTHELLO = ludus.game("othello8")


def settings(**given: Any) -> CoevolutionSettings:
    return CoevolutionSettings.model_validate(given)


def ranked(size: int, **given: Any) -> tuple[CoevolutionSettings, CoevolutionState]:
    """A population whose members' only weight is ten times their number, and who are the fitter the larger it is."""
    population, fitness = 10.0 * np.arange(size)[:, None], np.arange(1.0, size + 1)
    return settings(population=size, **given), CoevolutionState(population, np.empty((0, 0), np.int64), fitness, 1, 0)


@pytest.mark.parametrize(("given", "games", "generations"), [({}, 8380, 239), ({"double": False}, 4380, 457)])
def test_games_of_the_paper(given: dict[str, Any], games: int, generations: int) -> None:
    chosen, method = settings(**given), learner("cel")
    assert sum(len(each.pairs) for each in pairings(chosen, *KEYS, 1)) == games
    state = method.start(chosen, OTHELLO, 1)._replace(generation=generations)
    assert method.done(chosen, state) == 1


def test_everyone_meets_everyone_with_both_colours() -> None:
    members, sample = (each.pairs for each in pairings(settings(population=3, sample=2), *KEYS, 1))
    assert members.tolist() == [[0, 1, 0], [0, 2, 0], [1, 0, 0], [1, 2, 0], [2, 0, 0], [2, 1, 0]]
    assert sample.tolist() == [[i, k, first] for i in range(3) for k in range(2) for first in range(2)]
    assert pairings(settings(population=2, sample=2, double=False), *KEYS, 1).sample.pairs.tolist() == [
        [0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1],
    ]  # fmt: skip


def test_games_are_those_of_a_match() -> None:
    first, second = (random_weights(OTHELLO, seed).weights for seed in (1, 2))
    scores = np.empty(2)
    pairs = np.array([[1, 0, 0], [1, 0, 1]])
    population, opponents = PieceCounter(np.array([second, first])), PieceCounter(second[None])
    play_pairings(OTHELLO.rules, population, opponents, Pairings(pairs, np.uint64(1), 0), scores)
    ours, theirs = Greedy(PieceCounter(first)), Greedy(PieceCounter(second))
    assert scores[0] == play_out(OTHELLO, ours, theirs, 1).wins
    assert scores[1] == play_out(OTHELLO, theirs, ours, 1).losses


def test_fitness() -> None:
    """The heuristic, among members that are all alike, is the fittest by either account."""
    population = PieceCounter(np.vstack([random_weights(OTHELLO, 1).weights] * 3 + [HEURISTIC.weights]))
    sample = PieceCounter(np.array([random_weights(OTHELLO, seed).weights for seed in range(50)]))
    found = {}
    for kind, best in (("pooled", 1), ("sum", 2)):
        chosen = settings(population=4, sample=50, fitness=kind)
        found[kind] = evaluate_population(chosen, OTHELLO, population, sample, pairings(chosen, *KEYS, 1))
        assert np.argmax(found[kind]) == 3
        assert np.all((found[kind] >= 0) & (found[kind] <= best))
    chosen = settings(population=4, sample=0)
    alone = evaluate_population(chosen, OTHELLO, population, sample, pairings(chosen, *KEYS, 1))
    assert alone.sum() == pytest.approx(2)  # every game gives one point
    sampled = found["sum"] - alone
    np.testing.assert_allclose(found["pooled"], (6 * alone + 100 * sampled) / 106)


def test_comma_and_plus_select_the_better_half() -> None:
    children = next_generation(*ranked(20, selection="comma"), stream(1, "test"))[:, 0]
    assert sorted(np.round(children / 10).astype(int)) == sorted([*range(10, 20)] * 2)
    assert not np.any(np.isin(children, 10.0 * np.arange(20)))
    children = next_generation(*ranked(20, selection="plus"), stream(1, "test"))[:, 0]
    assert children[:10].tolist() == [10.0 * i for i in range(19, 9, -1)]
    assert sorted(np.round(children[10:] / 10).astype(int)) == [*range(10, 20)]


def test_universal_sampling_gives_everyone_its_share() -> None:
    chosen, state = ranked(20, selection="universal", mutation_size=0)
    share = 20 * state.fitness / state.fitness.sum()
    for index in range(200):
        counts = np.bincount(
            np.round(next_generation(chosen, state, stream(1, "test", index))[:, 0] / 10).astype(int), minlength=20
        )
        assert np.all(np.abs(counts - share) < 1)


def test_tournaments_favour_the_fit() -> None:
    chosen, state = ranked(20, selection="tournament", mutation_size=0)
    winners = (
        np.concatenate([next_generation(chosen, state, stream(1, "test", index))[:, 0] for index in range(500)]) / 10
    )
    # the best of five among twenty: the largest has the chance 1 - (19/20)**5
    assert np.mean(winners == 19) == pytest.approx(1 - 0.95**5, abs=0.02)


@pytest.mark.parametrize("gaussian", [True, False])
def test_mutation(gaussian: bool) -> None:
    weights = np.zeros(100_000)
    mutate = mutate_gaussian if gaussian else mutate_uniform
    mutate(weights, 0.25, 2.0, stream(1, "test"))
    changed = weights[weights != 0]
    assert len(changed) / len(weights) == pytest.approx(0.25, abs=0.01)
    assert np.mean(changed) == pytest.approx(0, abs=0.05)
    assert np.std(changed) == pytest.approx(2 if gaussian else 2 / np.sqrt(3), rel=0.02)
    assert bool(np.max(np.abs(changed)) > 2) is gaussian


def test_normal_numbers() -> None:
    rng = stream(1, "normal")
    drawn = np.array([normal(rng) for _ in range(50_000)])
    assert np.mean(drawn) == pytest.approx(0, abs=0.02)
    assert np.mean(drawn**2) == pytest.approx(1, abs=0.03)
    assert np.mean(drawn**4) == pytest.approx(3, abs=0.2)
    assert np.mean(np.abs(drawn) < 1) == pytest.approx(0.6827, abs=0.01)


@pytest.mark.parametrize("selection", ["comma", "plus", "tournament", "universal"])
def test_the_population_improves(selection: str) -> None:
    method, plays = learner("cel"), ludus.game("othello6")
    chosen = parse_settings(method, {"population": 10, "sample": 50, "selection": selection})
    state, rows = method.start(chosen, plays, 1), []
    for _ in range(30):
        state, row = method.step(chosen, plays, 1, state)
        rows.append(row["mean_fitness"])
    assert np.mean(rows[-5:]) > np.mean(rows[:2]) + (0.05 if selection == "universal" else 0.12)


def test_it_learns_othello() -> None:
    assert generalization(trained("cel", "othello8", games=100_000, population=10, sample=50)) > 0.7
