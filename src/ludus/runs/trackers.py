"""Trackers: other people's programs that show runs, told each step as it is done. metrics.csv stays the truth.

- `tensorboard` writes event files into the run's folder, `tensorboard/`; `tensorboard --logdir runs` shows all runs.
- `mlflow` writes to the store that `MLFLOW_TRACKING_URI` names, else to `mlflow.db` in the current folder, as MLflow
  does by itself: an experiment for each learner and game, and in it a run for each folder, with the settings as
  parameters. Nothing is sent to MLflow's makers.

Whoever begins or resumes a run tells a tracker all rows so far first. So what a killed run told after its last
checkpoint is taken back, and a run that was trained without a tracker can be shown later: repeat the command with it. A
tracker that fails on the way is left alone, and training goes on.
Steps are counted in games where a learner counts them.
"""

import logging
import os
import sys
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludus.errors import InvalidSetting, MissingDependency, StorageError
from ludus.learners.base import Row
from ludus.runs.spec import RunSpec

Tell = Callable[[int, Row, float], None]
"""Takes the number of a step, its figures, and the seconds spent until then."""


class Tracker(ABC):
    """A program that is told the metrics of one run."""

    @abstractmethod
    def __init__(self, spec: RunSpec, folder: Path, first: int) -> None:
        """Open it; what it was told of this run before, from the step `first` on, is taken back."""

    @abstractmethod
    def add(self, step: int, row: Row, wall_time: float) -> None:
        """Take the figures of a step."""

    @abstractmethod
    def close(self, finished: bool) -> None:
        """Write all that waits; the run is finished, or was interrupted."""


class TensorBoard(Tracker):
    def __init__(self, spec: RunSpec, folder: Path, first: int) -> None:
        from tensorboard.compat.proto import event_pb2, summary_pb2
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._events, self._summaries = event_pb2, summary_pb2
        self._writer = EventFileWriter(str(folder / "tensorboard"), flush_secs=5)
        restart = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        self._writer.add_event(event_pb2.Event(wall_time=time.time(), step=first, session_log=restart))

    def add(self, step: int, row: Row, wall_time: float) -> None:
        values = [
            self._summaries.Summary.Value(tag=name, simple_value=value)
            for name, value in row.items()
            if name != "games"
        ]
        summary = self._summaries.Summary(value=values)
        self._writer.add_event(self._events.Event(wall_time=wall_time, step=step, summary=summary))

    def close(self, finished: bool) -> None:
        self._writer.close()


class MLflow(Tracker):
    def __init__(self, spec: RunSpec, folder: Path, first: int) -> None:
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # before it is imported
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its own affairs
            from mlflow.entities import Metric, Param
            from mlflow.tracking import MlflowClient

            for name in ("mlflow", "alembic"):
                logging.getLogger(name).setLevel(logging.WARNING)  # whoever trains need not know of their tables
            self._metric = Metric
            store = os.environ.get("MLFLOW_TRACKING_URI") or "sqlite:///mlflow.db"
            with _alone(store):
                self._client = MlflowClient(store)
                experiment = self._experiment(f"{spec.learner} on {spec.game}")
            place = str(folder.absolute())
            for earlier in self._client.search_runs([experiment]):
                if earlier.data.tags.get("ludus.folder") == place:  # MLflow can't take back metrics, but whole runs
                    self._client.delete_run(earlier.info.run_id)
            run = self._client.create_run(experiment, run_name=folder.name, tags={"ludus.folder": place})
            self._run = run.info.run_id
            asked = {"learner": spec.learner, "game": spec.game, "seed": spec.seed, **spec.settings}
            self._client.log_batch(self._run, params=[Param(name, str(value)) for name, value in asked.items()])

    def _experiment(self, name: str) -> str:
        if found := self._client.get_experiment_by_name(name):
            return str(found.experiment_id)
        return str(self._client.create_experiment(name))

    def add(self, step: int, row: Row, wall_time: float) -> None:
        metrics = [self._metric(name, float(value), int(1000 * wall_time), step) for name, value in row.items()]
        self._client.log_batch(self._run, metrics=metrics)

    def close(self, finished: bool) -> None:
        self._client.set_terminated(self._run, "FINISHED" if finished else "KILLED")


@contextmanager
def _alone(store: str) -> Iterator[None]:
    """Keep other runs from making the tables of the same new database meanwhile."""
    from filelock import FileLock

    path = store.removeprefix("sqlite:///")
    if path == store:  # a server, which sees to it
        yield
        return
    with FileLock(f"{path}.lock"):
        yield


TRACKERS: dict[str, tuple[type[Tracker], str]] = {
    "tensorboard": (TensorBoard, "tensorboard"),
    "mlflow": (MLflow, "mlflow-skinny"),
}
"""By name, each tracker and the package that it needs."""


def check_trackers(names: Sequence[str]) -> None:
    """Raise now, not in the middle of many runs, if there is no such tracker or its package is not installed."""
    from importlib.util import find_spec

    for name in names:
        if name not in TRACKERS:
            raise InvalidSetting(f"invalid --log {name}: must be {' or '.join(TRACKERS)}")
        if find_spec(name) is None:
            raise _missing(name)


@contextmanager
def tracking(
    names: Sequence[str], spec: RunSpec, folder: Path, rows: Sequence[Mapping[str, float]], times: Mapping[int, float]
) -> Iterator[Tell]:
    """Open these trackers and tell them the rows so far; meanwhile, what the block tells is passed on."""
    check_trackers(names)
    opened, finished = list[Tracker](), False
    try:
        for name in names:
            try:
                opened.append(TRACKERS[name][0](spec, folder, _step(1, rows[0]) if rows else 0))
            except ImportError as problem:
                raise _missing(name) from problem
            except Exception as problem:  # of whatever kind: it is theirs
                raise StorageError(f"{name} can't be used ({problem}); leave out --log {name}") from problem

        def tell(number: int, row: Row, wall_time: float) -> None:
            for each in list(opened):
                try:
                    each.add(_step(number, row), row, wall_time)
                except Exception as problem:  # training goes on without it
                    opened.remove(each)
                    _warn(each, folder, problem)

        last = times.get(len(rows), 0.0)
        for number, row in enumerate(rows, 1):
            tell(number, dict(row), time.time() - last + times.get(number, last))
        yield lambda number, row, seconds: tell(number, row, time.time())
        finished = True
    finally:
        for each in opened:
            try:
                each.close(finished)
            except Exception as problem:
                _warn(each, folder, problem)


def _warn(tracker: Tracker, folder: Path, problem: Exception) -> None:
    first = str(problem).partition("\n")[0]
    print(
        f"ludus: {type(tracker).__name__} takes no more of {folder} ({first}); repeat the command to tell it all",
        file=sys.stderr,
        flush=True,
    )


def _step(number: int, row: Mapping[str, Any]) -> int:
    return int(row.get("games", number))


def _missing(name: str) -> MissingDependency:
    return MissingDependency.extra(f"--log {name} needs the package {TRACKERS[name][1]}", name)
