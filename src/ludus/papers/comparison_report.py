"""The report on groups of runs that were compared, made like a paper's: a page, figures, and files for programs.

index.html       what was found, in words, tables and figures
comparison.json  all figures, what was asked, and the runs
scores.csv       a row for each run: group, folder, seed, games, seconds, score
pairs.csv        a row for each pair of groups
*.svg, *.png     the figures
measured.json    what was measured, so that nothing is measured twice
"""

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludus.measures import figures
from ludus.measures.comparison_statistics import p_shown
from ludus.measures.figures import Curve
from ludus.measures.performance import over_runs
from ludus.papers.base import Figure, Section
from ludus.papers.comparison import Compared, listed
from ludus.papers.report import document, figures_shown, inline, prose, section_shown, seeds_shown, table, versions
from ludus.play.intervals import Estimate
from ludus.runs.groups import Group
from ludus.runs.scores import Point
from ludus.storage import write_whole

FEW = 20
"""With fewer runs the intervals of the bootstrap are said to be too narrow."""

GRID = 40
"""Points at which curves of runs are averaged that have none in common."""


def write_comparison(compared: Compared, folder: Path, command: str = "", others: Sequence[Figure] = ()) -> None:
    """Write the report into the folder, with other figures that are there already after its own."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = [*_draw(compared, folder), *others]
    data = {"command": command, **compared.to_json()}
    write_whole(folder / "comparison.json", (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())
    head = ["group", "run", "seed", "games", "seconds", "score"]
    rows = [
        [group, run.folder, run.spec.seed, point.games, point.seconds, repr(point.score)]
        for group, run, point in compared.rows()
    ]
    write_whole(folder / "scores.csv", _csv(head, rows))
    pairs = [pair.to_json() for pair in compared.found.pairs]
    flat = [
        [value for each in pair.values() for value in (each if isinstance(each, list) else [each])] for pair in pairs
    ]
    names = [
        name
        for key, value in pairs[0].items()
        for name in ([f"{key}_low", f"{key}_high"] if isinstance(value, list) else [key])
    ]
    write_whole(folder / "pairs.csv", _csv(names, flat))
    write_whole(folder / "index.html", _page(compared, drawn, command).encode())


def _draw(compared: Compared, folder: Path) -> list[Figure]:
    """Draw the figures, in the order of the page."""
    title, found, drawn = compared.scoring.title, compared.found, list[Figure]()
    for axis in ("games", "seconds"):
        curves = {
            name: curve
            for name, course in compared.courses.items()
            if (curve := mean_curve(course, axis, compared.scoring.within)) is not None
        }
        if len(curves) == len(compared.groups):
            figures.curves(folder / f"over-{axis}.svg", curves, x=f"{axis} of training", y=title)
            caption = "Means over runs with 95% intervals. A run that has ended keeps its last score."
            drawn.append(
                Figure(f"over-{axis}", f"Learning over {axis}", caption, f"A curve for each group over {axis}")
            )
    scores = {each.name: each.scores for each in found.groups}
    figures.distributions(folder / "scores.svg", scores, {each.name: each.iqm for each in found.groups}, x=title)
    drawn.append(
        Figure(
            "scores",
            "Scores of all runs",
            "Dots are runs, the box holds the middle half, the line is the interquartile mean with its 95% interval.",
            "A row of dots for each group",
        )
    )
    if len(found.pairs) > 1:
        likely = {f"{pair.first} > {pair.second}": _whisker(pair.improvement) for pair in found.pairs}
        figures.whiskers(folder / "improvement.svg", {"": likely}, x="probability of improvement")
        caption = "The chance that a run of the first group scores better than one of the second, with 95% intervals."
        drawn.append(Figure("improvement", "Probability of improvement", caption, "An interval for each pair"))
    return drawn


def mean_curve(
    courses: Sequence[Sequence[Point]], axis: str, within: tuple[float, float] = (-math.inf, math.inf)
) -> Curve | None:
    """The mean of several runs over games or seconds, with its 95% interval; None if that is not known of all.

    Where runs have other points than each other, each is taken to go straight from point to point. The mean begins
    where all are known, and a run that has ended keeps its last score. `within` are the least and the greatest score,
    where intervals end.
    """
    lines = []
    for course in courses:
        known = [(x, point.score) for point in course if (x := point.at(axis)) is not None]
        if len(known) < 2:
            return None
        lines.append(np.array(known).T)
    if all(np.array_equal(line[0], lines[0][0]) for line in lines):
        grid = lines[0][0]
    else:
        grid = np.linspace(max(line[0][0] for line in lines), max(line[0][-1] for line in lines), GRID)
        if grid[0] >= grid[-1]:
            return None
    scores = np.array([np.interp(grid, *line) for line in lines])
    return Curve.of_estimates(grid, [over_runs(column, within) for column in scores.T.tolist()])


def _page(compared: Compared, drawn: Sequence[Figure], command: str) -> str:
    found, scoring = compared.found, compared.scoring
    badges = "\n\n".join(found.sentences())
    names = listed([group.name for group in compared.groups])
    warned = "\n".join(f'<p class="scale">{inline(each)}</p>' for each in compared.warnings())
    better = "lower" if found.lower_is_better else "higher"
    head = f"""<header>
