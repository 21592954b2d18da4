"""Random streams: the published generator, no bias, and addresses that mean the same everywhere."""

import numpy as np
import pytest

from ludus.compile import rng


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    """The first outputs from the state 1, 2, 3, 4, as other implementations have them."""
    state = np.array([1, 2, 3, 4], np.uint64)
    assert [int(rng.next_uint64(state)) for _ in range(5)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
    ]


def test_an_address_names_one_stream_for_ever() -> None:
    """Changing this changes every result that was ever made from a seed."""
    assert [int(rng.next_uint64(rng.stream(1, "test", index))) for index in (0, 1)] == [
        9653672713484918906,
        15357332003435936930,
    ]
    words = {
        rng.stream(*address).tobytes() for address in [(1, "a", 0), (1, "a", 1), (2, "a", 0), (1, "b", 0), (11, "a", 1)]
    }
    assert len(words) == 5


@pytest.mark.parametrize("n", [1, 2, 3, 6, 60, 2**31 + 1])
def test_below_is_uniform(n: int) -> None:
    stream, draws, bins = rng.stream(5, "test"), 60000, min(n, 60)
    seen = np.zeros(bins)
    for _ in range(draws):
        value = rng.randint(stream, n)
        assert 0 <= value < n
        seen[value * bins // n] += 1
    # chi-squared, far beyond what chance does to a fair die
    assert np.sum((seen - draws / bins) ** 2) / (draws / bins) < bins + 6 * np.sqrt(2 * bins)


def test_streams_of_neighbouring_indices_do_not_resemble_each_other() -> None:
    bits = np.array(
        [
            [int(rng.next_uint64(rng.stream(3, "test", index))) >> shift & 1 for shift in range(64)]
            for index in range(2000)
        ]
    )
    assert np.all(abs(bits.mean(axis=0) - 0.5) < 0.06)
    agreement = (bits[1:] == bits[:-1]).mean(axis=0)
    assert np.all(abs(agreement - 0.5) < 0.06)
