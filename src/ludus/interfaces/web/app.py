"""The arena's HTTP interface: what can be asked, in which words, and who answers.

GET  /                            the page; its parts are under /page/
GET  /api/games, /api/players     what can be played, and against whom
POST /api/tables                  begin a game; then, each with the number of moves so far where it matters:
GET  /api/tables, /api/tables/ID  my games; one of them
POST /api/tables/ID/ACTION        move, reply (the machine moves), undo, hint, resign, flag
GET  /api/tables/ID/why/PLY       what the machine weighed; picture/PLY draws it
GET  /api/tables/ID/record/FORM   the game as SGF, PDN or GGF
GET  /api/learners, /api/runs     and POST to start, stop and resume runs
GET  /api/studies, /api/papers    leagues and profiles (POST to start and stop), reports
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ludus.errors import LudusError
from ludus.interfaces.web import catalog as offered
from ludus.interfaces.web.catalog import Catalog
from ludus.interfaces.web.jobs import Jobs
from ludus.interfaces.web.learning import Learning
from ludus.interfaces.web.limits import PATIENCE_SECONDS, WAITING, Budgets, Refused
from ludus.interfaces.web.safety import PICTURE_POLICY, REPORT_POLICY, Guard
from ludus.interfaces.web.studies import Reports, Studies
from ludus.interfaces.web.tables import Tables
from ludus.lab.arena_games import ArenaGames

PAGE = Path(__file__).parent / "page"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
WARM_UP = (
    ("othello8", "heuristic"),
    ("othello8", "alphabeta:depth=2"),
    ("checkers", "alphabeta:depth=2"),
    ("go9", "wally"),
)

Found = TypeVar("Found")
Handler = Callable[[Request], Awaitable[Response]]


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


Short = Annotated[str, Field(max_length=200)]
Ply = Annotated[int, Field(ge=0, le=10_000)]
Seed = Annotated[int, Field(ge=0, le=2**53)]


class NewTable(Asked):
    game: Short
    black: Short
    white: Short
    skill: Literal["", "new", "average", "strong"] = ""
    opening: Annotated[int, Field(ge=0, le=20)] = 0
    handicap: Annotated[float, Field(ge=0, le=1)] = 0.0
    clock: Annotated[float, Field(ge=0, le=7200)] = 0.0


class AtPly(Asked):
    ply: Ply


class Move(AtPly):
    move: Short


class Nothing(Asked):
    pass


class NewRun(Asked):
    learner: Short
    game: Short
    seed: Seed = 1
    settings: Annotated[dict[Short, str | bool | int | float | None], Field(max_length=60)] = {}


class NewStudy(Asked):
    kind: Literal["league", "profile"]
    game: Short
    players: Annotated[list[Short], Field(max_length=20)]
    games: Annotated[int, Field(ge=1, le=1000)] = 20
    seed: Seed = 1


Body = TypeVar("Body", bound=Asked)


async def body(request: Request, kind: type[Body]) -> Body:
    """What a request asks for, if it is of that kind."""
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the request"
        raise LudusError(f"{where[:60]}: {first['msg'][:200]}") from None
    except RecursionError:
        raise LudusError("the request: its JSON is nested too deeply") from None


class Arena:
    """Everything behind the page."""

    def __init__(self, data: Path, runs: Path, reports: list[Path], threads: int | None = None) -> None:
        self.games = ArenaGames(data / "arena.sqlite")
        self.catalog, self.jobs = Catalog(runs), Jobs(data / "jobs")
        self.tables = Tables(self.games, self.catalog)
        self.learning = Learning(self.catalog, self.jobs)
        self.studies, self.reports = Studies(data / "studies", self.catalog, self.jobs), Reports(reports)
        self._thinkers = ThreadPoolExecutor(threads or max(2, os.cpu_count() or 1), "thinker")
        self._warming = ThreadPoolExecutor(1, "warming")
        self._waiting = 0

    async def thought(self, work: Callable[..., Found], *given: Any) -> Found:
        """What comes of work that may take seconds."""
        if self._waiting >= WAITING:
            raise Refused(503, "too many are waiting for a machine to think; try again in a moment")
        self._waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._thinkers, work, *given)
        future.add_done_callback(lambda _: self._one_less())
        try:
            return await asyncio.wait_for(asyncio.shield(future), PATIENCE_SECONDS)
        except TimeoutError:
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise Refused(503, "the machine needs longer than usual; ask again in a moment") from None

    def _one_less(self) -> None:
        self._waiting -= 1

    def warm_up(self) -> None:
        """Have the kernels of common players compiled or loaded before somebody waits for them."""
        self._warming.submit(self._warm)

    def _warm(self) -> None:
        from ludus.dice import stream
        from ludus.players.explanations import explained

        for name, text in WARM_UP:
            with suppress(LudusError, RuntimeError):
                game = offered.offered_game(name)
                machine = self.catalog.make(text, game)
                seat = machine.player.seat()
                seat.begin(game.start(), [])
                game.start().play(seat.choose(game.start(), stream(1, "warm up")))
                explained(machine.parts, game.start())

    def close(self) -> None:
        self.jobs.close()
        self._warming.shutdown(wait=False, cancel_futures=True)
        self._thinkers.shutdown(wait=True, cancel_futures=True)
        self.games.close()


def application(arena: Arena, token: str = "", budgets: Budgets | None = None, warm: bool = True) -> ASGIApp:
    """The ASGI application."""

    @asynccontextmanager
    async def lifespan(app: ASGIApp) -> AsyncIterator[None]:
        if warm:
            arena.warm_up()
        yield
        await asyncio.to_thread(arena.close)

    # a router alone: the guard tells of every error, where starlette's application would answer by itself
    routes = [*_page(), *_tables(arena), *_learning(arena)]
    router = Router(routes, redirect_slashes=False, default=_nothing_there, lifespan=lifespan)
    return Guard(router, token, arena.games.knows, arena.games.welcome, budgets or Budgets())


async def _nothing_there(scope: Scope, receive: Receive, send: Send) -> None:
    raise Refused(404, "there is nothing at this address")


def _page() -> list[Route]:
    """The page's files, read once: no request reaches the disk."""
    files = {file.name: (file.read_bytes(), TYPES[file.suffix]) for file in PAGE.iterdir() if file.suffix in TYPES}

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            raise Refused(404, "there is nothing at this address")
        content, kind = files[name]
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return [Route("/", page), Route("/page/{name}", page)]


