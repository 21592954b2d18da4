"""How sure a score is: intervals, Elo differences, likelihood of superiority, and a sequential test.

Games come in pairs that share an opening, with colours swapped. The two games of a pair are not independent, so a
pair's score is one observation.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting

Z95 = 1.959963984540054

MOST_ELO = 10_000
"""Differences that a sequential test may ask about; nobody is further from anybody."""


@dataclass(frozen=True, repr=False)
class Estimate:
    """A figure and its 95% interval, both in the unit of the measure.

    >>> Estimate(87.612, (87.28, 87.944))
    87.6 (87.3 to 87.9)
    >>> f"{Estimate(0.6861, (0.58, 0.79)):.2f}"
    '0.69 (0.58 to 0.79)'
    """

    value: float
    interval: tuple[float, float]
    n: int | None = None
    """The number of independent observations, such as runs, where Student's distribution made the interval."""

    def __repr__(self) -> str:
        return f"{self}"

    def __format__(self, spec: str) -> str:
        """Each number by the format; by default with enough decimals to tell the ends of the interval apart."""
        low, high = self.interval
        if not spec:
            apart = high - low
            decimals = -math.floor(math.log10(apart)) if 0 < apart < math.inf else 1
            spec = f".{max(1, decimals)}f"
        spec = f"z{spec}" if spec.startswith(".") else spec  # never -0.0
        return f"{self.value:{spec}} ({low:{spec}} to {high:{spec}})"


def elo(score: float) -> float:
    """The difference in Elo points at which that score is expected."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def expected(difference: float) -> float:
    """The score that is expected at that difference in Elo points."""
    return 1 / (1 + 10 ** (-difference / 400))


def wilson(score: float, n: float) -> tuple[float, float]:
    """The 95% interval of Wilson for a mean of `n` observations between 0 and 1, right even at 0 and 1."""
    middle = (score + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * math.sqrt(score * (1 - score) / n + Z95**2 / (4 * n**2))
    # at the ends exactly, or an Elo difference without bound would get one from the last digit
    return max(0.0, middle - half) if score > 0 else 0.0, min(1.0, middle + half) if score < 1 else 1.0


@dataclass(frozen=True)
class Summary:
    """What the scores of some pairs of games tell about the first player."""

    score: float
    interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]
    los: float
    """The likelihood that the first player is the better one."""


def summary(pairs: NDArray[np.float64], score: float | None = None) -> Summary:
    """What these pairs tell; each is the mean score of its games. `score` is that of all games, by default their mean:
    it is another where a last game has no partner.

    The interval is Wilson's for the effective sample size: as many independent wins and losses as would have the
    observed variance. So draws and paired openings narrow it, as they should.
    """
    if not len(pairs):
        raise InvalidSetting("no game was played, so there is no score; play at least one")
    score = float(np.mean(pairs)) if score is None else score
    # one pair of each extreme beside the observed: a run of equal scores is not yet certainty
    variance = float(np.var(np.concatenate([pairs, [0.0, 1.0]])))
    smoothed = (score * len(pairs) + 1) / (len(pairs) + 2)
    effective_size = len(pairs) * smoothed * (1 - smoothed) / variance
    interval = wilson(score, effective_size)
    error = math.sqrt(variance / len(pairs))
    los = 0.5 * math.erfc(-(score - 0.5) / (error * math.sqrt(2)))
    return Summary(score, interval, elo(score), (elo(interval[0]), elo(interval[1])), los)


@dataclass(frozen=True)
class SequentialTest:
    """Wald's test of two hypotheses about the Elo difference, by which a match may stop early."""

    low: float
    """The difference if the first player is no better."""
    high: float
    """The difference if it is as much better as would matter."""
    error: float = 0.05
    """The chance of accepting either when the other is true."""

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.low < self.high <= MOST_ELO:
            raise InvalidSetting(
                f"invalid test of {self.low:g} against {self.high:g} Elo: the first must be lower, as in 0:20, and "
                f"both from {-MOST_ELO} to {MOST_ELO}"
            )
        if not 0 < self.error < 0.5:
            raise InvalidSetting(f"invalid error {self.error:g} of a test: must be above 0 and below 0.5")

    @property
    def bound(self) -> float:
        """How large the log-likelihood ratio must grow, either way."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, pairs: NDArray[np.float64]) -> float:
        """The log-likelihood ratio of `high` against `low`, for normally distributed means of pairs."""
        if len(pairs) < 2:
            return 0.0
        variance = float(np.var(np.concatenate([pairs, [0.0, 1.0]])))
        low, high = expected(self.low), expected(self.high)
        return len(pairs) * (high - low) * (2 * float(np.mean(pairs)) - low - high) / (2 * variance)

    def verdict(self, pairs: NDArray[np.float64]) -> str:
        """`better`, `not better`, or nothing yet."""
        ratio = self.ratio(pairs)
        return "better" if ratio >= self.bound else ("not better" if ratio <= -self.bound else "")
