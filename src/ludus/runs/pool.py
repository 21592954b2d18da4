"""Many runs at once: by processes of this machine, or by the workers of a Dask cluster.

Runs are independent and resumable, so where they happen changes nothing: the player files are the same, byte for byte.
Whoever stops asking for runs ends the processes at once; that costs what their runs did since the last checkpoint.
"""

import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import current_process, get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from ludus.errors import InvalidSetting, LudusError
from ludus.play.parallel import allow
from ludus.progress import Pace, announce, announce_by, announcing, progress_bar
from ludus.runs.dask import Cluster, complete_on_dask
from ludus.runs.run import Run

__all__ = ["Cluster", "complete_all", "follow_all"]

END_SECONDS = 5.0
"""How long a process may take to end whose connection is closed."""

TELL_SECONDS = 0.5
"""How often a worker says how far its run is."""


def complete_all(
    runs: Sequence[Run],
    workers: int = 1,
    cluster: Cluster | None = None,
    progress: Callable[[float], None] = lambda done: None,
    curve: bool = False,
) -> Iterator[Run]:
    """Do all runs, and yield each as it is finished; `progress` is called with the share of the work that is done.

    With `curve`, runs on this machine also measure how well they play by then (`ludus.runs.curve`).
    """
    if workers < 1:
        raise InvalidSetting(f"invalid workers={workers}: must be at least 1")
    if cluster is not None:
        for number, run in enumerate(complete_on_dask(runs, workers, cluster), 1):
            progress(number / len(runs))
            yield run
    elif workers == 1 or len(runs) <= 1 or current_process().daemon:  # such as those of a Pool, who may start none
        for number, run in enumerate(runs):
            for at in run.steps(curve=curve):
                progress((number + at.done) / len(runs))
            yield run
    else:
        yield from _by_processes(runs, workers, progress, curve)


def follow_all(
    runs: Sequence[Run],
    workers: int = 1,
    cluster: Cluster | None = None,
    *,
    title: str = "",
    progress: bool | str = True,
    curve: bool = False,
) -> Iterator[Run]:
    """Do all runs as `complete_all` does, and show how far they are (see `progress_bar`)."""
    paces, finished = list[Pace](), 0
    with progress_bar(title, progress) as update:
        update(0.0, f"0 of {len(runs)} runs finished")

        def show(done: float) -> None:
            if not paces:
                paces.append(Pace(done))
            update(done, f"{finished} of {len(runs)} runs finished, {done:.0%}{paces[0].left(done)}")

        for run in complete_all(runs, workers, cluster, show, curve):
            finished += 1
            yield run


@dataclass
class _Worker:
    process: Any
    connection: Connection
    run: Run
    done: float = 0.0


def _by_processes(runs: Sequence[Run], workers: int, progress: Callable[[float], None], curve: bool) -> Iterator[Run]:
    count = min(workers, len(runs))
    threads = max(1, workers // count)  # that each may use, or they would fight over the cores
    waiting, finished, at_work = list(reversed(runs)), 0, list[_Worker]()
    try:
        with _held_interrupts():
            for _ in range(count):
                at_work.append(_hired(threads, curve, waiting.pop()))
        while at_work:
            ready = wait([each.connection for each in at_work])
            for worker in [each for each in at_work if each.connection in ready]:
                news = _news(worker)
                if isinstance(news, Exception):
                    raise news
                if isinstance(news, str):
                    announce(news)
                    continue
                worker.done = 1.0 if news is None else news
                progress((finished + sum(each.done for each in at_work)) / len(runs))
                if news is None:
                    done, finished = worker.run, finished + 1
                    if waiting:
                        worker.run, worker.done = waiting.pop(), 0.0
                        _begin(worker)
                    else:
                        at_work.remove(worker)
                        worker.connection.close()  # which ends it
                    yield done
    finally:
        for worker in at_work:
            worker.process.terminate()
        for worker in at_work:
            worker.process.join()
            worker.connection.close()


def _hired(threads: int, curve: bool, run: Run) -> _Worker:
    # a fresh process: one forked from a process that has compiled or started threads may hang
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, threads, curve, announcing()), daemon=True)
    process.start()
    theirs.close()
    worker = _Worker(process, ours, run)
    _begin(worker)
    return worker


def _begin(worker: _Worker) -> None:
    with suppress(ConnectionError):  # it was killed, which its news will say
        worker.connection.send(worker.run)


def _news(worker: _Worker) -> float | str | Exception | None:
    """The share of its run that is done, words for the bar, what went wrong, or None when the run is finished."""
    with suppress(EOFError, ConnectionError):
        news: float | str | Exception | None = worker.connection.recv()
        return news
    worker.process.join(END_SECONDS)
    if (worker.process.exitcode or 0) > 0:  # it ended by itself, before its first line
        return LudusError(
            "a process for a run could not begin, and has said why; a script that does several runs at once must do so "
            'below `if __name__ == "__main__":` and be a file, or take workers=1'
        )
    return LudusError("a process that did a run was killed, perhaps for want of memory; repeat the command to resume")


def _work(connection: Connection, threads: int, curve: bool, announces: bool) -> None:
    """What a worker does until nobody has a run for it any more; with `announces` its parent shows a bar."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches it too, but it is for its parent to end it
    allow(threads)
    sending = threading.Lock()

    def send(news: float | str | Exception | None) -> None:
        with sending:
            connection.send(news)

    def pass_on(words: str) -> None:
        with suppress(ConnectionError):  # the parent is gone
            send(words)

    if announces:
        announce_by(pass_on)
    with suppress(EOFError, ConnectionError):
        while True:
            run: Run = connection.recv()
            told = time.monotonic()
            try:
                for at in run.steps(curve=curve):
                    if at.done < 1 and time.monotonic() - told > TELL_SECONDS:
                        told = time.monotonic()
                        send(at.done)
            except (EOFError, ConnectionError):  # the parent is gone
                return
            except Exception as problem:
                told_of = "".join(traceback.format_exception(problem))
                send(problem if isinstance(problem, LudusError) else RuntimeError(told_of))
            else:
                send(None)


@contextmanager
def _held_interrupts() -> Iterator[None]:
    """Processes that begin meanwhile never hear of Ctrl-C, not even before their first line; we do afterwards."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # which would let interrupts through again as it begins
    held = list[Any]()
    # another thread may take the signal, whatever this one blocks, and Python then handles it here
    usual = signal.signal(signal.SIGINT, lambda *arguments: held.append(arguments))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, usual)
        if held and callable(usual):
            usual(*held[0])
