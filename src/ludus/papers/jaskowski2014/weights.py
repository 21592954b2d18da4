"""What the weights of the players look like: Figures 3, 4 and 5."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.measures import figures
from ludus.measures.performance import jackknife
from ludus.measures.strategies import (
    Strategies,
    estimated_bandwidth,
    pair_distances,
    to_unit_range,
    weakest_corners,
)
from ludus.measures.strategies import strategies as cluster
from ludus.papers.jaskowski2014.performance import PAIRS
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
)
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above, verdict_below, verdict_near, verdict_pattern
from ludus.play.intervals import Estimate

Table = NDArray[np.float64]

QUANTILE = 0.3
"""Scikit-learn's default: the paper names no bandwidth, so none is chosen."""
QUANTILES = (0.1, 0.15, 0.2, 0.25, QUANTILE, 0.4, 0.5)
CORNERS = (0, 7, 56, 63)
NEXT_TO_CORNERS = (1, 8, 9, 6, 14, 15, 48, 49, 57, 54, 55, 62)
LIGHT_CORNER = 0.75
"""What part of the mean of the others a corner that weighs much less has at most."""
FEW_PLAYERS, HALF_OF_PLAYERS = 0.1, 0.5
"""In what share of the players it may be otherwise, if the paper says all, and partly."""


def strategies(study: Study[Budget], trained: Trained) -> None:
    """What the weights look like."""
    tdl, cel = _weights(trained.tdl), {variant: _weights(trained.cel[variant]) for variant in VARIANTS}
    for stem, name, table in (
        ("tdl", "TDL", tdl),
        ("cel", "CEL, sum of averages", cel[MAIN]),
        ("cel-pooled", "CEL, all games", cel[POOLED]),
    ):
        if found := clustered(table, QUANTILE):
            _draw(study, stem, name, table, found)
    _clusters(study, tdl, cel)
    _corners(study, tdl, cel[MAIN])

    def ratio(figure: Callable[[Table], float]) -> Callable[[Variant], Estimate | None]:
        def of(variant: Variant) -> Estimate | None:
            runs = min(len(cel[variant]), len(tdl))
            if runs < 3:
                return None
            return jackknife(lambda some: figure(cel[variant][list(some)]) / figure(tdl[list(some)]), runs)

        return of

    claim_cel(
        study,
        "fig3-cel-scatter",
        "CEL players are scattered: they are further apart than TDL players.",
        ratio(apart),
        paper="scattered",
        ruling=lambda ours: verdict_above(ours, 1.0),
        shown="{:.2f} times as far",
        note=f"Mean distance of two players, of weights from 0 to 1. {PAIRS}",
        figure="map-cel" if len(cel[MAIN]) > 2 and clustered(cel[MAIN], QUANTILE) else "",
    )
    claim_cel(
        study,
        "fig5-cel-symmetry",
        "CEL strategies are less symmetrical than those of TDL.",
        ratio(lambda table: asymmetry(study.game, table)),
        paper="less symmetrical",
        ruling=lambda ours: verdict_above(ours, 1.0),
        shown="{:.2f} times as far from symmetry",
        note=f"Mean distance of a player's weights from their average over the eight symmetries. {PAIRS}",
    )


def clustered(table: Table, quantile: float) -> Strategies | None:
    """Clusters by mean shift with scikit-learn's bandwidth; None with too few players for that quantile."""
    if len(table) < 3 or not (bandwidth := estimated_bandwidth(table, quantile)):
        return None
    return cluster(table, bandwidth)


def _draw(study: Study[Budget], stem: str, name: str, table: Table, found: Strategies) -> None:
    file = study.figure(
        f"map-{stem}",
        f"{name}: players on a map (the paper's Figure 3)",
        "First two principal components of the weights, scaled from 0 to 1; clusters by mean shift.",
        alt="A scatter plot",
    )
    figures.clusters(file, found.points, found.labels, title=name)
    file = study.figure(
        f"board-{stem}",
        f"{name}: a player's weights (the paper's Figures 4 and 5)",
        "The first run's. Blue squares are wanted, orange ones are shunned.",
        alt="A board with numbers",
    )
    figures.boards(file, study.game, {f"{name}, a player": table[0]})


