"""The runs of abramson2001, what is read from them, and means over them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.names import game
from ludus.learners.base import parse_settings
from ludus.learners.names import learner as named_learner
from ludus.measures.figures import Curve
from ludus.measures.performance import compiled, over_runs
from ludus.measures.territory import territory_lost
from ludus.papers.abramson2001.setup import LEARNERS, LVQ, MAIN, SETTINGS, VARIANTS, Budget, Setting, Variant
from ludus.papers.study import Study, slug
from ludus.play.intervals import Estimate, summary
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.players.sarsa_lvq import load_codebook
from ludus.runs.run import Run

Table = NDArray[np.float64]
"""A metric at every test of every run: [runs, tests]."""

Runs = Mapping[int, Run]
"""By seed."""


class Trained:
    """The finished runs of both learners in all settings under all readings."""

    def __init__(self, found: Mapping[tuple[str, Setting, Variant], Runs]) -> None:
        self._found = found

    def runs(self, learner: str, setting: Setting, variant: Variant = MAIN) -> Runs:
        """A reading that changes nothing for a learner has the runs of the main reading."""
        return self._found.get((learner, setting, variant if variant.changes(learner, setting) else MAIN), {})

    def late(self, learner: str, setting: Setting, variant: Variant = MAIN) -> dict[int, float]:
        """What each run loses in the last quarter of its training, by seed."""
        return {seed: late_loss(run) for seed, run in self.runs(learner, setting, variant).items()}


def train_all(study: Study[Budget]) -> Trained:
    """All runs, or for a partial report those that are finished."""
    asked = {
        (learner, setting, variant, seed): learner_run(study, learner, setting, seed, variant)
        for variant in VARIANTS
        for setting in SETTINGS
        for learner in LEARNERS
        if variant is MAIN or variant.changes(learner, setting)
        for seed in (study.seeds if variant is MAIN else study.seeds[: study.budget.reading_runs])
    }
    finished = study.workspace.train_available({str(run.folder): run for run in asked.values()})
    found: dict[tuple[str, Setting, Variant], dict[int, Run]] = {}
    for (learner, setting, variant, seed), run in asked.items():
        if str(run.folder) in finished:
            found.setdefault((learner, setting, variant), {})[seed] = run
    return Trained(found)


def learner_run(study: Study[Budget], learner: str, setting: Setting, seed: int, variant: Variant = MAIN) -> Run:
    """A run of a learner in one of the paper's settings."""
    return changed_run(
        study, learner, setting, seed, variant.changes(learner, setting), f"{variant.key}/{setting.key}/{learner}"
    )


def changed_run(
    study: Study[Budget], learner: str, setting: Setting, seed: int, change: Mapping[str, Any], name: str
) -> Run:
    """A run with changed settings, stored under that name."""
    budget = study.budget
    chosen = {
        "games": budget.games,
        "step_games": budget.step_games,
        "test_games": budget.test_games,
        "opponent": setting.opponent,
        "start": setting.start,
        **change,
    }
    return study.workspace.run(f"{name}/seed-{seed}", learner, setting.game, seed, chosen)


def metric(runs: Runs, name: str) -> Table:
    """A metric of these runs."""
    return np.array([[row[name] for row in run.metrics] for run in runs.values()])


def late_loss(run: Run) -> float:
    """What a run loses in the last quarter of its training."""
    return float(late(np.array([[row["lost"] for row in run.metrics]]))[0])


def untrained(setting: Setting) -> CompiledPlayer:
    """The codebook that SLVQ begins with, as a player: the moves of the seed games, all of the same utility."""
    learner, variant = named_learner(LVQ), game(setting.game)
    settings = parse_settings(learner, {})
    spec = learner.player(settings, variant, learner.start(settings, variant, 0))
    return CompiledPlayer("untrained", variant, load_codebook(variant, spec.arrays, spec.settings))


def lost(
    study: Study[Budget], name: str, runs: Runs, setting: Setting, opponent: str, start: str
) -> dict[int, list[float]]:
    """What the player of each run loses to an opponent, game by game, by seed; `name` is that of the runs."""

    def measure() -> list[list[float]]:
        return [_lost(study, compiled(run.player), setting, opponent, start) for run in runs.values()]

    asked = {**_asked(study, opponent, start), "seeds": list(runs)}
    found = study.workspace.cached(f"lost/{name}-{slug(opponent)}-{_digest(start)}", asked, measure)
    return dict(zip(runs, found, strict=True))


def lost_by(study: Study[Budget], one: CompiledPlayer, setting: Setting, opponent: str, start: str) -> list[float]:
    """The same of a player that was not trained here."""
    name = f"lost/{setting.key}-{slug(one.label)}-{slug(opponent)}-{_digest(start)}"
    found: list[float] = study.workspace.cached(
        name, _asked(study, opponent, start), lambda: _lost(study, one, setting, opponent, start)
    )
    return found


def _lost(study: Study[Budget], one: CompiledPlayer, setting: Setting, opponent: str, start: str) -> list[float]:
    theirs = compiled(player(opponent, game(setting.game)))
    games, seed = study.budget.measured_games, study.workspace.seed
    return [float(each) for each in territory_lost(one, theirs, games, start=start, seed=seed)]


def _asked(study: Study[Budget], opponent: str, start: str) -> dict[str, Any]:
    return {
        "games": study.budget.measured_games,
        "opponent": opponent,
        "start": start,
        "trained": study.budget.games,
        "seed": study.workspace.seed,
    }


def _digest(start: str) -> str:
    """A start as names of files have it."""
    return slug(start) if start else "usual"


def mean(values: Iterable[float], within: tuple[float, float] = (-np.inf, np.inf)) -> Estimate | None:
    """The mean over runs with its interval, which takes two of them."""
    found = [float(each) for each in values]
    return over_runs(found, within) if len(found) > 1 else None


def mean_lost(values: Iterable[float]) -> Estimate | None:
    """The mean part of the board lost over runs: from -1, where the learner has all of it, to 1."""
    return mean(values, (-1.0, 1.0))


def lost_over_games(games: Sequence[float]) -> Estimate:
    """The mean part of the board lost by one player, with the interval over its games."""
    found = summary((1 + np.array(games)) / 2)
    return Estimate(2 * found.score - 1, (2 * found.interval[0] - 1, 2 * found.interval[1] - 1))


def shown(found: Estimate | None) -> str:
    """A part of the board, or a gain of it, with its interval."""
    return "not run" if found is None else f"{found:.2f}"


def smoothed(table: Table) -> Table:
    """Each row averaged over a tenth of its length around every place."""
    reach = max(1, table.shape[1] // 10)
    kernel = np.ones(reach)
    seen = np.convolve(np.ones(table.shape[1]), kernel, "same")
    return np.array([np.convolve(row, kernel, "same") / seen for row in table])


def banded(x: NDArray[np.int64], table: Table) -> Curve:
    """The mean over two or more rows, with 95% intervals."""
    return Curve.of_estimates(x, [over_runs(column.tolist()) for column in table.T])


def early(table: Table) -> Table:
    """The mean of each row over its first quarter."""
    found: Table = table[:, : max(1, table.shape[1] // 4)].mean(axis=1)
    return found


def late(table: Table) -> Table:
    """The mean of each row over its last quarter."""
    found: Table = table[:, -max(1, table.shape[1] // 4) :].mean(axis=1)
    return found
