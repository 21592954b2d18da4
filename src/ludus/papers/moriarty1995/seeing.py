"""Do the networks look at the board? Each beside the constant ranking of squares that comes closest to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.measures.dependence import dependence
from ludus.measures.performance import compiled, share_over_runs
from ludus.papers.moriarty1995.setup import OPPONENTS, Budget, Populations, won
from ludus.papers.study import Study
from ludus.players.base import Player
from ludus.players.ranking import ranking_player

GAMES = 1000
"""Of each network, half of them to find its ranking and half to test it."""


@dataclass(frozen=True)
class Seeing:
    """A network and its ranking."""

    same: float
    """Percent of the choices in held-out games in which both make the same move."""
    chance: float
    """What a random mover would have of it."""
    ranking: Player


def seeing(study: Study[Budget], one: Player) -> Seeing:
    """How far the choices of a network are those of a ranking."""

    def look() -> dict[str, Any]:
        found = dependence(compiled(one), GAMES, study.workspace.seed, study.workspace.workers)
        values = np.nan_to_num(found.fits[0].values, nan=-1e9)  # JSON has no nan
        return {"same": found.same.value, "chance": found.chance, "values": values}

    found = study.workspace.cached(f"dependence/{one.label}", {"games": GAMES}, look)
    list_of = ranking_player(study.game, np.array(found["values"]), f"ranking-{one.label}")
    return Seeing(found["same"], found["chance"], list_of)


def rankings(study: Study[Budget], populations: Populations) -> None:
    """Every best network beside its ranking: the same moves, and the same strength?"""
    rows = [
        "| networks | populations | same move | the random mover: network | its ranking | the searcher: network | "
        "its ranking |"
    ]
    chance = []
    for (kind, variant), found in populations.items():
        networks = [each.network(2) for each in found]
        seen = [seeing(study, one) for one in networks]
        chance += [each.chance for each in seen]
        cells = [f"{share_over_runs([each.same for each in seen]):.1f}"]
        for opponent in OPPONENTS:
            for players in (networks, [each.ranking for each in seen]):
                cells.append(f"{_won(study, players, opponent):.1f}")
        rows.append(f"| {kind}, {variant.name} | {len(found)} | " + " | ".join(cells) + " |")
    study.section(
        "Networks, or rankings of squares?",
        "For the best network of each population, a constant ranking of the 64 squares was made from half of "
        f"{GAMES:,} of its games, by its mean outputs or fitted to its choices, whichever explains it better. `Same "
        "move` is how often both make the same move in the other half, where there is a choice; a random mover would "
        f"in {np.mean(chance):.0f}%. Where it is near 100% and the ranking is as strong as the network, what evolved "
        "is a list of squares: the network plays the best legal one of it, whatever else is on the board. All in "
        f"percent, games won over {study.budget.games:,} games, means over populations with 95% intervals. "
        "`ludus dependence` measures the same for any player.\n\n" + "\n".join(rows),
    )


def _won(study: Study[Budget], players: Sequence[Player], opponent: str) -> Any:
    return share_over_runs([won(study, each, opponent).value for each in players])
