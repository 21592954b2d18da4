"""How far long work is: a bar on a terminal, a line that changes in a notebook, and otherwise a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LINE_SECONDS = 10.0
"""How often a line is printed where nobody watches a terminal."""

Update = Callable[[float, str], None]
"""Takes the share of the work that is done, from 0 to 1, and a few words."""


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

    columns = (BarColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(), transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda done, words: bar.update(task, completed=done, description=f"{title}: {words}" if title else words)


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
