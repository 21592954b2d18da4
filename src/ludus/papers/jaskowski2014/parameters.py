"""Which settings are best: Table 1, lambda and section 5.2's choice of selection, sizes and mutation (Figure 1).

Settings near the paper's choice tell most about it, so they are run first: in Table 1 by the distance of the learning
rate and then of exploration, in Figure 1 by the number of settings in which they differ from it.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ludus.measures import figures
from ludus.papers.jaskowski2014.grids import FULL, TENTH, Cell, Compared, Grid, compare, duel, named
from ludus.papers.jaskowski2014.published import (
    ALIKE,
    ALPHAS,
    BEST_MUTATION,
    BEST_RATE,
    BEST_SELECTION,
    FIRST_MUTATION,
    LAMBDAS,
    MUTATIONS,
    POOR_MUTATIONS,
    SELECTIONS,
    SIZES,
    STEPS,
    TABLE_1,
    TOLERANCE,
)
from ludus.papers.jaskowski2014.setup import MAIN, POOLED, Budget, claim, mean, mean_share
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above, verdict_below, verdict_near, verdict_pattern
from ludus.play.intervals import Estimate

FIRST_RIVALS: Mapping[str, Cell] = {"rates": (0.1, 0.07), "selection": ("plus", 20, 200)}
"""What was ahead of the paper's choice in our first report, with two runs of a tenth and of a fifth of the games."""
FITNESS = {MAIN: "sum of averages", POOLED: "all games"}

Found = Mapping[tuple[str, str], Compared]


def grids(budget: Budget) -> list[Grid]:
    """All settings that are compared, in the order in which they are run."""
    by_fitness = [
        grid
        for variant in FITNESS
        for grid in (
            Grid(
                f"selection-{variant.key}",
                "cel",
                {cell: {**variant.settings, **FIRST_MUTATION, **_sizes(cell)} for cell in selection_cells()},
                budget.selection_runs,
                budget.selection_full,
            ),
            Grid(
                f"mutation-{variant.key}",
                "cel",
                {cell: {**variant.settings, **_mutation(cell)} for cell in mutation_cells()},
                budget.mutation_runs,
            ),
        )
    ]
    return [
        Grid(
            "rates",
            "tdl",
            {cell: {"epsilon": cell[0], "alpha": cell[1]} for cell in rate_cells()},
            budget.rates_runs,
            budget.rates_full,
        ),
        Grid("lambda", "tdl", {(value,): {"decay": value} for value in LAMBDAS}, budget.lambda_runs),
        *by_fitness,
    ]


def _kind(grid: Grid) -> str:
    """What its cells are, without the reading: as `selection`."""
    return grid.name.partition("-")[0]


def _opposed(grid: Grid, compared: Compared) -> tuple[Cell | None, Cell | None]:
    """Whose duel settles the claim: the paper's choice and the best other, of mutations the best and the worst."""
    if _kind(grid) == "mutation":
        return compared.extremes(POOR_MUTATIONS) or (None, None)
    return grid.choice, compared.best_other()


def rate_cells() -> list[Cell]:
    """The 40 cells of Table 1: exploration and learning rate."""
    cells = [(epsilon, alpha) for epsilon in TABLE_1 for alpha in ALPHAS]
    best_epsilon, best_alpha = BEST_RATE
    # rounded: in floating point some of these distances differ that should be equal
    return [
        *sorted(cells, key=lambda cell: (round(abs(cell[1] - best_alpha), 6), round(abs(cell[0] - best_epsilon), 6)))
    ]


def selection_cells() -> list[Cell]:
    """The 144 cells of Figure 1: selection, population and sample."""
    cells = [(how, size, sample) for how in SELECTIONS for size in SIZES for sample in SIZES]
    return sorted(cells, key=lambda cell: _differing(cell, BEST_SELECTION))


def mutation_cells() -> list[Cell]:
    """The 98 settings of mutation: kind, chance and size."""
    cells = [(kind, chance, size) for kind in MUTATIONS for chance in STEPS for size in STEPS]
    return sorted(cells, key=lambda cell: _differing(cell, BEST_MUTATION))


def _differing(cell: Cell, choice: Cell) -> int:
    return sum(one != other for one, other in zip(cell, choice, strict=True))


def _sizes(cell: Cell) -> dict[str, object]:
    return dict(zip(("selection", "population", "sample"), cell, strict=True))


def _mutation(cell: Cell) -> dict[str, object]:
    return dict(zip(("mutation", "mutation_chance", "mutation_size"), cell, strict=True))


