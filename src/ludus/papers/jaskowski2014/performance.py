"""How well the players of both learners do: Table 2."""

from collections.abc import Callable, Mapping

import numpy as np

from ludus.measures.performance import generalization, head_to_head, heuristic, jackknife
from ludus.papers.jaskowski2014.published import (
    AGAINST,
    ALIKE,
    HEAD_TO_HEAD,
    HEAD_TO_HEAD_TOLERANCE,
    TABLE_2,
    TOLERANCE,
)
from ludus.papers.jaskowski2014.setup import (
    MAIN,
    RANDOM_MOVES,
    VARIANTS,
    Budget,
    Players,
    Trained,
    Variant,
    claim,
    claim_cel,
    lead,
    mean_share,
)
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling, verdict_above, verdict_near
from ludus.play.intervals import Estimate
from ludus.players.base import CompiledPlayer

PAIRS = "The interval is from leaving out the players of each seed in turn (jackknife)."


def table_2(study: Study[Budget], trained: Trained) -> None:
    """Three measures of the players that were learned."""
    tdl, tdl_of_all_moves = _measured(study, trained.tdl), _measured(study, trained.tdl_of_all_moves)
    cel = {variant: _measured(study, trained.cel[variant]) for variant in VARIANTS}
    for measure, (value, half) in TABLE_2["tdl"].items():
        claim(
            study,
            f"table2-tdl-{measure}",
            f"TDL players get {value}% of the points {AGAINST[measure]}.",
            paper=f"{value} ± {half}",
            ours=mean_share(list(tdl[measure].values())),
            ruling=_near(value, TOLERANCE[measure]),
            others={RANDOM_MOVES: mean_share(list(tdl_of_all_moves[measure].values()))},
        )
    for measure, (value, half) in TABLE_2["cel"].items():

        def shares(variant: Variant, measure: str = measure) -> Estimate | None:
            return mean_share(list(cel[variant][measure].values()))

        claim_cel(
            study,
            f"table2-cel-{measure}",
            f"CEL players get {value}% of the points {AGAINST[measure]}.",
            shares,
            paper=f"{value} ± {half}",
            ruling=_near(value, TOLERANCE[measure]),
        )
    claim_cel(
        study,
        "table2-alike",
        "In points against random piece counters the two learners do not differ.",
        lambda variant: lead(tdl["generalization"], cel[variant]["generalization"]),
        paper="0.29, no statistical difference",
        ruling=_near(0.0, ALIKE),
        others={RANDOM_MOVES: lead(tdl_of_all_moves["generalization"], cel[MAIN]["generalization"])},
        note="Percent points by which TDL is ahead, by pairs of one seed. With the intervals of Table 2 the paper's "
        "own figure, 0.29 ± 0.38, is at the edge of what this rule settles.",
    )
    claim_cel(
        study,
        "table2-heuristic-ahead",
        "Against the standard heuristic TDL is clearly superior to CEL.",
        lambda variant: lead(tdl["heuristic"], cel[variant]["heuristic"]),
        paper="13.83",
        ruling=lambda ours: verdict_above(ours, 0.0),
        others={RANDOM_MOVES: lead(tdl_of_all_moves["heuristic"], cel[MAIN]["heuristic"])},
        note="Percent points by which TDL is ahead, by pairs of one seed; judged as an order.",
    )
    met = {variant: _head_to_head(study, variant.key, trained.tdl, trained.cel[variant]) for variant in VARIANTS}
    met_by_all_moves = _head_to_head(study, "random-moves", trained.tdl_of_all_moves, trained.cel[MAIN])
    for learner, value in HEAD_TO_HEAD.items():

        def share(variant: Variant, learner: str = learner) -> Estimate | None:
            return met[variant] if learner == "tdl" else _turned(met[variant])

        claim_cel(
            study,
            f"table2-{learner}-head-to-head",
            f"Each player of one learner against each of the other: {learner.upper()} gets {value}% of the points.",
            share,
            paper=f"{value}",
            ruling=_near(value, HEAD_TO_HEAD_TOLERANCE),
            others={RANDOM_MOVES: met_by_all_moves if learner == "tdl" else _turned(met_by_all_moves)},
            note=PAIRS,
        )


def _near(value: float, tolerance: float) -> Callable[[Estimate | None], Ruling]:
    return lambda ours: verdict_near(ours, value, tolerance)


def _turned(tdl: Estimate | None) -> Estimate | None:
    """The points of the other side."""
    return tdl and Estimate(100 - tdl.value, (100 - tdl.interval[1], 100 - tdl.interval[0]), tdl.n)


def _head_to_head(study: Study[Budget], name: str, tdl: Players, cel: Players) -> Estimate | None:
    """The points of TDL against CEL; the players of the same seeds on both sides, so that each can be left out."""
    seeds = [seed for seed in tdl if seed in cel]
    if len(seeds) < 2:
        return None

    def play() -> list[list[float]]:
        return [[_pair(study, tdl[seed], cel[other]) for other in seeds] for seed in seeds]

    asked = {"seeds": seeds, "trained": study.budget.games}
    points = np.array(study.workspace.cached(f"head-to-head/{name}", asked, play))
    return jackknife(lambda runs: float(points[np.ix_(runs, runs)].mean()), len(seeds), (0.0, 100.0))


def _pair(study: Study[Budget], one: CompiledPlayer, other: CompiledPlayer) -> float:
    return head_to_head([one], [other], study.workspace.seed).value


def _measured(study: Study[Budget], players: Players) -> Mapping[str, Mapping[int, float]]:
    """Both measures of each player, by seed."""
    found = {seed: _measures(study, one, seed) for seed, one in players.items()}
    return {measure: {seed: each[measure] for seed, each in found.items()} for measure in AGAINST}


def _measures(study: Study[Budget], one: CompiledPlayer, seed: int) -> dict[str, float]:
    games, workers = study.budget.measured_games, study.workspace.workers
    found: dict[str, float] = study.workspace.cached(
        f"measured/{one.label}",
        {"games": games, "trained": study.budget.games},
        lambda: {
            "generalization": generalization(one, games, seed, workers).value,
            "heuristic": heuristic(one, games, seed, workers).value,
        },
    )
    return found
