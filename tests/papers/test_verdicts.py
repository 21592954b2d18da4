"""The rules of verdicts at their edges, and against tests and intervals computed elsewhere."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from ludus.measures.performance import over_runs, percent, share_over_runs
from ludus.papers.verdicts import (
    Ruling,
    verdict_above,
    verdict_all,
    verdict_below,
    verdict_near,
    verdict_pattern,
    verdict_superior,
)
from ludus.play.intervals import Estimate

VALUES = [86.2, 87.9, 85.1, 88.8, 87.0]


@pytest.mark.parametrize(
    ("value", "interval", "verdict", "agrees"),
    [
        (87.0, (86.0, 88.0), "reproduced", True),  # as wide as the tolerance
        (87.0, (85.99, 87.5), "not settled", True),  # just beyond it
        (87.0, (82.0, 92.0), "not settled", True),  # too wide to tell
        (85.5, (84.9, 86.1), "not settled", False),  # only the edge is within
        (85.0, (84.0, 86.0), "not settled", False),  # touches it from outside
        (85.0, (84.01, 85.99), "not reproduced", False),
        (90.0, (89.5, 90.5), "not reproduced", False),
    ],
)
def test_a_figure_is_reproduced_if_its_whole_interval_is_within_the_tolerance(value, interval, verdict, agrees) -> None:
    found = verdict_near(Estimate(value, interval), 87, 1)
    assert (found.verdict, found.agrees, found.rule) == (verdict, agrees, "our whole interval is within 1 of 87")
    mirrored = verdict_near(Estimate(-value, (-interval[1], -interval[0])), -87, 1)
    assert (mirrored.verdict, mirrored.agrees, mirrored.times) == (verdict, agrees, found.times)
    assert (found.times is not None) == (verdict == "not settled")


def test_a_figure_without_an_interval_stands_for_it() -> None:
    assert [verdict_near(ours, 5046, 0).verdict for ours in (5046, 5047)] == ["reproduced", "not reproduced"]
    assert verdict_near(5046, 5046, 0).rule == "it is equal to 5046"
    assert verdict_near(86.5, 87, 1) == Ruling("reproduced", "our figure is within 1 of 87")
    assert verdict_above(0.5, 0.5) == Ruling("not reproduced", "our figure is above 0.5", agrees=False)


def test_what_was_not_run_has_a_rule_all_the_same() -> None:
    rulings = [
        verdict_near(None, 87, 1), verdict_above(None, 0), verdict_below(None, 0), verdict_superior(None),
        verdict_pattern(None, 0, 1), verdict_all(verdict_near(87.0, 87, 1), verdict_superior(None)),
    ]  # fmt: skip
    assert {each.verdict for each in rulings} == {"not run"}
    assert all(each.rule for each in rulings)


@pytest.mark.parametrize(
    ("value", "interval", "verdict"),
    [
        (1.0, (0.01, 1.99), "reproduced"),
        (1.0, (0.0, 2.0), "not settled"),  # touches the bound
        (1.0, (-0.5, 2.5), "not settled"),
        (-0.4, (-1.0, 0.2), "not settled"),
        (-1.0, (-2.0, 0.0), "not reproduced"),
    ],
)
def test_a_difference_is_judged_by_its_interval(value, interval, verdict) -> None:
    found = verdict_above(Estimate(value, interval), 0)
    assert (found.verdict, found.agrees) == (verdict, value > 0)
    turned = verdict_below(Estimate(3 - value, (3 - interval[1], 3 - interval[0])), 3)
    assert (turned.verdict, turned.agrees) == (verdict, value > 0)
    assert turned.times == pytest.approx(found.times)
    assert turned.rule.startswith("our whole interval is below 3 (p ")


@pytest.mark.parametrize("bound", [84.0, 85.5, 87.0, 89.1])
def test_p_values_are_those_of_the_t_test(bound: float) -> None:
    p = stats.ttest_1samp(VALUES, bound).pvalue
    shown = f"(p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})"
    for verdict in (verdict_above, verdict_below):
        found = verdict(over_runs(VALUES), bound)
        assert found.rule.endswith(shown)
        assert (found.verdict == "not settled") == (p >= 0.05)


@pytest.mark.parametrize("bound", [5, 15, 25, 35, 50, 65, 80, 90])
def test_p_values_agree_with_intervals_of_which_one_side_is_longer(bound: int) -> None:
    for won in range(41):
        found = verdict_above(percent(np.repeat([1.0, 0.0], [won, 40 - won])), bound)
        p = re.search(r"p [=<] ([\d.]+)", found.rule)
        assert p
        assert (float(p[1]) < 0.05) == (found.verdict != "not settled") or p[1] == "0.050"


def test_without_a_number_of_runs_p_values_are_normal() -> None:
    errors = stats.norm.isf(0.025)
    assert verdict_above(Estimate(1.5, (1.5 - errors, 1.5 + errors)), 0).rule.endswith(
        f"(p = {2 * stats.norm.sf(1.5):.3f})"
    )
    assert "p " not in verdict_above(Estimate(1.0, (1.0, 1.0), 10), 0).rule  # no run differs from another


def test_so_many_runs_settle_it_and_fewer_do_not() -> None:
    found = over_runs(VALUES)
    ruling = verdict_near(found, 86.0, 1.5)
    runs, spread = round((ruling.times or 0) * 5), float(np.std(VALUES, ddof=1))
    assert ruling.verdict == "not settled"

    def verdict(n: int) -> str:
        half = stats.t.ppf(0.975, n - 1) * spread / math.sqrt(n)
        return verdict_near(Estimate(found.value, (found.value - half, found.value + half), n), 86.0, 1.5).verdict

    assert [verdict(runs - 1), verdict(runs)] == ["not settled", "reproduced"]
    # of observations that are not counted, only the root is known
    assert verdict_above(Estimate(1.0, (-1.0, 3.0)), 0).times == pytest.approx(4.0)


def test_a_figure_on_the_bound_is_never_settled() -> None:
    assert verdict_near(Estimate(88.0, (87.5, 88.5), 5), 87, 1).times == math.inf
    assert verdict_above(Estimate(0.0, (-1.0, 1.0)), 0).times == math.inf
    assert verdict_superior(0.5).times == math.inf


def test_shares_end_at_0_and_100_and_are_judged_by_the_longer_side() -> None:
    found = share_over_runs([0.0] * 8 + [0.5, 0.5])
    assert found.interval[0] == 0.0
    whole = over_runs([0.0] * 8 + [0.5, 0.5])
    assert verdict_above(found, 0) == verdict_above(whole, 0)
    assert share_over_runs([99.0, 100.0]).interval[1] == 100.0


def test_who_is_better_is_judged_by_the_likelihood() -> None:
    verdicts = [verdict_superior(likelihood).verdict for likelihood in (0.95, 0.94, 0.06, 0.05)]
    assert verdicts == ["reproduced", "not settled", "not settled", "not reproduced"]
    # four times the games make a lead of one standard error one of two
    assert verdict_superior(float(stats.norm.cdf(1.0)), float(stats.norm.cdf(2.0))).times == pytest.approx(4.0)


def test_a_pattern_is_judged_by_what_it_falls_short_of() -> None:
    verdicts = [verdict_pattern(shortfall, 0, 1.5).verdict for shortfall in (0, 1, 1.5, 2)]
    assert verdicts == ["reproduced", "partly", "partly", "not reproduced"]
    assert verdict_pattern(0, 0, 1.5).rule == "it falls short by 0 at most (partly: 1.5)"
    assert verdict_pattern(0, 0, 1.5, "all hold").rule == "all hold"


def test_all_parts_of_a_claim_have_to_hold() -> None:
    holds, fails = Ruling("reproduced", "a"), Ruling("not reproduced", "b", agrees=False)
    few, many = Ruling("not settled", "c", 4.0), Ruling("not settled", "d", 9.0)
    failing = Ruling("not settled", "e", 6.0, agrees=False)
    assert verdict_all(holds, fails, few) == Ruling("not reproduced", "a, and b, and c", agrees=False)
    assert verdict_all(holds, few, many) == Ruling("not settled", "a, and c, and d", 9.0)
    assert verdict_all(few, many, failing).times == 6.0
    assert verdict_all(holds, Ruling("partly", "f")).verdict == "partly"
    assert verdict_all(holds, holds).verdict == "reproduced"
