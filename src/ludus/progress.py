"""How far long work is: a bar on a terminal, a line that changes in a notebook, and otherwise a line now and then."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LINE_SECONDS = 10.0
"""How often a line is printed where nobody watches a terminal."""

Update = Callable[[float, str], None]
"""Takes the share of the work that is done, from 0 to 1, and a few words."""


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(each) for each in (0.4, 59, 600, 17559, 400_000)]
    ['1 s', '59 s', '10 min', '4 h 53 min', '4 days 15 h']
    """
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(round(seconds / 3600), 24)
    return f"{days} days {hours} h" if hours else f"{days} days"


def brief(seconds: float) -> str:
    """A time that may be very short, with two digits.

    >>> [brief(each) for each in (6e-06, 5.44e-06, 0.000114, 0.0012, 0.25, 3.14, 0)]
    ['6 µs', '5.4 µs', '110 µs', '1.2 ms', '250 ms', '3.1 s', '0 s']
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if (rounded := float(f"{seconds / size:.2g}")) >= 1:
            return f"{rounded:,.{1 if rounded < 10 else 0}f} {unit}".replace(".0 ", " ")
    return f"{seconds:g} s"


def number(value: float) -> str:
    """A number as people write it: whole ones in full, others with four digits.

    >>> [number(each) for each in (50_000.0, 0.12345, -0.0, 16.4, 123456.7, 0.0000123)]
    ['50,000', '0.1235', '0', '16.4', '123,457', '1.23e-05']
    """
    if not math.isfinite(value):
        return str(value)
    if value == round(value) or abs(value) >= 10_000:
        return f"{value:z,.0f}"
    return f"{value:z.4g}" if abs(value) >= 1e-4 else f"{value:.3g}"


class WorkingClock:
    """Seconds on a clock that stands still while kernels are compiled: that is done once, so it foretells nothing."""

    def __init__(self) -> None:
        self._stood, self._since = 0.0, 0.0

    def now(self) -> float:
        return (self._since or time.monotonic()) - self._stood

    def stop(self) -> None:
        self._since = time.monotonic()

    def go_on(self) -> None:
        self._stood, self._since = self._stood + time.monotonic() - self._since, 0.0


CLOCK = WorkingClock()


class Pace:
    """How long work will go on, from how long it took so far."""

    def __init__(self, done: float = 0.0) -> None:
        self._begin, self._done = CLOCK.now(), done

    def left(self, done: float) -> str:
        """As `, 4 min left`, for the share that is done; nothing while that can't be told."""
        gained, spent = done - self._done, CLOCK.now() - self._begin
        return f", {duration(spent * (1 - done) / gained)} left" if gained > 0 and done < 1 else ""


class _Screen:
    """Where something is shown at the moment: whoever compiles meanwhile says so there."""

    announce: Callable[[str], None] | None = None


def announce(words: str) -> bool:
    """Show a few words in the place of what a bar says, until it goes on; False if no bar is shown."""
    if _Screen.announce is None:
        return False
    _Screen.announce(words)
    return True


def announcing() -> bool:
    """Whether a bar is shown."""
    return _Screen.announce is not None


def announce_by(show: Callable[[str], None]) -> None:
    """From now on, `announce` passes its words on: from a process to the one that shows a bar."""
    _Screen.announce = show


@contextmanager
def progress_bar(title: str, show: bool | str = True) -> Iterator[Update]:
    """Shows progress while the block runs.

    `True` shows it on a terminal and in a notebook, `"lines"` also prints a line every ten seconds elsewhere, and
    `False` shows nothing.
    """
    if show and (notebook := _notebook()):
        with _in_notebook(title, notebook) as update:
            yield update
    elif show and sys.stdout.isatty():
        with _on_terminal(title) as update:
            yield update
    elif show == "lines":
        yield _lines()
    else:
        yield lambda done, words: None


@contextmanager
def _on_terminal(title: str) -> Iterator[Update]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(bar_width=24), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(), transient=True) as bar:
        task = bar.add_task(title, total=1.0)

        def update(done: float, words: str) -> None:
            bar.update(task, completed=done, description=f"{title}: {words}" if title else words)

        _Screen.announce = lambda words: bar.update(task, description=words)
        try:
            yield update
        finally:
            _Screen.announce = None


@contextmanager
def _in_notebook(title: str, display: Any) -> Iterator[Update]:
    shown = display({"text/plain": title}, raw=True, display_id=True)
    last = [0.0]

    def update(done: float, words: str) -> None:
        if done >= 1 or time.monotonic() - last[0] > 0.2:
            last[0] = time.monotonic()
            full = round(20 * min(done, 1.0))
            shown.update({"text/plain": f"{title} [{'#' * full}{'.' * (20 - full)}] {words}"}, raw=True)

    yield update


def _lines() -> Update:
    last = [time.monotonic()]

    def line(done: float, words: str) -> None:
        if time.monotonic() - last[0] > LINE_SECONDS:
            last[0] = time.monotonic()
            print(words, flush=True)

    return line


def _notebook() -> Any:
    """IPython's `display` in a notebook; nothing elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

    return display
