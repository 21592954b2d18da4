"""Files that are written whole or not at all, and folders that remember what was asked for."""

import errno
import json
import os
import socket
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ludus.errors import AlreadyAsked, DamagedFile, StorageError


def why(problem: Exception) -> str:
    """What is the matter with a file, in a few words."""
    if isinstance(problem, FileExistsError):
        return "a file is where a folder should be"
    return (problem.strerror if isinstance(problem, OSError) else None) or str(problem)


def present(path: Path) -> bool:
    """Whether there is such a file or folder; there is not where nothing can have this name."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def check_place(path: Path) -> None:
    """Raise now, not when all the work is done, if a file can't be written."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except (OSError, ValueError) as problem:
        raise _unwritable(path, problem) from problem


def _unwritable(path: Path, problem: Exception) -> StorageError:
    return StorageError(f"{path} can't be written ({why(problem)}); name a writable place")


def write_whole(path: Path, content: bytes) -> None:
    """Replace the file at once: whoever reads it, even after a crash, sees the old content or the new, never a part.

    A link stays a link. What is no file, such as a pipe or /dev/null, is written to and never replaced.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(Path(os.path.realpath(path)), content)
    except (OSError, ValueError) as problem:
        raise _unwritable(path, problem) from problem


def _replace(path: Path, content: bytes) -> None:
    beside = path.parent / f"{path.name}.{socket.gethostname()}.{os.getpid()}.part"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def record_request(file: Path, asked: Mapping[str, Any], what: str) -> None:
    """Write down what was asked for; if the file is there already, refuse to go on with anything else."""
    if not present(file):
        write_whole(file, (json.dumps(asked, indent=2) + "\n").encode())
        return
    try:
        before = json.loads(file.read_text())
        different = [name for name in asked if before[name] != json.loads(json.dumps(asked[name]))]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise DamagedFile(f"{file} is damaged; remove it or name another folder") from problem
    if different:
        shown = ", ".join(f"{name} {json.dumps(before[name])}" for name in different)
        raise AlreadyAsked(f"{file.parent} holds a {what} with {shown}; ask for the same, or name another folder")


@contextmanager
def locked(folder: Path, patience: float = 0.0, busy: str = "") -> Iterator[None]:
    """Make the folder if need be, and keep other processes from working in it meanwhile.

    If another one works in it, wait so many seconds for it to end: the lock of a host that has died lasts a while.
    Then say so, in the words of `busy` if there are any.
    """
    from filelock import FileLock, Timeout  # which the commands that lock nothing need not wait for

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as problem:
        raise _unwritable(folder, problem) from problem
    # a soft lock, which filelock falls back on where there is no other, would outlive a killed process
    lock = FileLock(folder / "lock", fallback_to_soft=False)
    try:
        lock.acquire(timeout=patience, poll_interval=0.2)
    except Timeout:
        raise StorageError(
            busy or f"{folder} is in use by another process; wait for it, or name another folder"
        ) from None
    except (PermissionError, IsADirectoryError) as problem:
        raise _unwritable(folder, problem) from problem
    except (OSError, NotImplementedError) as problem:
        raise StorageError(
            f"{folder} can't be locked ({why(problem)}); name a place on a file system that has locks"
        ) from problem
    try:
        yield
    finally:
        lock.release()
