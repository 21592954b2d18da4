"""Many runs at once: by processes of this machine, or by the workers of a Dask cluster.

Runs are independent and resumable, so where they happen changes nothing: the player files are the same, byte for byte.
A worker that dies costs what its run did since the last checkpoint; another takes the run over.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.lab.runs import Request, train
from ludus.learners.learner import parse_settings
from ludus.learners.names import learner
from ludus.learners.parallel import WORKERS
from ludus.registry import game

RETRIES = 5
"""How often a run is given to another worker when one has died."""


@dataclass(frozen=True)
class Task:
    """A run and its folder, in words that can be sent to another machine."""

    learner: str
    game: str
    settings: tuple[tuple[str, Any], ...]
    seed: int
    folder: str

    def request(self) -> Request:
        chosen = learner(self.learner)
        return Request(chosen, game(self.game), parse_settings(chosen, dict(self.settings)), self.seed)


@dataclass(frozen=True)
class Cluster:
    """Where a Dask scheduler is: by address, by scheduler file, or nothing for a new one on this machine."""

    address: str = ""
    scheduler_file: str = ""


def do(task: Task) -> str:
    """Do a run to its end; returns its folder."""
    for _ in train(task.request(), Path(task.folder)):
        pass
    return task.folder


def do_all(tasks: Sequence[Task], workers: int = 1, cluster: Cluster | None = None) -> Iterator[str]:
    """Do all runs and give the folder of each as it is finished."""
    for task in tasks:
        task.request()  # what is wrong is told before anything is started
    if cluster is not None:
        yield from _by_dask(tasks, workers, cluster)
    elif workers == 1 or len(tasks) == 1:
        yield from map(do, tasks)
    else:
        yield from _by_processes(tasks, workers)


def _by_processes(tasks: Sequence[Task], workers: int) -> Iterator[str]:
    # fresh processes: those forked from one that has compiled or started threads may hang
    processes = min(workers, len(tasks))
    threads = max(1, workers // processes)  # that each may use, or they would fight over the cores
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_allow, initargs=(threads,))
    try:
        for done in as_completed([pool.submit(do, task) for task in tasks]):
            yield done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _allow(threads: int) -> None:
    """Let learners in this process use so many threads."""
    os.environ[WORKERS] = str(threads)


def _by_dask(tasks: Sequence[Task], workers: int, cluster: Cluster) -> Iterator[str]:
    try:
        from distributed import Client, LocalCluster
        from distributed import as_completed as completed
    except ImportError as problem:
        raise LudusError("a Dask cluster needs the package distributed; install ludus[dask]") from problem
    if cluster.scheduler_file and not Path(cluster.scheduler_file).exists():  # Dask would wait for it for ever
        raise LudusError(f"the Dask scheduler file {cluster.scheduler_file} is not there; start a scheduler first")
    local = None
    if cluster.address or cluster.scheduler_file:
        where: dict[str, Any] = (
            {"scheduler_file": cluster.scheduler_file} if cluster.scheduler_file else {"address": cluster.address}
        )
    else:
        local = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        where = {"address": local}
    try:
        with Client(**where, timeout=20) as client:
            waiting = [client.submit(do, task, key=f"ludus {task.folder}", retries=RETRIES) for task in tasks]
            for done in completed(waiting):
                yield done.result()
    except (OSError, TimeoutError, ValueError) as problem:
        if isinstance(problem, LudusError):
            raise
        told = cluster.scheduler_file or cluster.address or "on this machine"
        raise LudusError(f"the Dask cluster {told} can't be used ({problem})") from problem
    finally:
        if local is not None:
            local.close()
