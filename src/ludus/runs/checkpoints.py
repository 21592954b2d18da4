"""Checkpoints: a learner's state as arrays, with a digest, beside how long metrics.csv was then."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import DamagedFile
from ludus.tensors import read_metadata, read_tensors, write_tensors


def write_checkpoint(file: Path, state: Any, metrics_bytes: int, seconds: float) -> None:
    """Save a state, which is a NamedTuple of numbers and arrays, whole or not at all."""
    arrays = {name: np.asarray(value) for name, value in state._asdict().items()}
    metadata = {"metrics_bytes": metrics_bytes, "seconds": seconds}
    write_tensors(file, arrays, metadata | {"digest": _digest(arrays, metadata)})


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
    """The seconds that were spent on a run until this checkpoint of it."""
    try:
        return float(read_metadata(file, "checkpoint")["seconds"])
    except (ValueError, KeyError, TypeError, OverflowError) as problem:
        raise _damaged(file, problem) from problem


def _digest(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> str:
    """What no damage leaves the same."""
    parts = hashlib.blake2b(json.dumps(metadata).encode(), digest_size=16)
    for name in sorted(arrays):
        parts.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        parts.update(arrays[name].tobytes())
    return parts.hexdigest()


def _damaged(file: Path, problem: Exception) -> DamagedFile:
    return DamagedFile(f"{file} is damaged ({type(problem).__name__}); remove it to begin the run anew")
