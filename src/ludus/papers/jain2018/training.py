"""How the rules learn: games won, fitness and errors during training (Figures 5, 6 and 7)."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ludus.measures import figures
from ludus.measures.performance import over_runs
from ludus.papers.base import Reading
from ludus.papers.jain2018.setup import (
    FITNESS_FIRST,
    FITNESS_SECOND,
    FITNESS_TOLERANCE,
    GENERAL,
    MAIN,
    WIN_RATE,
    WIN_TOLERANCE,
    Budget,
    Group,
    Variant,
    shown,
)
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_above, verdict_below, verdict_near
from ludus.play.intervals import Estimate

Table = Mapping[str, NDArray[np.float64]]
"""Metrics of some runs by name: [runs, steps]."""
Tables = Mapping[Variant, Table]

BAND = "Means over runs, with 95% intervals."


def training_figures(study: Study[Budget], groups: Mapping[Variant, Group]) -> None:
    """What happens in the runs as we read the paper, with other readings beside it."""
    tables = {variant: metrics(group) for variant, group in groups.items()}
    _wins(study, tables)
    _fitness(study, tables)
    _errors(study, tables)
    table = tables[MAIN]
    reach = f"{table['lowest_prediction'].min():.2f} to {table['highest_prediction'].max():.2f}"
    study.section(
        "What was learned",
        f"Rewards within a game are added up, so predictions leave the range of the result: over all runs "
        f"they went from {reach}. At the end a run has {table['rules'][:, -1].mean():,.0f} different rules.",
    )
    _fitness_table(study, tables)


def _readings(
    study: Study[Budget],
    tables: Tables,
    figure_of: Callable[[Table], Estimate],
    ruling: Callable[[Estimate], Ruling],
) -> list[Reading]:
    """The same figure under the other readings of the training."""
    found = []
    for variant, table in tables.items():
        if variant is not MAIN:
            ours = figure_of(table)
            found.append(study.reading(variant.name, ours=ours, verdict=ruling(ours), runs=len(table["games"])))
    return found


def last_wins(table: Table) -> Estimate:
    """The share won in the last sixth of the games, in percent."""
    sixth = table["wins"].shape[1] // 6
    return mean(100 * table["wins"][:, -sixth:].mean(axis=1), (0.0, 100.0))


def _wins(study: Study[Budget], tables: Tables) -> None:
    """Figure 5."""
    table = tables[MAIN]
    windows, sixth = 100 * table["wins"], table["wins"].shape[1] // 6

    def near(ours: Estimate) -> Ruling:
        return verdict_near(ours, WIN_RATE, WIN_TOLERANCE)

    def whole(table: Table) -> Estimate:
        return mean(100 * table["all_wins"][:, -1], (0.0, 100.0))

    def rise(table: Table) -> Estimate:
        wins = 100 * table["wins"]
        return mean(wins[:, -sixth:].mean(axis=1) - wins[:, :sixth].mean(axis=1))

    ours, of_all = last_wins(table), whole(table)
    study.claim(
        "fig5-saturates",
        "Against the random player it was trained with, it wins about 65% of its last games.",
        paper="65%",
        ours=ours,
        verdict=near(ours),
        reading="The last sixth of the games, since the paper says that the share saturates towards the end.",
        readings=[
            study.reading("of all games, as the authors' program logs", ours=of_all, verdict=near(of_all)),
            *_readings(study, tables, last_wins, near),
        ],
        figure="wins",
    )
    rises = rise(table)
    study.claim(
        "fig5-rises",
        "The share of games won rises through the training.",
        paper="rises",
        ours=f"by {rises.value:.1f} points",
        interval=rises.interval,
        verdict=verdict_above(rises, 0),
        reading="The last sixth of the games less the first, in which nearly all moves are random.",
        readings=_readings(study, tables, rise, lambda found: verdict_above(found, 0)),
        figure="wins",
    )
    title = "Games won against the random player (the paper's Figure 5)"
    games = table["games"][0]
    figures.curves(
        study.figure("wins", title, BAND, alt="Two rising curves, and a level line at 65%"),
        {
            "of the last 2,500 games": _curve(table, figures.moving_average(windows, 5)),
            "of all games": _curve(table, 100 * table["all_wins"]),
            "of the last 2,500 games, P# 0.95": _curve(table, figures.moving_average(100 * tables[GENERAL]["wins"], 5)),
        },
        published={"the paper, where it saturates": figures.Curve([games[0], games[-1]], [WIN_RATE, WIN_RATE])},
        x="games",
        y="won (%)",
        y_range=(30, 90),
    )


def _halves(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Figures [runs, steps] of the first and of the second half of the training."""
    half = values.shape[1] // 2
    return values[:, :half], values[:, half:]