def _tables(arena: Arena) -> list[Route]:
    tables = arena.tables

    def visitor(request: Request) -> str:
        return str(request.state.visitor)

    async def games(request: Request) -> Response:
        return JSONResponse({"games": await asyncio.to_thread(offered.games)})

    async def players(request: Request) -> Response:
        game = offered.offered_game(request.query_params.get("game", "")[:200])
        return JSONResponse({"game": game.name, "players": await asyncio.to_thread(arena.catalog.players, game)})

    async def begin(request: Request) -> Response:
        asked = await body(request, NewTable)
        given = (asked.game, (asked.black, asked.white), asked.skill, asked.opening, asked.handicap, asked.clock)
        return JSONResponse(await arena.thought(tables.begin, visitor(request), *given), 201)

    async def listed(request: Request) -> Response:
        return JSONResponse({"tables": await asyncio.to_thread(tables.listed, visitor(request))})

    async def show(request: Request) -> Response:
        since = _number(request.query_params.get("since", "0"))
        return JSONResponse(await asyncio.to_thread(tables.show, visitor(request), request.path_params["id"], since))

    async def act(request: Request) -> Response:
        action, who, id = request.path_params["action"], visitor(request), request.path_params["id"]
        if action == "move":
            move = await body(request, Move)
            return JSONResponse(await asyncio.to_thread(tables.move, who, id, move.ply, move.move))
        if action in ("reply", "hint"):
            work = tables.reply if action == "reply" else tables.hint
            return JSONResponse(await arena.thought(work, who, id, (await body(request, AtPly)).ply))
        if action == "undo":
            return JSONResponse(await asyncio.to_thread(tables.undo, who, id, (await body(request, AtPly)).ply))
        if action in ("resign", "flag"):
            await body(request, Nothing)
            work_now = tables.resign if action == "resign" else tables.flag
            return JSONResponse(await asyncio.to_thread(work_now, who, id))
        raise Refused(404, "there is nothing at this address")

    async def why(request: Request) -> Response:
        ply = _number(request.path_params["ply"])
        return JSONResponse(await arena.thought(tables.why, visitor(request), request.path_params["id"], ply))

    async def picture(request: Request) -> Response:
        ply = _number(request.path_params["ply"])
        drawn = await arena.thought(tables.picture, visitor(request), request.path_params["id"], ply)
        return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})

    async def record(request: Request) -> Response:
        given = (visitor(request), request.path_params["id"], request.path_params["form"])
        name, text = await asyncio.to_thread(tables.download, *given)
        return Response(
            text, media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    return [
        Route("/api/games", games),
        Route("/api/players", players),
        Route("/api/tables", begin, methods=["POST"]),
        Route("/api/tables", listed),
        Route("/api/tables/{id}", show),
        Route("/api/tables/{id}/why/{ply}", why),
        Route("/api/tables/{id}/picture/{ply}", picture),
        Route("/api/tables/{id}/record/{form}", record),
        Route("/api/tables/{id}/{action}", act, methods=["POST"]),
    ]


def _learning(arena: Arena) -> list[Route]:
    async def learners(request: Request) -> Response:
        return JSONResponse({"learners": await asyncio.to_thread(arena.learning.learners)})

    async def runs(request: Request) -> Response:
        return JSONResponse({"runs": await asyncio.to_thread(arena.learning.runs)})

    async def curve(request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(arena.learning.curve, request.path_params["id"]))

    async def start(request: Request) -> Response:
        asked = await body(request, NewRun)
        given = (asked.learner, asked.game, asked.settings, asked.seed)
        return JSONResponse(await asyncio.to_thread(arena.learning.start, *given), 201)

    async def change(request: Request) -> Response:
        await body(request, Nothing)
        works = {"stop": arena.learning.stop, "resume": arena.learning.resume}
        if (action := request.path_params["action"]) not in works:
            raise Refused(404, "there is nothing at this address")
        return JSONResponse(await asyncio.to_thread(works[action], request.path_params["id"]))

    async def studies(request: Request) -> Response:
        return JSONResponse({"studies": await asyncio.to_thread(arena.studies.listed)})

    async def study(request: Request) -> Response:
        asked = await body(request, NewStudy)
        given = (asked.kind, asked.game, asked.players, asked.games, asked.seed)
        return JSONResponse(await asyncio.to_thread(arena.studies.start, *given), 201)

    async def stop_study(request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await asyncio.to_thread(arena.studies.stop, request.path_params["id"]))

    async def papers(request: Request) -> Response:
        return JSONResponse({"papers": await asyncio.to_thread(arena.reports.listed)})

    async def report(request: Request) -> Response:
        given = (request.path_params["key"], request.path_params.get("name", "index.html"))
        content, kind = await asyncio.to_thread(arena.reports.file, *given)
        return Response(content, media_type=kind, headers={"Content-Security-Policy": REPORT_POLICY})

    return [
        Route("/api/learners", learners),
        Route("/api/runs", runs),
        Route("/api/runs", start, methods=["POST"]),
        Route("/api/runs/{id}", curve),
        Route("/api/runs/{id}/{action}", change, methods=["POST"]),
        Route("/api/studies", studies),
        Route("/api/studies", study, methods=["POST"]),
        Route("/api/studies/{id}/stop", stop_study, methods=["POST"]),
        Route("/api/papers", papers),
        Route("/papers/{key}/", report),
        Route("/papers/{key}/{name}", report),
    ]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise LudusError(f"{text[:20]!r} is not a number of moves; write one such as 12")
    return int(text)
