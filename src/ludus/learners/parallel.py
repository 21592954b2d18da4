"""Games of one step played by several threads.

Kernels run without the interpreter's lock. Who plays which game makes no difference: each game throws its own dice and
writes its own result.
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


def in_parallel(work: Callable[[int, int], None], count: int, block: int = 4) -> None:
    """Call `work(begin, end)` for all spans of `block` numbers below `count`."""
    with ThreadPoolExecutor(workers()) as pool:
        spans = [(begin, min(begin + block, count)) for begin in range(0, count, block)]
        for done in [pool.submit(work, *span) for span in spans]:
            done.result()
