"""Everything behind the page: games, players, runs, studies, and the threads in which machines think."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, TypeVar

from ludus.interfaces.web.catalog import Catalog
from ludus.interfaces.web.classroom import Classroom
from ludus.interfaces.web.clients import Client, asking
from ludus.interfaces.web.continuations import Continuations
from ludus.interfaces.web.jobs import Jobs
from ludus.interfaces.web.learning import Learning
from ludus.interfaces.web.limits import (
    ADDRESSES,
    CLASS_JOBS,
    CLASS_RUN_SECONDS,
    JOBS,
    OF_ADDRESS,
    OF_SCHOOL,
    PATIENCE_SECONDS,
    RUN_SECONDS,
    WAITING,
    WAITING_OF_ONE,
    AtOnce,
    Refused,
)
from ludus.interfaces.web.practice import Practice
from ludus.interfaces.web.preparation import Preparation
from ludus.interfaces.web.reviews import Reviews
from ludus.interfaces.web.studies import Reports, Studies
from ludus.interfaces.web.tables import Tables
from ludus.records.arena import ArenaGames
from ludus.storage import locked

WARM_UP = (
    ("othello8", "level:2"),
    ("othello8", "alphabeta:depth=2"),
    ("checkers", "alphabeta:depth=2"),
    ("go9", "wally"),
)
"""Games and players whose kernels are loaded before somebody waits for them."""

Result = TypeVar("Result")


class Arena:
    """What the routes call upon; with the name of a game, a class plays it in a league."""

    def __init__(self, data: Path, runs: Path, reports: list[Path], class_game: str = "") -> None:
        with suppress(OSError):
            data.mkdir(parents=True, exist_ok=True, mode=0o700)
        busy = f"{data} is in use by another arena (ludus serve); close it, or name another folder with --data"
        with ExitStack() as held:
            held.enter_context(locked(data, busy=busy))
            self.games = ArenaGames(data / "arena.sqlite")
            self._held = held.pop_all()
        self.catalog, self.jobs = Catalog(runs), Jobs(data / "jobs", *((CLASS_JOBS, 1) if class_game else (JOBS, JOBS)))
        self.of_address = OF_SCHOOL if class_game else OF_ADDRESS
        self.tables = Tables(self.games, self.catalog)
        self.reviews = Reviews(self.tables, self.of_address)
        self.practice = Practice(self.tables.training)
        self.continuations = Continuations(self.tables, self.games, self.catalog)
        self.learning = Learning(self.catalog, self.jobs, CLASS_RUN_SECONDS if class_game else RUN_SECONDS)
        self.classroom = Classroom(class_game, self.games, self.tables, self.catalog) if class_game else None
        self.studies, self.reports = Studies(data / "studies", self.catalog, self.jobs), Reports(reports)
        # whoever waits for a turn to think holds a thread; those who think at once are fewer
        self._thinkers = ThreadPoolExecutor(WAITING, "thinker")
        self.preparation = Preparation(self.catalog)
        self._waiting = AtOnce(WAITING, self.of_address.waiting, WAITING_OF_ONE, "requests are waiting for a machine")
        self._begun, self._lock = OrderedDict[str, set[str]](), threading.Lock()  # which games, by address

    async def think(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """The result of work that may take seconds."""
        who = asking.get()
        self._waiting.enter(who)
        future = asyncio.get_running_loop().run_in_executor(self._thinkers, copy_context().run, work, *arguments)
        future.add_done_callback(lambda _: self._waiting.leave(who))
        try:
            return await asyncio.wait_for(asyncio.shield(future), PATIENCE_SECONDS)
        except TimeoutError:
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise Refused(503, "the machine needs longer than usual; ask again in a moment") from None

    def admit(self, who: Client) -> None:
        """Raise Refused if there are as many unfinished games of this address as it may have."""
        with self._lock:
            begun = self._begun.get(who.address, set())
            begun -= begun.difference(self.tables.live(begun))
        if len(begun) >= self.of_address.live_games:
            raise Refused(
                429, f"there are {self.of_address.live_games} unfinished games of your address; try again later"
            )

    def note_game(self, who: Client, id: str) -> None:
        """Somebody at this address has begun that game."""
        with self._lock:
            self._begun.setdefault(who.address, set()).add(id)
            self._begun.move_to_end(who.address)
            if len(self._begun) > ADDRESSES:
                self._begun.popitem(last=False)

    def warm_up(self) -> None:
        """Have the kernels of common players compiled or loaded, in the background."""
        threading.Thread(target=self._warm, name="warming", daemon=True).start()

    def _warm(self) -> None:
        for name, text in reversed(WARM_UP):
            self.preparation.ask(name, (text,))

    def close(self) -> None:
        """Stop everything; what a machine is thinking about is not waited for."""
        if self.classroom:
            self.classroom.close()
        self.jobs.close()
        self.reviews.close()
        self.preparation.close()
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self.games.close()
        self._held.close()
