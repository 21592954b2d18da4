"""Shows that the compiler is at work, and on what, since it can take a minute when a kernel is first used.

On a terminal one line on standard error names the kernel and counts the seconds, and goes away when the compiler is
done. Elsewhere a line says that compiling has begun, and another every ten seconds that it goes on.
"""

import sys
import threading
import time
from typing import Any

from numba.core import event

from ludus.compile.cache import FOLDER

QUIET_SECONDS = 1.0
"""Compiling that takes less than this is not worth a line on a terminal."""
LINE_SECONDS = 10.0
"""How often a line says that the compiler is still at work, where nobody watches a terminal."""


class _Compilation(event.Listener):  # type: ignore[misc]
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: list[str] = []
        self._kernels, self._announced = 0, False
        self._begin = self._last = 0.0

    def on_start(self, started: Any) -> None:
        dispatcher = started.data["dispatcher"]
        with self._lock:
            if not self._under_way:
                self._begin = self._last = time.monotonic()
                if not sys.stderr.isatty() and not self._announced:
                    print(f"ludus: compiling for first use (kept in {FOLDER.parent})", file=sys.stderr, flush=True)
                    self._announced = True
                threading.Thread(target=self._watch, daemon=True).start()
            self._under_way.append(dispatcher.py_func.__name__)

    def on_end(self, _: Any) -> None:
        with self._lock:
            self._under_way.pop()
            self._kernels += 1

    def _watch(self) -> None:
        """Until nothing is under way any more, say what is."""
        shown = False
        while True:
            time.sleep(0.2)
            with self._lock:
                under_way, kernels = list(self._under_way), self._kernels
            now = time.monotonic()
            if not under_way:
                break
            words = f"ludus: compiling {under_way[0]} ({kernels} kernels done, {now - self._begin:.0f} s)"
            if sys.stderr.isatty():
                if now - self._begin > QUIET_SECONDS:
                    print(f"\r\x1b[K{words[:78]}", end="", file=sys.stderr, flush=True)
                    shown = True
            elif now - self._last >= LINE_SECONDS:
                self._last = now
                print(words, file=sys.stderr, flush=True)
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_compilation() -> None:
    """From now on, show when kernels are compiled."""
    event.register("numba:compile", _Compilation())