def _averaged(half: NDArray[np.float64]) -> NDArray[np.float64]:
    averaged: NDArray[np.float64] = half.mean(axis=1)
    return averaged


def _at_the_end(half: NDArray[np.float64]) -> NDArray[np.float64]:
    return half[:, -1]


def _deviation(half: NDArray[np.float64]) -> NDArray[np.float64]:
    deviation: NDArray[np.float64] = half.std(axis=1)
    return deviation


def over_phase(table: Table, phase: int) -> Estimate:
    """The mean fitness of the rules, averaged over a half of the training."""
    return mean(_halves(table["fitness"])[phase].mean(axis=1))


def _fitness(study: Study[Budget], tables: Tables) -> None:
    """Figure 6."""
    table = tables[MAIN]
    for phase, (name, when, value) in enumerate(
        (("first", "first", FITNESS_FIRST), ("second", "second", FITNESS_SECOND))
    ):

        def near(ours: Estimate, value: float = value) -> Ruling:
            return verdict_near(ours, value, FITNESS_TOLERANCE)

        def averaged(table: Table, phase: int = phase) -> Estimate:
            return over_phase(table, phase)

        ours, end = averaged(table), mean(_halves(table["fitness"])[phase][:, -1])
        study.claim(
            f"fig6-{name}-half",
            f"The mean fitness of rules is about {value} in the {when} half of the training.",
            paper=f"{value}",
            ours=ours,
            verdict=near(ours),
            reading="The mean over all rules, averaged over the games of that half: the paper speaks of the mean in "
            "the first and in the last 30,000 games.",
            readings=[
                study.reading("at the end of that half", ours=end, verdict=near(end)),
                *_readings(study, tables, averaged, near),
            ],
            figure="fitness",
        )

    def change(
        name: str, summarise: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    ) -> Callable[[Table], Estimate]:
        """From the first half to the second."""

        def of(table: Table) -> Estimate:
            first, second = map(summarise, _halves(table[name]))
            return mean(second - first)

        return of

    def above(found: Estimate) -> Ruling:
        return verdict_above(found, 0)

    def below(found: Estimate) -> Ruling:
        return verdict_below(found, 0)

    rise, spread = change("fitness", _averaged), change("fitness_spread", _averaged)
    rises, ends = rise(table), change("fitness", _at_the_end)(table)
    study.claim(
        "fig6-rises",
        "The mean fitness of rules is greater in the second half.",
        paper="greater",
        ours=f"by {rises.value:.4f}",
        interval=rises.interval,
        verdict=above(rises),
        reading="Means over the games of each half.",
        readings=[
            study.reading("at the ends of the halves", ours=ends, verdict=above(ends)),
            *_readings(study, tables, rise, above),
        ],
        figure="fitness",
    )
    shrinks, at_ends = spread(table), change("fitness_spread", _at_the_end)(table)
    over_games = change("fitness", _deviation)(table)
    study.claim(
        "fig6-spread",
        "The standard deviation of fitness is smaller in the second half.",
        paper="smaller",
        ours=f"changes by {shrinks.value:+.4f}",
        interval=shrinks.interval,
        verdict=below(shrinks),
        reading="The standard deviation over the rules, since the paper speaks of the fitness of the classifiers; "
        "averaged over the games of each half.",
        readings=[
            study.reading("at the ends of the halves", ours=at_ends, verdict=below(at_ends)),
            study.reading("of the mean fitness over the games", ours=over_games, verdict=below(over_games)),
            *_readings(study, tables, spread, below),
        ],
        figure="fitness",
    )
    title = "Fitness of the rules (the paper's Figure 6)"
    games = table["games"][0]
    half = len(games) // 2
    figures.curves(
        study.figure("fitness", title, BAND, alt="Curves of fitness through the training"),
        {
            "mean": _curve(table, table["fitness"]),
            "standard deviation": _curve(table, table["fitness_spread"]),
            "mean, P# 0.95": _curve(table, tables[GENERAL]["fitness"]),
        },
        published={
            "the paper, first half": figures.Curve([games[0], games[half - 1]], [FITNESS_FIRST] * 2),
            "the paper, second half": figures.Curve([games[half], games[-1]], [FITNESS_SECOND] * 2),
        },
        x="games",
        y="fitness of rules",
        y_range=(0, 0.1),
    )


