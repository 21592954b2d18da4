"""How many games are drawn, as we read the paper and otherwise (Tables IV and XIII)."""

from collections.abc import Mapping

import numpy as np

from ludus.measures import figures
from ludus.measures.performance import share_over_runs
from ludus.measures.ratings import Result
from ludus.papers.alkhateeb2012.evolved import (
    alike_runs,
    drawn,
    league_players,
    league_runs,
    players_of,
    round_robin,
    short_runs,
    table,
    waits_for,
)
from ludus.papers.alkhateeb2012.published import PUBLISHED, published_results
from ludus.papers.alkhateeb2012.setup import MAIN, PLANS, SCORE_TOLERANCE, VARIANTS, Budget
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_near
from ludus.play.intervals import Estimate
from ludus.runs.run import Run


def drawn_games(study: Study[Budget]) -> None:
    """The share of drawn games, and what changes it."""
    within = {variant: short_runs(study, "C0", variant) for variant in (MAIN, *VARIANTS)}
    met = {variant: round_robin(study, players_of(study, runs)) for variant, runs in within.items()}
    short = {variant: results for variant, results in met.items() if results}
    runs = alike_runs(study, "C0")
    ours = round_robin(study, players_of(study, runs))
    words = f"{study.budget.short_generations} generations"
    _claim(
        study,
        "table4-draws",
        "Games between C0 players are drawn",
        published_results(PUBLISHED["III, IV, V"]),
        ours,
        {words + ("" if each is MAIN else f", {each.name}"): results for each, results in short.items()},
        waits_for(study, runs),
        f"{study.budget.alike} players of C0 with all generations.",
    )
    players = league_players(study)
    plans = {name: players[name] for name in PLANS if name in players}
    _claim(
        study,
        "table13-draws",
        "Games in the league of social players are drawn",
        published_results(PUBLISHED["IX, XIII, XIV"]),
        round_robin(study, plans) if len(plans) == len(PLANS) else [],
        {},
        waits_for(study, {name: league_runs(study)[name] for name in PLANS}),
        "One run of each method, as in the paper.",
    )
    _table(study, {variant.name: within[variant] for variant in within}, {each.name: short[each] for each in short})


def _claim(
    study: Study[Budget],
    id: str,
    description: str,
    printed: list[Result],
    results: list[Result],
    others: Mapping[str, list[Result]],
    missing: str,
    reading: str,
) -> None:
    paper, ours = drawn(printed).value, drawn(results) if results else None
    study.claim(
        id,
        f"{description} in {paper:.0f}% of cases.",
        paper=f"{paper:.0f}%",
        ours=ours,
        runs=1 if ours else 0,
        verdict=verdict_near(ours, round(paper, 1), SCORE_TOLERANCE),
        over="games",
        reading=reading,
        readings=[
            study.reading(
                name, ours=(each := drawn(found)), verdict=verdict_near(each, round(paper, 1), SCORE_TOLERANCE), runs=1
            )
            for name, found in others.items()
        ],
        note=missing,
        figure="draws-readings" if others else "",
    )


def _table(study: Study[Budget], runs: Mapping[str, Mapping[str, Run]], met: Mapping[str, list[Result]]) -> None:
    """Drawn games in evolution, early and late, and from the ballot."""
    shown: dict[str, dict[str, Estimate]] = {"first generation": {}, "last tenth": {}, "ballot": {}}
    counts = {}
    for name, group in runs.items():
        finished = [run for run in group.values() if run.finished]
        if len(finished) < 2:
            continue
        counts[name] = len(finished)
        shares = [np.array([100 * row["draws"] for row in run.metrics]) for run in finished]
        shown["first generation"][name] = share_over_runs([each[0] for each in shares])
        shown["last tenth"][name] = share_over_runs([each[-max(1, len(each) // 10) :].mean() for each in shares])
        shown["ballot"][name] = drawn(met[name])
    if not counts:
        return
    file = study.figure(
        "draws-readings",
        "Drawn games under other readings",
        f"Share of drawn games of C0 with {study.budget.short_generations} generations: in evolution, which begins "
        "games as usual, and between its players, from the ballot.",
        alt="Shares with intervals",
    )
    figures.whiskers(
        file,
        {group: {name: (each.value, *each.interval) for name, each in found.items()} for group, found in shown.items()},
        x="drawn games (%)",
    )
    rows = [[name, count, *(f"{found[name]:.0f}" for found in shown.values())] for name, count in counts.items()]
    paper = {tables: drawn(published_results(league)).value for tables, league in PUBLISHED.items()}
    study.section(
        "Drawn games",
        "Percent of games drawn, with 95% intervals over runs, from the ballot over games. In the paper: "
        + ", ".join(f"{value:.0f}% in Tables {tables}" for tables, value in paper.items())
        + ". Networks are made louder by a factor of their output weights, since pieces count 1 whatever the network "
        "says; a learned weight on the sum of the pieces begins between -0.2 and 0.2 as all others do, and counts as "
        "0.01 where it is less.\n\n"
        + table("| reading | runs | first generation | last tenth of the generations | ballot |", rows),
    )
