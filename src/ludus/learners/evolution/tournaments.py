"""Who plays whom in a generation of coevolution, where fitness comes of games among the members.

Pairs are [games, 3]: a member, its opponent, and which side the member takes, 0 if it moves first. Scores are for the
member: 1.0, 0.5, 0.0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import Rng, shuffle

Pairs = NDArray[np.int64]
Scores = NDArray[np.float64]


class Pairings(NamedTuple):
    """Games to be played, as kernels know them. Game i has the random stream of index `first` + i under `key`."""

    pairs: Pairs
    key: np.uint64
    first: int

    def part(self, begin: int, end: int) -> "Pairings":
        """The games from number `begin` up to `end`."""
        return Pairings(self.pairs[begin:end], self.key, self.first + begin)


def round_robin(members: int) -> Pairs:
    """Every two members play twice, once with each colour."""
    return np.array([(i, j, 0) for i in range(members) for j in range(members) if i != j], np.int64)


def against_sample(members: int, opponents: int, *, double: bool) -> Pairs:
    """Every member plays every opponent of a sample: with both colours, or with colours that alternate."""
    games = [
        (i, k, colour)
        for i in range(members)
        for k in range(opponents)
        for colour in ((0, 1) if double else (k % 2,))
    ]  # fmt: skip
    return np.array(games, np.int64).reshape(-1, 3)


def random_opponents(members: int, opponents: int, rng: Rng) -> Pairs:
    """Every member moves first against so many different others, drawn at random."""
    games, others = [], np.empty(members - 1, np.int64)
    for i in range(members):
        others[:] = [other for other in range(members) if other != i]
        shuffle(rng, others, len(others))
        games += [(i, int(other), 0) for other in others[:opponents]]
    return np.array(games, np.int64)
