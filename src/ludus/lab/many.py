"""Many runs at once: by processes of this machine, or by the workers of a Dask cluster.

Runs are independent and resumable, so where they happen changes nothing: the player files are the same, byte for byte.
A worker that dies costs what its run did since the last checkpoint; another takes the run over.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from ludus.errors import LudusError
from ludus.lab.cluster import Cluster, by_dask
from ludus.lab.tasks import Task, do
from ludus.learners.parallel import allow

__all__ = ["Cluster", "Task", "do", "do_all"]


def do_all(tasks: Sequence[Task], workers: int = 1, cluster: Cluster | None = None) -> Iterator[str]:
    """Do all runs and give the folder of each as it is finished."""
    for task in tasks:
        task.request()  # what is wrong is told before anything is started
    if cluster is not None:
        yield from by_dask(tasks, workers, cluster)
    elif workers == 1 or len(tasks) <= 1:
        yield from map(do, tasks)
    else:
        yield from _by_processes(tasks, workers)


def _by_processes(tasks: Sequence[Task], workers: int) -> Iterator[str]:
    # fresh processes: those forked from one that has compiled or started threads may hang
    processes = min(workers, len(tasks))
    threads = max(1, workers // processes)  # that each may use, or they would fight over the cores
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=allow, initargs=(threads,))
    try:
        for done in as_completed([pool.submit(do, task) for task in tasks]):
            yield done.result()
    except BrokenProcessPool as problem:
        raise LudusError(
            "a process that did a run was ended from outside, perhaps for want of memory; the same command goes on"
        ) from problem
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
