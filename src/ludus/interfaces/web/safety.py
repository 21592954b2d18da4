"""What stands before every request: who may ask, how much, and what browsers must refuse.

The server listens on loopback unless a token is given. Without a token only loopback names are accepted as Host, so
that another site can't reach it under a name of its own (DNS rebinding). Changes must come from the page itself: their
Origin is the Host, and they are JSON. Errors are one JSON object `{"error": sentence}`, whatever happens.
"""

import asyncio
import hmac
import ipaddress
import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.errors import LudusError
from ludus.interfaces.web.limits import BODY_BYTES, BODY_SECONDS, CHANGE_COSTS, Budgets, Refused

log = logging.getLogger("ludus.arena")

VISITOR, TOKEN = "ludus-visitor", "ludus-token"
YEAR = 365 * 86400
_VISITOR = re.compile(r"[A-Za-z0-9_-]{22}")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
REPORT_POLICY = "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'"

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}

ASK_FOR_TOKEN = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ludus arena</title></head>
<body><main><h1>Ludus arena</h1><p>Enter the token that this arena was started with.</p>
<form action="/" method="get"><label>Token <input name="token" type="password" autocomplete="off" autofocus></label>
<button>Enter</button></form></main></body></html>"""


def is_loopback(host: str) -> bool:
    """Whether an address or name is this machine's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def error(status: int, message: str) -> JSONResponse:
    """The one shape of an error."""
    return JSONResponse({"error": message}, status)


def _host_name(host: str) -> str:
    """Without the port."""
    return host[: host.index("]") + 1] if host.startswith("[") and "]" in host else host.partition(":")[0]


class Guard:
    """Lets requests through to the application that may pass, with the visitor's name in `request.state.visitor`."""

    def __init__(
        self, app: ASGIApp, token: str, knows: Callable[[str], bool], welcome: Callable[[str], None], budgets: Budgets
    ) -> None:
        self._app, self._token, self._knows, self._welcome, self._budgets = app, token, knows, welcome, budgets
        self._known: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no websockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        headers, cookies, begun = Headers(scope=scope), _cookies(scope), False
        fresh = ""

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                given = {name.lower() for name, _ in message["headers"]}
                extra = [
                    (name.lower().encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.lower().encode() not in given
                ]
                if fresh:
                    extra.append((b"set-cookie", _cookie(VISITOR, fresh)))
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        try:
            if refused := self._refused(scope, headers, cookies):
                await refused(scope, receive, answer)
                return
            change = scope["method"] not in ("GET", "HEAD")
            visitor = cookies.get(VISITOR, "")
            known = bool(_VISITOR.fullmatch(visitor)) and await self._is_known(visitor)
            client = visitor if known else f"address {(scope.get('client') or ('unknown',))[0]}"
            self._budgets.spend(client, CHANGE_COSTS if change else 1)
            if not known and (scope["path"] == "/" or scope["path"].startswith("/api/")):
                visitor = fresh = secrets.token_urlsafe(16)
                await asyncio.to_thread(self._welcome, fresh)
            scope.setdefault("state", {})["visitor"] = visitor
            scope["app"] = self  # then routes raise what is wrong instead of answering it as text
            body = await _body(headers, receive) if change else b""
            await self._app(scope, _again(body), answer)
        except Exception as problem:
            if begun:
                raise
            await _error_response(problem)(scope, receive, answer)

    async def _is_known(self, visitor: str) -> bool:
        if visitor not in self._known:
            if not await asyncio.to_thread(self._knows, visitor):
                return False
            if len(self._known) > 100_000:
                self._known.clear()
            self._known.add(visitor)
        return True

    def _refused(self, scope: Scope, headers: Headers, cookies: dict[str, str]) -> Response | None:
        """The answer to a request that may not pass."""
        host = headers.get("host", "").lower()
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return error(405, f"{scope['method']} is not allowed here; use GET or POST")
        if self._token:
            if not self._has_token(headers, cookies):
                return self._ask_for_token(scope, headers)
        elif not is_loopback(_host_name(host)):
            return error(421, f"{host[:60]!r} is not a name of this server; use http://127.0.0.1 and its port")
        if scope["method"] == "POST":
            origin = headers.get("origin")
            if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
                return error(403, "changes are accepted from the arena's own page only")
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return error(403, "changes are accepted from the arena's own page only")
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return error(415, "changes must be JSON; send them with Content-Type: application/json")
        return None

    def _has_token(self, headers: Headers, cookies: dict[str, str]) -> bool:
        given = [cookies.get(TOKEN, ""), headers.get("authorization", "").removeprefix("Bearer ")]
        return any(hmac.compare_digest(each.encode(), self._token.encode()) for each in given)

    def _ask_for_token(self, scope: Scope, headers: Headers) -> Response:
        if scope["path"] == "/" and scope["method"] == "GET":
            given = Request(scope).query_params.get("token", "")
            self._budgets.spend(f"token from {(scope.get('client') or ('unknown',))[0]}", 10 if given else 1)
            if hmac.compare_digest(given.encode(), self._token.encode()):
                welcome = RedirectResponse("/", 303)
                welcome.headers["set-cookie"] = _cookie(TOKEN, given).decode()
                return welcome
            if "text/html" in headers.get("accept", ""):
                return HTMLResponse(ASK_FOR_TOKEN, 401)
        return error(401, "this arena needs its token; open it as http://.../?token=TOKEN")


def _cookies(scope: Scope) -> dict[str, str]:
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}


def _cookie(name: str, value: str) -> bytes:
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={YEAR}".encode()


async def _body(headers: Headers, receive: Receive) -> bytes:
    """The whole body, if it is small and comes soon."""
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > BODY_BYTES:
        raise Refused(413, f"the request is too long; at most {BODY_BYTES} bytes are accepted")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > BODY_BYTES:
                    raise Refused(413, f"the request is too long; at most {BODY_BYTES} bytes are accepted")
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise Refused(408, "this request did not arrive in time") from None


def _again(body: bytes) -> Callable[[], Awaitable[Message]]:
    """Receives a body that was read already."""
    parts: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return parts.pop() if parts else {"type": "http.disconnect"}

    return receive


def _error_response(problem: Exception) -> Response:
    """What went wrong, for the client: never a traceback."""
    if isinstance(problem, Refused):
        return error(problem.status, str(problem))
    if isinstance(problem, LudusError):
        return error(400, str(problem))
    if isinstance(problem, HTTPException):
        return error(problem.status_code, "this method is not allowed here; GET asks and POST changes")
    log.error("a request failed", exc_info=problem)
    return error(500, "something went wrong in the server; see its log")
