"""Games from the usual start instead of the ballot (Table XXI)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludus.measures.performance import percent
from ludus.papers.alkhateeb2012.evolved import game_scores, league_players, league_runs, table, waits_for
from ludus.papers.alkhateeb2012.setup import HUBS, PLANS, Budget
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_above, verdict_all, verdict_pattern
from ludus.play.intervals import Estimate

PRINTED = {
    ("C1", "C0"): "LD", ("C1", "RR"): "LL", ("C200", "C0"): "DD", ("C200", "RR"): "LL", ("C100", "C0"): "WD",
    ("C100", "RR"): "LL", ("C50", "C0"): "WW", ("C50", "RR"): "LD", ("C20", "C0"): "WW", ("C20", "RR"): "DD",
    ("C10", "C0"): "WW", ("C10", "RR"): "WW",
}  # fmt: skip
"""Table XXI: what each player got with Red, who moves first, and with White."""

POINTS_PARTLY = 2.5
"""The points of four games from which on it is partly winning all: more than an even match."""


def go_as_you_please(study: Study[Budget]) -> None:
    """Games from the usual start, many with each colour: lots among equal moves make them different."""
    players = league_players(study)
    asked = {name: run for name, run in league_runs(study).items() if name in ("C10", *HUBS)}
    found = {
        (name, hub, colour): game_scores(
            study, players[name], players[hub], 2 * study.budget.start_games, opening="none"
        )[colour::2]
        for name in PLANS
        for hub in HUBS
        if {name, hub} <= players.keys()
        for colour in (0, 1)
    }
    ours = [found[key] for key in found if key[0] == "C10"]
    whole = len(ours) == 4
    won = [percent((each == 1).astype(float)) for each in ours]
    shares = ", ".join(f"{each.value:.0f}%" for each in won)
    readings = []
    if whole:
        scored = [percent(each) for each in ours]
        first = "".join("LDW"[round(2 * each[0])] for each in ours)
        points = sum({"W": 1.0, "D": 0.5, "L": 0.0}[each] for each in first)
        readings = [
            study.reading(
                "draws count half",
                ours=", ".join(f"{each.value:.0f}%" for each in scored),
                verdict=_more_than_half(scored),
                runs=1,
            ),
            study.reading(
                "the first game of each only, as in the paper",
                ours=", ".join(first),
                verdict=verdict_pattern(4 - points, 0, 4 - POINTS_PARTLY),
                runs=1,
            ),
        ]
    study.claim(
        "table21-c10",
        "From the usual start, C10 wins with Red and with White against C0 and Blondie24-RR.",
        paper="W, W, W, W",
        ours=shares if whole else None,
        runs=int(whole),
        verdict=_more_than_half(won if whole else [None]),
        reading=f"It wins most games: more than half of {study.budget.start_games} with each colour against either. "
        "The paper has one of each.",
        readings=readings,
        note=waits_for(study, asked)
        or "Games won with Red and with White against C0, then against Blondie24-RR. Lots among equally good moves "
        "make nearly all games different.",
    )
    rows = []
    for name in PLANS:
        cells = []
        for hub in HUBS:
            for colour in (0, 1):
                if (name, hub, colour) in found:
                    printed = PRINTED[name, hub][colour]
                    cells.append(f"{_counts(found[name, hub, colour])} (paper {printed})")
        if cells:
            rows.append([name, *cells])
    if rows:
        study.section(
            "Games from the usual start (Table XXI)",
            f"Wins, draws and losses in {study.budget.start_games} games with each colour, and the paper's one game. "
            "Red moves first.\n\n"
            + table(
                "| player | Red against C0 | White against C0 | Red against RR | White against RR |",
                rows,
            ),
        )


def _more_than_half(cases: Sequence[Estimate | None]) -> Ruling:
    verdict = verdict_all(*(verdict_above(each, 50.0) for each in cases))
    return replace(verdict, rule="our whole interval is above 50% in each of the four cases")


def _counts(scores: NDArray[np.float64]) -> str:
    return "-".join(str(int(np.sum(scores == each))) for each in (1.0, 0.5, 0.0))
