"""The operators of evolutionary algorithms: initialisation, mutation, crossover and selection.

Initialisation, mutation and crossover are kernels that change arrays in place. Selection schemes take the fitness of a
population, the larger the better, and return indices of its members; equally fit members rank as they stand there.
Terms as in Eiben and Smith (2015), "Introduction to Evolutionary Computing".
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, normal, randint, uniform

Weights = NDArray[Any]
"""Numbers of single or double precision."""
Genes = NDArray[np.int8]
"""A chromosome of integers from -128 to 127."""
Fitness = NDArray[np.float64]
Members = NDArray[np.int64]
"""Indices into a population."""


# initialisation


@kernel
def init_uniform(weights: Weights, bound: float, rng: Rng) -> None:
    """Draw all weights [n] uniformly from -bound to bound."""
    for i in range(len(weights)):
        weights[i] = bound * (2.0 * uniform(rng) - 1.0)


@kernel
def init_genes(genes: Genes, rng: Rng) -> None:
    """Draw all genes [n] uniformly from -128 to 127."""
    for i in range(len(genes)):
        genes[i] = randint(rng, 256) - 128


# mutation


@kernel
def mutate_gaussian(weights: Weights, chance: float, sigma: float, rng: Rng) -> None:
    """Gaussian mutation: with that chance, add to a weight of [n] a normal number of standard deviation sigma."""
    for i in range(len(weights)):
        if uniform(rng) < chance:
            weights[i] += sigma * normal(rng)


@kernel
def mutate_uniform(weights: Weights, chance: float, bound: float, rng: Rng) -> None:
    """Uniform mutation: with that chance, add to a weight of [n] a uniform number from -bound to bound."""
    for i in range(len(weights)):
        if uniform(rng) < chance:
            weights[i] += bound * (2.0 * uniform(rng) - 1.0)


def learning_rate(numbers: int) -> float:
    """Schwefel's learning rate tau of self-adaptive mutation, for individuals of so many numbers."""
    return float(1 / np.sqrt(2 * np.sqrt(numbers)))


@kernel
def mutate_self_adaptive(weights: Weights, steps: Weights, tau: float, rng: Rng) -> None:
    """Self-adaptive mutation (Schwefel 1981; Bäck and Schwefel 1993), of all weights [individuals, n].

    Each weight has a step size of its own, which is inherited with it: first the step mutates, by a log-normal factor,
    then by the new step the weight.
    """
    for i in range(len(weights)):
        for j in range(weights.shape[1]):
            step = np.float64(steps[i, j]) * math.exp(tau * normal(rng))  # NumPy alone would stay at single precision
            steps[i, j] = step
            weights[i, j] += step * normal(rng)


@kernel
def mutate_genes(genes: Genes, chance: float, size: int, rng: Rng) -> None:
    """Creep mutation: with that chance, add to a gene of [n] a number from -size to size - 1, wrapping around."""
    for i in range(len(genes)):
        if uniform(rng) < chance:
            change = randint(rng, 2 * size) - size
            genes[i] = (np.int64(genes[i]) + change + 128) % 256 - 128


# crossover


@kernel
def two_point_crossover(one: Genes, other: Genes, child: Genes, sibling: Genes, rng: Rng) -> None:
    """Two-point crossover (De Jong 1975): write two children, who exchange what lies between two points. All [n]."""
    first, second = randint(rng, len(one)), randint(rng, len(one))
    low, high = min(first, second), max(first, second)
    for i in range(len(one)):
        inside = low <= i < high
        child[i], sibling[i] = (other[i], one[i]) if inside else (one[i], other[i])


# selection


def survivors(fitness: Fitness) -> Members:
    """Truncation selection: the better half, the best first; of an odd number, the larger half."""
    return np.argsort(-fitness, kind="stable")[: (len(fitness) + 1) // 2]


def comma_selection(fitness: Fitness) -> Members:
    """The parents of a (mu,lambda) evolution strategy: the better half in turn, as many as there are members.

    All members are replaced by children (Schwefel 1981).
    """
    return np.resize(survivors(fitness), len(fitness))


def plus_selection(fitness: Fitness) -> Members:
    """The parents of a (mu+lambda) evolution strategy: each of the survivors has a child, as long as there is room.

    The next generation are the `survivors` and these children (Schwefel 1981).
    """
    return survivors(fitness)[: len(fitness) // 2]


def tournament_selection(fitness: Fitness, size: int, rng: Rng) -> Members:
    """Tournament selection (Goldberg and Deb 1991): each parent is the fittest of `size` drawn with replacement."""
    ranked = np.argsort(-fitness, kind="stable")
    return ranked[[min(randint(rng, len(fitness)) for _ in range(size)) for _ in range(len(fitness))]]


def universal_sampling(fitness: Fitness, rng: Rng) -> Members:
    """Stochastic universal sampling (Baker 1987): evenly spaced pointers into the wheel of `roulette_wheel`."""
    size, wheel = len(fitness), np.cumsum(fitness)
    pointers = (np.arange(size) + uniform(rng)) * (wheel[-1] / size)
    chosen: Members = np.minimum(np.searchsorted(wheel, pointers, side="right"), size - 1)
    return chosen


def roulette_wheel(fitness: Fitness, rng: Rng) -> int:
    """Fitness proportionate selection (Holland 1975): a member, as likely as its share of all fitness."""
    wheel = np.cumsum(fitness)
    return int(np.searchsorted(wheel, uniform(rng) * wheel[-1], side="right"))
