"""Random streams, each addressed by (seed, purpose, index), the same on every machine.

A stream is four words of state for xoshiro256++ (Blackman and Vigna, 2019). `key` turns a seed and a purpose
into a word; `throw` sets a stream to the one of a given index. Games played in parallel each throw the dice
by their own index, so no result depends on who played what, or when.
"""

import hashlib
import math

import numpy as np
from numpy.typing import NDArray

from ludus.kernels import kernel

Dice = NDArray[np.uint64]

_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def key(seed: int, purpose: str) -> np.uint64:
    """The word from which all streams of one seed and purpose are derived."""
    return np.uint64(int.from_bytes(hashlib.blake2b(f"{seed}/{purpose}".encode(), digest_size=8).digest(), "little"))


def stream(seed: int, purpose: str, index: int = 0) -> Dice:
    """The random stream with this address."""
    dice = np.empty(4, np.uint64)
    throw(dice, key(seed, purpose), index)
    return dice


@kernel
def throw(dice: Dice, key: np.uint64, index: int) -> None:
    """Set `dice` to the stream of that index under that key."""
    word = mixed(key) ^ mixed(np.uint64(index) + np.uint64(0xD1B54A32D192ED03))
    for i in range(4):
        word += np.uint64(0x9E3779B97F4A7C15)
        dice[i] = mixed(word)


@kernel
def mixed(word: np.uint64) -> np.uint64:
    """A permutation of the 64-bit words in which every input bit reaches every output bit (splitmix64's)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _turned(word: np.uint64, distance: np.uint64) -> np.uint64:
    return (word << distance) | (word >> (np.uint64(64) - distance))


@kernel
def roll(dice: Dice) -> np.uint64:
    """The next 64 random bits."""
    result: np.uint64 = _turned(dice[0] + dice[3], np.uint64(23)) + dice[0]
    high = dice[1] << np.uint64(17)
    dice[2] ^= dice[0]
    dice[3] ^= dice[1]
    dice[1] ^= dice[2]
    dice[0] ^= dice[3]
    dice[2] ^= high
    dice[3] = _turned(dice[3], np.uint64(45))
    return result


@kernel
def below(dice: Dice, n: int) -> int:
    """A uniform integer from 0 to n-1, without bias (Lemire, 2019); n is at most 2**32."""
    count = np.uint64(n)
    product = (roll(dice) >> _32) * count
    if (product & _LOW) < count:
        least = (np.uint64(1) << _32) % count
        while (product & _LOW) < least:
            product = (roll(dice) >> _32) * count
    return np.int64(product >> _32)  # type: ignore[return-value]


@kernel
def uniform(dice: Dice) -> float:
    """A uniform number from 0 up to, but not including, 1."""
    return (roll(dice) >> np.uint64(11)) * 2.0**-53


@kernel
def shuffle(dice: Dice, values: NDArray[np.int64], n: int) -> None:
    """Put the first `n` values into random order."""
    for i in range(n - 1, 0, -1):
        j = below(dice, i + 1)
        values[i], values[j] = values[j], values[i]


@kernel
def normal(dice: Dice) -> float:
    """A number from the standard normal distribution, by the polar method (Marsaglia and Bray, 1964).

    The method makes numbers in pairs; the second is let go, since a stream has no room to keep it.
    """
    while True:
        x, y = 2.0 * uniform(dice) - 1.0, 2.0 * uniform(dice) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * math.sqrt(-2.0 * math.log(square) / square)
