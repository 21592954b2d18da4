"""The codebooks of SLVQ: similarity (Figure 4), growth, and what vectors look like."""

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import stream
from ludus.games.game import Game, Position
from ludus.games.names import game
from ludus.measures import figures
from ludus.measures.performance import compiled
from ludus.papers.abramson2001.runs import Runs, Trained, banded, early, late, mean, metric, smoothed, untrained
from ludus.papers.abramson2001.setup import BY_KEY, LVQ, MAIN, SETTINGS, VARIANTS, Budget, Setting, Variant
from ludus.papers.base import Reading
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above
from ludus.play.intervals import Estimate
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.players.sarsa_lvq import UNIT, Codebook, nearest_similarities
from ludus.runs.run import Run

SETTING = BY_KEY["fig6"]
"""Figure 4 doesn't say in which games; these are the paper's first against an opponent that varies its play."""


def codebooks(study: Study[Budget], trained: Trained) -> None:
    """Figure 4, growth, and what vectors look like."""
    _similarity(study, trained)
    if runs := trained.runs(LVQ, SETTING):
        variant = game(SETTING.game)
        file = study.figure(
            "vectors",
            "Codebook vectors after training",
            "The four that moved most often in 5x5 games against Wally (first run): blue is the mover's, "
            "orange the opponent's. Each title tells the vector's move, its utility and how often it was gone by.",
            alt="Boards of numbers",
        )
        figures.boards(file, variant, dict(_drawn_vectors(_book(next(iter(runs.values()))), variant)))
    rows = [_row(setting, runs) for setting in SETTINGS if (runs := trained.runs(LVQ, setting))]
    study.section(
        "The codebook",
        "Vectors before and after training, the part of them that was ever gone by, and the range of their "
        "utilities at the end, means over runs. The paper began with 331 vectors from 27 games on 5x5 and 659 "
        "from 42 on 7x7.\n\n"
        "| games | seeds | vectors | used | range of utilities |\n" + "\n".join(rows),
    )


def _similarity(study: Study[Budget], trained: Trained) -> None:
    """Figure 4."""
    known = {each.title: runs for each in SETTINGS if len(runs := trained.runs(LVQ, each)) > 1}
    if known:
        file = study.figure(
            "similarity",
            "Similarity of the best match over training (the paper's Figure 4)",
            "As a share of the board, of the positions met in training at that time, mean over runs with 95% "
            f"intervals. Scale {study.scale}, seed {study.workspace.seed}.",
            alt="Curves over the games of training",
        )
        tables = {title: smoothed(metric(runs, "similarity")) for title, runs in known.items()}
        games = np.arange(1, next(iter(tables.values())).shape[1] + 1) * study.budget.step_games
        figures.curves(
            file,
            {title: banded(games, table) for title, table in tables.items()},
            x="games of training",
            y="similarity of the best match",
        )
    runs = trained.runs(LVQ, SETTING)
    ours = _rise(study, SETTING, MAIN, runs)
    readings = [
        _reading(study, "positions that the first codebook meets", _rise(study, SETTING, MAIN, runs, "first"), runs),
    ]
    table = metric(runs, "similarity") if runs else np.empty((0, 1))
    through = mean(late(table) - early(table)) if runs else None
    readings.append(_reading(study, "last quarter of training less first, each with its own positions", through, runs))
    for setting in SETTINGS:
        if setting is not SETTING:
            theirs = trained.runs(LVQ, setting)
            readings.append(_reading(study, setting.title, _rise(study, setting, MAIN, theirs), theirs))
    for variant in VARIANTS:
        if variant is not MAIN and variant.changes(LVQ, SETTING):
            theirs = trained.runs(LVQ, SETTING, variant)
            readings.append(_reading(study, variant.name, _rise(study, SETTING, variant, theirs), theirs))
    study.claim(
        "fig4-similarity",
        "The codebook comes to resemble the positions that are met: similarity rises.",
        paper="rises",
        ours=ours,
        runs=len(runs) if ours else 0,
        verdict=verdict_above(ours, 0.0),
        reading="Codebook vectors `becoming a closer approximation of the input space`: how similar the positions that "
        "the trained player meets are to the trained codebook, less how similar the same positions are to the first "
        "one. What is met changes as play does, so only the same positions can tell.",
        readings=readings,
        note=f"5x5 against Wally, as a share of the board; {study.budget.met_games} games of each trained player.",
        figure="similarity" if known else "",
    )


def _reading(study: Study[Budget], name: str, found: Estimate | None, runs: Runs) -> Reading:
    return study.reading(name, ours=found, verdict=verdict_above(found, 0.0), runs=len(runs) if found else 0)


def _rise(
    study: Study[Budget], setting: Setting, variant: Variant, runs: Runs, who: str = "trained"
) -> Estimate | None:
    """How much more similar positions are to trained codebooks than to the first, over runs.

    Positions are those that the trained player meets, or the first.
    """
    opponent = variant.opponent(setting)

    def measure() -> list[float]:
        first, rises = untrained(setting), []
        for seed, run in runs.items():
            ours = compiled(run.player)
            positions = positions_met(ours if who == "trained" else first, opponent, setting, seed, study.budget)
            both = [nearest_similarities(each.parts, positions) for each in (ours, first)]
            rises.append(float(np.nanmean(both[0] - both[1])))
        return rises

    asked = {"games": study.budget.met_games, "trained": study.budget.games, "seeds": list(runs), "opponent": opponent}
    return mean(study.workspace.cached(f"similarity/{setting.key}-{variant.key}-{who}", asked, measure))


def positions_met(one: CompiledPlayer, opponent: str, setting: Setting, seed: int, budget: Budget) -> list[Position]:
    """The positions in which the player, moving as Black, has a choice."""
    variant = game(setting.game)
    seats, rng = (one.seat(), player(opponent, variant).seat()), stream(seed, "positions met")
    start, found = variant.position(setting.start) if setting.start else variant.start(), []
    for _ in range(budget.met_games):
        position = start
        for seat in seats:
            seat.begin(position, [])
        while not position.over:
            side = position.current_player
            if side == 0 and len(position.legal) > 1:
                found.append(position)
            position = position.play(seats[side].choose(position, rng))
    return found


def _row(setting: Setting, runs: Runs) -> str:
    sizes, books = metric(runs, "vectors"), [_book(run) for run in runs.values()]
    uses, values = [np.mean(book.wins > 0) for book in books], [np.ptp(book.values) for book in books]
    return (
        f"| {setting.title} | {int(untrained(setting).parts.size[0])} | {sizes[:, -1].mean():.0f} | "
        f"{np.mean(uses):.0%} | {np.mean(values):.2f} |"
    )


def _book(run: Run) -> Codebook:
    book = compiled(run.player).parts
    assert isinstance(book, Codebook)
    return book


def _drawn_vectors(book: Codebook, variant: Game) -> list[tuple[str, NDArray[np.float64]]]:
    """The four vectors that were gone by most often, with titles."""
    ours, theirs = np.split(book.vectors / UNIT, 2, axis=1)
    titles = []
    for i in np.argsort(-book.wins, kind="stable")[:4].tolist():
        move = variant.type.move_text(variant.rules, None, int(book.ends[i]))
        titles.append((f"{move}, {book.values[i]:+.2f}, {book.wins[i]}x", ours[i] - theirs[i]))
    return titles
