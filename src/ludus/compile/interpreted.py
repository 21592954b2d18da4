"""The instructions of `bitboards`, `simd` and `elementary` in plain Python, for when the compiler is off."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

U = np.uint64
Board = tuple[np.uint64, ...]
Lanes = NDArray[np.float32]


def popcount(word: np.uint64) -> int:
    return int(word).bit_count()


def lowest_bit(word: np.uint64) -> int:
    return ((int(word) & -int(word)) - 1).bit_length() if word else 64


def word_by_word(operation: Callable[[Any, Any], Any]) -> Callable[[Board, Board], Board]:
    return lambda a, b: tuple(operation(x, y) for x, y in zip(a, b, strict=True))


def shift_up(board: Board, distance: int) -> Board:
    up, rest = U(distance), U(64 - distance)
    return (board[0] << up, *((word << up) | (below >> rest) for below, word in pairwise(board)))


def shift_down(board: Board, distance: int) -> Board:
    down, rest = U(distance), U(64 - distance)
    return (*((word >> down) | (above << rest) for word, above in pairwise(board)), board[-1] >> down)


def single(board: Board, square: int) -> Board:
    return tuple(U(1) << U(square % 64) if square // 64 == i else U(0) for i in range(len(board)))


def any_set(board: Board) -> bool:
    return any(board)


def cardinality(board: Board) -> int:
    return sum(map(popcount, board))


def first_square(board: Board) -> int:
    return next(64 * i + lowest_bit(word) for i, word in enumerate(board) if word)


def kept_where(word: np.uint64, other: np.uint64) -> np.uint64:
    return word if other else U(0)


def load(array: Lanes, index: int, width: int = 16) -> Lanes:
    return array[index : index + width].copy()


def store(values: Lanes, array: Lanes, index: int) -> None:
    array[index : index + len(values)] = values


def zeros(width: int = 16) -> Lanes:
    return np.zeros(width, np.float32)


def fma(a: Any, b: Lanes, c: Lanes) -> Lanes:
    """a * b + c, rounded once.

    With 53 bits the product is exact, but the sum may be rounded, and a second rounding to 24 bits can then go wrong.
    It can't where the first is to an odd last bit (Boldo and Melquiond, 2008).
    """
    product, summand = np.float64(a) * b.astype(np.float64), c.astype(np.float64)
    rounded = product + summand
    part = rounded - product
    lost = (product - (rounded - part)) + (summand - part)
    even = (rounded.view(np.uint64) & U(1)) == 0
    odd = np.nextafter(rounded, np.copysign(np.inf, lost))
    return np.where((lost != 0) & even & np.isfinite(rounded), odd, rounded).astype(np.float32)


def horizontal_sum(values: Lanes) -> np.float32:
    while len(values) > 1:
        low, high = np.split(values, 2)
        values = low + high
    return np.float32(values[0])


def fused(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    return float(Fraction(a) * Fraction(b) + Fraction(c))