def _fitness_table(study: Study[Budget], tables: Tables) -> None:
    """What there is to read as fitness and its deviation, in both halves, under every reading."""
    rows = [
        "| reading | runs | won, last sixth | mean over the half | mean at its end | deviation over rules "
        "| at its end | deviation of the mean over games |"
    ]
    for variant, table in tables.items():
        cells = []
        for name, summarise in (
            ("fitness", _averaged),
            ("fitness", _at_the_end),
            ("fitness_spread", _averaged),
            ("fitness_spread", _at_the_end),
            ("fitness", _deviation),
        ):
            first, second = (float(summarise(each).mean()) for each in _halves(table[name]))
            cells.append(f"{first:.4f} to {second:.4f}")
        rows.append(
            f"| {variant.name} | {len(table['games'])} | {shown(last_wins(table))} | " + " | ".join(cells) + " |"
        )
    study.section(
        "Fitness under every reading",
        f"From the first half of the training to the second; means over runs. The paper has 65% won, and "
        f"a mean that rises from {FITNESS_FIRST} to {FITNESS_SECOND} while the deviation shrinks.\n\n"
        + "\n".join(rows),
    )


def _errors(study: Study[Budget], tables: Tables) -> None:
    """Figure 7."""
    table = tables[MAIN]
    sixth = table["games"].shape[1] // 6
    for name, whose in (("best_error", "fittest rule"), ("top_error", "100 fittest rules")):

        def fall(table: Table, name: str = name) -> Estimate:
            return mean(table[name][:, :sixth].mean(axis=1) - table[name][:, -sixth:].mean(axis=1))

        falls = fall(table)
        study.claim(
            f"fig7-{name.replace('_', '-')}",
            f"The prediction error of the {whose} falls in training.",
            paper="falls",
            ours=f"by {falls.value:.3f}",
            interval=falls.interval,
            verdict=verdict_above(falls, 0),
            reading="The first sixth of the games less the last.",
            readings=_readings(study, tables, fall, lambda found: verdict_above(found, 0)),
            figure="errors",
        )
    title = "Errors of the fittest rules (the paper's Figure 7)"
    figures.curves(
        study.figure("errors", title, BAND, alt="Curves of errors through the training"),
        {
            "100 fittest rules": _curve(table, table["top_error"]),
            "fittest rule, mean of 2,500 games": _curve(table, figures.moving_average(table["best_error"], 5)),
            "100 fittest rules, P# 0.95": _curve(table, tables[GENERAL]["top_error"]),
        },
        x="games",
        y="prediction error",
    )


def metrics(group: Group) -> Table:
    """The metrics of a group of runs."""
    rows = [run.metrics for run in group.runs]
    return {name: np.array([[row[name] for row in run] for run in rows]) for name in rows[0][0]}


def mean(values: NDArray[np.float64], within: tuple[float, float] = (-np.inf, np.inf)) -> Estimate:
    """The mean over runs, with its interval."""
    return over_runs(values.tolist(), within)


def _curve(table: Table, values: NDArray[np.float64]) -> figures.Curve:
    """The mean over runs of figures [runs, steps], with its interval."""
    return figures.Curve.of_estimates(table["games"][0], [mean(column) for column in values.T])
