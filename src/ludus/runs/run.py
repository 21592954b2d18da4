"""A run: one seeded training, in a folder, that survives being stopped at any moment.

    run.json                what was asked, by which version
    metrics.csv             a row of figures for each step
    times.csv               at how many seconds each step was done
    curve.csv               points against a fixed opponent, if somebody watched
    checkpoint.safetensors  the learner's state with a digest, replaced at once; also how long metrics.csv was then
    checkpoint-previous...  the one before it, until the run is finished
    player.safetensors      the result, there only when the run is finished
    snapshots/              players on the way, by the number of their step, if they were asked for

Interrupted runs resume: the same spec in the same folder goes on from the last checkpoint, or the one before it if the
last is damaged, and ends with the same player file, byte for byte.
"""

import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ludus.errors import InvalidSetting, LudusError, StorageError
from ludus.games.names import game as find_game
from ludus.learners.base import Row
from ludus.players.base import Player
from ludus.players.files import load_player, save_player
from ludus.runs.checkpoints import checkpoint_seconds_spent, latest_checkpoint, previous, write_checkpoint
from ludus.runs.clock import Clock
from ludus.runs.curve import POINTS, CurveWriter, curve_opponent, read_curve
from ludus.runs.metrics import MetricsWriter, TimesWriter, read_metrics, read_times
from ludus.runs.spec import RunSpec
from ludus.runs.trackers import tracking
from ludus.storage import locked, present, record_request
from ludus.tensors import is_whole

CHECKPOINT_SECONDS = 2.0
"""How much work is lost at the most when a run is killed, besides the step under way."""

SNAPSHOTS = "snapshots"

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
    """Spent on learning so far, by all processes that worked on the run; without compiling."""


@dataclass(frozen=True)
class Run:
    """A run in its folder."""

    spec: RunSpec
    folder: Path
    snapshots: int = 0
    """How many intermediate players are kept, at even parts of the work. They don't change what is learned."""
    trackers: tuple[str, ...] = ()
    """Programs that are told the metrics, too, such as `tensorboard` (`ludus.runs.trackers`)."""

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end, and its player is there, whole."""
        return is_whole(self.folder / "player.safetensors")

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
        """Spent on learning until the last checkpoint, by all processes that worked on the run; without compiling."""
        file = self.folder / "checkpoint.safetensors"
        return checkpoint_seconds_spent(file) or max(self.times.values(), default=0.0)

    @property
    def times(self) -> dict[int, float]:
        """The seconds that were spent until each step, by its number from 1 on; empty for a run of an older Ludus."""
        return read_times(self.folder / "times.csv")

    @property
    def snapshot_files(self) -> dict[int, Path]:
        """The player files on the way, by the number of their step."""
        files = sorted((self.folder / SNAPSHOTS).glob("*.safetensors"))
        return {int(file.stem): file for file in files if file.stem.isdecimal()}

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
            asked_before = present(self.folder / "run.json")
            self.register()
            if not self.finished:
                try:
                    start = self._start()
                except LudusError:
                    if not asked_before:  # what can't be begun is not in the way of what is asked instead
                        (self.folder / "run.json").unlink(missing_ok=True)
                    raise
                yield from self._remaining_steps(start, checkpoint_seconds, curve)
            elif self.trackers:  # which may not have been told
                with tracking(self.trackers, self.spec, self.folder, self.metrics, self.times):
                    pass

    def complete(self) -> "Run":
        """Do the run to its end."""
        for _ in self.steps():
            pass
        return self

    def _start(self) -> Any:
        """The state in which the learner begins."""
        learner, game, settings = self.spec.parsed()
        return learner.start(settings, game, self.spec.seed)

    def _remaining_steps(self, start: Any, checkpoint_seconds: float, curve: bool) -> Iterator[Progress]:
        (learner, game, settings), seed = self.spec.parsed(), self.spec.seed
        file = self.folder / "checkpoint.safetensors"
        state, length, seconds = start, 0, 0.0
        figures = self.folder / "metrics.csv"
        if found := latest_checkpoint(file, state, figures.stat().st_size if figures.exists() else 0):
            state, length, seconds = found
        metrics, clock = MetricsWriter(figures, length), Clock(seconds)
        before = self.metrics
        times, number = TimesWriter(self.folder / "times.csv", len(before)), len(before)
        measured = None
        if curve and (opponent := curve_opponent(learner, game)):
            measured = CurveWriter(self.folder, learner, opponent, seed, number, learner.done(settings, state))
        with tracking(self.trackers, self.spec, self.folder, before, self.times) as tell:
            saved = time.perf_counter()
            while (before_step := learner.done(settings, state)) < 1:
                with clock.running():
                    state, row = learner.step(settings, game, seed, state)
                done, now, number = learner.done(settings, state), time.perf_counter(), number + 1
                metrics.add(row)
                times.add(number, clock.seconds)
                if self.snapshots and done < 1 and int(done * self.snapshots) > int(before_step * self.snapshots):
                    self._save(self.folder / SNAPSHOTS / f"{number:08}.safetensors", state)
                # points before the checkpoint that counts their step: those beyond it are measured again on resuming
                if measured and (points := measured.measure(settings, state, done)) is not None:
                    row = {**row, POINTS: points}
                if now - saved >= checkpoint_seconds or done >= 1:
                    times.flush()
                    # rows before the checkpoint that counts them: what comes after it is cut off on resuming
                    write_checkpoint(file, state, metrics.flush(), clock.seconds)
                    saved = now
                tell(number, row, clock.seconds)
                yield Progress(done, row, clock.seconds)
        self._save(self.folder / "player.safetensors", state)
        previous(file).unlink(missing_ok=True)

    def _save(self, file: Path, state: Any) -> None:
        """Write the player that has been learned so far."""
        learner, game, settings = self.spec.parsed()
        made = learner.player(settings, game, state)
        save_player(file, made.kind, game, made.arrays, made.settings, self.spec.to_json())

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
