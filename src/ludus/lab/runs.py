"""A run: one seeded training, in a folder, that survives being stopped at any moment.

    run.json                what was asked, by which version
    metrics.csv             a row of figures for each step
    checkpoint.safetensors  the learner's state with a digest, replaced at once; also how long metrics.csv was then
    player.safetensors      the result, there only when the run is finished

Whatever happens, the same request goes on from the last checkpoint and ends with the same player file, byte for byte.
"""

import csv
import hashlib
import io
import json
import math
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ludus import __version__
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.learners.learner import Learner, Row
from ludus.players.files import MOST_HEADER_BYTES, save_player
from ludus.storage import begun, locked, present, write_whole

CHECKPOINT_SECONDS = 2.0
"""How much work is lost at the most when a run is killed, besides the step under way."""

CHECKPOINTS = "LUDUS_CHECKPOINT_SECONDS"
"""The environment variable that says another number, for file servers that can't take so many checkpoints."""


@dataclass(frozen=True)
class Request:
    """What is asked of a run."""

    learner: Learner[Any, Any]
    game: Game
    settings: Any
    seed: int

    def told(self) -> dict[str, Any]:
        return {
            "learner": self.learner.name,
            "game": self.game.name,
            "game_version": self.game.family.version,
            "settings": self.settings.model_dump(mode="json", by_alias=True),
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: float
    row: Row
    seconds: float
    """Spent on this run so far, by all processes that worked on it."""


def register(request: Request, folder: Path) -> None:
    """Write down what is asked of the run in this folder, or refuse if it was asked for something else."""
    begun(folder / "run.json", request.told() | {"ludus": __version__}, "run")


def finished(folder: Path) -> bool:
    """Whether the run in the folder has come to its end."""
    return present(folder / "player.safetensors")


def train(
    request: Request, folder: Path, checkpoint_seconds: float | None = None, patience: float = 0.0
) -> Iterator[Progress]:
    """Do the run, or what is left of it, telling how far it is after each step.

    If another process works in the folder, wait so many seconds (`patience`) for it to end.
    """
    if checkpoint_seconds is None:
        checkpoint_seconds = _usual_seconds()
    with locked(folder, patience):
        register(request, folder)
        if finished(folder):
            return
        yield from _steps(request, folder, checkpoint_seconds)


def _usual_seconds() -> float:
    """How often checkpoints are written if nobody says otherwise."""
    asked = os.environ.get(CHECKPOINTS, "") or str(CHECKPOINT_SECONDS)
    try:
        seconds = float(asked)
    except ValueError:
        seconds = math.nan
    if not seconds >= 0:
        raise LudusError(f"{CHECKPOINTS}={asked} is not possible; it is a number of seconds, 0 or more")
    return seconds


def _steps(request: Request, folder: Path, checkpoint_seconds: float) -> Iterator[Progress]:
    learner, game, settings, seed = request.learner, request.game, request.settings, request.seed
    state, length, spent = learner.start(settings, game, seed), 0, 0.0
    if (folder / "checkpoint.safetensors").exists():
        state, length, spent = _read_checkpoint(folder / "checkpoint.safetensors", state)
    rows = _Rows(folder / "metrics.csv", length)
    begin = saved = time.perf_counter()
    while (done := learner.done(settings, state)) < 1:
        state, row = learner.step(settings, game, seed, state)
        rows.add(row)
        done, now = learner.done(settings, state), time.perf_counter()
        if now - saved >= checkpoint_seconds or done >= 1:
            length = rows.flush()
            _write_checkpoint(folder / "checkpoint.safetensors", state, length, spent + now - begin)
            saved = now
        yield Progress(done, row, spent + now - begin)
    learned = learner.player(settings, game, state)
    provenance = request.told() | {"ludus": __version__}
    save_player(folder / "player.safetensors", learned.kind, game, learned.arrays, learned.settings, provenance)


class _Rows:
    """The rows of metrics.csv. Those that came after the last checkpoint of a killed run are forgotten."""

    def __init__(self, file: Path, length: int) -> None:
        self._file, self._length, self._waiting = file, length, list[Row]()
        try:
            there = file.stat().st_size if file.exists() else 0
            if there < length:
                raise LudusError(
                    f"{file} has {there} bytes, though the run's checkpoint counts on {length}; name another folder"
                )
            if there:
                os.truncate(file, length)
        except OSError as problem:
            raise LudusError(f"{file} can't be used ({problem.strerror}); name another folder") from problem

    def add(self, row: Row) -> None:
        self._waiting.append(row)

    def flush(self) -> int:
        """Write the rows that wait, and return how long the file is then."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        if self._waiting and not self._length:
            table.writerow(self._waiting[0])
        for row in self._waiting:
            table.writerow(repr(float(value)) if isinstance(value, float) else value for value in row.values())
        try:
            with open(self._file, "ab") as file:
                self._length += file.write(text.getvalue().encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise LudusError(
                f"{self._file} can't be written ({problem.strerror}); the run can go on later"
            ) from problem
        self._waiting.clear()
        return self._length


def _write_checkpoint(file: Path, state: Any, length: int, seconds: float) -> None:
    arrays = {name: np.asarray(value) for name, value in state._asdict().items()}
    told = {"metrics_bytes": length, "seconds": seconds}
    write_whole(file, save(arrays, {"ludus": json.dumps(told | {"digest": _digest(arrays, told)})}))


def _digest(arrays: Mapping[str, NDArray[Any]], told: Mapping[str, Any]) -> str:
    """What no damage leaves the same."""
    parts = hashlib.blake2b(json.dumps(told).encode(), digest_size=16)
    for name in sorted(arrays):
        parts.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        parts.update(arrays[name].tobytes())
    return parts.hexdigest()


def peek(file: Path) -> dict[str, Any]:
    """What a checkpoint tells beside the state: the length of the metrics then, and the seconds spent."""
    try:
        with open(file, "rb") as content:
            size = int.from_bytes(content.read(8), "little")
            return _told(file, content.read(min(size, MOST_HEADER_BYTES)))
    except OSError as problem:
        raise LudusError(f"{file} can't be read ({problem.strerror})") from problem


def _told(file: Path, header: bytes) -> dict[str, Any]:
    try:
        told = json.loads(json.loads(header)["__metadata__"]["ludus"])
        return dict(told) | {"metrics_bytes": int(told["metrics_bytes"]), "seconds": float(told["seconds"])}
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as problem:
        raise _damaged(file, problem) from problem


def _damaged(file: Path, problem: Exception) -> LudusError:
    return LudusError(f"{file} is damaged ({type(problem).__name__}); remove it to begin the run anew")


def _read_checkpoint(file: Path, like: Any) -> tuple[Any, int, float]:
    """The state, the length of the metrics and the seconds spent, as they were saved; `like` is such a state."""
    told = peek(file)
    try:
        arrays = load(file.read_bytes())
        digest = told.pop("digest", None)  # which the first checkpoints did not have
        if digest is not None and digest != _digest(arrays, told):
            raise ValueError("another digest")
        fields = [
            arrays[name] if isinstance(value, np.ndarray) else type(value)(arrays[name].item())
            for name, value in like._asdict().items()
        ]
        return type(like)(*fields), told["metrics_bytes"], told["seconds"]
    except (OSError, SafetensorError, ValueError, KeyError, TypeError) as problem:
        raise _damaged(file, problem) from problem
