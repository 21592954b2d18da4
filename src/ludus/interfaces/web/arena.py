"""Everything behind the page: games, players, runs, studies, and the threads in which machines think."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from ludus.interfaces.web.catalog import Catalog
from ludus.interfaces.web.jobs import Jobs
from ludus.interfaces.web.learning import Learning
from ludus.interfaces.web.limits import PATIENCE_SECONDS, WAITING, Refused
from ludus.interfaces.web.preparation import Preparation
from ludus.interfaces.web.studies import Reports, Studies
from ludus.interfaces.web.tables import Tables
from ludus.records.arena import ArenaGames

WARM_UP = (
    ("othello8", "level:2"),
    ("othello8", "alphabeta:depth=2"),
    ("checkers", "alphabeta:depth=2"),
    ("go9", "wally"),
)
"""Games and players whose kernels are loaded before somebody waits for them."""

Result = TypeVar("Result")


class Arena:
    """What the routes call upon."""

    def __init__(self, data: Path, runs: Path, reports: list[Path], threads: int | None = None) -> None:
        self.games = ArenaGames(data / "arena.sqlite")
        self.catalog, self.jobs = Catalog(runs), Jobs(data / "jobs")
        self.tables = Tables(self.games, self.catalog)
        self.learning = Learning(self.catalog, self.jobs)
        self.studies, self.reports = Studies(data / "studies", self.catalog, self.jobs), Reports(reports)
        self._thinkers = ThreadPoolExecutor(threads or max(2, os.cpu_count() or 1), "thinker")
        self.preparation = Preparation(self.catalog)
        self._waiting = 0

    async def think(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """The result of work that may take seconds."""
        if self._waiting >= WAITING:
            raise Refused(503, "too many requests are waiting for a machine to move; try again in a moment")
        self._waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._thinkers, work, *arguments)
        future.add_done_callback(lambda _: self._one_less())
        try:
            return await asyncio.wait_for(asyncio.shield(future), PATIENCE_SECONDS)
        except TimeoutError:
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise Refused(503, "the machine needs longer than usual; ask again in a moment") from None

    def _one_less(self) -> None:
        self._waiting -= 1

    def warm_up(self) -> None:
        """Have the kernels of common players compiled or loaded, in the background."""
        for name, text in reversed(WARM_UP):
            self.preparation.ask(name, (text,))

    def close(self) -> None:
        self.jobs.close()
        self.preparation.close()
        self._thinkers.shutdown(wait=True, cancel_futures=True)
        self.games.close()
