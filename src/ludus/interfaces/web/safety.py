"""What stands before every request: who may ask, how much, and what browsers must refuse.

The server listens on loopback unless there is a token. Without a token only loopback names are accepted as Host, so
that another site can't reach it under a name of its own (DNS rebinding). Changes must come from the page itself: their
Origin is the Host, and they are JSON. Cookies are free, so an address has a budget of its own beside its visitors', and
pays for every token that it names before it is looked at. Errors are one JSON object `{"error": sentence}`, whatever
happens.
"""

import asyncio
import hmac
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludus.errors import LudusError, StorageError
from ludus.interfaces.web.clients import Client, asking, is_loopback, network
from ludus.interfaces.web.limits import (
    AT_ONCE,
    AT_ONCE_OF_ONE,
    BODY_BYTES,
    BODY_SECONDS,
    CHANGE_COSTS,
    GUESS_COSTS,
    OF_ADDRESS,
    AddressLimits,
    AtOnce,
    Budgets,
    Refused,
)
from ludus.storage import why

log = logging.getLogger("ludus.arena")

VISITOR, TOKEN = "ludus-visitor", "ludus-token"
YEAR = 365 * 86400
VISITORS = 100_000
"""How many are remembered without looking them up."""
_VISITOR = re.compile(r"[A-Za-z0-9_-]{22}")
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\[\]:@/]+))(?::[0-9]{1,5})?")
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""With one of these a request comes through a proxy, so its sender need not sit at this machine."""

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


def error(status: int, message: str, retry_after: int | None = None) -> JSONResponse:
    """The one shape of an error."""
    headers = None if retry_after is None else {"Retry-After": str(retry_after)}
    return JSONResponse({"error": message}, status, headers)


def _host_name(host: str) -> str:
    """Without the port; nothing if it can't be a host's name."""
    parts = _HOST.fullmatch(host)
    return parts[1] or parts[2] if parts else ""


class Guard:
    """Lets requests through to the application that may pass, with who asks in `request.state.client`."""

    def __init__(
        self,
        app: ASGIApp,
        token: str,
        knows: Callable[[str], bool],
        welcome: Callable[[str], None],
        budgets: Budgets,
        of_address: AddressLimits = OF_ADDRESS,
        teacher: str = "",
    ) -> None:
        self._app, self._token, self._knows, self._welcome, self._budgets = app, token, knows, welcome, budgets
        self._teacher = teacher  # a second token, which is worth more
        self._addresses, self._guesses = Budgets(of_address.visitors * budgets.most), Budgets()
        self._at_once = AtOnce(AT_ONCE, of_address.at_once, AT_ONCE_OF_ONE, "requests at once")
        self._known, self._new = set[str](), OrderedDict[str, None]()  # names that are stored, and that are not yet

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
            address, change = _address(scope), scope["method"] not in ("GET", "HEAD")
            cost = CHANGE_COSTS if change else 1
            self._addresses.spend(address, cost)
            if refused := self._refused(scope, headers, cookies, address):
                await refused(scope, receive, answer)
                return
            visitor, fresh = await self._visitor(scope, cookies, address, cost)
            here, teaches = _at_this_machine(scope, headers), any(map(self._is_teacher, _given(headers, cookies)))
            who = Client(visitor, address, not self._token or here, teaches)
            self._at_once.enter(who)
            try:
                asking.set(who)
                scope.setdefault("state", {})["client"] = who
                scope["app"] = self  # then routes raise what is wrong instead of answering it as text
                body = await _body(headers, receive) if change else b""
                await self._app(scope, _again(body), answer)
            finally:
                self._at_once.leave(who)
        except asyncio.CancelledError:  # the server closes; what the machine finds now is not kept
            if not begun:
                await error(503, "the arena is closing; your game is kept")(scope, receive, answer)
        except Exception as problem:
            if begun:
                raise
            await _error_response(problem)(scope, receive, answer)

    async def _visitor(self, scope: Scope, cookies: dict[str, str], address: str, cost: float) -> tuple[str, str]:
        """The name of who asks, twice if it is new; their budget pays for the request."""
        name, fresh = cookies.get(VISITOR, ""), ""
        known = bool(_VISITOR.fullmatch(name)) and await self._is_known(name)
        self._budgets.spend(name if known else f"address {address}", cost)
        if not known:
            name = fresh = self._new_visitor(scope)
        if cost == CHANGE_COSTS and name in self._new:  # who only looks around leaves no trace
            await asyncio.to_thread(self._welcome, name)
            self._remember(name)
            self._new.pop(name, None)
        return name, fresh

    def _new_visitor(self, scope: Scope) -> str:
        """The name of somebody new; nobody needs one for the files of the page."""
        if scope["path"] != "/" and not scope["path"].startswith("/api/"):
            return ""
        name = secrets.token_urlsafe(16)
        self._new[name] = None
        if len(self._new) > VISITORS:
            self._new.popitem(last=False)
        return name

    async def _is_known(self, visitor: str) -> bool:
        if visitor not in self._known and visitor not in self._new:
            if not await asyncio.to_thread(self._knows, visitor):
                return False
            self._remember(visitor)
        return True

    def _remember(self, visitor: str) -> None:
        if len(self._known) > VISITORS:
            self._known.clear()
        self._known.add(visitor)

    def _refused(self, scope: Scope, headers: Headers, cookies: dict[str, str], address: str) -> Response | None:
        """The answer to a request that may not pass."""
        host = headers.get("host", "").lower()
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return error(405, f"{scope['method']} is not allowed here; use GET or POST")
        if self._token:
            if refused := self._without_token(scope, headers, cookies, address):
                return refused
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

    def _is_teacher(self, given: str) -> bool:
        return bool(self._teacher) and _same(given, self._teacher)

    def _without_token(self, scope: Scope, headers: Headers, cookies: dict[str, str], address: str) -> Response | None:
        """The answer to a request that does not name the token, or that first names it and gets it as a cookie."""
        enters = scope["path"] == "/" and scope["method"] == "GET"
        asked = Request(scope).query_params.get("token", "") if enters else ""
        given = [*_given(headers, cookies), asked]
        cost = GUESS_COSTS * sum(map(bool, given)) or 1
        # whoever has a visitor's name got it here, by the token, and is not kept out by others who guess
        visitor = cookies.get(VISITOR, "")
        limited = visitor not in self._known and visitor not in self._new
        if limited:
            self._guesses.spend(address, cost)
        by_cookie, by_header, by_address = (_same(each, self._token) or self._is_teacher(each) for each in given)
        if limited and (by_cookie or by_header or by_address):
            self._guesses.give_back(address, cost)
        if by_cookie or by_header:
            return None
        if by_address:
            welcome = RedirectResponse("/", 303)
            welcome.headers["set-cookie"] = _cookie(TOKEN, asked).decode()
            return welcome
        if enters and "text/html" in headers.get("accept", ""):
            return HTMLResponse(ASK_FOR_TOKEN, 401)
        return error(401, "this arena needs its token; open it as http://.../?token=TOKEN")


def _given(headers: Headers, cookies: dict[str, str]) -> tuple[str, str]:
    """The token that a request has as a cookie, and the one in its head."""
    return cookies.get(TOKEN, ""), headers.get("authorization", "").removeprefix("Bearer ")


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _address(scope: Scope) -> str:
    return network((scope.get("client") or ("",))[0])


def _at_this_machine(scope: Scope, headers: Headers) -> bool:
    """Whether a request comes from this machine itself, and through no proxy."""
    here = is_loopback((scope.get("client") or ("",))[0]) and is_loopback(_host_name(headers.get("host", "").lower()))
    return here and not any(name in headers for name in FORWARDED)


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
        return error(problem.status, str(problem), problem.retry_after)
    cause = problem.__cause__ if isinstance(problem, StorageError) else problem
    if isinstance(cause, OSError) and cause.errno is not None:  # which file that is, is nobody's business
        log.error("a request failed: %s", problem)
        return error(503, f"the server can't use its disk now ({why(cause)}); try again in a moment")
    if isinstance(problem, StorageError):
        log.error("a request failed: %s", problem)
        return error(503, str(problem))
    if isinstance(problem, LudusError):
        return error(400, str(problem))
    if isinstance(problem, HTTPException):
        return error(problem.status_code, "this method is not allowed here; GET asks and POST changes")
    log.error("a request failed", exc_info=problem)
    return error(500, "something went wrong in the server; see its log")
