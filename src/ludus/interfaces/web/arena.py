"""Everything behind the page: games, players, runs, studies, and the threads in which machines think."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from ludus.errors import LudusError
from ludus.interfaces.web.catalog import Catalog, offered_game
from ludus.interfaces.web.continuations import Continuations
from ludus.interfaces.web.jobs import Jobs
from ludus.interfaces.web.learning import Learning
from ludus.interfaces.web.limits import PATIENCE_SECONDS, WAITING, Refused
from ludus.interfaces.web.practice import Practice
from ludus.interfaces.web.reviews import Reviews
from ludus.interfaces.web.studies import Reports, Studies
from ludus.interfaces.web.tables import Tables
from ludus.records.arena import ArenaGames

WARM_UP = (
    ("othello8", "heuristic"),
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
        self.reviews, self.practice = Reviews(self.tables), Practice(self.tables.training)
        self.continuations = Continuations(self.tables, self.games, self.catalog)
        self.learning = Learning(self.catalog, self.jobs)
        self.studies, self.reports = Studies(data / "studies", self.catalog, self.jobs), Reports(reports)
        self._thinkers = ThreadPoolExecutor(threads or max(2, os.cpu_count() or 1), "thinker")
        self._warming = ThreadPoolExecutor(1, "warming")
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
        self._warming.submit(self._warm)

    def _warm(self) -> None:
        from ludus.compile.rng import stream
        from ludus.players.explanations import explain_parts

        for name, text in WARM_UP:
            with suppress(LudusError, RuntimeError):
                game = offered_game(name)
                machine = self.catalog.make(text, game)
                seat = machine.player.seat()
                seat.begin(game.start(), [])
                game.start().play(seat.choose(game.start(), stream(1, "warm up")))
                explain_parts(machine.parts, game.start())

    def close(self) -> None:
        self.jobs.close()
        self.reviews.close()
        self._warming.shutdown(wait=False, cancel_futures=True)
        self._thinkers.shutdown(wait=True, cancel_futures=True)
        self.games.close()
