"""Processes that Ludus starts: how they begin apart from it, and how they end with everything that they have started.

psutil is imported where it is needed: that takes a while, and most commands start no process.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import psutil

GLANCE_SECONDS = 0.02  # how often to see whether processes that are not our children have ended


def own_group() -> dict[str, Any]:
    """Arguments of `subprocess.Popen` for a process that a keyboard interrupt of ours does not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def lower_priority(process: "subprocess.Popen[Any]") -> None:
    """Let everybody else go first."""
    import psutil

    with suppress(psutil.Error, OSError):
        psutil.Process(process.pid).nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else 10)


class Process(Protocol):
    """What there is to know of a process and to do with it: of one that we have started, or of another's."""

    @property
    def pid(self) -> int: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill(self) -> None: ...


class Orphan:
    """A process whose parent has ended: how it ends itself is not known, so that counts as well."""

    def __init__(self, process: "psutil.Process") -> None:
        self._process, self.pid = process, int(process.pid)

    def poll(self) -> int | None:
        return None if _runs(self._process) else 0

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            time.sleep(GLANCE_SECONDS)
        return 0

    def kill(self) -> None:
        import psutil

        with suppress(psutil.Error):
            self._process.kill()


def marked(variable: str) -> dict[str, Orphan]:
    """The running processes in whose environment this variable is set, by its value; not their descendants."""
    import psutil

    found = dict[int, tuple[str, Any]]()
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if (value := process.environ().get(variable)) and _runs(process):
                found[process.pid] = value, process
    outer = dict[str, Orphan]()
    for value, process in found.values():
        with suppress(psutil.Error):
            if process.ppid() not in found:
                outer[value] = Orphan(process)
    return outer


def end_trees(processes: Iterable[Process], patience_seconds: float = 0.0) -> None:
    """End these processes, begun with `own_group`, and all that they have started.

    All are asked to terminate; what is left after `patience_seconds` is killed, at once if that is 0. Windows doesn't
    tell what a process that has already ended has left behind.
    """
    trees = [(process, _descendants(process)) for process in processes]
    if patience_seconds > 0:
        for process, descendants in trees:
            _signal(process, descendants, kill=False)
        deadline = time.monotonic() + patience_seconds
        for process, _ in trees:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
        while any(_runs(each) for _, descendants in trees for each in descendants) and time.monotonic() < deadline:
            time.sleep(GLANCE_SECONDS)
    for process, descendants in trees:
        _signal(process, descendants, kill=True)
    for process, _ in trees:
        process.wait()


def _descendants(process: Process) -> list["psutil.Process"]:
    """All that a running process has started, directly or not."""
    import psutil

    with suppress(psutil.Error):
        if process.poll() is None:
            return list(psutil.Process(process.pid).children(recursive=True))
    return []


def _runs(process: "psutil.Process") -> bool:
    import psutil

    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def _signal(process: Process, descendants: list["psutil.Process"], kill: bool) -> None:
    """Ask a process and its descendants to terminate, or kill them."""
    import psutil

    if sys.platform == "win32":
        process.kill()  # there is nothing gentler
    else:
        # reaches those too whose parent has ended; as long as one is left, the group's number is not another's
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL if kill else signal.SIGTERM)
        descendants = [each for each in descendants if _group(each) != process.pid]
    for each in descendants:
        with suppress(psutil.Error):
            each.kill() if kill else each.terminate()


def _group(process: "psutil.Process") -> int | None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            return os.getpgid(process.pid)
    return None
