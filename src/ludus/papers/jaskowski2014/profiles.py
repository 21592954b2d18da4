"""Points against opponents of every strength: the performance profiles of Figure 2."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from ludus.measures import figures
from ludus.measures.performance import jackknife
from ludus.measures.profiles import Database, Profile, build, load, over_players, profile
from ludus.papers.jaskowski2014.performance import PAIRS
from ludus.papers.jaskowski2014.published import CROSSING_TOLERANCE, FIGURE_2, HEIGHT_TOLERANCE, STRONG, WEAK
from ludus.papers.jaskowski2014.setup import (
    MAIN,
    POOLED,
    VARIANTS,
    Budget,
    Players,
    Trained,
    Variant,
    claim,
    claim_cel,
    mean,
    mean_share,
)
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_above, verdict_near
from ludus.play.intervals import Estimate
from ludus.players.base import CompiledPlayer

Table = NDArray[np.float64]


class Profiles:
    """The profiles of all players against one database of opponents."""

    def __init__(self, study: Study[Budget], trained: Trained, database: Database | None) -> None:
        self.tdl = _profiles(study, trained.tdl, database)
        self.cel = {variant: _profiles(study, trained.cel[variant], database) for variant in VARIANTS}
        everyone = [*self.tdl.values(), *(each for group in self.cel.values() for each in group.values())]
        self.strength: Table = everyone[0].strength if everyone else np.empty(0)
        """[bins]"""

    def leads(self, variant: Variant) -> Table:
        """[seeds, bins] by how much TDL is ahead of CEL, for the seeds that both have."""
        cel = self.cel[variant]
        rows = [each.percent - cel[seed].percent for seed, each in self.tdl.items() if seed in cel]
        return np.array(rows).reshape(len(rows), len(self.strength))


def figure_2(study: Study[Budget], trained: Trained) -> None:
    """Points against opponents of rising strength."""
    database = _opponents(study)
    found = Profiles(study, trained, database)
    drawn = {"TDL": found.tdl, "CEL, sum of averages": found.cel[MAIN], "CEL, all games": found.cel[POOLED]}
    if shown := {name: list(each.values()) for name, each in drawn.items() if len(each) > 1}:
        file = study.figure(
            "profiles",
            "Performance profiles (the paper's Figure 2)",
            "Mean points of each learner's players against opponents of rising strength, with 95% intervals over runs. "
            "Open marks are what the paper's text says.",
            alt="Falling curves that cross",
        )
        marks = {f"the paper, {name}": points for name, points in FIGURE_2.items()}
        figures.profile_curves(file, {name: over_players(each) for name, each in shown.items()}, marks=marks)
    figure = "profiles" if shown else ""
    _crossing_claim(study, found, figure)
    _orders(study, found, figure)
    _heights(study, found, figure)
    if database:
        study.section("The graded opponents", _bins(database))


def _crossing_claim(study: Study[Budget], found: Profiles, figure: str) -> None:
    def crossing(variant: Variant) -> Estimate | None:
        leads = found.leads(variant)
        if len(leads) < 2:
            return None
        return jackknife(
            lambda runs: crossing_of(found.strength, leads[list(runs)].mean(axis=0)), len(leads), (0.0, 100.0)
        )

    claim_cel(
        study,
        "fig2-crossing",
        "The two profiles cross at opponents of medium strength: CEL is ahead below, TDL above.",
        crossing,
        paper="about 50",
        ruling=lambda ours: verdict_near(ours, 50.0, CROSSING_TOLERANCE),
        note=f"{PAIRS} 0 means that TDL is ahead against all opponents, 100 against none: no crossing.",
        figure=figure,
    )


def _orders(study: Study[Budget], found: Profiles, figure: str) -> None:
    """Who is ahead against whom."""

    def above_0(ours: Estimate | None) -> Ruling:
        return verdict_above(ours, 0.0)

    strong, weak, upper = found.strength > STRONG, found.strength < WEAK, found.strength > 50

    def ahead(inside: NDArray[np.bool_], sign: int) -> Callable[[Variant], Estimate | None]:
        return lambda variant: (
            mean((sign * found.leads(variant)[:, inside].mean(axis=1)).tolist()) if any(inside) else None
        )

    claim_cel(
        study,
        "fig2-strong-ahead",
        "Against strong opponents TDL players are significantly better.",
        ahead(strong, 1),
        paper="better",
        ruling=above_0,
        shown="by {:.1f}",
        note=f"Percent points, opponents above {STRONG:g}%, whom the paper calls the strongest.",
        figure=figure,
    )
    claim_cel(
        study,
        "fig2-widening",
        "The stronger the opponents, the wider the gap between TDL and CEL.",
        lambda variant: _slope(found.strength[upper], found.leads(variant)[:, upper]) if sum(upper) > 1 else None,
        paper="wider",
        ruling=above_0,
        shown="by {:.2f}",
        note="Percent points for ten more points of the opponent's strength: the slope of each seed's lead from 50% "
        "on, where TDL is ahead in the paper.",
        figure=figure,
    )
    claim_cel(
        study,
        "fig2-weak-ahead",
        "Against the weakest opponents CEL players are better.",
        ahead(weak, -1),
        paper="better",
        ruling=above_0,
        shown="by {:.1f}",
        note=f"Percent points, opponents below {WEAK:g}%, whom the paper calls the weakest.",
        figure=figure,
    )


def _slope(strength: Table, leads: Table) -> Estimate | None:
    """How much a lead [seeds, bins] grows for ten points of strength."""
    return mean((10 * np.polyfit(strength, leads.T, 1)[0]).tolist()) if len(leads) else None


def _heights(study: Study[Budget], found: Profiles, figure: str) -> None:
    """Points at strengths that the text names."""
    width = study.budget.bin_width
    begins = [at // width * width for at in (4.0, 20.0)]
    four, twenty = (_span(begin, begin + width) for begin in begins)
    notes = [f"Opponents in the bin from {begin:g} to {begin + width:g}%." for begin in begins]
    near_four, near_twenty = _span(4, 10), _span(17.5, 22.5)

    def near(value: float) -> Callable[[Estimate | None], Ruling]:
        return lambda ours: verdict_near(ours, value, HEIGHT_TOLERANCE)

    def height(players: Mapping[int, Profile], span: "_Span") -> Estimate | None:
        inside = span(found.strength)
        if not inside.any():
            return None
        return mean_share([float(each.percent[inside].mean()) for each in players.values()])

    claim_cel(
        study,
        "fig2-weak-cel",
        "Against the weakest opponents, of 4%, CEL gets nearly 98% of the points.",
        lambda variant: height(found.cel[variant], four),
        paper="nearly 98",
        ruling=near(98.0),
        others={"opponents of 4 to 10%, as in our first report": height(found.cel[MAIN], near_four)},
        note=notes[0],
        figure=figure,
    )
    claim(
        study,
        "fig2-weak-tdl",
        "Against the weakest opponents, of 4%, TDL gets only 94% of the points.",
        paper="94",
        ours=height(found.tdl, four),
        ruling=near(94.0),
        others={"opponents of 4 to 10%, as in our first report": height(found.tdl, near_four)},
        note=notes[0],
        figure=figure,
    )
    claim_cel(
        study,
        "fig2-twenty-cel",
        "Against opponents of 20%, CEL gets nearly 95% of the points.",
        lambda variant: height(found.cel[variant], twenty),
        paper="nearly 95",
        ruling=near(95.0),
        others={"opponents of 17.5 to 22.5%, as in our first report": height(found.cel[MAIN], near_twenty)},
        note=notes[1],
        figure=figure,
    )


_Span = Callable[[Table], NDArray[np.bool_]]


def _span(low: float, high: float) -> _Span:
    """Which strengths are from low to high."""
    return lambda strength: (strength >= low) & (strength <= high)


def _opponents(study: Study[Budget]) -> Database | None:
    """The graded opponents; a partial report builds none."""
    workspace, budget = study.workspace, study.budget
    file = workspace.runs / f"opponents-{budget.per_bin}-per-{budget.bin_width:g}-percent.safetensors"
    if not file.exists():
        if workspace.partial:
            return None
        workspace.log("graded opponents")
        build(study.game, file, budget.per_bin, width=budget.bin_width, seed=workspace.seed, workers=workspace.workers)
    return load(file, study.game)


def _bins(database: Database) -> str:
    """Which bins are full, and which can't be filled."""
    held, width = database.held, database.width

    def listed(places: Sequence[int], counts: bool = False) -> str:
        return ", ".join(f"{place * width:g}%" + f" ({held[place]})" * counts for place in places) or "none"

    full = np.flatnonzero(held >= database.per_bin)
    some, empty = np.flatnonzero((held > 0) & (held < database.per_bin)), np.flatnonzero(held == 0)
    ends = f", the first from {full[0] * width:g}% and the last to {(full[-1] + 1) * width:g}%" if len(full) else ""
    return f"""
        {database}. The paper filled 93 bins, from 4 to 96%, with 1,000 opponents each.

        - Full, with {database.per_bin} opponents: {len(full)} bins{ends}.
        - With fewer, by where they begin: {listed(some.tolist(), True)}.
        - Empty, since neither chance nor evolution found anybody so weak or so strong: {listed(empty.tolist())}.
        """


def _profiles(study: Study[Budget], players: Players, database: Database | None) -> dict[int, Profile]:
    return {seed: _profile(study, one, database) for seed, one in players.items()} if database else {}


def _profile(study: Study[Budget], one: CompiledPlayer, database: Database) -> Profile:
    found = study.workspace.cached(
        f"profiles/{one.label}",
        {
            "opponents": len(database.percent),
            "per_bin": database.per_bin,
            "width": database.width,
            "trained": study.budget.games,
        },
        lambda: asdict(profile(one, database, 2, study.workspace.seed, study.workspace.workers)),
    )
    return Profile(**{name: np.array(value) for name, value in found.items()})


def crossing_of(strength: Table, lead: Table) -> float:
    """The strength of opponents from which on the lead [bins] is above 0; 0 if it always is, and 100 if it never is.

    Curves are smoothed over five bins.
    """
    kernel = np.ones(5) / 5
    lead, strength = np.convolve(lead, kernel, "valid"), np.convolve(strength, kernel, "valid")
    behind = np.flatnonzero(lead < 0)
    if not len(behind):
        return 0.0
    last = int(behind[-1])
    if last + 1 >= len(lead):
        return 100.0
    return float(np.interp(0.0, lead[last : last + 2], strength[last : last + 2]))
