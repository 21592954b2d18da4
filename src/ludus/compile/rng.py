"""Random streams, each addressed by (seed, purpose, index), the same on every machine.

A stream is the state of xoshiro256++ (Blackman and Vigna, 2019), four words. `key` turns a seed and a purpose into a
word; `seek` sets a stream to the one of a given index. Games that are played in parallel each use the stream of their
own index, so results don't depend on who played what, or when.
"""

import hashlib
import math

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel

Rng = NDArray[np.uint64]
"""The state of a stream. [4]"""

_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def key(seed: int, purpose: str) -> np.uint64:
    """The key of all streams of one seed and purpose."""
    return np.uint64(int.from_bytes(hashlib.blake2b(f"{seed}/{purpose}".encode(), digest_size=8).digest(), "little"))


def stream(seed: int, purpose: str, index: int = 0) -> Rng:
    """The random stream with this address."""
    rng = np.empty(4, np.uint64)
    seek(rng, key(seed, purpose), index)
    return rng


@kernel
def seek(rng: Rng, key: np.uint64, index: int) -> None:
    """Set `rng` to the stream of that index under that key."""
    word = mix(key) ^ mix(np.uint64(index) + np.uint64(0xD1B54A32D192ED03))
    for i in range(4):
        word += np.uint64(0x9E3779B97F4A7C15)
        rng[i] = mix(word)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """The finalizer of splitmix64: a bijection in which every input bit affects every output bit."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _rotl(word: np.uint64, distance: np.uint64) -> np.uint64:
    return (word << distance) | (word >> (np.uint64(64) - distance))


@kernel
def next_uint64(rng: Rng) -> np.uint64:
    """The next 64 random bits."""
    result: np.uint64 = _rotl(rng[0] + rng[3], np.uint64(23)) + rng[0]
    high = rng[1] << np.uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= high
    rng[3] = _rotl(rng[3], np.uint64(45))
    return result


@kernel
def randint(rng: Rng, n: int) -> int:
    """A uniform integer from 0 to n-1, without bias (Lemire, 2019); n is at most 2**32."""
    count = np.uint64(n)
    product = (next_uint64(rng) >> _32) * count
    if (product & _LOW) < count:
        least = (np.uint64(1) << _32) % count
        while (product & _LOW) < least:
            product = (next_uint64(rng) >> _32) * count
    return np.int64(product >> _32)  # type: ignore[return-value]


@kernel
def uniform(rng: Rng) -> float:
    """A uniform number from 0 up to, but not including, 1."""
    return (next_uint64(rng) >> np.uint64(11)) * 2.0**-53


@kernel
def shuffle(rng: Rng, values: NDArray[np.int64], n: int) -> None:
    """Shuffle the first `n` values in place (Fisher-Yates)."""
    for i in range(n - 1, 0, -1):
        j = randint(rng, i + 1)
        values[i], values[j] = values[j], values[i]


@kernel
def normal(rng: Rng) -> float:
    """A number from the standard normal distribution, by the polar method (Marsaglia and Bray, 1964).

    The method makes numbers in pairs; the second is dropped, since a stream has no room for it.
    """
    while True:
        x, y = 2.0 * uniform(rng) - 1.0, 2.0 * uniform(rng) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * math.sqrt(-2.0 * math.log(square) / square)
