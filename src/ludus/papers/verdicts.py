"""The rules by which claims get their verdicts. They are fixed before the runs, and are the same for all papers.

Evidence is of three kinds, each with rules of its own:

- a figure: ours has to be equivalent to the paper's within a stated tolerance (`verdict_near`);
- an order or a trend: one thing exceeds another, or rises, and chance alone should not explain it (`verdict_above`,
  `verdict_below`; `verdict_superior` for players that were rated);
- a pattern: something holds for all, or is the best, and we count how far ours falls short of it (`verdict_pattern`).

`reproduced` means that our whole interval agrees with the paper, `not reproduced` that none of it does. An interval of
which a part agrees is consistent with the paper but settles nothing: `not settled`, with the number of runs that would.
`partly` is for patterns alone. What was not run has no figure of ours, which is None, and is `not run`. A claim of
several parts is judged by all of them (`verdict_all`).

The tests are those of `ludus.measures.comparison_statistics`, by which groups of runs are compared.

>>> from ludus.play.intervals import Estimate
>>> verdict_near(Estimate(86.6, (86.2, 87.0)), 87.0, tolerance=1.0).verdict
'reproduced'
>>> found = verdict_near(Estimate(86.1, (85.1, 87.1), 5), 87.0, tolerance=1.0)
>>> found.verdict, found.rule, found.times
('not settled', 'our whole interval is within 1 of 87', 50.4)
>>> verdict_above(Estimate(1.9, (-0.6, 4.4)), 0.0).verdict
'not settled'
>>> verdict_pattern(shortfall=3, reproduced=0, partly=1).verdict
'not reproduced'
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from ludus.measures.comparison_statistics import p_beyond, p_shown, times_needed, within
from ludus.play.intervals import Estimate

Verdict = Literal["reproduced", "not settled", "partly", "not reproduced", "not run"]
VERDICTS: tuple[str, ...] = get_args(Verdict)

SUPERIOR = 0.95
"""The likelihood of superiority from which on one player is taken to be better than another."""


@dataclass(frozen=True)
class Ruling:
    """A verdict, and how it was reached."""

    verdict: Verdict
    rule: str
    """What makes the claim reproduced, with the tolerance: a clause after "if". Of a test, also our p value."""
    times: float | None = None
    """If it is not settled: how many times as many runs would settle it, should the figure stay as it is."""
    agrees: bool = True
    """Whether our figure agrees with the paper, whatever its interval: how it would be settled if the figure stays."""


def verdict_near(ours: Estimate | float | None, paper: float, tolerance: float) -> Ruling:
    """The verdict on a figure by equivalence: `tolerance` is the difference from the paper's that would not matter.

    reproduced      our whole interval lies within the paper's figure ± tolerance
    not reproduced  none of it does
    not settled     a part of it does

    A figure without an interval stands for it, so with a tolerance of 0 the figures have to be equal.
    """
    rule = f"{_what(ours)} is within {tolerance:g} of {paper:g}" if tolerance else f"it is equal to {paper:g}"
    if ours is None:
        return Ruling("not run", rule)
    ours = _estimate(ours)
    low, high = ours.interval
    if within(ours, paper, tolerance):
        return Ruling("reproduced", rule)
    if high < paper - tolerance or low > paper + tolerance:
        return Ruling("not reproduced", rule, agrees=False)
    inside = tolerance - abs(ours.value - paper)
    return Ruling("not settled", rule, times_needed(ours, abs(inside)), inside >= 0)


def verdict_above(ours: Estimate | float | None, bound: float) -> Ruling:
    """The verdict on a claim that something exceeds a bound, as a difference between two methods exceeds 0.

    reproduced      our whole interval lies above the bound: a two-sided test at 5%
    not reproduced  none of it does
    not settled     a part of it does
    """
    return _beyond(ours, bound, "above", 1)


def verdict_below(ours: Estimate | float | None, bound: float) -> Ruling:
    """The verdict on a claim that something stays below a bound: `verdict_above` with both signs turned."""
    return _beyond(ours, bound, "below", -1)


def verdict_superior(likelihood: float | None, least: float = SUPERIOR, who: str = "it") -> Ruling:
    """The verdict on a claim that one player is better than another, by its likelihood of superiority, from 0 to 1.

    reproduced      the likelihood reaches `least`
    not reproduced  that of the other player does
    not settled     neither does
    """
    rule = f"{who} is better with a likelihood of {least:.0%} or more"
    if likelihood is None:
        return Ruling("not run", rule)
    if likelihood >= least:
        return Ruling("reproduced", rule)
    if likelihood <= 1 - least:
        return Ruling("not reproduced", rule, agrees=False)
    from scipy.special import ndtri  # type: ignore[import-untyped]

    # the deviation from an even match, in standard errors, grows with the root of the games
    ahead = float(ndtri(likelihood))
    return Ruling("not settled", rule, (float(ndtri(least)) / ahead) ** 2 if ahead else math.inf, ahead > 0)


def verdict_pattern(shortfall: float | None, reproduced: float, partly: float, rule: str = "") -> Ruling:
    """The verdict on a claim that something holds for all, or is the best, by how much ours falls short of that.

    reproduced      the shortfall is at most `reproduced`
    partly          it is at most `partly`
    not reproduced  anything else

    `rule` says in words what is counted, and how much of it is partly.
    """
    rule = rule or f"it falls short by {reproduced:g} at most (partly: {partly:g})"
    if shortfall is None:
        return Ruling("not run", rule)
    if shortfall <= reproduced:
        return Ruling("reproduced", rule)
    return Ruling("partly" if shortfall <= partly else "not reproduced", rule, agrees=False)


def verdict_all(*parts: Ruling) -> Ruling:
    """The verdict on a claim of several parts.

    reproduced      all parts are
    not reproduced  one of them is not
    partly          a part is, and the others are reproduced
    not settled     anything else
    """
    decisive: tuple[Verdict, ...] = ("not run", "not reproduced", "not settled", "partly", "reproduced")
    verdict = min((part.verdict for part in parts), key=decisive.index)
    rule, agrees = ", and ".join(part.rule for part in parts), all(part.agrees for part in parts)
    if verdict != "not settled":
        return Ruling(verdict, rule, agrees=agrees)
    waiting = [part for part in parts if part.times is not None]
    failing = [part.times or 0 for part in waiting if not part.agrees]
    # the first part that fails settles it, or else the last that holds
    return Ruling(verdict, rule, min(failing) if failing else max(part.times or 0 for part in waiting), agrees)


def _beyond(ours: Estimate | float | None, bound: float, side: str, sign: int) -> Ruling:
    rule = f"{_what(ours)} is {side} {bound:g}"
    if ours is None:
        return Ruling("not run", rule)
    ours = _estimate(ours)
    low, high = sorted(sign * (end - bound) for end in ours.interval)
    ahead = sign * (ours.value - bound)
    if high > low:
        rule += f" ({p_shown(p_beyond(ours, bound, _freedom(ours)))})"
    if low > 0:
        return Ruling("reproduced", rule)
    if high <= 0:
        return Ruling("not reproduced", rule, agrees=False)
    return Ruling("not settled", rule, times_needed(ours, abs(ahead)), ahead > 0)


def _what(ours: Estimate | float | None) -> str:
    """What a rule is about: figures that are exact, or from a single observation, have no interval."""
    return "our whole interval" if ours is None or isinstance(ours, Estimate) else "our figure"


def _estimate(ours: Estimate | float) -> Estimate:
    return ours if isinstance(ours, Estimate) else Estimate(ours, (ours, ours))


def _freedom(ours: Estimate) -> float | None:
    return None if ours.n is None else ours.n - 1
