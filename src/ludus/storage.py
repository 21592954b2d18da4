"""Files that are written whole or not at all, and folders that remember what was asked for."""

import errno
import json
import os
import socket
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ludus.errors import AlreadyAsked, DamagedFile, InvalidSetting, StorageError


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


def home_folder(instead: str) -> Path:
    """The user's home; `instead` is what to set where there is none, as for some users of containers."""
    try:
        return Path.home()
    except RuntimeError as problem:
        raise StorageError(f"no home folder is known for this user; set {instead} to a writable folder") from problem


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


def read_whole(path: Path, most_bytes: int, what: str) -> bytes:
    """The content of a regular file of at most so many bytes; `what` names the kind of file in errors.

    A pipe, on which one may wait for ever, and a device, which may have no end, are refused.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(status.st_mode):
                raise StorageError(f"{path} can't be read: it is a pipe or a device; name a {what}")
            content = file.read(most_bytes + 1) if status.st_size <= most_bytes else b""
            if max(len(content), status.st_size) > most_bytes:
                raise StorageError(f"{path} can't be read: it is larger than {most_bytes >> 20} MB; name a {what}")
            return content
    except (OSError, ValueError) as problem:
        if isinstance(problem, StorageError):
            raise
        raise StorageError(f"{path} can't be read: {why(problem)}") from None


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
    text = json.dumps(asked, indent=2, default=_plain) + "\n"
    if not present(file):
        write_whole(file, text.encode())
        return
    asked = json.loads(text)
    try:
        before = json.loads(file.read_text())
        different = [name for name in asked if before[name] != asked[name]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise DamagedFile(f"{file} is damaged; remove it or name another folder") from problem
    if different:
        shown = ", ".join(_difference(name, before[name], asked[name]) for name in different)
        raise AlreadyAsked(f"{file.parent} holds a {what} with {shown}; ask for the same, or name another folder")


def _plain(value: Any) -> Any:
    """A number of numpy's as JSON has it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise InvalidSetting(f"invalid value {value!r}: must be text or a number")


def _difference(name: str, before: Any, asked: Any) -> str:
    """What was asked before, of settings only those that are others now."""
    if isinstance(before, dict) and isinstance(asked, Mapping):
        return ", ".join(
            f"{each} {json.dumps(before.get(each))}"
            for each in {**before, **asked}
            if before.get(each) != asked.get(each)
        )
    return f"{name} {json.dumps(before)}"


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
