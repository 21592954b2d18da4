"""Many runs at once: by processes of this machine, or by the workers of a Dask cluster.

Runs are independent and resumable, so where they happen changes nothing: the player files are the same, byte for byte.
A worker that dies costs what its run did since the last checkpoint; another takes the run over.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from ludus.errors import LudusError
from ludus.play.parallel import allow
from ludus.runs.dask import Cluster, complete_on_dask
from ludus.runs.run import Run

__all__ = ["Cluster", "complete_all"]


def complete_all(runs: Sequence[Run], workers: int = 1, cluster: Cluster | None = None) -> Iterator[Run]:
    """Do all runs, and yield each as it is finished."""
    if cluster is not None:
        yield from complete_on_dask(runs, workers, cluster)
    elif workers == 1 or len(runs) <= 1:
        yield from map(Run.complete, runs)
    else:
        yield from _by_processes(runs, workers)


def _by_processes(runs: Sequence[Run], workers: int) -> Iterator[Run]:
    # fresh processes: those forked from one that has compiled or started threads may hang
    processes = min(workers, len(runs))
    threads = max(1, workers // processes)  # that each may use, or they would fight over the cores
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=allow, initargs=(threads,))
    try:
        doing = {pool.submit(_complete, run): run for run in runs}
        for done in as_completed(doing):
            done.result()
            yield doing[done]
    except BrokenProcessPool as problem:
        raise LudusError(
            "a process that did a run was killed, perhaps for want of memory; repeat the command to resume"
        ) from problem
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _complete(run: Run) -> None:
    run.complete()
