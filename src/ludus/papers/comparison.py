"""Groups of runs compared by one score, with what can be printed of it; `comparison_report` writes the page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus.measures.comparison import Comparison, Pair
from ludus.measures.comparison import compare as compare_scores
from ludus.measures.comparison_statistics import p_shown
from ludus.papers.report import versions
from ludus.runs.groups import Group
from ludus.runs.run import Run
from ludus.runs.scores import Point, Scoring, chosen_moments, parse_at

UNEQUAL = 1.05
"""The ratio of budgets from which on groups are said not to have had the same."""


@dataclass(frozen=True)
class Compared:
    """Groups of runs, compared by one score."""

    groups: tuple[Group, ...]
    scoring: Scoring
    axis: str
    """When they are compared: at the `end` of their training, or at equal `games` or `seconds`."""
    when: str
    """The same in words."""
    points: Mapping[str, tuple[Point, ...]]
    """By group, what each run scored there."""
    courses: Mapping[str, tuple[tuple[Point, ...], ...]]
    """By group, what each run scored on the way, as far as that is known."""
    found: Comparison
    folder: Path | None = None
    """Where the report is."""

    @property
    def game(self) -> str:
        return self.groups[0].runs[0].spec.game

    @property
    def page(self) -> Path | None:
        return self.folder / "index.html" if self.folder else None

    def budget(self, group: str, axis: str) -> float | None:
        """The mean number of games, or seconds, until then; None if one of the runs doesn't know it."""
        spent = [point.at(axis) for point in self.points[group]]
        known = [each for each in spent if each is not None]
        return float(np.mean(known)) if len(known) == len(spent) else None

    def warnings(self) -> list[str]:
        """What makes the comparison less than fair."""
        said = []
        axis = "seconds" if self.axis == "seconds" else "games"
        budgets = {group.name: self.budget(group.name, axis) for group in self.groups}
        known = {name: spent for name, spent in budgets.items() if spent}
        if len(known) == len(budgets) and max(known.values()) > UNEQUAL * min(known.values()):
            shown = ", ".join(f"{name} {spent:,.6g}" for name, spent in known.items())
            advice = "--at games compares them so" if self.axis == "end" else "more snapshots would bring them nearer"
            said.append(f"The groups did not train for equally many {axis} ({shown}); {advice}.")
        for group in self.groups:
            seeds = [run.spec.seed for run in group.runs]
            if len(set(seeds)) < len(seeds) and len({str(run.spec) for run in group.runs}) < len(seeds):
                said.append(f"{group.name} holds a run twice (the same settings and seed); runs must be independent.")
        return said

    def paragraph(self) -> str:
        """What was done and found, as one could print it."""
        names = [group.name for group in self.groups]
        runs = {len(group.runs) for group in self.groups}
        counts = (
            f"{runs.pop()} runs each"
            if len(runs) == 1
            else "; ".join(f"{len(group.runs)} runs of {group.name}" for group in self.groups)
        )
        spent = [f"{games:,.0f}" for group in self.groups if (games := self.budget(group.name, "games"))]
        when = self.when
        if len(spent) == len(names):
            when += f" ({spent[0] if len(set(spent)) == 1 else listed(spent)} games)"
        how = f" in {self.scoring.played:,} games a player" if self.scoring.measure else ""
        parts = [
            f"We compared {listed(names)} on {self.game} over {counts}, {when}, by {self.scoring.title}{how}.",
            "The interquartile mean was "
            + listed([f"{each.iqm} for {each.name}" for each in self.found.groups])
            + " (95% bootstrap intervals).",
        ]
        for pair in self.found.pairs:
            parts.append(_pair_printed(pair, len(self.found.pairs), self.found.same_within))
        if self.found.trend:
            parts.append(self.found.trend.words)
        return " ".join(parts)

    def to_json(self) -> dict[str, Any]:
        scoring = self.scoring
        return {
            "game": self.game,
            "score": scoring.name,
            "title": scoring.title,
            "measured_games": scoring.played or None,
            "seed": scoring.seed,
            "when": self.when,
            "versions": versions(),
            "warnings": self.warnings(),
            "paragraph": self.paragraph(),
            **self.found.to_json(),
            "runs": [
                {"group": group, "run": str(run.folder), "asked": run.spec.to_json(), **vars(point)}
                for group, run, point in self.rows()
            ],
        }

    def rows(self) -> Iterable[tuple[str, Run, Point]]:
        """Each run with its group, and what it scored."""
        for group in self.groups:
            for run, point in zip(group.runs, self.points[group.name], strict=True):
                yield group.name, run, point

    def __repr__(self) -> str:
        return repr(self.found).replace("Comparison(", f"Compared({self.scoring.name}: ", 1)

    def _repr_html_(self) -> str:
        return self.found._repr_html_()


def compare_groups(
    groups: Sequence[Group],
    scoring: Scoring,
    *,
    at: str = "end",
    same_within: float | None = None,
    ordered: bool = False,
    lower_is_better: bool | None = None,
    curves: bool = True,
    progress: Callable[[float, Run], None] = lambda done, run: None,
) -> Compared:
    """Score all runs, which are finished, and compare the groups; `progress` takes the share that is scored.

    With `curves` they are also scored on the way, where they have kept players.
    """
    runs = [run for group in groups for run in group.runs]
    scoring.check(runs)
    moments = [scoring.moments(run) for run in runs]
    chosen, when = chosen_moments(list(zip(runs, moments, strict=True)), at)
    points, courses = dict[str, tuple[Point, ...]](), dict[str, tuple[tuple[Point, ...], ...]]()
    scored = list[tuple[Point, tuple[Point, ...]]]()
    for run, every, one in zip(runs, moments, chosen, strict=True):
        course = tuple(scoring.points(run, every if curves else [one]))
        scored.append((next(each for each in course if each.step == one.step), course))
        progress(len(scored) / len(runs), run)
    begin = 0
    for group in groups:
        part = scored[begin : begin + len(group.runs)]
        points[group.name], courses[group.name] = tuple(zip(*part, strict=True))
        begin += len(group.runs)
    if lower_is_better is None:
        lower_is_better = bool(scoring.measure and scoring.measure.lower_is_better)
    found = compare_scores(
        {name: [point.score for point in each] for name, each in points.items()},
        lower_is_better=lower_is_better,
        same_within=same_within,
        ordered=ordered,
        seed=scoring.seed,
    )
    return Compared(tuple(groups), scoring, parse_at(at)[0], when, points, courses, found)


def _pair_printed(pair: Pair, pairs: int, same_within: float | None) -> str:
    corrected = f" (corrected for {pairs} pairs by Holm's method)" if pairs > 1 else ""
    text = (
        f"A run of {pair.first} scores better than one of {pair.second} with a probability of {pair.improvement:.2f}; "
        f"the difference of means is {pair.difference}, Mann-Whitney {p_shown(pair.p_corrected)}{corrected}"
    )
    if pair.p_alike is not None and same_within is not None:
        text += f"; equivalence within ±{same_within:g}, {p_shown(pair.p_alike)}"
    return text + "."


def listed(words: Sequence[str]) -> str:
    """Words as a sentence lists them."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
