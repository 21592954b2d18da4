"""Listening: where, for whom, until when."""

import re
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from ludus.errors import LudusError
from ludus.interfaces.web.app import application
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.safety import is_loopback
from ludus.interfaces.web.studies import CHECKOUT_REPORTS

LEAST_TOKEN = 8


def serve(
    host: str, port: int, token: str, data: Path, runs: Path, reports: Path, ready: Callable[[str], None]
) -> None:
    """Serve the arena until Ctrl-C; `ready` gets the address as soon as it answers."""
    if not is_loopback(host) and len(token) < LEAST_TOKEN:
        raise LudusError(
            f"{host} can be reached from other machines, so visitors need a token; "
            f"add --token with {LEAST_TOKEN} characters or more, or listen on 127.0.0.1"
        )
    if not re.fullmatch("[A-Za-z0-9_-]{0,200}", token):
        raise LudusError("invalid token: only letters, digits, - and _ are allowed")
    listening = _bound(host, port)
    arena = Arena(data, runs, [reports, CHECKOUT_REPORTS])
    config = uvicorn.Config(
        application(arena, token), log_level="warning", access_log=False, server_header=False, ws="none",
        proxy_headers=False, lifespan="on", limit_concurrency=1000, timeout_keep_alive=30,
        h11_max_incomplete_event_size=16384, timeout_graceful_shutdown=5,
    )  # fmt: skip
    bound = listening.getsockname()
    name = f"[{bound[0]}]" if ":" in bound[0] else bound[0]
    ready(f"http://{name}:{bound[1]}/")
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    listening = None
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except (OSError, OverflowError) as problem:
        if listening:
            listening.close()
        reason = getattr(problem, "strerror", None) or problem
        raise LudusError(f"{host} port {port} can't be listened on ({reason}); choose another with --port") from problem
    return listening
