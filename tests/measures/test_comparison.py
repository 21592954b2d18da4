"""Groups compared: every statistic against another way to compute it, and what is said about them."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from ludus.errors import InvalidSetting
from ludus.measures import comparison_statistics as statistics
from ludus.measures.comparison import compare, summarize
from ludus.measures.comparison_statistics import difference, holm, improvement, rank_test, runs_needed, trend
from ludus.play.intervals import Estimate
from tests.effort import EFFORT

RNG = np.random.default_rng(1)
A, B = RNG.normal(80, 2, 12), RNG.normal(82, 3, 9)


def test_means_medians_and_interquartile_means() -> None:
    scores = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 1000.0]
    found = summarize("a", scores)
    assert (found.mean.value, found.median.value, found.iqm.value) == (128.5, 4.5, 4.5)
    for each in (found.mean, found.median, found.iqm):
        assert each.interval[0] < each.value < each.interval[1]
    assert found.iqm.interval[1] < found.mean.interval[1]  # one run does not decide
    assert summarize("a", scores) == found
    assert summarize("same", [3.0, 3.0]).mean == Estimate(3.0, (3.0, 3.0))


def test_bootstrap_intervals_are_near_students_for_many_runs() -> None:
    scores = RNG.normal(50, 5, 200)
    low, high = stats.t.interval(0.95, 199, scores.mean(), stats.sem(scores))
    assert statistics.bootstrap(scores, np.mean).interval == pytest.approx((low, high), abs=0.1)


def test_with_ten_runs_they_hold_the_truth_in_90_of_100_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the report says."""
    monkeypatch.setattr(statistics, "RESAMPLES", 999)
    cases = 200 * EFFORT
    rng = np.random.default_rng(4)
    found = [statistics.bootstrap(rng.normal(0, 1, 10), np.mean, case).interval for case in range(cases)]
    assert np.mean([low <= 0 <= high for low, high in found]) == pytest.approx(0.9, abs=0.04)


def test_the_probability_of_improvement_counts_pairs() -> None:
    pairs = [(one > other) + (one == other) / 2 for one in A.round() for other in B.round()]
    assert improvement(A.round(), B.round()).value == pytest.approx(np.mean(pairs))
    whole, none = improvement(B + 50, B), improvement(B - 50, B)
    assert whole.value == whole.interval[1] == 1.0
    assert 0.5 < whole.interval[0] < 0.9  # nine runs each are not certainty
    assert none.interval == pytest.approx((0.0, 1 - whole.interval[0]))


def test_its_interval_holds_the_truth_in_95_of_100_cases() -> None:
    truth, cases = stats.norm.cdf(1 / math.sqrt(2)), 300 * EFFORT
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(cases):
        low, high = improvement(rng.normal(1, 1, 8), rng.normal(0, 1, 8)).interval
        held += low <= truth <= high
    assert 0.92 < held / cases <= 1


def test_the_difference_is_welchs() -> None:
    found, freedom = difference(A, B)
    theirs = stats.ttest_ind(A, B, equal_var=False)
    assert freedom == pytest.approx(theirs.df)
    assert found.interval == pytest.approx(tuple(theirs.confidence_interval()))
    assert statistics.p_beyond(found, 0.0, freedom) == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("margin", [0.5, 2.0, 4.0, 6.0])
def test_equivalence_is_two_one_sided_tests(margin: float) -> None:
    found, freedom = difference(A, B)
    above = stats.ttest_ind(A + margin, B, equal_var=False, alternative="greater").pvalue
    below = stats.ttest_ind(A - margin, B, equal_var=False, alternative="less").pvalue
    p = statistics.p_within(found, 0.0, margin, freedom)
    assert p == pytest.approx(max(above, below))
    assert statistics.within(found, 0.0, margin) == (p < 0.025)


def test_the_trend_is_jonckheeres() -> None:
    groups = [RNG.normal(shift, 1, 6) for shift in (0.0, 0.4, 0.8)]
    tau, p = trend(groups)

    def counted(order: np.ndarray) -> float:
        parts = np.split(order, 3)
        return sum(np.sign(b - a) for i in range(3) for j in range(i) for b in parts[i] for a in parts[j])

    pooled, seen = np.concatenate(groups), counted(np.concatenate(groups))
    chance = np.mean([abs(counted(RNG.permutation(pooled))) >= abs(seen) for _ in range(1000)])
    assert p == pytest.approx(chance, abs=0.04)
    assert np.sign(tau) == np.sign(seen)
    assert trend([np.ones(3)] * 3) == (0.0, 1.0)


def test_the_trend_of_few_runs_is_counted() -> None:
    """Three groups of two can be formed in 90 ways: one rises in all pairs, two in all but one."""
    rising = [np.array([0.0, 1.0]), np.array([2.0, 3.0]), np.array([4.0, 5.0])]
    assert trend(rising)[1] == pytest.approx(2 * 1 / 90)
    assert trend(rising[::-1])[1] == pytest.approx(2 * 1 / 90)
    nearly = [np.array([0.0, 2.0]), np.array([1.0, 3.0]), np.array([4.0, 5.0])]
    assert trend(nearly)[1] == pytest.approx(2 * 3 / 90)


