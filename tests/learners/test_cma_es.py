"""CMA-ES: it does what another implementation does, and it learns."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cmaes import CMA
from numpy.typing import NDArray

import ludus
from ludus.compile.rng import stream
from ludus.errors import InvalidSetting
from ludus.learners.base import parse_settings
from ludus.learners.evolution.covariance_adaptation import (
    Distribution,
    adapt,
    draw_samples,
    initial_distribution,
    strategy_rates,
)
from ludus.learners.names import learner
from tests.learners.learning import generalization, score, trained

Function = Callable[[NDArray[np.float64]], float]


def ellipsoid(n: int, rotated: bool) -> Function:
    """A bowl a hundred times as steep in one direction as in another."""
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(n, n)))[0] if rotated else np.eye(n)
    steepness = 10.0 ** np.linspace(0, 2, n)
    return lambda x: float(((steepness * (turn @ x)) ** 2).sum())


def generations(
    lowest: Function, n: int, diagonal: bool, generations: int, told: Callable[..., None] | None = None
) -> tuple[Distribution, float]:
    """The distribution after so many generations of ten, or once the function is below 1e-8, and that value."""
    rates, found, best = strategy_rates(n, 10, diagonal), initial_distribution(np.full(n, 3.0), 1.0, diagonal), np.inf
    for i in range(generations):
        samples = draw_samples(found, 10, stream(1, "test", i))
        points = found.mean + found.step_size * samples.offsets
        values = [lowest(each) for each in points]
        found, best = adapt(found, rates, samples, -np.array(values)), min(values)
        if told:
            told(list(zip(points, values, strict=True)), found)
        if best < 1e-8:
            break
    return found, best


@pytest.mark.parametrize(("weights", "steps"), [(1, 40), (6, 1)])
def test_it_adapts_as_the_package_cmaes_does(weights: int, steps: int) -> None:
    """Given the same samples. With several weights only at first: afterwards roots of the matrix differ."""
    theirs = CMA(mean=np.full(weights, 3.0), sigma=1.0, population_size=10)

    def compare(samples: Any, ours: Distribution) -> None:
        theirs.tell(samples)
        np.testing.assert_allclose(ours.mean, theirs._mean, rtol=1e-6)
        np.testing.assert_allclose(ours.step_size, theirs._sigma, rtol=1e-6)
        np.testing.assert_allclose(ours.covariance, theirs._C, rtol=1e-6, atol=1e-9)

    generations(ellipsoid(weights, rotated=False), weights, False, steps, compare)


def test_it_learns_covariances() -> None:
    """Variances alone do where the bowl is not turned."""
    assert generations(ellipsoid(8, rotated=True), 8, False, 500)[1] < 1e-8
    assert generations(ellipsoid(8, rotated=False), 8, True, 500)[1] < 1e-8
    assert generations(ellipsoid(8, rotated=True), 8, True, 500)[1] > 1e-3


def test_it_learns_othello() -> None:
    learned = trained("cma-es", "othello6", games=60_000, population=20)
    assert generalization(learned) > 0.7
    assert score(learned, "random") > 0.7


def test_it_learns_small_networks() -> None:
    chosen = {"representation": "ntuples", "placement": "lines:2", "covariance": "diagonal", "stages": 2}
    assert generalization(trained("cma-es", "othello6", games=60_000, population=20, **chosen)) > 0.6


def test_a_population_that_is_too_large_is_refused() -> None:
    method, large = learner("cma-es"), {"representation": "ntuples", "tuples": 200, "length": 10}
    settings = parse_settings(method, {**large, "covariance": "diagonal", "population": 50})
    with pytest.raises(InvalidSetting, match=r"invalid population=50 .* 11,809,800 weights allow at most 11;"):
        method.start(settings, ludus.game("othello8"), 1)


def test_a_covariance_matrix_that_is_too_large_is_refused() -> None:
    method = learner("cma-es")
    settings = parse_settings(method, {"representation": "ntuples"})
    with pytest.raises(InvalidSetting, match=r"8,748 weights are too many, .* ask for covariance=diagonal"):
        method.start(settings, ludus.game("othello8"), 1)
