"""Compiling players before somebody waits for them: as soon as the page shows them as chosen, and common ones at once.

One thread does it, so that people who play are not disturbed, and takes what was asked for last first. What a player
needs to move and to explain itself is compiled or loaded; the page asks how far that is, and says so.
"""

import statistics
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ludus.compile.rng import stream
from ludus.interfaces.web.catalog import Catalog, offered_game
from ludus.interfaces.web.positions import HELD, Positions
from ludus.players.base import with_memory_of_its_own
from ludus.players.explanations import explain_parts
from ludus.records.arena import PERSON

USUAL_SECONDS = 20.0
"""What compiling a player takes, until it is known better."""
WORTH_TELLING = 2.0
"""What took less was loaded from the cache, and says nothing about compiling."""
MOST_ASKED, MOST_READY = 50, 10_000

Key = tuple[str, str]
"""A game and a player string."""


class Preparation:
    def __init__(self, catalog: Catalog) -> None:
        self._catalog: Catalog | None = catalog
        self._changed = threading.Condition()
        self._asked, self._ready, self._took = list[Key](), set[Key](), list[float]()
        self._now: tuple[Key, float] | None = None
        self._thread: threading.Thread | None = None

    def ask(self, game: str, players: Sequence[str]) -> dict[str, Any]:
        """See to these players of a game, and tell how far that is: whether all are ready, and if not, for how many
        seconds the compiler has been at work and how many it usually takes."""
        variant, catalog = offered_game(game), self._catalog
        wanted = [(variant.name, catalog.check(text, variant)) for text in players if catalog and text != PERSON]
        with self._changed:
            busy = self._now[0] if self._now else None
            left = [key for key in wanted if key not in self._ready]
            for key in left:
                if key in self._asked:
                    self._asked.remove(key)
                if key != busy:
                    self._asked.append(key)
            del self._asked[:-MOST_ASKED]
            if self._asked and self._thread is None:
                self._thread = threading.Thread(target=self._work, name="preparing", daemon=True)
                self._thread.start()
            self._changed.notify()
            since = time.monotonic() - self._now[1] if self._now and busy in left else 0.0
            usual = statistics.median(self._took[-9:]) if self._took else USUAL_SECONDS
            return {"ready": not left, "seconds": round(since, 1), "usual": round(usual, 1)}

    def close(self) -> None:
        """Begin nothing more; what is being compiled ends with the process."""
        with self._changed:
            self._asked.clear()
            self._catalog = None
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._asked and self._catalog is not None:
                    self._changed.wait()
                if self._catalog is None:
                    return
                key, begun, catalog = self._asked.pop(), time.monotonic(), self._catalog
                self._now = key, begun
            with suppress(Exception):  # whatever is wrong, whoever plays will be told
                _compile(catalog, *key)
            with self._changed:
                if len(self._ready) >= MOST_READY:  # seeds and komi make players and games without end
                    self._ready.clear()
                self._ready.add(key)
                self._now = None
                if time.monotonic() - begun > WORTH_TELLING:
                    self._took.append(time.monotonic() - begun)


def _compile(catalog: Catalog, name: str, text: str) -> None:
    game = offered_game(name)
    machine = catalog.make(text, game)
    seat = machine.player.seat()
    seat.begin(game.start(), [])
    after = game.start().play(seat.choose(game.start(), stream(1, "warm up")))
    game.type.dead_pieces(after)
    explain_parts(with_memory_of_its_own(machine.parts, game.rules), game.start())
    positions = Positions(game)
    while len(positions) <= HELD and not positions.here.over:
        move = positions.here.legal_moves[0]
        positions.add(move, positions.here.play(move))
    list(positions)
