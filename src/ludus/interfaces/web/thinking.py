"""Whose machine thinks next.

Searches can take seconds, so only a few think at once; whoever waits gets a turn in fair order: addresses take turns,
and so do the visitors of an address. All other players are quick and never wait, nor does a search that has been quick.
"""

import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludus.interfaces.web.clients import Client, asking
from ludus.interfaces.web.limits import PATIENCE_SECONDS, Refused
from ludus.players.search.alphabeta import Search
from ludus.players.search.uct import MCTS

QUICK_SECONDS = 0.1
"""Searches that need less of a processor than this for a move are quick."""
REMEMBERED = 1000
"""Of so many players it is known how long they think."""


class Turns:
    """A semaphore whose permits go round among the addresses that wait, and round among each one's visitors."""

    def __init__(self, at_once: int) -> None:
        self._lock, self._free = threading.Lock(), at_once
        self._waiting: OrderedDict[str, OrderedDict[str, deque[threading.Event]]] = OrderedDict()

    @contextmanager
    def take(self, who: Client, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
        """Wait for a turn; raises Refused if it does not come."""
        turn = self._queue(who)
        if not turn.wait(patience) and not self._left_queue(who, turn):
            raise Refused(503, "too many machines are thinking; ask again in a moment")
        try:
            yield
        finally:
            self._pass_on()

    def _queue(self, who: Client) -> threading.Event:
        turn = threading.Event()
        with self._lock:
            if self._free:
                self._free -= 1
                turn.set()
            else:
                visitors = self._waiting.setdefault(who.address, OrderedDict())
                visitors.setdefault(who.visitor, deque()).append(turn)
        return turn

    def _left_queue(self, who: Client, turn: threading.Event) -> bool:
        """Leave the queue; true if the turn came at the last moment."""
        with self._lock:
            if turn.is_set():
                return True
            visitors = self._waiting[who.address]
            visitors[who.visitor].remove(turn)
            if not visitors[who.visitor]:
                del visitors[who.visitor]
            if not visitors:
                del self._waiting[who.address]
            return False

    def _pass_on(self) -> None:
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            address, visitors = self._waiting.popitem(last=False)
            visitor, turns = visitors.popitem(last=False)
            turn = turns.popleft()
            if turns:
                visitors[visitor] = turns
            if visitors:
                self._waiting[address] = visitors
            turn.set()


class Thinking:
    """Lets machines think at once as far as that is good for everybody."""

    def __init__(self, at_once: int | None = None) -> None:
        self._turns = Turns(at_once or os.cpu_count() or 1)
        self._seconds, self._lock = OrderedDict[tuple[str, ...], float](), threading.Lock()

    @contextmanager
    def turn(self, parts: Any, *what: str) -> Iterator[None]:
        """Wait where a player with these parts must; `what` it does tells how long that may take."""
        if not _searches(parts):
            yield
            return
        with self._lock:
            expected = self._seconds.get(what)
        if expected is not None and expected < QUICK_SECONDS:
            yield from self._timed(what)
        else:
            with self._turns.take(asking.get()):
                yield from self._timed(what)

    def _timed(self, what: tuple[str, ...]) -> Iterator[None]:
        begin = time.thread_time()  # of the processor: a busy machine makes nobody slow
        yield
        taken = time.thread_time() - begin
        with self._lock:
            # a search that was slow once, if only to be compiled, must be quick for a while
            self._seconds[what] = max(taken, self._seconds.pop(what, 0.0) / 2)
            if len(self._seconds) > REMEMBERED:
                self._seconds.popitem(last=False)


def _searches(parts: Any) -> bool:
    return isinstance(parts, Search | MCTS) or (isinstance(parts, tuple) and any(map(_searches, parts)))
