"""Beyond the paper: whether a better evolution makes weights matter, and a fair test of social learning.

All players here have as many games for their evolution, a tenth of the paper's.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ludus.measures import figures
from ludus.measures.performance import share_over_runs
from ludus.papers.alkhateeb2012.evolved import core_hours, match_score, players_of, short_runs, table, waits_for
from ludus.papers.alkhateeb2012.leagues import pairs_of
from ludus.papers.alkhateeb2012.networks import KING, shuffled, untrained
from ludus.papers.alkhateeb2012.setup import GAME, GENERATION_GAMES, ROUND_ROBIN_GAMES, Budget
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above
from ludus.play.intervals import Estimate
from ludus.players.base import Player
from ludus.runs.run import Run

CHANGES: Mapping[str, Mapping[str, object]] = {
    "three tournaments a generation": {"rounds": 3},
    "a final round robin": {"final_rounds": 2},
    "tied kings": {"first_king": KING, "king_step": 0.0},
    "smaller first steps": {"first_step": 0.01},
}
"""What might make evolution better, one at a time."""

ALL = {name: value for change in CHANGES.values() for name, value in change.items()}
SOCIAL = {"individual": 2, "social": 4}
"""C10's M and N of 5 and 10 generations, in about as many games where a generation has three tournaments."""

EVERYTHING, LEARNING = "all four", "all four, with social learning"
OPPONENTS = 4
"""Untrained and shuffled networks that each of these players meets."""


def changed_runs(study: Study[Budget]) -> dict[str, dict[str, Run]]:
    """Runs with each change, with all of them, and with social learning too; by their labels."""
    budget = study.budget
    groups: dict[str, tuple[str, Mapping[str, object], int]] = {
        **{name: ("blondie24", change, budget.change_runs) for name, change in CHANGES.items()},
        EVERYTHING: ("blondie24", ALL, budget.better_runs),
        LEARNING: ("social", ALL | SOCIAL, budget.better_runs),
    }
    return {
        name: {
            f"{name} {n}": _run(study, name, learner, change, seed)
            for n, seed in enumerate(study.seeds[:count], 1)
        }
        for name, (learner, change, count) in groups.items()
        if count
    }  # fmt: skip


def _run(study: Study[Budget], name: str, learner: str, change: Mapping[str, object], seed: int) -> Run:
    """A run with as many games as the short ones of C0."""
    rounds, final = (int(str(change.get(each, least))) for each, least in (("rounds", 1), ("final_rounds", 0)))
    games = study.budget.short_generations * GENERATION_GAMES - final * ROUND_ROBIN_GAMES
    generations = max(1, round(games / (rounds * GENERATION_GAMES)))
    chosen = {**change, "generations": generations, "depth": study.budget.depth}
    folder = f"better/{name.replace(',', '').replace(' ', '-')}/seed-{seed}"
    return study.workspace.run(folder, learner, GAME, seed, chosen)


def better_evolution(study: Study[Budget]) -> None:
    """What the changes do for the strength of players, and for what their weights matter."""
    if not study.budget.better_runs:
        return
    groups = {"C0": short_runs(study, "C0"), "C10": short_runs(study, "C10"), **changed_runs(study)}
    chance = untrained(study, OPPONENTS)
    names = ("untrained networks", "shuffled networks", "C0 of the same seed")
    found: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    counts = {}
    for name, runs in groups.items():
        players = players_of(study, runs)
        if len(players) < 2:
            continue
        counts[name] = len(players)
        measured = [
            [_mean(study, each, chance) for each in players.values()],
            [_mean(study, each, list(shuffled(study, each, OPPONENTS))) for each in players.values()],
            [match_score(study, *pair) for pair in pairs_of(study, runs, groups["C0"])] if name != "C0" else [],
        ]
        for column, scores in zip(found.values(), measured, strict=True):
            if len(scores) > 1:
                column[name] = share_over_runs(scores)
    _claims(study, groups, found["shuffled networks"], counts)
    if counts:
        _table(study, counts, found)


