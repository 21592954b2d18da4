"""How won games go: pieces, and moves to choose from (Figures 4, 5, 6 and 8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludus.measures import figures
from ludus.measures.behaviour import Behaviour
from ludus.measures.behaviour import behaviour as behaviour_of
from ludus.measures.figures import Published
from ludus.measures.performance import over_runs
from ludus.papers.base import Reading
from ludus.papers.moriarty1995.setup import (
    MAIN,
    RANDOM,
    SEARCHER,
    VARIANTS,
    Budget,
    Populations,
    listed,
    random_mover,
)
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_above, verdict_near
from ludus.play.intervals import Estimate
from ludus.play.matches import match
from ludus.players.base import Player
from ludus.players.names import player

WINDOWS = {"middle and end game": (20, 60), "first third": (0, 20), "middle third": (20, 40), "last third": (40, 60)}
"""The moves between which choices are compared. The paper divides a game of sixty moves into beginning, middle and end
game and speaks of the last two of them: the main reading is the last two thirds."""
PIECES_TOLERANCE, TURN_TOLERANCE, RATIO_TOLERANCE = 3.0, 4.0, 0.3
"""What can be read off the paper's figures, and a little more: pieces, moves, and a tenth or two of `twice`."""


@dataclass(frozen=True)
class Shown:
    """A figure of the paper: which networks play whom in it."""

    phases: int
    opponent: str
    us: str
    them: str
    where: str
    published: Published


EVOLVED_1, EVOLVED_2 = "the network evolved against the random mover", "the network evolved against the searcher"
FIGURES = {
    "figure4": Shown(1, RANDOM, EVOLVED_1, "the random mover", "Figure 4", Published(45, 40, (25, 20))),
    "figure5": Shown(2, SEARCHER, EVOLVED_2, "the searcher", "Figures 5 and 6", Published(54)),
    "figure8": Shown(2, RANDOM, EVOLVED_2, "the random mover", "Figure 8", Published(52, 40, (16, 29))),
}

CONTROL = "a random mover in the network's place"
"""Its won games are beside the networks': what they have in common is owed to winning alone."""

Seen = dict[str, list[Behaviour]]
"""What the won games of each population's best network look like, by reading; and those of random movers."""


def game_curves(study: Study[Budget], populations: Populations) -> None:
    """Pieces and moves to choose from in won games."""
    seen: dict[str, Seen] = {}
    for name, shown in FIGURES.items():
        seen[name] = {
            variant.name: [
                found
                for each in populations["marker", variant]
                if (found := _watched(study, each.network(shown.phases), shown.opponent))
            ]
            for variant in VARIANTS
            if ("marker", variant) in populations
        }
        seen[name][CONTROL] = [
            found for seed in study.seeds if (found := _watched(study, random_mover(study, seed), shown.opponent, seed))
        ]
        file = study.figure(
            name,
            f"{shown.us[0].upper()}{shown.us[1:]} plays {shown.them} (the paper's {shown.where})",
            f"Averages over all games won of {study.budget.games:,} for each of {len(seen[name][MAIN.name])} networks; "
            f"{MAIN.name}. Marks are the paper's figures.",
            alt="Pieces of both sides through the game, and below them the moves they could choose from",
        )
        figures.behaviour_curves(file, _mean(seen[name][MAIN.name]), (shown.us, shown.them), shown.published)
    _pieces(study, "figure4", seen["figure4"], "the positional network")
    _turn(study, "figure4", seen["figure4"], "Against the positional network the random mover")
    _fewer(study, seen["figure5"])
    _turn(study, "figure5", seen["figure5"], "Against the mobility network the searcher")
    _freedom(study, seen["figure5"])
    _pieces(study, "figure8", seen["figure8"], "the mobility network")
    _turn(study, "figure8", seen["figure8"], "Against the mobility network the random mover")


def _figure_of(values: Sequence[float]) -> Estimate | None:
    return over_runs(values) if len(values) > 1 else None


def _readings(
    study: Study[Budget],
    seen: Seen,
    figure_of: Callable[[Behaviour], float | None],
    ruling: Callable[[Estimate | None], Ruling],
) -> list[Reading]:
    """The same figure of the networks under the other readings, and of random movers."""
    found = []
    for name, each in seen.items():
        if name != MAIN.name:
            values = [value for one in each if (value := figure_of(one)) is not None]
            ours = _figure_of(values)
            found.append(study.reading(name, ours=ours, verdict=ruling(ours), runs=len(values) if ours else 0))
    return found


def _pieces(study: Study[Budget], name: str, seen: Seen, whom: str) -> None:
    values, move = FIGURES[name].published.pieces or (), FIGURES[name].published.move
    for side, (owner, value) in enumerate(zip((whom, "the random mover"), values, strict=True)):

        def pieces(found: Behaviour, side: int = side) -> float:
            return float(found.pieces[move, side])

        def ruling(ours: Estimate | None, value: float = value) -> Ruling:
            return verdict_near(ours, value, PIECES_TOLERANCE)

        counts = [pieces(each) for each in seen[MAIN.name]]
        ours = over_runs(counts)
        study.claim(
            f"{name}-pieces-{('network', 'random')[side]}",
            f"After {move} moves of games that {whom} wins against the random mover, {owner} has {value:g} pieces.",
            paper=f"{value:g}",
            ours=ours,
            runs=len(counts),
            verdict=ruling(ours),
            reading=f"{MAIN.name}; all won games of the best network of each population.",
            readings=_readings(study, seen, pieces, ruling),
            note=f"By population: {listed(counts)}.",
            figure=name,
        )


