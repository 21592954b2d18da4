"""Groups of runs compared: what each scores, which is better, by how much, and whether there are enough runs to tell.

A score is one number a run, such as its percent of points; runs are independent. A group has a mean, a median and an
interquartile mean (of the middle half; Agarwal et al. 2021), with bootstrap intervals (BCa; Efron 1987). Of two groups:

- the probability of improvement, that a run of one scores better than one of the other, a tie counting half
  (Newcombe's fifth interval, 2006, which is right even where one group is wholly ahead);
- the difference of the means (Welch's interval);
- the rank test of Mann and Whitney, its p corrected for the number of pairs (Holm 1979), which decides;
- the equivalence test, two one-sided tests (Schuirmann 1987): alike if the whole interval of the difference is within
  a margin that would not matter.

Groups in an order are tested for a trend (Jonckheere 1954, which is Kendall's test with groups as ties). The number of
runs that would tell is Noether's (1987). The verdicts on papers' claims use the same tests (`ludus.papers.verdicts`).

>>> found = compare({"a": [80.1, 81.0, 79.5, 80.4, 80.9], "b": [83.2, 82.5, 84.0, 83.1, 82.2]}, seed=1)
>>> found.groups[0].mean
80.4 (79.9 to 80.8)
>>> pair = found.pairs[0]
>>> pair.verdict, f"{pair.difference:.1f}", round(pair.p, 4)
('worse', '-2.6 (-3.6 to -1.7)', 0.0079)
"""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting
from ludus.play.intervals import Z95, Estimate
from ludus.play.tables import html_table

LEVEL = 0.05
"""Of the tests: the chance of seeing a difference where there is none, over all pairs together."""

POWER = 0.8
"""The chance of seeing a difference that is there, with as many runs as are said to be needed."""

RESAMPLES = 9999

MOST_RUNS = 10_000
"""If more would be needed, the groups are too close to say how many."""

Verdict = Literal["better", "worse", "alike", "not told apart"]


@dataclass(frozen=True)
class GroupSummary:
    """What the runs of one group score."""

    name: str
    scores: tuple[float, ...]
    mean: Estimate
    median: Estimate
    iqm: Estimate
    """The interquartile mean: of the middle half."""

    def to_json(self) -> dict[str, Any]:
        figures = {"mean": self.mean, "median": self.median, "interquartile_mean": self.iqm}
        return {
            "group": self.name,
            "runs": len(self.scores),
            **{name: {"value": each.value, "interval": list(each.interval)} for name, each in figures.items()},
            "scores": list(self.scores),
        }


@dataclass(frozen=True)
class Pair:
    """Two groups compared; all figures are those of the first."""

    first: str
    second: str
    improvement: Estimate
    """The probability that a run of the first group scores better than one of the second, from 0 to 1."""
    difference: Estimate
    """Of the means, first minus second, in the unit of the score."""
    p: float
    """Of the rank test, two-sided."""
    p_corrected: float
    """The same, corrected for the number of pairs."""
    p_alike: float | None
    """Of the equivalence test; None unless a margin was given."""
    verdict: Verdict
    within: bool
    """Whether the whole interval of the difference is within the margin."""
    runs_needed: int | None
    """If they are not told apart: how many runs of each group would, in four of five cases, should all stay as it is;
    None if they are too close to say."""

    def to_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "probability_of_improvement": self.improvement.value,
            "probability_interval": list(self.improvement.interval),
            "difference": self.difference.value,
            "difference_interval": list(self.difference.interval),
            "p": self.p,
            "p_corrected": self.p_corrected,
            "p_alike": self.p_alike,
            "verdict": self.verdict,
            "within_margin": self.within,
            "runs_needed": self.runs_needed,
        }


@dataclass(frozen=True)
class Trend:
    """Whether scores rise, or fall, from group to group in the order given."""

    tau: float
    """Kendall's, from -1 to 1."""
    p: float

    @property
    def words(self) -> str:
        seen = "rise" if self.tau > 0 else "fall"
        what = f"Scores {seen}" if self.p < LEVEL else "Scores neither rise nor fall for certain"
        return f"{what} in this order of the groups (Kendall's tau {self.tau:.2f}, {p_shown(self.p)})."


