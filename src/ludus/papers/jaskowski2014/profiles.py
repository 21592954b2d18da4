"""Points against opponents of every strength: the performance profiles of Figure 2.

In means and slopes over bins each counts by how full it is: at both ends there are bins with a few opponents alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

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
from ludus.progress import progress_bar

Table = NDArray[np.float64]


class Opponents:
    """The graded opponents: how many each bin has, which is stored, and they themselves, who are made when needed."""

    def __init__(self, study: Study[Budget]) -> None:
        self.study, budget = study, study.budget
        self.name = f"opponents-{budget.per_bin}-per-{budget.bin_width:g}-percent"
        self.asked = {"per_bin": budget.per_bin, "width": budget.bin_width, "seed": study.workspace.seed}

    @cached_property
    def held(self) -> NDArray[np.int64]:
        """[bins] how many there are; none in a partial report before they were made."""
        return np.array(self._cached(self.name, self.asked, lambda: self.database.held) or [], np.int64)

    @property
    def _file(self) -> Path:
        return self.study.workspace.runs / f"{self.name}.safetensors"

    @cached_property
    def database(self) -> Database:
        study, budget, workspace = self.study, self.study.budget, self.study.workspace
        if not self._file.exists():
            workspace.log("graded opponents")
            with progress_bar("opponents") as update:
                build(
                    study.game, self._file, budget.per_bin, width=budget.bin_width, seed=workspace.seed,
                    workers=workspace.workers, progress=update,
                )  # fmt: skip
        return load(self._file, study.game)

    def profiles(self, players: Players) -> dict[int, Profile]:
        """Those of these players, by seed; a partial report without opponents has those that are stored."""
        found = {seed: self._profile(one) for seed, one in players.items()} if len(self.held) else {}
        return {seed: each for seed, each in found.items() if each}

    def _profile(self, one: CompiledPlayer) -> Profile | None:
        workspace, budget = self.study.workspace, self.study.budget
        name = f"profiles/{one.label}"
        asked = {**self.asked, "opponents": int(self.held.sum()), "trained": budget.games}
        found = self._cached(
            name, asked, lambda: asdict(profile(one, self.database, 2, workspace.seed, workspace.workers))
        )
        return found and Profile(**{key: np.array(value) for key, value in found.items()})

    def _cached(self, name: str, asked: Mapping[str, object], work: Callable[[], object]) -> Any:
        """As in the workspace; but a partial report without opponents has no more than what is stored."""
        workspace = self.study.workspace
        if workspace.partial and not self._file.exists():
            return workspace.stored(name, asked)
        return workspace.cached(name, asked, work)


class Profiles:
    """The profiles of all players against one database of opponents."""

    def __init__(self, trained: Trained, opponents: Opponents) -> None:
        self.tdl = opponents.profiles(trained.tdl)
        self.cel = {variant: opponents.profiles(trained.cel[variant]) for variant in VARIANTS}
        everyone = [*self.tdl.values(), *(each for group in self.cel.values() for each in group.values())]
        self.strength: Table = everyone[0].strength if everyone else np.empty(0)
        """[bins]"""
        held = everyone[0].opponents if everyone else np.empty(0)
        self.fullness: Table = held / max(held, default=1)
        """[bins] how many opponents each has, as a part of the fullest."""

    def leads(self, variant: Variant) -> Table:
        """[seeds, bins] by how much TDL is ahead of CEL, for the seeds that both have."""
        cel = self.cel[variant]
        rows = [each.percent - cel[seed].percent for seed, each in self.tdl.items() if seed in cel]
        return np.array(rows).reshape(len(rows), len(self.strength))


def figure_2(study: Study[Budget], trained: Trained) -> None:
    """Points against opponents of rising strength."""
    opponents = Opponents(study)
    found = Profiles(trained, opponents)
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
    _heights(study, opponents, found, figure)
    if len(opponents.held):
        study.section("The graded opponents", _bins(opponents.held, study.budget))


def _crossing_claim(study: Study[Budget], found: Profiles, figure: str) -> None:
    def crossing(variant: Variant) -> Estimate | None:
        leads = found.leads(variant)
        if len(leads) < 2:
            return None
        return jackknife(
            lambda runs: crossing_of(found.strength, leads[list(runs)].mean(axis=0), found.fullness),
            len(leads),
            (0.0, 100.0),
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
        def of(variant: Variant) -> Estimate | None:
            if not any(inside):
                return None
            weights = found.fullness[inside]
            return mean((sign * np.average(found.leads(variant)[:, inside], axis=1, weights=weights)).tolist())

        return of

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
        lambda variant: (
            _slope(found.strength[upper], found.leads(variant)[:, upper], found.fullness[upper])
            if sum(upper) > 1
            else None
        ),
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


def _slope(strength: Table, leads: Table, fullness: Table) -> Estimate | None:
    """How much a lead [seeds, bins] grows for ten points of strength."""
    return mean((10 * np.polyfit(strength, leads.T, 1, w=np.sqrt(fullness))[0]).tolist()) if len(leads) else None


def _heights(study: Study[Budget], opponents: Opponents, found: Profiles, figure: str) -> None:
    """Points at strengths that the text names."""
    width = study.budget.bin_width
    begins = [at // width * width for at in (4.0, 20.0)]
    four, twenty = (_span(begin, begin + width) for begin in begins)
    held = [int(opponents.held[int(begin // width)]) if len(opponents.held) else 0 for begin in begins]
    notes = [
        f"The {count} opponents in the bin from {begin:g} to {begin + width:g}%."
        for begin, count in zip(begins, held, strict=True)
    ]
    near_four, near_twenty = _span(4, 10), _span(17.5, 22.5)

    def near(value: float) -> Callable[[Estimate | None], Ruling]:
        return lambda ours: verdict_near(ours, value, HEIGHT_TOLERANCE)

    def height(players: Mapping[int, Profile], span: "_Span") -> Estimate | None:
        inside = span(found.strength)
        if not inside.any():
            return None
        weights = found.fullness[inside]
        return mean_share([float(np.average(each.percent[inside], weights=weights)) for each in players.values()])

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


def _bins(held: NDArray[np.int64], budget: Budget) -> str:
    """Which bins are full, and which can't be filled."""
    width = budget.bin_width

    def listed(places: Sequence[int], counts: bool = False) -> str:
        return ", ".join(f"{place * width:g}%" + f" ({held[place]})" * counts for place in places) or "none"

    full = np.flatnonzero(held >= budget.per_bin)
    some, empty = np.flatnonzero((held > 0) & (held < budget.per_bin)), np.flatnonzero(held == 0)
    ends = f", the first from {full[0] * width:g}% and the last to {(full[-1] + 1) * width:g}%" if len(full) else ""
    return f"""
        {held.sum():,} opponents in {np.sum(held > 0)} of {len(held)} bins. The paper filled 93 bins, from 4 to 96%,
        with 1,000 opponents each.

        - Full, with {budget.per_bin} opponents: {len(full)} bins{ends}.
        - With fewer, by where they begin: {listed(some.tolist(), True)}.
        - Empty, since neither chance nor evolution found anybody so weak or so strong: {listed(empty.tolist())}.
        """


def crossing_of(strength: Table, lead: Table, fullness: Table) -> float:
    """The strength of opponents from which on the lead [bins] is above 0; 0 if it always is, and 100 if it never is.

    Curves are smoothed over five bins, in which each counts by how full it is.
    """
    around = np.ones(5)
    held = np.convolve(fullness, around, "valid")
    lead, strength = (np.convolve(each * fullness, around, "valid") / held for each in (lead, strength))
    behind = np.flatnonzero(lead < 0)
    if not len(behind):
        return 0.0
    last = int(behind[-1])
    if last + 1 >= len(lead):
        return 100.0
    return float(np.interp(0.0, lead[last : last + 2], strength[last : last + 2]))
