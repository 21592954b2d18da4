"""CMA-ES: a normal distribution of weights that moves and stretches towards its better samples.

Hansen (2016), "The CMA Evolution Strategy: A Tutorial"; equations are those of its second version. The diagonal kind is
sep-CMA-ES: Ros and Hansen (2008), "A Simple Modification in CMA-ES Achieving Linear Time and Space Complexity".

Where we differ: samples are made by a Cholesky factor of the covariance matrix instead of its symmetric root, and so is
the path of the step size (Suttorp, Hansen and Igel 2009). That needs no eigenvectors, and no library whose rounding
depends on its threads: the same samples follow from the same seed.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, normal

Array = NDArray[np.float64]


class Rates(NamedTuple):
    """The constants of the strategy, which follow from the numbers of weights and of samples (its Table 1)."""

    recombination: Array  # [samples]: what each counts by rank, those of the worse half negative or zero
    effective: float  # how many samples the better half counts as
    rank_one: float
    rank_mu: float
    path: float
    step_path: float
    damping: float
    length: float  # that a vector of standard normal numbers has on average


class Distribution(NamedTuple):
    """Normal, with `step_size` squared times the covariance matrix as its covariance."""

    mean: Array  # [n]
    step_size: float
    covariance: Array  # [n, n], or its diagonal [n]
    path: Array  # [n]: where the mean has been going, for the covariance matrix
    step_path: Array  # [n]: the same, as if the distribution were round
    generation: int


class Samples(NamedTuple):
    """Drawn from a distribution."""

    normals: Array  # [samples, n]: the standard normal numbers that they were made from
    offsets: Array  # [samples, n]: where they lie from the mean, in units of the step size


def initial_distribution(mean: Array, step_size: float, diagonal: bool) -> Distribution:
    """A round one."""
    n = len(mean)
    return Distribution(mean, step_size, np.ones(n) if diagonal else np.eye(n), np.zeros(n), np.zeros(n), 0)


def strategy_rates(n: int, samples: int, diagonal: bool) -> Rates:
    """The usual constants for so many weights and samples."""
    raw = math.log((samples + 1) / 2) - np.log(np.arange(1, samples + 1))  # eq. 49
    better, worse = raw[: samples // 2], raw[samples // 2 :]
    effective = float(better.sum() ** 2 / (better**2).sum())
    rank_one = 2 / ((n + 1.3) ** 2 + effective)
    rank_mu = min(1 - rank_one, 2 * (effective - 2 + 1 / effective) / ((n + 2) ** 2 + effective))
    if diagonal:  # n variances are learned faster than n * n covariances
        rank_one = min(1.0, rank_one * (n + 2) / 3)
        rank_mu = min(1 - rank_one, rank_mu * (n + 2) / 3)
    negative = 0.0
    if not diagonal and rank_mu > 0:
        effective_worse = worse.sum() ** 2 / (worse**2).sum()
        negative = min(  # eq. 50 to 52
            1 + rank_one / rank_mu,
            1 + 2 * effective_worse / (effective + 2),
            (1 - rank_one - rank_mu) / (n * rank_mu),
        )
    recombination = np.where(raw > 0, raw / raw[raw > 0].sum(), negative * raw / abs(raw[raw < 0].sum()))  # eq. 53
    step_path = (effective + 2) / (n + effective + 5)  # eq. 55
    return Rates(
        recombination, effective, rank_one, rank_mu,
        (4 + effective / n) / (n + 4 + 2 * effective / n),  # eq. 56
        step_path,
        1 + 2 * max(0.0, math.sqrt((effective - 1) / (n + 1)) - 1) + step_path,
        math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
    )  # fmt: skip


def draw_samples(distribution: Distribution, samples: int, rng: Rng) -> Samples:
    """So many samples."""
    normals = np.empty((samples, len(distribution.mean)))
    init_normal(normals.reshape(-1), rng)
    if distribution.covariance.ndim == 1:
        return Samples(normals, normals * np.sqrt(distribution.covariance))
    factor = np.zeros_like(distribution.covariance)
    cholesky_factor(distribution.covariance, factor)
    offsets = np.empty_like(normals)
    transform(factor, normals, offsets)
    return Samples(normals, offsets)


def adapt(distribution: Distribution, rates: Rates, samples: Samples, fitness: Array) -> Distribution:
    """The next distribution, given how fit each sample is; the larger the better."""
    ranked = np.argsort(-fitness, kind="stable")
    normals, offsets, n = samples.normals[ranked], samples.offsets[ranked], len(distribution.mean)
    half = len(ranked) // 2
    parents = rates.recombination[:half, None]
    shift, round_shift = (parents * offsets[:half]).sum(axis=0), (parents * normals[:half]).sum(axis=0)
    generation = distribution.generation + 1
    step_path = (1 - rates.step_path) * distribution.step_path + _cumulated(rates.step_path, rates) * round_shift
    length = math.sqrt(float((step_path**2).sum()))
    # while steps grow fast, the path of the covariance matrix stalls, or it would grow too
    usual = rates.length * math.sqrt(1 - (1 - rates.step_path) ** (2 * generation))
    steady = length < (1.4 + 2 / (n + 1)) * usual
    path = (1 - rates.path) * distribution.path + (_cumulated(rates.path, rates) * shift if steady else 0.0)
    counts = rates.recombination.copy()
    worse = counts < 0
    counts[worse] *= n / np.maximum((normals[worse] ** 2).sum(axis=1), 1e-300)  # eq. 46: bounded by a typical length
    kept = 1 - rates.rank_one - rates.rank_mu * rates.recombination.sum()
    kept += 0.0 if steady else rates.rank_one * rates.path * (2 - rates.path)
    covariance = kept * distribution.covariance + rates.rank_one * _square(path, distribution)
    for count, offset in zip(counts, offsets, strict=True):
        if count != 0:
            covariance += rates.rank_mu * count * _square(offset, distribution)
    change = rates.step_path / rates.damping * (length / rates.length - 1)
    return Distribution(
        distribution.mean + distribution.step_size * shift,
        distribution.step_size * math.exp(min(1.0, change)),
        covariance,
        path,
        step_path,
        generation,
    )


def _cumulated(rate: float, rates: Rates) -> float:
    """What a step counts in a path, so that a path of random steps has the length of one of them."""
    return math.sqrt(rate * (2 - rate) * rates.effective)


def _square(vector: Array, distribution: Distribution) -> Array:
    """The vector times itself: [n, n], or the diagonal of that."""
    return vector**2 if distribution.covariance.ndim == 1 else vector[:, None] * vector


@kernel
def init_normal(weights: Array, rng: Rng) -> None:
    """Draw all weights [n] from the standard normal distribution."""
    for i in range(len(weights)):
        weights[i] = normal(rng)


@kernel
def cholesky_factor(covariance: Array, factor: Array) -> None:
    """The lower triangle [n, n] whose product with its transpose is the covariance matrix [n, n]."""
    for i in range(len(covariance)):
        for j in range(i + 1):
            rest = covariance[i, j]
            for k in range(j):
                rest -= factor[i, k] * factor[j, k]
            if i == j:
                factor[i, i] = math.sqrt(max(rest, 1e-300))
            else:
                factor[i, j] = rest / factor[j, j]


@kernel
def transform(factor: Array, normals: Array, offsets: Array) -> None:
    """Multiply each row of `normals` [samples, n] by a lower triangle [n, n], into `offsets`."""
    for s in range(len(normals)):
        for i in range(len(factor)):
            total = 0.0
            for k in range(i + 1):
                total += factor[i, k] * normals[s, k]
            offsets[s, i] = total
