"""Files that are written whole or not at all, and folders that remember what was asked for."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ludus.errors import LudusError


def write_whole(path: Path, content: bytes) -> None:
    """Replace the file at once: whoever reads it, even after a crash, sees the old content or the new, never a part."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as problem:
        with suppress(OSError):
            beside.unlink()
        raise LudusError(f"{path} can't be written ({problem.strerror}); name a place that can be") from problem


def begun(file: Path, asked: Mapping[str, Any], what: str) -> None:
    """Write down what was asked for; if the file is there already, refuse to go on with anything else."""
    if not file.exists():
        write_whole(file, (json.dumps(asked, indent=2) + "\n").encode())
        return
    try:
        before = json.loads(file.read_text())
        different = [name for name in asked if before[name] != json.loads(json.dumps(asked[name]))]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise LudusError(f"{file} is damaged; remove it or name another folder") from problem
    if different:
        told = ", ".join(f"{name} {json.dumps(before[name])}" for name in different)
        raise LudusError(f"{file.parent} holds a {what} with {told}; ask for the same, or name another folder")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder if need be, and keep other processes from working in it meanwhile."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / "lock", "w")  # noqa: SIM115 - held until the end
    except OSError as problem:
        raise LudusError(f"{folder} can't be written ({problem.strerror}); name a place that can be") from problem
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            raise LudusError(f"{folder} is in use by another process; wait for it, or name another folder") from problem
        yield
