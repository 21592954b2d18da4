"""Checkpoints: a learner's state as arrays, with a digest, beside how long metrics.csv was then.

The one before the last is kept too: whatever damages a file as it is written, a run goes on from the other.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import DamagedFile, LudusError
from ludus.storage import present, write_whole
from ludus.tensors import read_metadata, read_tensors, write_tensors


def previous(file: Path) -> Path:
    """Where the checkpoint before this one is kept."""
    return file.with_stem(f"{file.stem}-previous")


def write_checkpoint(file: Path, state: Any, metrics_bytes: int, seconds: float) -> None:
    """Save a state, which is a NamedTuple of numbers and arrays, whole or not at all; keep the checkpoint before it."""
    if present(file):
        _keep(file, previous(file))
    arrays = {name: np.asarray(value) for name, value in state._asdict().items()}
    metadata = {"metrics_bytes": metrics_bytes, "seconds": seconds}
    write_tensors(file, arrays, metadata | {"digest": _digest(arrays, metadata)})


def latest_checkpoint(file: Path, like: Any, metrics_bytes: int) -> tuple[Any, int, float] | None:
    """The newest checkpoint that is whole and counts no more of the metrics than there are; None if there is none.

    Raises what is wrong with the newest if no other can take its place.
    """
    problem: LudusError | None = None
    for each in (file, previous(file)):
        if not present(each):
            continue
        try:
            found = read_checkpoint(each, like)
            if found[1] <= metrics_bytes:
                return found
            problem = problem or DamagedFile(
                f"{file.with_name('metrics.csv')} has {metrics_bytes} bytes, but the run's checkpoint expects "
                f"{found[1]}; name another folder"
            )
        except LudusError as wrong:
            problem = problem or wrong
    if problem:
        raise problem
    return None


def read_checkpoint(file: Path, like: Any) -> tuple[Any, int, float]:
    """The state, the length of the metrics and the seconds spent, as they were saved; `like` is such a state."""
    try:
        metadata, arrays = read_tensors(file, "checkpoint")
        digest = metadata.pop("digest", None)  # which the first checkpoints did not have
        if digest is not None and digest != _digest(arrays, metadata):
            raise ValueError("another digest")
        fields = [
            arrays[name] if isinstance(value, np.ndarray) else type(value)(arrays[name].item())
            for name, value in like._asdict().items()
        ]
        return type(like)(*fields), int(metadata["metrics_bytes"]), float(metadata["seconds"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as problem:
        raise _damaged(file, problem) from problem


def checkpoint_seconds_spent(file: Path) -> float:
    """The seconds that were spent on a run until this checkpoint of it, or the one before if this is damaged."""
    wrong: DamagedFile | None = None
    for each in (file, previous(file)):
        if not present(each):
            continue
        try:
            return float(read_metadata(each, "checkpoint")["seconds"])
        except (ValueError, KeyError, TypeError, OverflowError) as problem:
            wrong = wrong or _damaged(each, problem)
    if wrong:
        raise wrong
    return 0.0


def _keep(file: Path, place: Path) -> None:
    """Let a file be found in another place too, in place of what is there."""
    beside = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        with suppress(FileNotFoundError):
            beside.unlink()
        os.link(file, beside)
        os.replace(beside, place)
        beside.unlink(missing_ok=True)  # which stays if both are the same file already
    except OSError:  # a file system without links
        write_whole(place, file.read_bytes())


def _digest(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> str:
    """What no damage leaves the same."""
    parts = hashlib.blake2b(json.dumps(metadata).encode(), digest_size=16)
    for name in sorted(arrays):
        parts.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        parts.update(arrays[name].tobytes())
    return parts.hexdigest()


def _damaged(file: Path, problem: Exception) -> DamagedFile:
    return DamagedFile(f"{file} is damaged ({type(problem).__name__}); remove it to begin the run anew")
