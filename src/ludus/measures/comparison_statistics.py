"""The statistics of groups: estimates with intervals, tests, and the number of runs that a test needs.

Numbers in, estimates and p values out; `ludus.measures.comparison` says what they mean. The verdicts on papers' claims
(`ludus.papers.verdicts`) are decided by the same functions. Intervals and tests come from SciPy where it has them.
"""

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.play.intervals import Z95, Estimate

LEVEL = 0.05
"""Of the tests: the chance of seeing a difference where there is none, over all pairs together."""

POWER = 0.8
"""The chance of seeing a difference that is there, with as many runs as are said to be needed."""

RESAMPLES = 9999

FEW_RUNS = 8
"""If one of two groups has no more, their rank test is exact: the normal approximation would be too sure."""

MOST_REORDERED = 50
"""Of no more runs together the trend test counts orders: with ties the normal approximation would be too sure."""

MOST_RUNS = 10_000
"""If more would be needed, the groups are too close to say how many."""


def interquartile_mean(scores: Any, axis: int = -1) -> Any:
    """The mean of the middle half: a quarter of the scores is left out at either end, rounded down."""
    from scipy.stats import trim_mean  # type: ignore[import-untyped]

    return trim_mean(scores, 0.25, axis=axis)


def bootstrap(scores: NDArray[np.float64], statistic: Callable[..., Any], seed: int = 1) -> Estimate:
    """A statistic of these scores with its bootstrap interval, in which all scores have the same chance to be drawn."""
    from scipy.stats import bootstrap as resampled

    value = float(statistic(scores, axis=-1))
    if np.ptp(scores) == 0:  # nothing to draw from
        return Estimate(value, (value, value))
    for method in ("BCa", "percentile"):  # BCa finds none where leaving out a run changes nothing
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = resampled(
                (scores,), statistic, method=method, n_resamples=RESAMPLES, random_state=np.random.default_rng(seed)
            ).confidence_interval
        if math.isfinite(found.low) and math.isfinite(found.high):
            break
    return Estimate(value, (float(found.low), float(found.high)))