@dataclass(frozen=True)
class Comparison:
    """Two or more groups of runs, compared."""

    groups: tuple[GroupSummary, ...]
    pairs: tuple[Pair, ...]
    trend: Trend | None = None
    same_within: float | None = None
    lower_is_better: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "groups": [each.to_json() for each in self.groups],
            "pairs": [each.to_json() for each in self.pairs],
            "trend": {"tau": self.trend.tau, "p": self.trend.p} if self.trend else None,
            "same_within": self.same_within,
            "lower_is_better": self.lower_is_better,
        }

    def sentences(self) -> list[str]:
        """What was found, a sentence for each pair and one for a trend."""
        found = [self._sentence(pair) for pair in self.pairs]
        return [*found, self.trend.words] if self.trend else found

    def _sentence(self, pair: Pair) -> str:
        runs = {each.name: len(each.scores) for each in self.groups}
        margin = f"{self.same_within:g}" if self.same_within is not None else ""
        test = p_shown(pair.p_corrected) + (", corrected" if len(self.pairs) > 1 else "")
        if pair.verdict in ("better", "worse"):
            but = f", though by less than {margin}" if pair.within else ""
            return f"{pair.first} scores {pair.verdict} than {pair.second}{but} ({test})."
        if pair.verdict == "alike":
            assert pair.p_alike is not None
            return f"{pair.first} and {pair.second} are alike within {margin} ({p_shown(pair.p_alike)})."
        few = sorted({runs[pair.first], runs[pair.second]})
        many = f"{few[0]} runs each" if len(few) == 1 else f"{few[0]} and {few[1]} runs"
        needed = (
            f"about {pair.runs_needed:,} each would, if the difference is what it seems"
            if pair.runs_needed
            else "they are too close to say how many would"
        )
        return f"{many} do not tell {pair.first} and {pair.second} apart ({test}); {needed}."

    def __repr__(self) -> str:
        shown = ", ".join(f"{each.name} {each.iqm:.1f}" for each in self.groups)
        return f"Comparison({shown}; {'; '.join(f'{pair.first} {pair.verdict}' for pair in self.pairs)})"

    def _repr_html_(self) -> str:
        head = ["group", "runs", "mean", "median", "interquartile mean"]
        rows = [(each.name, len(each.scores), each.mean, each.median, each.iqm) for each in self.groups]
        return html_table(head, rows) + "".join(f"<p>{sentence}</p>" for sentence in self.sentences())


def compare(
    groups: Mapping[str, Sequence[float]],
    *,
    lower_is_better: bool = False,
    same_within: float | None = None,
    ordered: bool = False,
    seed: int = 1,
) -> Comparison:
    """Compare groups by the scores of their runs; the seed is that of the bootstrap."""
    check_comparison(len(groups), same_within, ordered)
    for name, scores in groups.items():
        if len(scores) < 2:
            raise InvalidSetting(f"{name} has {len(scores)} run; a group takes two or more to show how runs differ")
        if not np.all(np.isfinite(scores)):
            raise InvalidSetting(f"{name} has a score that is no finite number; leave that run out")
    arrays = {name: np.asarray(scores, float) for name, scores in groups.items()}
    between = list(combinations(arrays, 2))
    p_values = [rank_test(arrays[one], arrays[other]) for one, other in between]
    pairs = [
        _pair((one, arrays[one]), (other, arrays[other]), p, corrected, len(between), lower_is_better, same_within)
        for (one, other), p, corrected in zip(between, p_values, holm(p_values), strict=True)
    ]
    return Comparison(
        tuple(summarize(name, scores, seed) for name, scores in arrays.items()),
        tuple(pairs),
        trend(list(arrays.values())) if ordered else None,
        same_within,
        lower_is_better,
    )


def check_comparison(groups: int, same_within: float | None, ordered: bool) -> None:
    """Raise InvalidSetting unless so many groups can be compared so."""
    if groups < 2:
        raise InvalidSetting(f"a comparison takes two or more groups, not {groups}")
    if same_within is not None and not 0 < same_within < math.inf:
        raise InvalidSetting(f"invalid margin {same_within:g}: must be greater than 0, in the unit of the score")
    if ordered and groups < 3:
        raise InvalidSetting("a trend takes three or more groups in an order")


def summarize(name: str, scores: Sequence[float] | NDArray[np.float64], seed: int = 1) -> GroupSummary:
    """What the runs of one group score, with bootstrap intervals."""
    array = np.asarray(scores, float)
    return GroupSummary(
        name,
        tuple(array.tolist()),
        bootstrap(array, np.mean, seed),
        bootstrap(array, np.median, seed),
        bootstrap(array, interquartile_mean, seed),
    )


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
    """The two-sided p of Mann and Whitney's test: exact for few runs without ties."""
    from scipy.stats import mannwhitneyu

    if np.ptp(np.concatenate([first, second])) == 0:
        return 1.0
    return float(mannwhitneyu(first, second).pvalue)


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


def trend(groups: Sequence[NDArray[np.float64]]) -> Trend:
    """Whether scores rise or fall from each group to the next, two-sided."""
    from scipy.stats import kendalltau

    order = np.repeat(np.arange(len(groups)), [len(each) for each in groups])
    found = kendalltau(order, np.concatenate(list(groups)))
    tau, p = float(found.statistic), float(found.pvalue)
    return Trend(tau, p) if math.isfinite(tau) else Trend(0.0, 1.0)


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
    """The two-sided p of a figure, if the truth were the bound."""
    return float(2 * tail(abs(ours.value - bound) / standard_error(ours, freedom), freedom))


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


def _pair(
    one: tuple[str, NDArray[np.float64]],
    other: tuple[str, NDArray[np.float64]],
    p: float,
    corrected: float,
    tests: int,
    lower_is_better: bool,
    same_within: float | None,
) -> Pair:
    (first, ours), (second, theirs) = one, other
    better = improvement(theirs, ours) if lower_is_better else improvement(ours, theirs)
    apart, freedom = difference(ours, theirs)
    alike = same_within is not None and within(apart, 0.0, same_within)
    verdict: Verdict = "not told apart"
    if corrected < LEVEL and better.value != 0.5:
        verdict = "better" if better.value > 0.5 else "worse"
    elif alike:
        verdict = "alike"
    return Pair(
        first,
        second,
        better,
        apart,
        p,
        corrected,
        None if same_within is None else p_within(apart, 0.0, same_within, freedom),
        verdict,
        alike,
        runs_needed(better.value, tests) if verdict == "not told apart" else None,
    )
