"""Work shared among threads, which kernels allow: they run without the interpreter's lock.

Which thread plays which game makes no difference: each game has its own random stream and writes its own result.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

WORKERS = "LUDUS_WORKERS"
"""The environment variable that says how many threads a learner may use; else it is the number of cores."""


def workers() -> int:
    """How many threads a learner may use."""
    asked = os.environ.get(WORKERS, "")
    return int(asked) if asked.isdigit() and int(asked) else os.cpu_count() or 1


def allow(threads: int) -> None:
    """Let learners in this process use so many threads."""
    os.environ[WORKERS] = str(threads)


def in_parallel(
    work: Callable[[int, int], None],
    count: int,
    block: int = 4,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Call `work(begin, end)` for all spans of `block` numbers below `count`.

    By default as many threads as a learner may use. Spans that have not begun when one fails are dropped. `progress`
    is called with how many numbers are done, counted from 0 without a gap.
    """
    with ThreadPoolExecutor(threads or workers()) as pool:
        try:
            spans = [(begin, min(begin + block, count)) for begin in range(0, count, block)]
            for (_, end), span in [(span, pool.submit(work, *span)) for span in spans]:
                span.result()
                progress(end)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