def _turn(study: Study[Budget], name: str, seen: Seen, whom: str) -> None:
    value = FIGURES[name].published.turn or 0.0

    def ruling(ours: Estimate | None) -> Ruling:
        return verdict_near(ours, value, TURN_TOLERANCE)

    turns = [each.turning_point for each in seen[MAIN.name]]
    values = [float(turn) for turn in turns if turn is not None]
    ours = _figure_of(values)
    study.claim(
        f"{name}-turn",
        f"{whom} loses pieces from about move {value:g} on.",
        paper=f"about {value:g}",
        ours=ours or "never",
        runs=len(values),
        verdict=ruling(ours) if ours else Ruling("not reproduced", ruling(None).rule),
        reading="The move after which its average number of pieces is highest.",
        readings=_readings(study, seen, lambda found: found.turning_point, ruling),
        note=f"By population: {listed(turns)}. The network has more pieces from move "
        f"{listed([each.overtaking for each in seen[MAIN.name]])} on.",
        figure=name,
    )


def _fewer(study: Study[Budget], seen: Seen) -> None:
    def fewer(found: Behaviour) -> float:
        return float(found.pieces[40, 1] - found.pieces[40, 0])

    ours = over_runs([fewer(each) for each in seen[MAIN.name]])
    study.claim(
        "figure5-fewer",
        "Through most of the games that it wins, the network has fewer pieces than the searcher.",
        paper="fewer",
        ours=f"{ours.value:.1f} fewer",
        interval=ours.interval,
        runs=len(seen[MAIN.name]),
        verdict=verdict_above(ours, 0.0),
        reading="After 40 moves.",
        readings=_readings(study, seen, fewer, lambda found: verdict_above(found, 0.0)),
        figure="figure5",
    )


def _freedom(study: Study[Budget], seen: Seen) -> None:
    def ruling(ours: Estimate | None) -> Ruling:
        return verdict_near(ours, 2.0, RATIO_TOLERANCE)

    def ratio(found: Behaviour, window: tuple[int, int] = WINDOWS["middle and end game"]) -> float:
        ours, theirs = found.freedom(*window)
        return ours / theirs

    main, *thirds = WINDOWS.items()
    windows = []
    for name, window in thirds:
        found = over_runs([ratio(each, window) for each in seen[MAIN.name]])
        words = f"{name}, moves {window[0]} to {window[1]}"
        windows.append(study.reading(words, ours=found, verdict=ruling(found), runs=len(seen[MAIN.name])))
    ours = over_runs([ratio(each) for each in seen[MAIN.name]])
    study.claim(
        "figure6-choices",
        "In the middle and end game of games that it wins, the network has twice as many moves to choose from as the "
        "searcher.",
        paper="2.0",
        ours=ours,
        runs=len(seen[MAIN.name]),
        verdict=ruling(ours),
        reading=f"The {main[0]} are moves {main[1][0]} to {main[1][1]}, the last two thirds: the paper has three "
        "phases, and leaves out the first.",
        readings=[*windows, *_readings(study, seen, ratio, ruling)],
        note="Network and searcher by population: "
        + ", ".join("{:.1f} and {:.1f}".format(*each.freedom(*main[1])) for each in seen[MAIN.name])
        + ".",
        figure="figure5",
    )


def _watched(study: Study[Budget], one: Player, opponent: str, seed: int | None = None) -> Behaviour | None:
    """The averages over the games that a player wins; None if it wins none. Another seed has other games."""

    def watch() -> dict[str, Any] | None:
        workspace = study.workspace
        played = match(
            one,
            player(opponent, study.game),
            study.budget.games,
            seed=workspace.seed if seed is None else seed,
            workers=workspace.workers,
            record=True,
        )
        if not played.wins:
            return None
        found = behaviour_of(played, won=True)
        found = replace(found, choices=np.where(found.turns > 0, found.choices, 0.0))  # JSON has no nan
        return {name: getattr(found, name) for name in ("games", "reached", "pieces", "turns", "choices")}

    name = f"behaviour/{one.label}-{opponent.partition(':')[0]}"
    found = study.workspace.cached(name, {"games": study.budget.games}, watch)
    if found is None:
        return None
    arrays = {name: np.array(value) for name, value in found.items() if name != "games"}
    return Behaviour(found["games"], **arrays)


def _mean(found: Sequence[Behaviour]) -> Behaviour:
    """The curves of several networks as one, each counting alike."""
    length = min(len(each.reached) for each in found)
    reached, turns = (
        np.sum([each[:length] for each in column], axis=0)
        for column in ([each.reached for each in found], [each.turns for each in found])
    )
    free = np.sum([each.choices[:length] * each.turns[:length] for each in found], axis=0)
    pieces = np.mean([each.pieces[:length] for each in found], axis=0)
    with np.errstate(invalid="ignore"):  # nan where nobody was to move
        return Behaviour(sum(each.games for each in found), reached, pieces, turns, free / turns)