def section_5(study: Study[Budget]) -> str:
    """All of section 5; returns a sentence about what was ahead of the paper's choices in our first report."""
    asked, rivals = grids(study.budget), list[str]()
    for grid in asked:  # what we want to know most, so before all others
        if rival := FIRST_RIVALS.get(_kind(grid)):
            ahead = duel(study, grid, grid.main, rival, grid.choice)
            if ahead and POOLED.key not in grid.name:
                rivals.append(f"{named(rival)} gains {ahead:+.1f} points on {named(grid.choice)}")
    found: dict[tuple[str, str], Compared] = {}
    for grid in sorted(asked, key=lambda grid: (POOLED.key in grid.name, grid.main != FULL)):  # then the main reading
        for level, compared in compare(study, grid).items():
            found[grid.name, level] = compared
            duel(study, grid, level, *_opposed(grid, compared))
    rates, decay, *others = asked
    table_1(study, rates, found)
    lambdas(study, decay, found)
    selection(study, [grid for grid in others if grid.name.startswith("selection")], found)
    mutation(study, [grid for grid in others if grid.name.startswith("mutation")], found)
    return (
        f" With new seeds {'; '.join(rivals)} (what was ahead of the paper's choice in our first report)."
        if rivals
        else ""
    )


def table_1(study: Study[Budget], grid: Grid, found: Found) -> None:
    """Learning rate and exploration."""
    by_level = {level: found[grid.name, level] for level in grid.levels}
    gains = {level: exploration_gain(each) for level, each in by_level.items()}
    published = dict(zip(ALPHAS, np.array(TABLE_1[0.05]) - np.array(TABLE_1[0.0]), strict=True))
    same = [published[alpha] for alpha in explored(by_level[grid.main])]
    claim(
        study,
        "table1-exploration",
        "Exploring with a chance of 0.05 is better than not exploring.",
        paper=f"{np.mean(same or list(published.values())):.1f}",
        ours=gains[grid.main],
        ruling=lambda ours: verdict_above(ours, 0.0),
        reading=_budget(study, grid.main),
        others=_at_a_tenth(study, grid, gains),
        note="Percent points, mean over the learning rates that were run with both, the paper's too, which over all "
        f"rates is {np.mean(list(published.values())):.1f}; the interval is over seeds.",
    )
    drawn = _drawn(study, by_level[grid.main]) or _drawn(study, by_level[TENTH])
    _figures(study, by_level[grid.main], drawn)
    _best(
        study,
        "table1-best",
        "The best setting is a learning rate of 0.05 and a chance of 0.05.",
        [(grid, "")],
        found,
        FIRST_RIVALS["rates"],
        paper="ahead of all others, at 87.9",
        words="exploration and learning rate",
    )
    rows = ["| exploration, rate | paper | " + " | ".join(_budget(study, level) for level in by_level) + " |"]
    for cell in grid.cells:
        shown = " | ".join(each.cell_shown(cell) or "not run" for each in by_level.values())
        rows.append(f"| {named(cell)} | {_printed(cell)} | {shown} |")
    study.section(
        "Learning rate and exploration (Table 1)",
        f"Generalization in percent, {grid.runs} runs for each budget, with 95% intervals, in the order in which they "
        "were run.\n\n" + "\n".join(rows),
    )


def explored(found: Compared) -> list[float]:
    """The learning rates that were run with exploration and without."""
    return [alpha for alpha in ALPHAS if (0.05, alpha) in found.scores and (0.0, alpha) in found.scores]


def exploration_gain(found: Compared) -> Estimate | None:
    """What exploring adds, by seed: the mean over the learning rates with which both were run."""
    pairs = [(found.scores[0.05, alpha], found.scores[0.0, alpha]) for alpha in explored(found)]
    if not pairs:
        return None
    seeds = set.intersection(*({*one} & {*other} for one, other in pairs))
    return mean([float(np.mean([one[seed] - other[seed] for one, other in pairs])) for seed in sorted(seeds)])


def _printed(cell: Cell) -> float:
    epsilon, alpha = cell
    return TABLE_1[epsilon][ALPHAS.index(alpha)]  # type: ignore[index]


def _drawn(study: Study[Budget], found: Compared) -> str:
    """Draw Table 1, ours and the paper's; returns the name of the figure, if there is something to draw."""
    curves = {}
    for epsilon in TABLE_1:
        means = {alpha: mean_share([*found.scores.get((epsilon, alpha), {}).values()]) for alpha in ALPHAS}
        known = {alpha: each for alpha, each in means.items() if each}
        if len(known) > 1:
            curves[f"exploration {epsilon:g}"] = figures.Curve.of_estimates(list(known), list(known.values()))
    if not curves:
        return ""
    file = study.figure(
        "table1",
        "Generalization by learning rate and exploration (the paper's Table 1)",
        f"Ours: {_budget(study, found.level)}, means with 95% intervals over runs. Open marks are the paper's figures, "
        "at its full budget.",
        alt="Four curves over the learning rate",
    )
    marks = {f"the paper, {epsilon:g}": list(zip(ALPHAS, printed, strict=True)) for epsilon, printed in TABLE_1.items()}
    figures.curves(file, curves, x="learning rate", y="generalization (%)", marks=marks)
    return "table1"