def test_p_values_are_corrected_for_their_number() -> None:
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.9, 0.001]) == pytest.approx([0.9, 0.002])
    assert rank_test(np.ones(3), np.ones(4)) == 1.0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([1, 1, 1], [2, 2, 2]),
        ([2] * 5, [1, 1]),
        ([0, 0, 0.5, 3], [0, 1, 3, 3, 7]),
        ([5, 5], [5, 6, 5, 5]),
        ([1, 4, 6], [2, 3, 5, 7]),  # no ties
    ],
)
def test_few_runs_are_tested_exactly_even_with_ties(first: list[float], second: list[float]) -> None:
    """As counted over all ways to form such groups: the normal approximation says 0.047 of the first example."""
    ranks = stats.rankdata([*first, *second])
    sums = np.array([sum(ranks[list(some)]) for some in combinations(range(len(ranks)), len(first))])
    seen = ranks[: len(first)].sum()
    p = min(1.0, 2 * min(np.mean(sums <= seen), np.mean(sums >= seen)))
    assert rank_test(np.array(first, float), np.array(second, float)) == pytest.approx(p)
    assert rank_test(np.array(second, float), np.array(first, float)) == pytest.approx(p)


def test_three_runs_against_three_never_tell() -> None:
    assert compare({"a": [0.0, 0.0, 0.0], "b": [1.0, 1.0, 1.0]}).sentences() == [
        "3 runs each do not tell a and b apart (p = 0.100); about 6 each would, if the difference is what it seems."
    ]


def test_so_many_runs_are_needed_and_enough() -> None:
    """With as many runs as are needed, the test sees the difference in about four of five cases."""
    shift = 0.8
    share = float(stats.norm.cdf(shift / math.sqrt(2)))
    runs = runs_needed(share)
    assert runs
    rng = np.random.default_rng(3)
    seen = stats.mannwhitneyu(rng.normal(shift, 1, (2000, runs)), rng.normal(0, 1, (2000, runs)), axis=1).pvalue < 0.05
    assert seen.mean() == pytest.approx(0.8, abs=0.05)
    assert runs_needed(1 - share) == runs
    assert (runs_needed(share, tests=6) or 0) > runs


def test_what_is_said_of_two_groups() -> None:
    low, high = [80.0, 81.0, 79.0, 80.5, 80.2, 79.5], [85.0, 86.0, 84.0, 85.5, 85.2, 84.5]
    better = compare({"a": high, "b": low}).pairs[0]
    assert (better.verdict, better.improvement.value, better.runs_needed) == ("better", 1.0, None)
    assert compare({"a": low, "b": high}).pairs[0].verdict == "worse"
    turned = compare({"a": low, "b": high}, lower_is_better=True)
    assert (turned.pairs[0].verdict, turned.pairs[0].improvement.value) == ("better", 1.0)
    assert turned.sentences() == ["a scores better than b (p = 0.002)."]
    assert turned.pairs[0].difference.value < 0  # it is in the unit of the score
    alike = compare({"a": low, "b": [each + 0.1 for each in low]}, same_within=2)
    assert alike.pairs[0].verdict == "alike"
    assert alike.sentences()[0].startswith("a and b are alike within 2 (p ")
    both = compare({"a": high, "b": low}, same_within=7)
    assert both.sentences() == ["a scores better than b, though by less than 7 (p = 0.002)."]


def test_too_few_runs_are_said_to_be_too_few() -> None:
    found = compare({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]})
    assert found.sentences() == [
        "3 runs each do not tell a and b apart (p = 0.100); about 6 each would, if the difference is what it seems."
    ]
    same = compare({"a": [1.0, 3.0], "b": [1.0, 3.0, 1.0, 3.0]})
    assert same.sentences() == [
        "2 and 4 runs do not tell a and b apart (p = 1.000); they are too close to say how many would."
    ]


def test_an_order_of_groups() -> None:
    groups = {name: [level + each for each in (0.0, 0.1, 0.2, 0.3)] for level, name in enumerate("abc")}
    found = compare(groups, ordered=True)
    assert len(found.pairs) == 3
    assert found.sentences()[-1].startswith("Scores rise in this order of the groups (Kendall's tau 0.8")
    assert [pair.p_corrected >= pair.p for pair in found.pairs] == [True] * 3
    assert "<table" in found._repr_html_()
    assert "<i>" not in compare({"<i>": [1.0, 2.0], "b": [1.0, 3.0]})._repr_html_()


@pytest.mark.parametrize(
    ("groups", "options", "sentence"),
    [
        ({"a": [1, 2]}, {}, "two or more groups"),
        ({"a": [1, 2], "b": [1]}, {}, "b has 1 run"),
        ({"a": [1, 2], "b": [1, math.nan]}, {}, "b has a score that is no finite number"),
        ({"a": [1, 2], "b": [1, 3]}, {"same_within": 0}, "invalid margin 0"),
        ({"a": [1, 2], "b": [1, 3]}, {"ordered": True}, "three or more groups"),
    ],
)
def test_what_can_not_be_compared(groups, options, sentence: str) -> None:
    with pytest.raises(InvalidSetting, match=sentence):
        compare(groups, **options)
