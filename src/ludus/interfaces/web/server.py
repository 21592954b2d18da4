"""Listening: where, for whom, until when."""

import asyncio
import logging
import re
import secrets
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from ludus.errors import LudusError
from ludus.interfaces.web.app import application
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.clients import is_loopback
from ludus.interfaces.web.connections import Connection
from ludus.interfaces.web.limits import ACCEPTED_AT_ONCE, BACKLOG, LOG_SECONDS, REQUEST_THREADS
from ludus.interfaces.web.studies import CHECKOUT_REPORTS

LEAST_TOKEN = 22
"""Characters of a token, each of 64: more than 128 bits."""
LOGS = ("uvicorn.error", "ludus.arena", "asyncio")
ELSEWHERE = "192.0.2.1"
"""An address for documentation, in no network: to see from which of ours we would speak to others."""

log = logging.getLogger("ludus.arena")


def serve(
    host: str,
    port: int,
    token: str,
    data: Path,
    runs: Path,
    reports: Path,
    ready: Callable[[str, str], None],
    class_game: str = "",
) -> None:
    """Serve the arena until Ctrl-C; `ready` gets its address and the wall's as soon as it answers.

    Beyond this machine visitors need a token; where none is given, one is made, and is part of that address. A class
    always needs one, and has a second for its wall; without a class there is no wall.
    """
    if token and not re.fullmatch(f"[A-Za-z0-9_-]{{{LEAST_TOKEN},200}}", token):
        raise LudusError(
            f"invalid token: must be {LEAST_TOKEN} to 200 letters, digits, - and _; without one, `ludus serve` makes "
            "one where it is needed"
        )
    made = secrets.token_urlsafe(16) if not token and not is_loopback(host) else ""
    with listening_socket(host, port) as listening:
        arena, address = Arena(data, runs, [reports, CHECKOUT_REPORTS], class_game), _address(listening)
        teacher = wall = ""
        if arena.classroom:
            made, teacher = arena.classroom.tokens(token)
            wall = f"{address}?token={teacher}#wall"
        ready(address + (f"?token={made}" if made else ""), wall)
        Server(application(arena, token or made, teacher=teacher)).run(sockets=[listening])


class Server(uvicorn.Server):
    """Answers requests to the arena, within its limits."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            uvicorn.Config(
                app, http=Connection, log_level="warning", access_log=False, server_header=False, ws="none",
                proxy_headers=False, lifespan="on", backlog=ACCEPTED_AT_ONCE, timeout_keep_alive=30,
                h11_max_incomplete_event_size=16384, timeout_graceful_shutdown=1,
            )
        )  # fmt: skip
        once = OncePerMinute()
        for name in LOGS:
            logging.getLogger(name).filters = [once]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(REQUEST_THREADS, "request"))
        loop.set_exception_handler(_report)
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(BACKLOG)  # asyncio has one number for those that may wait and those that it accepts at once

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        # asyncio would wait for the threads of requests, and one of them may wait for a kernel to be compiled
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What went wrong beside all requests, in one line."""
    log.error("%s (%r)", context.get("message"), context.get("exception"))


class OncePerMinute(logging.Filter):
    """Lets the same message through once in LOG_SECONDS: nobody can fill the disk with them."""

    CLOSING = "Cancel %s running task(s), timeout graceful shutdown exceeded"
    """What uvicorn says when a machine was thinking; it is no error."""

    def __init__(self) -> None:
        super().__init__()
        self._last = dict[str, float]()

    def filter(self, record: logging.LogRecord) -> bool:
        message, now = str(record.msg), time.monotonic()
        if message == self.CLOSING or now - self._last.get(message, -LOG_SECONDS) < LOG_SECONDS:
            return False
        if len(self._last) > 1000:
            self._last.clear()
        self._last[message] = now
        return True


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    listening = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # with its protocol: else asyncio does not know that it is TCP, and leaves out TCP_NODELAY
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except (OSError, OverflowError) as problem:
        if listening:
            listening.close()
        reason = getattr(problem, "strerror", None) or problem
        other = "--host" if isinstance(problem, socket.gaierror) else "--port"
        raise LudusError(f"can't listen on {host}, port {port} ({reason}); choose another with {other}") from problem
    return listening


def _address(listening: socket.socket) -> str:
    """What to open in a browser, elsewhere too if the arena can be reached from there."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _own_address(listening.family)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address(family: int) -> str:
    """This machine's address in the network; nothing is sent to find it."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((ELSEWHERE, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return "::1" if family == socket.AF_INET6 else "127.0.0.1"
