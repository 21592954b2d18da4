"""The printed leagues of alkhateeb2012, and whether our model of ratings gives the printed ratings."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludus.measures.ratings import Ratings, Result, rate, rounded, whole_percent
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_near

BALLOT_GAMES = 86
"""All 43 openings of the two-move ballot, each with both colours."""

PUBLISHED: Mapping[str, Any] = json.loads((Path(__file__).parent / "published.json").read_text())["leagues"]
"""Results, ratings and likelihoods of superiority, by the tables that have them."""


def published_results(league: Mapping[str, Any]) -> list[Result]:
    """The printed results of a round robin, or of many players against one."""
    if "hub" in league:
        return [Result(name, league["hub"], *counts) for name, *counts in league["against_hub"]]
    players, wins = league["players"], league["wins"]
    return [
        Result(players[i], players[j], wins[i][j], BALLOT_GAMES - wins[i][j] - wins[j][i], wins[j][i])
        for i in range(len(players))
        for j in range(i)
    ]


def as_printed(found: Ratings) -> tuple[list[list[Any]], list[list[int | None]]]:
    """Ratings and likelihoods of superiority, rounded as the paper's tables have them."""
    names = [rating.name for rating in found.ratings]
    ratings = [
        [
            each.name,
            *(rounded(value) for value in (each.elo, each.plus, each.minus)),
            *(rounded(100 * share) for share in (each.score, each.draws)),
        ]
        for each in found.ratings
    ]
    los = [[None if a == b else whole_percent(found.los[a][b]) for b in names] for a in names]
    return ratings, los


def published_ratings(study: Study[Any]) -> None:
    """The printed results, rated by our own model."""
    for tables, league in PUBLISHED.items():
        ratings, los = as_printed(rate(published_results(league), exact=league["exact"]))
        rows = zip([*league["ratings"], *league["los"]], [*ratings, *los], strict=True)
        pairs = [pair for printed, ours in rows for pair in zip(printed, ours, strict=True)]
        cells = [(printed, ours) for printed, ours in pairs if printed is not None]
        same = sum(printed == ours for printed, ours in cells)
        study.claim(
            f"tables-{tables.replace(', ', '-').lower()}-rated",
            f"Tables {tables}: the printed wins give the printed ratings and likelihoods of superiority.",
            paper=f"{len(cells)} cells",
            ours=f"{same} alike",
            runs=0,
            verdict=verdict_near(same, len(cells), 0),
            note=league.get("note", ""),
        )