def _figures(study: Study[Budget], found: Compared, figure: str) -> None:
    """All figures of Table 1 at once."""
    tolerance = TOLERANCE["generalization"]
    off = {cell: found.mean(cell) - _printed(cell) for cell in found.scores}
    near = [cell for cell, each in off.items() if abs(each) <= tolerance]
    far = [cell for cell in off if not _agrees(found.estimate(cell), _printed(cell), tolerance)]
    study.claim(
        "table1-figures",
        "The figures of Table 1.",
        paper="40 figures",
        ours=f"{len(off) - len(far)} of {len(off)} agree" if off else None,
        runs=sum(len(each) for each in found.scores.values()),
        verdict=verdict_pattern(
            len(far) / len(off) if off else None,
            0.1,
            0.5,
            f"in 90% of the cells our interval reaches the paper's figure ± {tolerance:g} (partly: in 50%)",
        ),
        reading=_budget(study, found.level),
        note=f"{len(off)} of 40 cells were run. Our means alone are within {tolerance:g} of the paper's in "
        f"{len(near)}, and off by {np.mean(list(off.values())):+.1f} on average, at most "
        f"by {max(off.values(), key=abs):+.1f}."
        if off
        else "",
        figure=figure,
    )


def _agrees(ours: Estimate, paper: float, tolerance: float) -> bool:
    """Whether some of our interval is near the paper's figure."""
    return verdict_near(ours, paper, tolerance).verdict != "not reproduced"


def _best(
    study: Study[Budget],
    id: str,
    description: str,
    readings: Sequence[tuple[Grid, str]],
    found: Found,
    first_rival: Cell,
    *,
    paper: str,
    words: str,
) -> None:
    """Claim that the paper's choice is better than the best of the others, and than what was ahead in our first report.

    The first of the grids is the main reading; each has a name.
    """
    ours: dict[str, Estimate | None] = {}
    rivals: list[str] = []
    for grid, name in readings:
        for level in grid.levels:
            compared = found[grid.name, level]
            rival, others_run = compared.best_other(), len(compared.scores.keys() - {grid.choice})
            short = ", ".join(filter(None, [name, _budget(study, level)]))
            rivals.append(f"{short}: {named(rival) if rival else 'not run'}")
            ours[f"{short}, against the best of the {others_run} others that were run so"] = duel(
                study, grid, level, grid.choice, rival
            )
            ours[f"{short}, against {named(first_rival)}"] = duel(study, grid, level, grid.choice, first_rival)
    main, *others = ours
    claim(
        study,
        id,
        description,
        paper=paper,
        ours=ours[main],
        ruling=lambda each: verdict_above(each, 0.0),
        shown="{:+.1f} against the best of the others",
        reading=main,
        others={name: ours[name] for name in others},
        note=f"Percent points by which the paper's choice of {len(readings[0][0].cells)} is ahead, with new seeds. The "
        "best of the others "
        f"({words}), by the runs of the table below, is for {'; for '.join(rivals)}. By so few runs of each the "
        f"best of many is lucky, so that a better one may have been missed. {named(first_rival)} was ahead of "
        "the paper's choice in our first report, which had two short runs of each.",
    )


def lambdas(study: Study[Budget], grid: Grid, found: Found) -> None:
    """Eligibility traces."""
    compared = found[grid.name, TENTH]
    rival = compared.best_other()
    claim(
        study,
        "section5-lambda",
        "No lambda above 0 gives better results than 0.",
        paper="not statistically better",
        ours=duel(study, grid, TENTH, rival, grid.choice),
        ruling=lambda ours: verdict_below(ours, ALIKE),
        shown=f"{{:+.1f}} with {named(rival)}" if rival else "",
        reading=f"no better by {ALIKE:g}; {_budget(study, TENTH)}",
        note="Percent points that the best of the others gains, with new seeds. It was the best of "
        f"{grid.runs} runs each: {_listed(compared)}.",
    )


def selection(study: Study[Budget], asked: Sequence[Grid], found: Found) -> None:
    """Selection and sizes in coevolution."""
    readings = list(zip(asked, FITNESS.values(), strict=True))
    _best(
        study,
        "fig1-choice",
        "The best choice is (μ, λ) selection with 20 members and 200 random opponents.",
        readings,
        found,
        FIRST_RIVALS["selection"],
        paper="ahead of all others",
        words="selection, population and sample",
    )
    for grid, name in readings:
        by_level = {level: found[grid.name, level] for level in grid.levels}
        tables = [_selection_table(by_level, how) for how in SELECTIONS]
        study.section(
            f"Selection and sizes (Figure 1), fitness: {name}",
            f"Generalization in percent by population (rows) and sample (columns), {grid.runs} runs of each. Figures "
            f"marked `full` are from {_budget(study, FULL)}, those marked `tenth` from {_budget(study, TENTH)}, or "
            "from the nearest number of whole generations.\n\n" + "\n\n".join(tables),
        )


