"""Many runs on the workers of a Dask cluster: its hosts share a folder, and whoever is free takes the next run.

What is asked of a run is written into its folder before it is sent, so a worker that doesn't find it there knows that
it doesn't share the folder. A worker that dies or is cut off loses its runs to others, which wait until its lock is
gone. Whatever goes wrong, the folders hold all there is to know, and repeating the command resumes.
"""

import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ludus import __version__
from ludus.errors import LudusError, MissingDependency, StorageError
from ludus.play.parallel import allow
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec

CONNECT_SECONDS = 20
"""How long a scheduler may take to answer."""

WATCH_SECONDS = 3.0
"""How often we look whether there are workers."""

LOCK_SECONDS = 180.0
"""How long a worker waits for a folder that another holds: file servers keep the locks of a dead host for a minute or
two, and a host that is cut off from the scheduler works on for as long."""

CHANCES = 3
"""How often a run is sent though all workers that Dask tried die and it doesn't get on: Dask also blames runs that only
waited on a worker when it died."""

DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What workers on this machine do first: Ctrl-C reaches them too, but it is for us to end them."""


@dataclass(frozen=True)
class Cluster:
    """Where a Dask scheduler is: by address, by scheduler file, or nothing for a new one on this machine."""

    address: str = ""
    scheduler_file: str = ""

    def __str__(self) -> str:
        return f"the Dask cluster {self.scheduler_file or self.address or 'on this machine'}"


def complete_on_dask(runs: Sequence[Run], workers: int, cluster: Cluster) -> Iterator[Run]:
    """Do all runs, and yield each as it is finished."""
    try:
        from distributed import Client
    except ImportError as problem:
        raise MissingDependency.extra("a Dask cluster needs the package distributed", "dask") from problem
    if cluster.scheduler_file and not Path(cluster.scheduler_file).exists():  # Dask would wait for it for ever
        raise StorageError(f"the Dask scheduler file {cluster.scheduler_file} is not there; start a scheduler first")
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what goes wrong there is reported below
    try:
        with (
            _scheduler(cluster, workers, len(runs)) as where,
            Client(**where, timeout=CONNECT_SECONDS) as client,
            _watched(client, cluster),
        ):
            yield from _finished(client, runs)
    except LudusError:
        raise
    except CancelledError as problem:
        raise LudusError(
            f"{cluster} has gone away; start a scheduler in its place and repeat the command to resume"
        ) from problem
    except (OSError, TimeoutError, ValueError) as problem:
        raise LudusError(f"{cluster} can't be used ({problem})") from problem


@contextmanager
def _scheduler(cluster: Cluster, workers: int, runs: int) -> Iterator[dict[str, Any]]:
    """Where a client finds the scheduler, in Dask's words."""
    if cluster.scheduler_file:
        yield {"scheduler_file": cluster.scheduler_file}
    elif cluster.address:
        yield {"address": cluster.address}
    else:
        from distributed import LocalCluster

        processes = max(1, min(workers, runs))
        threads = max(1, workers // processes)
        own = LocalCluster(
            n_workers=processes,
            threads_per_worker=threads,
            dashboard_address="127.0.0.1:0",  # by default it is a port that another cluster may have
            silence_logs=logging.ERROR,
            preload=[DEAF],
        )
        with own as local:
            yield {"address": local}


@contextmanager
def _watched(client: Any, cluster: Cluster) -> Iterator[None]:
    """Meanwhile, tell whoever waits when there are no workers: not yet, or no more."""
    over = threading.Event()

    def watch() -> None:
        alone = False
        while True:
            before, alone = alone, not client.scheduler_info()["workers"]
            if alone and not before:
                print(f"ludus: {cluster} has no workers; waiting for some", file=sys.stderr, flush=True)
            if over.wait(WATCH_SECONDS):
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join(CONNECT_SECONDS)


def _finished(client: Any, runs: Sequence[Run]) -> Iterator[Run]:
    """The runs, each when a worker has finished it."""
    from distributed import KilledWorker, as_completed

    under_way = dict[str, tuple[Run, int, int]]()

    def send(run: Run, chances: int = CHANCES) -> Any:
        folder, reached = run.folder.absolute(), _reached(run)  # whole, as a worker is somewhere else
        key = f"ludus {folder} from {reached}, {chances} chances"
        under_way[key] = run, reached, chances
        return client.submit(_errand(replace(run, folder=folder), key), key=key)

    for run in runs:
        run.register()
    queue = as_completed([send(run) for run in runs])
    for done in queue:
        run, before, chances = under_way[done.key]
        try:
            problem = done.result()
        except KilledWorker as death:
            if _reached(run) != before:
                queue.add(send(run))
            elif chances > 1:
                queue.add(send(run, chances - 1))
            else:
                raise LudusError(
                    f"every worker that was given the run {run.folder} died before its next checkpoint, the last on "
                    f"{death.last_worker.address}; see their logs, perhaps they ran out of memory"
                ) from death
            continue
        if problem:
            raise LudusError(problem)
        if not run.finished:
            raise StorageError(f"a worker has finished {run.folder} elsewhere; all hosts must share this folder")
        yield run


def _reached(run: Run) -> int:
    """A number that changes whenever the run makes progress."""
    file = run.folder / "checkpoint.safetensors"
    return file.stat().st_mtime_ns if file.exists() else 0


def _errand(run: Run, key: str) -> Callable[[], str]:
    """What a worker does: a function within this one, since Dask sends those whole, to hosts without Ludus too."""
    spec, folder, version = asdict(run.spec), str(run.folder), __version__
    extras = {"snapshots": run.snapshots, "trackers": run.trackers}

    def errand() -> str:
        from socket import gethostname

        try:
            import ludus
        except ImportError as problem:
            return f"the worker on {gethostname()} can't use Ludus ({problem}); install ludus {version} there"
        if ludus.__version__ != version:
            return f"the worker on {gethostname()} has ludus {ludus.__version__}; install ludus {version} there"

        from ludus.runs.dask import carry_out

        return carry_out(spec, folder, key, extras)

    return errand


def carry_out(spec: dict[str, Any], folder: str, key: str, extras: dict[str, Any]) -> str:
    """Do a run, or what is left of it, as a task of this worker: what is wrong, in one sentence, or nothing."""
    from distributed import Reschedule, get_worker

    run, worker = Run(RunSpec(**spec), Path(folder), **extras), get_worker()
    if not (run.folder / "run.json").exists():
        return f"the worker on {socket.gethostname()} does not see {folder}; all hosts must share this folder"
    try:
        with sharing(worker.state.nthreads):
            for _ in run.steps(patience=LOCK_SECONDS):
                if not _wanted(worker, key):
                    raise Reschedule
    except LudusError as problem:
        return f"{problem} (on {socket.gethostname()})"
    return ""


def _wanted(worker: Any, key: str) -> bool:
    """Whether this worker is still to do a task: Dask can't stop a thread, so ours looks by itself."""
    known = worker.state.tasks.get(key)
    return known is not None and known.state != "cancelled" and not worker.status.name.startswith("clos")


_counting = threading.Lock()
_runs_here = 0


@contextmanager
def sharing(threads: int) -> Iterator[None]:
    """Let the runs that this process does at the same time share so many threads."""

    def count(change: int) -> None:
        global _runs_here
        with _counting:
            _runs_here += change
            allow(max(1, threads // max(1, _runs_here)))

    count(1)
    try:
        yield
    finally:
        count(-1)
