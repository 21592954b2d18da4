"""A run: one seeded training, in a folder, that survives being stopped at any moment.

    run.json                what was asked, by which version
    metrics.csv             a row of figures for each step
    curve.csv               points against a fixed opponent, if somebody watched
    checkpoint.safetensors  the learner's state with a digest, replaced at once; also how long metrics.csv was then
    player.safetensors      the result, there only when the run is finished

Interrupted runs resume: the same spec in the same folder goes on from the last checkpoint and ends with the same player
file, byte for byte.
"""

import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ludus.errors import InvalidSetting, StorageError
from ludus.games.names import game as find_game
from ludus.learners.base import Row
from ludus.players.base import Player
from ludus.players.files import load_player, save_player
from ludus.runs.checkpoints import checkpoint_seconds_spent, read_checkpoint, write_checkpoint
from ludus.runs.curve import POINTS, CurveWriter, curve_opponent, read_curve
from ludus.runs.metrics import MetricsWriter, read_metrics
from ludus.runs.spec import RunSpec
from ludus.storage import locked, present, record_request

CHECKPOINT_SECONDS = 2.0
"""How much work is lost at the most when a run is killed, besides the step under way."""

CHECKPOINTS = "LUDUS_CHECKPOINT_SECONDS"
"""The environment variable that says another number, for file servers that can't take so many checkpoints."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: float
    """The share of its work, from 0 to 1."""
    row: Row
    """The figures of the last step."""
    seconds: float
    """Spent on this run so far, by all processes that worked on it."""


@dataclass(frozen=True)
class Run:
    """A run in its folder."""

    spec: RunSpec
    folder: Path

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end."""
        return present(self.folder / "player.safetensors")

    @property
    def state(self) -> str:
        """`finished`, `started` or `waiting`."""
        return "finished" if self.finished else ("started" if self.metrics else "waiting")

    @property
    def metrics(self) -> list[dict[str, float]]:
        """A row of figures for each step, up to the last checkpoint; `pandas.DataFrame(run.metrics)` is a table.

        Some rows also have `measured_points`, in percent, against a fixed opponent: see `ludus.runs.curve`.
        """
        curve = read_curve(self.folder)
        rows = enumerate(read_metrics(self.folder / "metrics.csv"), 1)
        return [row | ({POINTS: curve[step]} if step in curve else {}) for step, row in rows]

    @property
    def seconds(self) -> float:
        """Spent on this run until its last checkpoint, by all processes that worked on it."""
        file = self.folder / "checkpoint.safetensors"
        return checkpoint_seconds_spent(file) if file.exists() else 0.0

    @cached_property
    def player(self) -> Player:
        """The player that the run has learned."""
        if not self.finished:
            raise StorageError(f"{self.folder} is not finished, so it has no player yet; train it to its end")
        return load_player(self.folder / "player.safetensors", find_game(self.spec.game), str(self.folder))

    def register(self) -> None:
        """Write down what is asked of the run, or refuse if the folder was asked for something else."""
        record_request(self.folder / "run.json", self.spec.to_json(), "run")

    def steps(
        self, checkpoint_seconds: float | None = None, patience: float = 0.0, curve: bool = False
    ) -> Iterator[Progress]:
        """Do the run, or what is left of it, yielding how far it is after each step.

        If another process works in the folder, wait so many seconds (`patience`) for it to end. With `curve`, now and
        then measure how well it plays by then.
        """
        if checkpoint_seconds is None:
            checkpoint_seconds = _default_seconds()
        with locked(self.folder, patience):
            self.register()
            if not self.finished:
                yield from self._remaining_steps(checkpoint_seconds, curve)

    def complete(self) -> "Run":
        """Do the run to its end."""
        for _ in self.steps():
            pass
        return self

    def _remaining_steps(self, checkpoint_seconds: float, curve: bool) -> Iterator[Progress]:
        (learner, game, settings), seed = self.spec.parsed(), self.spec.seed
        file = self.folder / "checkpoint.safetensors"
        state, length, spent = learner.start(settings, game, seed), 0, 0.0
        if file.exists():
            state, length, spent = read_checkpoint(file, state)
        metrics = MetricsWriter(self.folder / "metrics.csv", length)
        measured = None
        if curve and (opponent := curve_opponent(learner, game)):
            steps = len(read_metrics(self.folder / "metrics.csv"))
            measured = CurveWriter(self.folder, learner, opponent, seed, steps, learner.done(settings, state))
        begin = saved = time.perf_counter()
        while (done := learner.done(settings, state)) < 1:
            state, row = learner.step(settings, game, seed, state)
            metrics.add(row)
            done, now = learner.done(settings, state), time.perf_counter()
            if now - saved >= checkpoint_seconds or done >= 1:
                # rows before the checkpoint that counts them: what comes after it is cut off on resuming
                write_checkpoint(file, state, metrics.flush(), spent + now - begin)
                saved = now
            if measured and (points := measured.measure(settings, state, done)) is not None:
                row = {**row, POINTS: points}
                begin += time.perf_counter() - now  # no time that the learner has spent
            yield Progress(done, row, spent + time.perf_counter() - begin)
        made = learner.player(settings, game, state)
        player_file = self.folder / "player.safetensors"
        save_player(player_file, made.kind, game, made.arrays, made.settings, self.spec.to_json())

    def to_json(self) -> dict[str, Any]:
        metrics = self.metrics
        return {
            "folder": str(self.folder),
            "state": self.state,
            "steps": len(metrics),
            "seconds": self.seconds,
            "asked": self.spec.to_json(),
            "last": metrics[-1] if metrics else {},
        }

    def __repr__(self) -> str:
        return (
            f"Run({str(self.folder)!r}, {self.spec.learner} on {self.spec.game}, seed {self.spec.seed}, {self.state})"
        )


def _default_seconds() -> float:
    """How often checkpoints are written if nobody says otherwise."""
    asked = os.environ.get(CHECKPOINTS, "") or str(CHECKPOINT_SECONDS)
    try:
        seconds = float(asked)
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        raise InvalidSetting(f"invalid {CHECKPOINTS}={asked}: must be a number of seconds, 0 or more")
    return seconds
