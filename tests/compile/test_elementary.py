"""Elementary functions: near the true values, the same bits with the compiler off, and sound at the ends."""

import math

import numpy as np
from numpy.typing import NDArray

from ludus.compile import interpreted
from ludus.compile.elementary import LEAST, MOST, PARTS, exp, fused, logistic
from ludus.compile.jit import kernel

Numbers = NDArray[np.float64]


@kernel
def both(x: Numbers, powers: Numbers, logistics: Numbers) -> None:
    for i in range(len(x)):
        powers[i], logistics[i] = exp(x[i]), logistic(x[i])


@kernel
def fuse(a: Numbers, b: Numbers, c: Numbers, out: Numbers) -> None:
    for i in range(len(a)):
        out[i] = fused(a[i], b[i], c[i])


def values_of(x: Numbers) -> tuple[Numbers, Numbers]:
    powers, logistics = np.empty_like(x), np.empty_like(x)
    both(x, powers, logistics)
    return powers, logistics


def test_within_a_unit_in_the_last_place() -> None:
    rng = np.random.default_rng(1)
    steps = np.arange(-3 * PARTS, 3 * PARTS) * math.log(2) / PARTS
    x = np.concatenate([*(rng.normal(0, scale, 2000).clip(LEAST, MOST) for scale in (1e-9, 0.1, 3, 300)), steps])
    true = np.array([math.exp(each) for each in x])
    powers, logistics = values_of(x)
    assert np.max(np.abs(powers - true) / np.spacing(true)) <= 1
    expected = 1 / (1 + np.array([math.exp(-each) for each in x]))
    assert np.max(np.abs(logistics - expected) / np.spacing(expected)) <= 1


def test_beyond_ordinary_numbers() -> None:
    powers, logistics = values_of(np.array([-np.inf, -1e9, -MOST, 0.0, MOST, 1e9, np.inf, np.nan]))
    assert logistics[:-1].tolist() == [0, 0, 0, 0.5, 1, 1, 1]
    assert powers[3] == 1
    assert np.all(np.isfinite(powers[:-1]))
    assert np.all(powers[:-1] > 0)
    assert np.isnan(powers[-1])
    assert np.isnan(logistics[-1])


def test_fused_with_the_compiler_off() -> None:
    """Products that cancel all but what rounding would have lost."""
    a, b = np.random.default_rng(2).normal(size=(2, 500))
    c, out = -(a * b), np.empty(500)
    fuse(a, b, c, out)
    assert np.count_nonzero(out) > 400
    assert out.tolist() == [interpreted.fused(*map(float, each)) for each in zip(a, b, c, strict=True)]