def _selection_table(by_level: Mapping[str, Compared], how: str) -> str:
    def shown(cell: Cell) -> str:
        for level, each in by_level.items():
            if cell in each.scores:
                return f"{each.mean(cell):.1f} {level}"
        return "not run"

    rows = [f"| {how} | " + " | ".join(map(str, SIZES)) + " |"]
    for size in SIZES:
        rows.append(f"| {size} | " + " | ".join(shown((how, size, sample)) for sample in SIZES) + " |")
    return "\n".join(rows)


def mutation(study: Study[Budget], asked: Sequence[Grid], found: Found) -> None:
    """The mutation of weights."""
    readings = {name: (grid, found[grid.name, TENTH]) for grid, name in zip(asked, FITNESS.values(), strict=True)}
    worse = {name: _poor(compared) for name, (_, compared) in readings.items()}
    main, *others = worse
    claim(
        study,
        "section5-mutation-poor",
        "Gaussian mutation of size 0.05 with a chance of 0.05 or 0.1 is inferior to the others.",
        paper="inferior",
        ours=worse[main],
        ruling=lambda ours: verdict_above(ours, 0.0),
        shown="by {:.1f}",
        reading=f"{main}; {_budget(study, TENTH)}",
        others={name: worse[name] for name in others},
        note="Percent points by which all others are ahead on average; the interval is over seeds.",
    )
    ends = {name: _opposed(grid, compared) for name, (grid, compared) in readings.items()}
    apart = {name: duel(study, grid, TENTH, *ends[name]) for name, (grid, _) in readings.items()}
    claim(
        study,
        "section5-mutation-alike",
        "All other kinds, chances and sizes of mutation do equally well.",
        paper="no evidence of differences",
        ours=apart[main],
        ruling=lambda ours: verdict_near(ours, 0.0, ALIKE),
        shown="{:.1f} between the best and the worst",
        reading=f"{main}; {_budget(study, TENTH)}",
        others={name: apart[name] for name in others},
        note="Percent points, with new seeds. Best and worst (kind, chance, size), by the runs of the section below: "
        + "; ".join(
            f"{name}, {named(best)} and {named(worst)}" for name, (best, worst) in ends.items() if best and worst
        )
        + ". A tenth of the games are a tenth of the generations, so small steps get less far than in the paper.",
    )
    for name, (grid, compared) in readings.items():
        tables = []
        for kind in MUTATIONS:
            rows = [f"| {kind} | " + " | ".join(f"{size:g}" for size in STEPS) + " |"]
            for chance in STEPS:
                cells = [(kind, chance, size) for size in STEPS]
                shown = [f"{compared.mean(cell):.1f}" if cell in compared.scores else "not run" for cell in cells]
                rows.append(f"| {chance:g} | " + " | ".join(shown) + " |")
            tables.append("\n".join(rows))
        study.section(
            f"Mutation (section 5.2), fitness: {name}",
            f"Generalization in percent by chance (rows) and size (columns), {grid.runs} runs of each, "
            f"{_budget(study, TENTH)}.\n\n" + "\n\n".join(tables),
        )


def _poor(found: Compared) -> Estimate | None:
    """By how much the others are ahead of the two that the paper found inferior, by seed."""
    if any(cell not in found.scores for cell in POOR_MUTATIONS) or len(found.scores) == len(POOR_MUTATIONS):
        return None
    seeds = sorted(set.intersection(*(set(each) for each in found.scores.values())))

    def average(cells: Sequence[Cell], seed: int) -> float:
        return float(np.mean([found.scores[cell][seed] for cell in cells]))

    others = [cell for cell in found.scores if cell not in POOR_MUTATIONS]
    return mean([average(others, seed) - average(POOR_MUTATIONS, seed) for seed in seeds])


def _at_a_tenth(study: Study[Budget], grid: Grid, figures: Mapping[str, Estimate | None]) -> dict[str, Estimate | None]:
    """The figure with a tenth of the games, if the main one has more."""
    return {_budget(study, TENTH): figures[TENTH]} if grid.main != TENTH else {}


def _budget(study: Study[Budget], level: str) -> str:
    games = study.budget.games if level == FULL else study.budget.tenth_games
    return f"{games:,} games a run"


def _listed(found: Compared) -> str:
    return ", ".join(f"{named(cell)} {found.mean(cell):.1f}" for cell in found.scores) or "not run"
