"""Longer work that the page starts: runs, leagues and profiles, each in a process of its own.

What runs is always `ludus` with arguments that the server has checked. A process that is stopped
from the page is ended at once: a run resumes from its last checkpoint, a league after its last match.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ludus.interfaces.web.limits import JOB_BYTES, JOBS, Refused
from ludus.play.parallel import WORKERS
from ludus.processes import end_trees, lower_priority, own_group

STOP_SECONDS = 10.0
"""How long a process may take to stop by itself."""


@dataclass
class Job:
    """A process that is running or has ended."""

    key: str
    process: "subprocess.Popen[bytes]"
    log: Path
    until: float
    stopped: bool = False
    late: bool = False

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def problem(self) -> str:
        """Why it failed, in its own last words; nothing if it did not."""
        if self.running or self.stopped or self.process.returncode == 0:
            return ""
        if self.late:
            return "it took too long and was stopped"
        lines = self.log.read_text(errors="replace").strip().splitlines() if self.log.exists() else []
        return lines[-1][:300] if lines else f"it ended with code {self.process.returncode}"


class Jobs:
    """The processes that this server has started."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock, self._jobs = folder, threading.Lock(), dict[str, Job]()
        self._closing = threading.Event()
        self._watch = threading.Thread(target=self._stop_late, daemon=True)
        self._watch.start()

    def start(self, key: str, arguments: Sequence[str], seconds: float, output: Path | None = None) -> Job:
        """Run `ludus` with these arguments for so long at the most; what it prints goes to `output`."""
        with self._lock:
            self._forget()
            if (job := self._jobs.get(key)) and job.running:
                raise Refused(409, "this is running already")
            if sum(job.running for job in self._jobs.values()) >= JOBS:
                raise Refused(503, f"{JOBS} runs or studies are running; stop one or wait")
            self._folder.mkdir(parents=True, exist_ok=True)
            log = self._folder / f"{key}.log"
            environment = {**os.environ, WORKERS: "1", "PYTHONUNBUFFERED": "1"}
            with open(log, "wb") as messages, open(output or os.devnull, "wb") as out:
                process = subprocess.Popen(
                    [sys.executable, "-m", "ludus", *arguments],
                    cwd=self._folder, env=environment, stdin=subprocess.DEVNULL,
                    stdout=out if output else messages, stderr=messages, **own_group(),
                )  # fmt: skip
            lower_priority(process)  # people who play go first
            _bound_memory(process.pid)
            job = self._jobs[key] = Job(key, process, log, time.monotonic() + seconds)
            return job

    def get(self, key: str) -> Job | None:
        with self._lock:
            return self._jobs.get(key)

    def stop(self, key: str) -> None:
        """Stop the process."""
        job = self.get(key)
        if job is None or not job.running:
            raise Refused(409, "this is not running, or was not started here")
        job.stopped = True
        end_trees([job.process], STOP_SECONDS)

    def close(self) -> None:
        """Stop all processes."""
        self._closing.set()
        with self._lock:
            processes = [job.process for job in self._jobs.values() if job.running]
        end_trees(processes, STOP_SECONDS)

    def _stop_late(self) -> None:
        while not self._closing.wait(1.0):
            with self._lock:
                late = [job for job in self._jobs.values() if job.running and time.monotonic() > job.until]
            for job in late:
                job.late = True
            end_trees([job.process for job in late], STOP_SECONDS)

    def _forget(self) -> None:
        ended = [key for key, job in self._jobs.items() if not job.running]
        for key in ended[:-100]:
            del self._jobs[key]


def _bound_memory(process: int) -> None:
    """Where the platform can, keep a process from taking all memory."""
    try:
        import resource

        resource.prlimit(process, resource.RLIMIT_AS, (JOB_BYTES, JOB_BYTES))
    except (ImportError, AttributeError, OSError):
        return