def rank_test(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The two-sided p of Mann and Whitney's test: exact if one of the groups has eight runs or fewer."""
    from scipy.stats import mannwhitneyu

    both = np.concatenate([first, second])
    if np.ptp(both) == 0:
        return 1.0
    if min(len(first), len(second)) <= FEW_RUNS and len(np.unique(both)) < len(both):
        return _exact_rank_test(first, second)  # which SciPy has without ties only
    return float(mannwhitneyu(first, second).pvalue)


def _exact_rank_test(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The exact two-sided p of the rank test, ties or none, by counting all ways to form groups of these sizes.

    It is twice the chance of a sum of ranks as far out on that side, as it is without ties.
    """
    from scipy.stats import rankdata

    few, many = sorted((first, second), key=len)
    ranks = np.rint(2 * rankdata(np.concatenate([few, many]))).astype(np.int64)  # doubled, since ties share half ranks
    # [scores drawn, sum of their ranks] in how many ways, score by score
    ways = np.zeros((len(few) + 1, np.sort(ranks)[-len(few) :].sum() + 1))
    ways[0, 0] = 1
    for rank in ranks:
        ways[1:, rank:] += ways[:-1, :-rank]
    seen, sums = ranks[: len(few)].sum(), ways[-1]
    return float(min(1.0, 2 * min(sums[: seen + 1].sum(), sums[seen:].sum()) / sums.sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """These p values, corrected for their number such that one mistake in all of them has the chance that each tells.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, least = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = least
    return corrected


def improvement(first: NDArray[np.float64], second: NDArray[np.float64]) -> Estimate:
    """The probability that one of the first scores is higher than one of the second, with Newcombe's fifth interval."""
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    pairs = first[:, None] - second[None, :]
    share = float(np.mean(pairs > 0) + np.mean(pairs == 0) / 2)
    others = (len(first) + len(second)) / 2 - 1

    def beyond(truth: float) -> float:
        """By how much the share is further from the truth than chance would have it in 95 of 100 cases."""
        spread = 1 + others * (1 - truth) / (2 - truth) + others * truth / (1 + truth)
        return (share - truth) ** 2 - Z95**2 * truth * (1 - truth) * spread / pairs.size

    edge = 1e-9  # where nothing deviates by chance
    low = 0.0 if share == 0 else brentq(beyond, 0.0, min(share, 1 - edge))
    high = 1.0 if share == 1 else brentq(beyond, max(share, edge), 1.0)
    return Estimate(share, (float(low), float(high)))


def difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[Estimate, float]:
    """The difference of the means with Welch's interval, and its degrees of freedom."""
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    value = float(first.mean() - second.mean())
    parts = [float(np.var(each, ddof=1)) / len(each) for each in (first, second)]
    variance = sum(parts)
    if variance == 0:
        return Estimate(value, (value, value)), math.inf
    freedom = variance**2 / sum(part**2 / (len(each) - 1) for part, each in zip(parts, (first, second), strict=True))
    half = float(stdtrit(freedom, 1 - LEVEL / 2)) * math.sqrt(variance)
    return Estimate(value, (value - half, value + half)), freedom


def trend(groups: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """Whether scores rise or fall from each group to the next: Kendall's tau, and its two-sided p.

    The p of few runs is from putting the scores into other orders: all of them, or 9,999 that are drawn.
    """
    from scipy.stats import kendalltau, permutation_test

    order, scores = np.repeat(np.arange(len(groups)), [len(each) for each in groups]), np.concatenate(list(groups))
    found = kendalltau(order, scores)
    if not math.isfinite(found.statistic):
        return 0.0, 1.0
    if len(scores) > MOST_REORDERED:
        return float(found.statistic), float(found.pvalue)
    rises = np.sign(order[:, None] - order)

    def agreement(scores: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
        """How many more pairs of runs rise with the groups than fall."""
        return np.asarray((np.sign(scores[..., :, None] - scores[..., None, :]) * rises).sum(axis=(-2, -1)) / 2)

    reordered = permutation_test(
        (scores,), agreement, permutation_type="pairings", vectorized=True, n_resamples=RESAMPLES, batch=1000,
        random_state=np.random.default_rng(1),
    )  # fmt: skip
    return float(found.statistic), float(reordered.pvalue)


def within(ours: Estimate, middle: float, margin: float) -> bool:
    """The equivalence test: whether the whole interval is within the margin, two one-sided tests at 2.5% each."""
    return middle - margin <= ours.interval[0] and ours.interval[1] <= middle + margin


def p_within(ours: Estimate, middle: float, margin: float, freedom: float | None) -> float:
    """The p of the equivalence test, the larger of the two one-sided ones: below 0.025 just where `within` holds."""
    error = standard_error(ours, freedom)
    if error == 0:
        return 0.0 if within(ours, middle, margin) else 1.0
    room = margin - abs(ours.value - middle)
    return float(tail(room / error, freedom))


def p_beyond(ours: Estimate, bound: float, freedom: float | None) -> float:
    """The two-sided p of a figure, if the truth were the bound: below 0.05 just where that is outside the interval.

    A bound outside is judged by the side of the interval that faces it, of which the other may be longer.
    """
    low, high = ours.interval
    facing = 0.0 if low <= bound <= high else ours.value - low if bound < low else high - ours.value
    half = facing or half_width(ours)
    return float(2 * tail(abs(ours.value - bound) * quantile(freedom) / half, freedom))


def tail(errors: float, freedom: float | None) -> float:
    """The chance to be so many standard errors or more above the truth; None means infinite degrees of freedom."""
    from scipy.special import ndtr, stdtr

    return float(ndtr(-errors) if freedom is None or math.isinf(freedom) else stdtr(freedom, -errors))


def quantile(freedom: float | None) -> float:
    """How many standard errors half a 95% interval is."""
    from scipy.special import stdtrit

    return Z95 if freedom is None or math.isinf(freedom) else float(stdtrit(freedom, 0.975))


def half_width(ours: Estimate) -> float:
    """Half the width of an interval; of one that was cut off at the end of a scale, the longer side."""
    return max(ours.interval[1] - ours.value, ours.value - ours.interval[0])


def standard_error(ours: Estimate, freedom: float | None) -> float:
    return half_width(ours) / quantile(freedom)


def times_needed(ours: Estimate, wanted: float) -> float:
    """How many times as many observations would make half the interval of a mean as narrow as `wanted`."""
    if wanted <= 0:
        return math.inf
    times = max(1.0, (half_width(ours) / wanted) ** 2)
    if ours.n is None or math.isinf(times):
        return times
    # with more observations Student's quantile shrinks too: bisect for the least number that is enough
    error = half_width(ours) / quantile(ours.n - 1) * math.sqrt(ours.n)
    few, enough = ours.n, math.ceil(times * ours.n)
    while enough - few > 1:
        middle = (few + enough) // 2
        if quantile(middle - 1) * error / math.sqrt(middle) <= wanted:
            enough = middle
        else:
            few = middle
    return enough / ours.n


def runs_needed(share: float, tests: int = 1) -> int | None:
    """How many runs of each of two groups the rank test needs, if one of the first is better with this probability.

    At least as many as it takes to reach the level at all, corrected for so many tests: three against three never do.

    >>> runs_needed(0.8), runs_needed(1.0), runs_needed(1.0, tests=10), runs_needed(0.5)
    (15, 6, 9, None)
    """
    from scipy.special import ndtri

    if share == 0.5:
        return None
    level = LEVEL / tests
    wanted = float(ndtri(1 - level / 2) + ndtri(POWER)) ** 2 / (6 * (share - 0.5) ** 2)
    least = 2
    while 2 / math.comb(2 * least, least) >= level:
        least += 1
    return None if wanted > MOST_RUNS else max(math.ceil(wanted), least)


def p_shown(p: float) -> str:
    """A p value as a report has it.

    >>> p_shown(0.0421), p_shown(0.00002)
    ('p = 0.042', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