<p class="kicker">Ludus · groups of runs compared</p>
<h1>{inline(names)}</h1>
<p class="byline">{inline(f"{scoring.title} on {compared.game}, {compared.when}; {better} is better")}</p>
{prose(badges)}
{warned}
</header>"""
    return document(
        f"{names} compared",
        [
            head,
            _tables(compared),
            figures_shown(drawn),
            section_shown(Section("To print", compared.paragraph())),
            section_shown(Section("How it was compared", _method(compared))),
            _made(compared, command),
        ],
    )


def _tables(compared: Compared) -> str:
    groups = table(
        ["Group", "Runs", "Games", "Seconds", "Mean", "Median", "Interquartile mean"],
        [
            [
                each.name,
                str(len(each.scores)),
                *(_spent(compared.budget(each.name, axis)) for axis in ("games", "seconds")),
                *map(str, (each.mean, each.median, each.iqm)),
            ]
            for each in compared.found.groups
        ],
    )
    head = ["Pair", "Probability of improvement", "Difference of means", "p", "p corrected"]
    margin = compared.found.same_within
    head += [f"p alike within {margin:g}"] if margin is not None else []
    pairs = table(
        [*head, "Verdict"],
        [
            [
                f"{pair.first} over {pair.second}",
                f"{pair.improvement:.2f}",
                str(pair.difference),
                *(p_shown(p).removeprefix("p ").removeprefix("= ") for p in (pair.p, pair.p_corrected)),
                *([p_shown(pair.p_alike).removeprefix("p ").removeprefix("= ")] if pair.p_alike is not None else []),
                pair.verdict,
            ]
            for pair in compared.found.pairs
        ],
    )
    return f"""<section aria-labelledby="groups">
<h2 id="groups">Groups</h2>
{groups}
<h2>Pairs</h2>
{pairs}
</section>"""


def _method(compared: Compared) -> str:
    several = len(compared.found.pairs) > 1
    lines = [
        "Each run is one observation. Intervals are for 95%: of mean, median and interquartile mean by the bootstrap "
        "(BCa, 9,999 samples), of the difference of means Welch's, of the probability of improvement Newcombe's.",
        "Two groups are told apart if the rank test of Mann and Whitney has p below 0.05"
        + (", corrected by Holm's method for the number of pairs." if several else ".")
        + " The runs needed are those with which it would have a power of 80% (Noether), should the probability of "
        "improvement stay what it is.",
    ]
    if min(len(each.scores) for each in compared.found.groups) < FEW:
        lines.append(
            "The bootstrap is too sure with few runs: its intervals hold the truth in about 90 of 100 cases with ten "
            "runs, and in about 85 with five. The tests, which decide, do not rely on them."
        )
    if (margin := compared.found.same_within) is not None:
        lines.append(
            f"Groups are alike if the whole interval of the difference of means is within ±{margin:g}: two one-sided "
            "tests at 2.5% each."
        )
    if compared.scoring.measure and all(len(each) < 2 for course in compared.courses.values() for each in course):
        lines.append(
            "There are no learning curves. They need players on the way, which `ludus train --snapshots 8` keeps; of a "
            "measure that takes long they are drawn with `--curves`."
        )
    lines.append("Seconds are those of the clock in which runs learned, without compiling.")
    return "\n\n".join(lines)


def _made(compared: Compared, command: str) -> str:
    facts = {
        "Command": f"`{command}`" if command else "",
        "Seeds of the runs": "; ".join(
            f"{group.name}: {seeds_shown([run.spec.seed for run in group.runs])}" for group in compared.groups
        ),
        "Seed of measures": str(compared.scoring.seed) if compared.scoring.measure else "",
        "Versions": ", ".join(f"{name} {number}" for name, number in versions().items()),
    }
    listed = "\n".join(f"<dt>{name}</dt><dd>{inline(text)}</dd>" for name, text in facts.items() if text)
    settings = table(["Setting", *(group.name for group in compared.groups)], _settings(compared.groups))
    return f"""<section class="text" aria-labelledby="making">
<h2 id="making">How it was made</h2>
<dl>
{listed}
</dl>
{settings}
<p>All figures are in <a href="comparison.json">comparison.json</a>, <a href="scores.csv">scores.csv</a> and \
<a href="pairs.csv">pairs.csv</a>, for programs.</p>
</section>"""


def _settings(groups: Sequence[Group]) -> list[list[str]]:
    """The settings of each group, those that differ between groups first; where runs of a group differ, all values."""
    asked = [[{"learner": run.spec.learner, **run.spec.settings} for run in group.runs] for group in groups]
    names = dict.fromkeys(name for each in asked for run in each for name in run)
    rows = [
        [name, *("; ".join(dict.fromkeys(str(run.get(name, "–")) for run in each)) for each in asked)] for name in names
    ]
    return sorted(rows, key=lambda row: len(set(row[1:])) == 1)


def _whisker(estimate: Estimate) -> tuple[float, float, float]:
    return (estimate.value, *estimate.interval)


def _spent(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue().encode()