def _clusters(study: Study[Budget], tdl: Table, cel: dict[Variant, Table]) -> None:
    found = {quantile: clustered(tdl, quantile) for quantile in QUANTILES}
    counts = {quantile: len(each.centres) if each else None for quantile, each in found.items()}
    pairs = {part: len(cluster(tdl, quantile=part).centres) if len(tdl) > 2 else None for part in (0.3, 0.2)}
    others = {f"its estimate at the {part:g} quantile": count for part, count in counts.items() if part != QUANTILE}
    others |= {f"the {part:g} quantile of all distances": count for part, count in pairs.items()}
    corners = weakest_corners(study.game, tdl) if len(tdl) else []
    study.claim(
        "fig3-tdl-clusters",
        "TDL players form four clusters.",
        paper=4,
        ours=counts[QUANTILE],
        runs=len(tdl) if counts[QUANTILE] else 0,
        verdict=verdict_near(counts[QUANTILE], 4, 0),
        reading="mean shift has the bandwidth that scikit-learn estimates by default, at the 0.3 quantile; the paper "
        "names neither a bandwidth nor a program",
        readings=[
            study.reading(name, ours=count, verdict=verdict_near(count, 4, 0), runs=len(tdl) if count else 0)
            for name, count in others.items()
        ],
        note="Players by their weakest corner: "
        + (", ".join(f"{corner} {corners.count(corner)}" for corner in sorted(set(corners))) or "none")
        + ".",
        figure="map-tdl" if counts[QUANTILE] else "",
    )
    rows = [
        "| quantile | bandwidth | TDL: players in each cluster | of one weakest corner | CEL, sum | CEL, all games |"
    ]
    for quantile, each in found.items():
        cells = [_sizes(each), _purity(each, corners), *(_sizes(clustered(cel[v], quantile)) for v in (MAIN, POOLED))]
        rows.append(f"| {quantile:g} | {f'{each.bandwidth:.2f}' if each else ''} | {' | '.join(cells)} |")
    study.section(
        "Clusters by bandwidth (Figure 3)",
        "Mean shift finds as many clusters as its bandwidth allows, and the paper does not give it. Here it is what "
        "scikit-learn estimates: the mean distance of a player to the furthest of its nearest players, by what share "
        "of all they are (`estimate_bandwidth`; its default is 0.3). The fourth column is the share of TDL players "
        "whose weakest corner is the commonest one of their cluster; the paper's four clusters differ by that corner."
        "\n\n" + "\n".join(rows),
    )


def _sizes(found: Strategies | None) -> str:
    if found is None:
        return "too few players"
    sizes = np.bincount(found.labels)
    alone = int(np.sum(sizes == 1))
    shown = ", ".join(map(str, sizes[sizes > 1]))
    return f"{len(sizes)}: " + ", ".join(filter(None, [shown, f"{alone} alone" if alone else ""]))


def _purity(found: Strategies | None, corners: list[str]) -> str:
    """In what share of the players the weakest corner is the commonest one of their cluster."""
    if found is None:
        return ""
    inside = [np.array(corners)[found.labels == label] for label in range(len(found.centres))]
    return f"{sum(np.unique(each, return_counts=True)[1].max() for each in inside) / len(corners):.0%}"


def _corners(study: Study[Budget], tdl: Table, cel: Table) -> None:
    """What is said of the boards of Figure 4."""
    lopsided = np.array([_weakest_share(weights) for weights in tdl])
    chance = np.random.default_rng(study.workspace.seed).uniform(-1, 1, (10_000, 64))
    study.claim(
        "fig4-tdl-corner",
        "In each TDL player one corner weighs much less than the other three.",
        paper="every player shown",
        ours=f"{np.mean(lopsided < LIGHT_CORNER):.0%} of players" if len(tdl) else None,
        runs=len(tdl),
        verdict=verdict_pattern(
            float(np.mean(lopsided >= LIGHT_CORNER)) if len(tdl) else None,
            FEW_PLAYERS,
            HALF_OF_PLAYERS,
            f"in {1 - FEW_PLAYERS:.0%} of players one corner weighs less than {LIGHT_CORNER:g} of the others' mean "
            f"(partly: in {1 - HALF_OF_PLAYERS:.0%})",
        ),
        note=f"On average it weighs {lopsided.mean():.2f} of it. By itself that says little: so it is in "
        f"{_lopsided(cel):.0%} of {len(cel)} CEL players and {_lopsided(chance):.0%} of {len(chance):,} with random "
        "weights."
        if len(tdl) and len(cel)
        else "",
    )
    others = [place for place in range(64) if place not in (*CORNERS, *NEXT_TO_CORNERS)]
    scaled = to_unit_range(tdl) if len(tdl) else tdl
    near = [float(row[list(NEXT_TO_CORNERS)].mean() - row[others].mean()) for row in scaled]
    claim(
        study,
        "fig4-tdl-neighbours",
        "In TDL players the neighbours of corners have very low weights.",
        paper="very low",
        ours=mean(near),
        ruling=lambda ours: verdict_below(ours, 0.0),
        shown="{:.3f}",
        note="Their mean weight less that of all other squares but the corners, of weights from 0 to 1; judged as an "
        "order.",
    )


def _weights(players: Players) -> Table:
    """[players, squares]"""
    rows = [one.parts.evaluator.weights for one in players.values()]
    return np.array(rows).reshape(len(rows), 64)


def apart(weights: Table) -> float:
    """The mean distance of two players."""
    return float(pair_distances(to_unit_range(weights)).mean())


def asymmetry(game: Game, weights: Table) -> float:
    """The mean distance of a player's weights from their average over all symmetries of the board."""
    scaled = to_unit_range(weights)
    average = np.mean([scaled[:, turn] for turn in game.symmetries], axis=0)
    return float(np.linalg.norm(scaled - average, axis=1).mean())


def _lopsided(weights: Table) -> float:
    """In what part of the players one corner weighs much less than the others."""
    corners = np.sort(weights[:, list(CORNERS)], axis=1)
    return float(np.mean(corners[:, 0] < LIGHT_CORNER * corners[:, 1:].mean(axis=1)))


def _weakest_share(weights: Table) -> float:
    """What the weakest corner weighs, as a part of the mean of the other three."""
    corners = np.sort(weights[list(CORNERS)])
    return float(corners[0] / corners[1:].mean())
