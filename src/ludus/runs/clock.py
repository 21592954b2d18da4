"""How long a run learns: the time of its steps, without the compiler's, for which only the first to come waits."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event


class Clock(event.Listener):  # type: ignore[misc]
    """Counts seconds while it runs, less those in which kernels are compiled."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self._depth, self._compiling = 0, 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time that the block takes."""
        self._compiling = 0.0
        begin = time.perf_counter()
        with event.install_listener("numba:compile", self):
            yield
        self.seconds += time.perf_counter() - begin - self._compiling

    def on_start(self, _: Any) -> None:
        if self._depth == 0:  # compiling a kernel compiles what it calls
            self._begin = time.perf_counter()
        self._depth += 1

    def on_end(self, _: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._compiling += time.perf_counter() - self._begin
