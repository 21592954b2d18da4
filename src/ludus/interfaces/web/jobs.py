"""Longer work that the page starts: runs, leagues and profiles, each in a process of its own.

What runs is always `ludus` with arguments that the server has checked. A process that is stopped
from the page is ended at once: a run resumes from its last checkpoint, a league after its last match.

Of every process that runs, a file says who started it and until when it may run, and the process has the name of that
file in its environment. So a server that was killed finds its processes when it starts again.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ludus.interfaces.web.clients import Client
from ludus.interfaces.web.limits import JOB_BYTES, JOBS, Refused
from ludus.play.parallel import WORKERS
from ludus.processes import Process, end_trees, lower_priority, marked, own_group
from ludus.storage import write_whole

STOP_SECONDS = 10.0
"""How long a process may take to stop by itself."""
MARK = "LUDUS_JOB"
"""The environment variable by which a process is found again."""
PRIVATE = ("LUDUS_TOKEN",)
"""What such a process need not know."""


@dataclass
class Job:
    """A process that is running or has ended."""

    key: str
    process: Process
    log: Path
    until: float
    owner: str = ""
    """The visitor who started it."""
    stopped: bool = False
    late: bool = False

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def problem(self) -> str:
        """Why it failed, in its own last words; nothing if it did not."""
        code = self.process.poll()
        if code is None or self.stopped or code == 0:
            return ""
        if self.late:
            return "it took too long and was stopped"
        lines = self.log.read_text(errors="replace").strip().splitlines() if self.log.exists() else []
        return lines[-1][:300] if lines else f"it ended with code {code}"


class Jobs:
    """The processes that this server, or one before it with the same folder, has started."""

    def __init__(self, folder: Path, most: int = JOBS, of_one: int = JOBS) -> None:
        self._most, self._of_one = most, of_one
        self._folder, self._lock, self._jobs = folder.absolute(), threading.Lock(), dict[str, Job]()
        self._find_orphans()
        self._closing = threading.Event()
        self._watch = threading.Thread(target=self._stop_late, daemon=True)
        self._watch.start()

    def start(
        self, key: str, arguments: Sequence[str], seconds: float, output: Path | None = None, who: Client | None = None
    ) -> Job:
        """Run `ludus` with these arguments for so long at the most; what it prints goes to `output`."""
        with self._lock:
            self._forget()
            if (job := self._jobs.get(key)) and job.running:
                raise Refused(409, "this is running already")
            until, owner = time.monotonic() + seconds, who.visitor if who else ""
            owners = [job.owner for job in self._jobs.values() if job.running]
            if len(owners) >= self._most:
                raise Refused(503, f"{self._most} runs or studies are running; stop one or wait")
            if owner and owners.count(owner) >= self._of_one:
                raise Refused(
                    429, f"{self._of_one} of yours is running, which is all that one may have; stop it or wait"
                )
            log, note = self._folder / f"{key}.log", self._note(key)
            write_whole(note, json.dumps({"owner": owner, "until": until}).encode())
            try:
                process = self._started(arguments, log, output, note)
            except OSError:
                note.unlink()
                raise
            lower_priority(process)  # people who play go first
            _bound_memory(process.pid)
            job = self._jobs[key] = Job(key, process, log, until, owner)
            return job

    def _note(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _started(
        self, arguments: Sequence[str], log: Path, output: Path | None, note: Path
    ) -> "subprocess.Popen[bytes]":
        public = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        environment = {**public, WORKERS: "1", "PYTHONUNBUFFERED": "1", MARK: str(note)}
        with open(log, "wb") as messages, open(output or os.devnull, "wb") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "ludus", *arguments],
                cwd=self._folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=out if output else messages, stderr=messages, **own_group(),
            )  # fmt: skip

    def _find_orphans(self) -> None:
        """Take over what a server that was killed has left running."""
        notes = list(self._folder.glob("*.json"))
        running = marked(MARK) if notes else {}
        for note in notes:
            process = running.get(str(note))
            if process is None:
                with suppress(OSError):
                    note.unlink()
                continue
            owner, until = "", time.monotonic()
            with suppress(OSError, ValueError, KeyError, TypeError):
                said = json.loads(note.read_text())
                owner, until = str(said["owner"]), float(said["until"])  # of a clock that runs since the machine does
            self._jobs[note.stem] = Job(note.stem, process, note.with_suffix(".log"), until, owner)

    def get(self, key: str) -> Job | None:
        with self._lock:
            return self._jobs.get(key)

    def may_stop(self, key: str, who: Client) -> bool:
        """Whether it is running, and that is for this client to stop."""
        job = self.get(key)
        return job is not None and job.running and who.may_stop(job.owner)

    def stop(self, key: str, who: Client) -> None:
        """Stop the process."""
        job = self.get(key)
        if job is None or not job.running:
            raise Refused(409, "this is not running, or was not started here")
        if not who.may_stop(job.owner):
            raise Refused(403, "only who started this can stop it, or whoever sits at the server")
        job.stopped = True
        self._end([job])

    def close(self) -> None:
        """Stop all processes."""
        self._closing.set()
        with self._lock:
            running = [job for job in self._jobs.values() if job.running]
        self._end(running)

    def _end(self, jobs: Sequence[Job]) -> None:
        end_trees([job.process for job in jobs], STOP_SECONDS)
        for job in jobs:
            with suppress(OSError):
                self._note(job.key).unlink()

    def _stop_late(self) -> None:
        while not self._closing.wait(1.0):
            with self._lock:
                late = [job for job in self._jobs.values() if job.running and time.monotonic() > job.until]
            for job in late:
                job.late = True
            self._end(late)

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
