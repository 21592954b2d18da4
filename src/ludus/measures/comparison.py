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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting
from ludus.measures.comparison_statistics import (
    LEVEL,
    bootstrap,
    difference,
    holm,
    improvement,
    interquartile_mean,
    p_shown,
    p_within,
    rank_test,
    runs_needed,
    trend,
    within,
)
from ludus.play.intervals import Estimate
from ludus.play.tables import html_table

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
        return html_table(head, rows) + "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences())


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
        Trend(*trend(list(arrays.values()))) if ordered else None,
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
