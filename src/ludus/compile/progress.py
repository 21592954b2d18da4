"""Shows that the compiler is at work, on what, and for about how long: a kernel may take a minute on its first use.

How long a kernel took before is remembered beside the machine code, in times.json. On a terminal one line on standard
error counts the seconds, and goes away when the compiler is done; if a bar shows how far the work is, it says so there.
Elsewhere a line says that compiling has begun, and another every ten seconds that it goes on.
"""

import json
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import event

from ludus.compile.cache import FOLDER
from ludus.progress import CLOCK, announce, duration

QUIET_SECONDS = 1.0
"""Compiling that takes less than this is not worth a line on a terminal."""
LINE_SECONDS = 10.0
"""How often a line says that the compiler is still at work, where nobody watches a terminal."""
LONG_SECONDS = 2.0
"""Kernels that take less than this to compile are not worth remembering."""

USUALLY = "2 to 30 s"
"""How long a kernel takes of which nothing is known: nearly all are between these."""


class CompileTimes:
    """How long kernels took to compile on this machine, in a file that several processes may write."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def expected(self, what: str) -> float | None:
        """How long that kernel will take: as long as last time, or else as the same one did for other types."""
        known, name = self._read(), what.partition(" for ")[0]
        alike = sorted(seconds for each, seconds in known.items() if each.partition(" for ")[0] == name)
        return known.get(what, alike[len(alike) // 2] if alike else None)

    def remember(self, what: str, seconds: float) -> None:
        if seconds >= LONG_SECONDS:
            text = json.dumps(self._read() | {what: round(seconds, 1)}, indent=1, sort_keys=True)
            with suppress(OSError):  # to know less is no harm
                partial = self._file.with_name(f"{self._file.name}.{os.getpid()}-{threading.get_ident()}")
                partial.write_text(text, encoding="utf-8")
                partial.replace(self._file)

    def _read(self) -> dict[str, float]:
        with suppress(OSError, ValueError, TypeError, AttributeError):
            return {str(what): float(seconds) for what, seconds in json.loads(self._file.read_bytes()).items()}
        return {}


def described(function: Any, types: Any) -> str:
    """A kernel as `play_games for Othello, Greedy`: its name, and the games and players that it is compiled for."""
    classes = [each.instance_class for each in types if hasattr(each, "instance_class")]
    shown = [
        each.__name__
        for each in dict.fromkeys(classes)
        if not each.__module__.startswith(("ludus.play.", "ludus.compile.")) and not each.__name__.endswith("State")
    ]
    name = function.__name__.lstrip("_")
    return f"{name} for {', '.join(shown)}" if shown else name


def _waited(seconds: float, expected: float | None) -> str:
    """How long it has taken, and about how long it takes.

    >>> _waited(2.1, 14)
    '2 s of about 14 s'
    >>> _waited(20.3, 14)
    '20 s, longer than last time'
    """
    if expected is None:
        return f"{seconds:.0f} s of {USUALLY}"
    return f"{seconds:.0f} s" + (
        f" of about {duration(expected)}" if seconds <= expected else ", longer than last time"
    )


class _Compilation(event.Listener):  # type: ignore[misc]
    def __init__(self, times: CompileTimes) -> None:
        self._lock, self._times = threading.Lock(), times
        self._under_way: list[str] = []
        self._announced = False
        self._begin = self._last = self._first = 0.0
        self._over = threading.Event()

    def on_start(self, started: Any) -> None:
        with self._lock:
            self._under_way.append(described(started.data["dispatcher"].py_func, started.data["args"]))
            if len(self._under_way) > 1:
                return
            CLOCK.stop()
            self._begin = time.monotonic()
            if self._begin - self._last > QUIET_SECONDS:  # else this kernel follows another in the same wait
                self._first = self._begin
            if not sys.stderr.isatty() and not self._announced:
                print(f"ludus: compiling for first use (kept in {FOLDER.parent})", file=sys.stderr, flush=True)
                self._announced = True
            what, self._over = self._under_way[0], threading.Event()
            arguments = (what, self._times.expected(what), self._begin, self._over)
            threading.Thread(target=self._watch, args=arguments, daemon=True).start()

    def on_end(self, _: Any) -> None:
        with self._lock:
            what = self._under_way.pop()
            if not self._under_way:
                CLOCK.go_on()
                self._over.set()
                self._last = time.monotonic()
                self._times.remember(what, self._last - self._begin)

    def _watch(self, what: str, expected: float | None, begin: float, over: threading.Event) -> None:
        """Until that kernel is compiled, say so."""
        shown, line = False, begin
        while not over.wait(0.2):
            now = time.monotonic()
            words = f"compiling for first use, {_waited(now - begin, expected)}: {what}"
            if now - self._first > QUIET_SECONDS and announce(words):
                continue
            if sys.stderr.isatty():
                if now - self._first > QUIET_SECONDS:
                    print(f"\r\x1b[Kludus: {words}"[:82], end="", file=sys.stderr, flush=True)
                    shown = True
            elif now - line >= LINE_SECONDS:
                line = now
                print(f"ludus: {words}", file=sys.stderr, flush=True)
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def show_compilation() -> None:
    """From now on, show when kernels are compiled."""
    event.register("numba:compile", _Compilation(CompileTimes(FOLDER.parent / "times.json")))