def _mean(study: Study[Budget], one: Player, others: Sequence[Player]) -> float:
    return float(np.mean([match_score(study, one, other, study.budget.control_games // 2) for other in others]))


def _claims(
    study: Study[Budget],
    groups: Mapping[str, Mapping[str, Run]],
    matters: Mapping[str, Estimate],
    counts: Mapping[str, int],
) -> None:
    ours = matters.get(EVERYTHING)
    readings = [
        study.reading(name, ours=each, verdict=verdict_above(each, 50.0), runs=counts[name])
        for name, each in matters.items()
        if name != EVERYTHING
    ]
    study.claim(
        "beyond-weights-matter",
        "Beyond the paper: with a better evolution, weights other than the king come to matter.",
        paper="not told",
        ours=None if ours is None else f"scores {ours.value:.1f}%",
        interval=ours.interval if ours else None,
        runs=counts.get(EVERYTHING, 0),
        verdict=verdict_above(ours, 50.0),
        reading="Players of all four changes, whose kings are tied, against themselves with shuffled inner weights.",
        readings=readings,
        note=waits_for(study, groups[EVERYTHING]),
        figure="better" if ours else "",
    )
    pairs, games = pairs_of(study, groups[LEARNING], groups[EVERYTHING]), study.budget.control_games
    scores = [match_score(study, *pair, games) for pair in pairs]
    learned = share_over_runs(scores) if len(scores) > 1 else None
    paper = [match_score(study, *pair) for pair in pairs_of(study, groups["C10"], groups["C0"])]
    readings = []
    if len(paper) > 1:
        plain = share_over_runs(paper)
        readings.append(
            study.reading(
                "C10 against C0 as the paper evolves them", ours=plain, verdict=verdict_above(plain, 50.0),
                runs=len(paper),
            )
        )  # fmt: skip
    study.claim(
        "beyond-social",
        "Beyond the paper: social learning makes better players from as many games.",
        paper="not told",
        ours=None if learned is None else f"scores {learned.value:.1f}%",
        interval=learned.interval if learned else None,
        runs=len(scores) if learned else 0,
        verdict=verdict_above(learned, 50.0),
        reading="All four changes with social learning against the same without, of one seed each; mean over seeds.",
        readings=readings,
        note=f"By seed: {', '.join(f'{each:.1f}' for each in scores)}."
        if learned
        else waits_for(study, {**groups[EVERYTHING], **groups[LEARNING]}),
    )


def _table(study: Study[Budget], counts: Mapping[str, int], found: Mapping[str, Mapping[str, Estimate]]) -> None:
    file = study.figure(
        "better",
        "A better evolution, beyond the paper",
        "Mean score over runs with 95% intervals. Against networks with the same weights in another order, 50% means "
        "that where weights stand does not matter.",
        alt="Scores with intervals",
    )
    figures.whiskers(
        file,
        {name: {who: (each.value, *each.interval) for who, each in column.items()} for name, column in found.items()},
        x="score (%)",
    )
    rows = [
        [name, count, *(f"{column[name]:.1f}" if name in column else "" for column in found.values())]
        for name, count in counts.items()
    ]
    budget = study.budget
    new = len(CHANGES) * budget.change_runs + 2 * budget.better_runs
    games = budget.short_generations * GENERATION_GAMES
    study.section(
        "A better evolution, beyond the paper",
        f"Every player was evolved in about {games:,} games, a tenth of the paper's where all generations are run; "
        f"{new} new runs, about {60 * core_hours(study, new, budget.short_generations):.0f} core-minutes. The changes: "
        "a generation is judged by three tournaments instead of one, so that there is a third of the generations; two "
        "round robins of the last generation choose the result instead of its last tournament; all kings count "
        f"{KING:g} and do not evolve; mutation begins with steps of 0.01 instead of 0.05; and all four. With social "
        "learning the best enter the pool every 2 generations, and the others look into it every 4, which is as often "
        "in games as C10 does. Scores in percent, mean over runs with 95% intervals, from the ballot: against "
        f"{OPPONENTS} untrained networks with a king of {KING:g}, against {OPPONENTS} networks with its own inner "
        "weights shuffled, and against C0 of the same seed.\n\n"
        + table("| evolution | runs | " + " | ".join(f"against {name}" for name in found) + " |", rows),
    )
