"""Connections: how many there may be, and how long each may keep the server waiting.

A connection that says nothing costs little, but a process can have only so many files and sockets open. So a request's
head must come soon, an answer must be taken, and where there are too many, the oldest idle one of an address makes
room. What is then still too much is told so and closed.
"""

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection
from functools import cache
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ludus.interfaces.web.clients import UNKNOWN, network
from ludus.interfaces.web.limits import CONNECTIONS, HEAD_SECONDS, RESERVED_FILES, TAKE_SECONDS

log = logging.getLogger("ludus.arena")


@cache
def most_connections() -> int:
    """In all; one address may have half of them."""
    try:
        import resource

        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except ImportError:
        return CONNECTIONS
    return CONNECTIONS if files < 0 else max(8, min(CONNECTIONS, files - RESERVED_FILES))


def _answer(status: str, message: str) -> bytes:
    content = json.dumps({"error": message}).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return f"{head}Retry-After: 10\r\nConnection: close\r\n\r\n".encode() + content


TOO_MANY = _answer("503 Service Unavailable", "there are too many connections to this server; try again in a moment")
TOO_LATE = _answer("408 Request Timeout", "this request did not arrive in time")


class Connection(H11Protocol):
    """One connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.address, self.since = UNKNOWN, time.monotonic()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = network(self.client[0] if self.client else "")
        if self._has_room():
            self._await_head()
        else:
            log.warning("too many connections: some are refused")
            self.connections.discard(self)
            transport.write(TOO_MANY)
            transport.close()

    def _has_room(self) -> bool:
        most = most_connections()
        everybody: list[Connection] = [each for each in self.connections if isinstance(each, Connection)]
        ours = [each for each in everybody if each.address == self.address]
        if len(ours) > most // 2:
            return self._close_one(ours)
        if len(everybody) > most:
            busiest = Counter(each.address for each in everybody).most_common(1)[0][0]
            return self._close_one([each for each in everybody if each.address == busiest])
        return True

    def _close_one(self, among: Collection["Connection"]) -> bool:
        """Close an idle connection, rather one that has never asked for anything, rather the oldest."""
        idle = [each for each in among if each is not self and each.idle]
        if not idle:
            return False
        oldest = min(idle, key=lambda each: (each.cycle is not None, each.since))
        self.connections.discard(oldest)
        oldest.transport.abort()
        return True

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._stop("head")
            self.since = time.monotonic()
        elif self.idle and "head" not in self._timers:
            self._await_head()

    def _await_head(self) -> None:
        self._start("head", HEAD_SECONDS, self._close_late)

    def _close_late(self) -> None:
        if self.idle and not self.transport.is_closing():
            if self.conn.our_state is h11.IDLE:
                self.transport.write(TOO_LATE)
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start("taking", TAKE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop("taking")

    def connection_lost(self, exc: Exception | None) -> None:
        for name in list(self._timers):
            self._stop(name)
        super().connection_lost(exc)

    def _start(self, name: str, seconds: float, action: Callable[[], None]) -> None:
        self._stop(name)
        self._timers[name] = self.loop.call_later(seconds, action)

    def _stop(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()
