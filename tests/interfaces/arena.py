"""An arena for tests: asked directly, or listening on a free port of this machine."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes
from weakref import finalize

from ludus.interfaces.web.app import application
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.limits import Budgets
from ludus.interfaces.web.server import Server, listening_socket

RICH = 1e9
"""A budget that is never spent."""


def arena(folder: Path) -> Arena:
    """Everything behind the page, in this folder."""
    return Arena(folder / "data", folder / "runs", [folder / "reports"])


def killed(behind: Arena) -> None:
    """What kill -9 leaves of a server: nothing was ended, but the system has closed its files."""
    behind._held.close()
    behind.games.close()


class Client:
    """A browser without a screen: it asks, and keeps its cookies."""

    address = "127.0.0.1"

    def __init__(self, arena: Arena, token: str = "", budget: float = RICH) -> None:
        self.app = application(arena, token, Budgets(budget), warm=False)
        self.loop, self.cookies = asyncio.new_event_loop(), dict[str, str]()
        finalize(self, _closed, self.loop)
        self.headers: dict[str, str] = {}

    def another(self, address: str = "127.0.0.1") -> "Client":
        """Somebody else at the same arena."""
        other = object.__new__(Client)
        other.app, other.loop, other.cookies, other.headers = self.app, self.loop, {}, {}
        other.address = address
        other.owner = self  # type: ignore[attr-defined]  # whose loop it is
        return other

    def send(
        self, method: str, path: str, content: bytes = b"", headers: dict[str, str] | None = None, length: bool = True
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and content of the answer."""
        path, _, query = path.partition("?")
        given = {"host": "127.0.0.1:8620", "cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if content and length:
            given["content-length"] = str(len(content))
        given |= self.headers | (headers or {})
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": method,
            "path": unquote_to_bytes(path).decode("utf-8", "replace"), "raw_path": path.encode("utf-8", "replace"),
            "query_string": query.encode("utf-8", "replace"), "root_path": "",
            "client": (self.address, 1), "server": ("127.0.0.1", 8620),
            "headers": [(name.lower().encode(), value.encode("utf-8", "replace")) for name, value in given.items()],
        }  # fmt: skip
        parts, answer = [content[:5000], content[5000:]], list[Any]()

        async def receive() -> dict[str, Any]:
            body = parts.pop(0) if parts else b""
            return {"type": "http.request", "body": body, "more_body": bool(parts)}

        async def send(message: dict[str, Any]) -> None:
            answer.append(message)

        self.loop.run_until_complete(self.app(scope, receive, send))  # type: ignore[arg-type]
        received = {name.decode(): value.decode() for name, value in answer[0]["headers"]}
        if cookie := received.get("set-cookie"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer[0]["status"], received, b"".join(each.get("body", b"") for each in answer[1:])

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        content = b"" if body is None else json.dumps(body).encode()
        status, _, answer = self.send(method, path, content, {"content-type": "application/json"} if content else {})
        return status, json.loads(answer)

    def get(self, path: str) -> Any:
        status, payload = self.ask("GET", path)
        assert status == 200, payload
        return payload

    def post(self, path: str, body: Any) -> Any:
        status, payload = self.ask("POST", path, body)
        assert status in (200, 201), payload
        return payload

    def begin(self, game: str, black: str, white: str, **more: Any) -> Any:
        return self.post("/api/tables", {"game": game, "black": black, "white": white} | more)

    def step(self, table: Any, move: str | None = None) -> Any:
        """The game after the machine's move, or after a person's if one is given."""
        path = f"/api/tables/{quote(table['id'])}"
        if move is None:
            return self.post(f"{path}/reply", {"ply": table["plies"]})
        return self.post(f"{path}/move", {"ply": table["plies"], "move": move})


def _closed(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


class Listening:
    """An arena that listens; stopped and started again, it has the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        self.arena = arena(self.folder)
        listening = listening_socket("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        self.server = Server(application(self.arena, budgets=Budgets(RICH), warm=False))
        self.thread = threading.Thread(target=self.server.run, args=[[listening]], daemon=True)
        self.thread.start()
        until = time.monotonic() + 30
        while not self.server.started:
            assert time.monotonic() < until
            time.sleep(0.02)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()


@contextmanager
def listening(folder: Path) -> Iterator[Listening]:
    found = Listening(folder)
    try:
        yield found
    finally:
        found.stop()
