"""Whether players that were evolved in the same way are alike (Tables III to XII)."""

from ludus.measures.ratings import Result
from ludus.papers.alkhateeb2012.dispersion import (
    copies,
    differing_by_chance,
    differing_pairs,
    rating_span,
    span_by_chance,
)
from ludus.papers.alkhateeb2012.evolved import (
    Players,
    alike_runs,
    core_hours,
    drawn,
    players_of,
    round_robin,
    short_runs,
    waits_for,
)
from ludus.papers.alkhateeb2012.published import PUBLISHED
from ludus.papers.alkhateeb2012.setup import ALIKE, SPAN_TOLERANCE, Budget
from ludus.papers.base import Reading
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_near, verdict_pattern

DIFFERING = 0.1
"""The share of pairs up to which it is partly so: 5% either way, as many as equal players would seem to differ if no
more games were drawn than the ratings expect."""


def alike(study: Study[Budget]) -> None:
    """Whether players that were evolved in the same way differ, and by how much."""
    for method, tables in ALIKE.items():
        runs = alike_runs(study, method)
        players, missing = players_of(study, runs), waits_for(study, runs)
        if missing:  # any two or three would be alike too easily
            players = {}
        short = players_of(study, short_runs(study, method))
        _differ(study, method, tables, players, short, missing)
        _span(study, method, tables, players, short, missing)


def _differ(study: Study[Budget], method: str, tables: str, players: Players, short: Players, missing: str) -> None:
    results = round_robin(study, players)
    ours, verdict = _differing(results)
    others, judged = _differing(round_robin(study, short))
    note = missing
    if results:
        draws = drawn(results).value / 100
        chance = differing_by_chance(len(players), draws, study.budget.simulations)
        note += f" Of equal players with {draws:.0%} of draws {chance:.1%} of pairs would seem to differ by chance."
    study.claim(
        f"tables-{_slug(tables)}-alike",
        f"Players evolved in the same way ({method}) do not differ: no likelihood of superiority reaches 95%.",
        paper="0 of 45 pairs differ",
        ours=ours,
        runs=len(players) if ours else 0,
        verdict=verdict,
        reading=_reading(study),
        readings=_readings(study, short, others, judged),
        note=note.strip(),
    )


def _span(study: Study[Budget], method: str, tables: str, players: Players, short: Players, missing: str) -> None:
    printed = [rating[1] for rating in PUBLISHED[tables]["ratings"]]
    span = max(printed) - min(printed)

    def found(results: list[Result]) -> tuple[float | None, Ruling]:
        ours = rating_span(results) if results else None
        return ours, verdict_near(ours, span, SPAN_TOLERANCE)

    results = round_robin(study, players)
    ours, verdict = found(results)
    readings = _readings(study, short, *found(round_robin(study, short)))
    if method == "C0":
        value, judged = found(copies(study))
        if value is not None:
            readings.append(
                study.reading(f"{study.budget.copies} copies of one player", ours=value, verdict=judged, runs=1)
            )
    note = missing
    if results:
        chance = span_by_chance(study, len(players), drawn(results).value / 100)
        note += (
            f" By chance alone {len(players)} equal players would span {chance.value:.0f} Elo "
            f"({chance.interval[0]:.0f} to {chance.interval[1]:.0f}), and ten of them more. See "
            "the section on the printed leagues: no run of this experiment should be expected to match it."
        )
    study.claim(
        f"tables-{_slug(tables)}-span",
        f"The ratings of ten players that were evolved in the same way ({method}) span {span} Elo.",
        paper=f"{span} Elo",
        ours=ours,
        runs=len(players) if results else 0,
        verdict=verdict,
        reading=_reading(study),
        readings=readings,
        note=note.strip(),
        figure="spans",
    )


def _differing(results: list[Result]) -> tuple[str | None, Ruling]:
    """How many of the pairs differ, and the verdict."""
    differing, pairs = None, len(results)
    if results:
        differing = differing_pairs(results)
    rule = f"no pair differs (partly: {DIFFERING:.0%} of them)"
    return (
        None if differing is None else f"{differing} of {pairs} pairs differ",
        verdict_pattern(differing, 0, DIFFERING * pairs, rule),
    )


def _reading(study: Study[Budget]) -> str:
    budget = study.budget
    return (
        f"Evolved through all {budget.generations} generations, {budget.alike} of each method; ten, as in the paper, "
        f"would take {core_hours(study, 10 - budget.alike):.0f} core-hours more for each."
    )


def _readings(study: Study[Budget], short: Players, ours: str | float | None, verdict: Ruling) -> list[Reading]:
    if ours is None:
        return []
    name = f"{len(short)} players of {study.budget.short_generations} generations"
    return [study.reading(name, ours=ours, verdict=verdict, runs=len(short))]


def _slug(tables: str) -> str:
    return tables.replace(", ", "-").lower()
