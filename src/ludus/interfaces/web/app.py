"""The arena's HTTP interface.

GET  /                            the page; its files are under /page/
GET  /api/games, /api/players     what can be played, and against whom
POST /api/tables                  begin a game
GET  /api/tables, /api/tables/ID  my games; one of them
POST /api/tables/ID/ACTION        move, reply (the machine moves), undo, hint, resign, flag (look at the clock), mark (a
                                  piece is dead), agree (with the dead pieces that one has seen), resume, share; each
                                  with the number of moves so far where it matters
GET  /api/shared/TOKEN            a game that was shared; why, picture and record as of one's own
GET  /api/results                 my results against machines
GET  /api/prepare                 compile players before somebody waits for them, and tell how far that is
GET  /api/tables/ID/why/PLY       how the machine evaluated its moves; picture/PLY draws the machine
GET  /api/tables/ID/record/FORM   the game as SGF, PDN or GGF
GET  /api/learners, /api/runs     and POST to start, stop and resume runs
GET  /api/studies, /api/papers    leagues and profiles (POST to start and stop), reports
GET  /api/class, /api/class/wall  the class as a pupil sees it, its league; POST to join, enter a player, challenge

Games are in `table_routes`, everything about learning in `learning_routes`, reviews and puzzles in `coach_routes`, with
a list of its own, a class in `class_routes`: one handler for each route.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.class_routes import ClassRoutes
from ludus.interfaces.web.coach_routes import CoachRoutes
from ludus.interfaces.web.learning_routes import LearningRoutes
from ludus.interfaces.web.limits import Budgets, Refused
from ludus.interfaces.web.safety import Guard
from ludus.interfaces.web.table_routes import TableRoutes

PAGE = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def application(
    arena: Arena, token: str = "", budgets: Budgets | None = None, warm: bool = True, teacher: str = ""
) -> ASGIApp:
    """The ASGI application; a class has a second token, the teacher's."""

    @asynccontextmanager
    async def lifespan(app: ASGIApp) -> AsyncIterator[None]:
        if warm:
            arena.warm_up()
        yield
        await asyncio.to_thread(arena.close)

    # a router alone: the guard reports every error, where starlette's application would answer by itself
    parts = (TableRoutes(arena), LearningRoutes(arena), CoachRoutes(arena), ClassRoutes(arena, token))
    routes = [*_page(), *(route for part in parts for route in part.routes())]
    router = Router(routes, redirect_slashes=False, default=_nothing_there, lifespan=lifespan)
    games = arena.games
    return Guard(router, token, games.has_visitor, games.add_visitor, budgets or Budgets(), arena.of_address, teacher)


async def _nothing_there(scope: Scope, receive: Receive, send: Send) -> None:
    raise Refused(404, "there is nothing at this address")


def _page() -> list[Route]:
    """The page's files, read once: no request reaches the disk."""
    files = {file.name: (file.read_bytes(), TYPES[file.suffix]) for file in PAGE.iterdir() if file.suffix in TYPES}

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            raise Refused(404, "there is nothing at this address")
        content, media_type = files[name]
        return Response(content, media_type=media_type, headers={"Cache-Control": "no-cache"})

    return [Route("/", page), Route("/page/{name}", page)]
