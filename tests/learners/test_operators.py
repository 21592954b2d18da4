"""Operators of evolution that the tests of learners don't look at: initialisation, and selection by hand."""

import numpy as np
import pytest

from ludus.compile.rng import stream
from ludus.learners.evolution.operators import (
    comma_selection,
    init_genes,
    init_uniform,
    learning_rate,
    plus_selection,
    roulette_wheel,
    survivors,
    tournament_selection,
    universal_sampling,
)
from ludus.learners.evolution.tournaments import Pairings, round_robin

FITNESS = np.array([1.0, 5.0, 3.0, 3.0, 0.0])


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_initial_weights_are_uniform(kind: type) -> None:
    weights = np.empty(50_000, kind)
    init_uniform(weights, 0.2, stream(1, "test"))
    assert np.abs(weights).max() == pytest.approx(0.2, abs=1e-3)
    assert (weights.mean(), weights.std()) == (pytest.approx(0, abs=2e-3), pytest.approx(0.2 / np.sqrt(3), rel=0.02))


def test_initial_genes_are_all_integers_of_a_byte() -> None:
    genes = np.empty(50_000, np.int8)
    init_genes(genes, stream(1, "test"))
    assert set(genes.tolist()) == set(range(-128, 128))


def test_the_better_half_by_hand() -> None:
    """Of five, three survive; the two that are equally fit stay in order."""
    assert survivors(FITNESS).tolist() == [1, 2, 3]
    assert comma_selection(FITNESS).tolist() == [1, 2, 3, 1, 2]
    assert plus_selection(FITNESS).tolist() == [1, 2]


def test_tournaments_of_all_and_wheels() -> None:
    rng = stream(1, "test")
    assert tournament_selection(FITNESS, 100, rng).tolist() == [1] * 5
    sampled = np.bincount(universal_sampling(FITNESS, rng), minlength=5)
    assert np.all(np.abs(sampled - 5 * FITNESS / 12) < 1)
    drawn = np.bincount([roulette_wheel(FITNESS, rng) for _ in range(5000)], minlength=5)
    assert drawn / 5000 == pytest.approx(FITNESS / 12, abs=0.02)


def test_the_learning_rate_of_blondie24() -> None:
    assert learning_rate(5046) == pytest.approx(0.0839, abs=1e-4)


def test_a_part_of_pairings_keeps_the_streams_of_its_games() -> None:
    pairings = Pairings(round_robin(3), np.uint64(7), 60)
    part = pairings.part(2, 4)
    assert part.pairs.tolist() == [[1, 0, 0], [1, 2, 0]]
    assert (part.key, part.first) == (7, 62)
