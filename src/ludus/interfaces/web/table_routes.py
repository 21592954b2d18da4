"""Routes of games: what can be played, tables, and what people do at them."""

from asyncio import to_thread

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludus.interfaces.web import catalog
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.requests import AtPly, Move, NewTable, Nothing, body, client, number, visitor
from ludus.interfaces.web.safety import PICTURE_POLICY


class TableRoutes:
    """One handler for each route. `think` is for what a machine may need seconds for."""

    def __init__(self, arena: Arena) -> None:
        self.arena, self.tables = arena, arena.tables

    def routes(self) -> list[Route]:
        table = "/api/tables/{id}"
        return [
            Route("/api/games", self.games),
            Route("/api/players", self.players),
            Route("/api/tables", self.list_tables),
            Route("/api/tables", self.begin, methods=["POST"]),
            Route(table, self.show),
            Route(f"{table}/move", self.move, methods=["POST"]),
            Route(f"{table}/reply", self.reply, methods=["POST"]),
            Route(f"{table}/undo", self.undo, methods=["POST"]),
            Route(f"{table}/hint", self.hint, methods=["POST"]),
            Route(f"{table}/resign", self.resign, methods=["POST"]),
            Route(f"{table}/flag", self.flag, methods=["POST"]),
            Route(f"{table}/why/{{ply}}", self.why),
            Route(f"{table}/picture/{{ply}}", self.picture),
            Route(f"{table}/record/{{form}}", self.record),
        ]

    async def games(self, request: Request) -> Response:
        return JSONResponse({"games": await to_thread(catalog.games)})

    async def players(self, request: Request) -> Response:
        game = catalog.offered_game(request.query_params.get("game", "")[:200])
        players = await to_thread(self.arena.catalog.players, game)
        return JSONResponse(
            {"game": game.name, "players": players, "suggested": catalog.suggested_opponent(game, players)}
        )

    async def list_tables(self, request: Request) -> Response:
        return JSONResponse({"tables": await to_thread(self.tables.listed, visitor(request))})

    async def begin(self, request: Request) -> Response:
        wanted = await body(request, NewTable)
        await to_thread(self.arena.admit, client(request))
        payload = await self.arena.think(
            self.tables.begin,
            visitor(request),
            wanted.game,
            (wanted.black, wanted.white),
            wanted.skill,
            wanted.opening,
            wanted.handicap,
            wanted.clock,
        )
        self.arena.note_game(client(request), payload["id"])
        return JSONResponse(payload, 201)

    async def show(self, request: Request) -> Response:
        since = number(request.query_params.get("since", "0"))
        return JSONResponse(await to_thread(self.tables.show, visitor(request), request.path_params["id"], since))

    async def move(self, request: Request) -> Response:
        wanted = await body(request, Move)
        who, id = visitor(request), request.path_params["id"]
        return JSONResponse(await to_thread(self.tables.move, who, id, wanted.ply, wanted.move))

    async def reply(self, request: Request) -> Response:
        ply = (await body(request, AtPly)).ply
        return JSONResponse(await self.arena.think(self.tables.reply, visitor(request), request.path_params["id"], ply))

    async def undo(self, request: Request) -> Response:
        ply = (await body(request, AtPly)).ply
        return JSONResponse(await to_thread(self.tables.undo, visitor(request), request.path_params["id"], ply))

    async def hint(self, request: Request) -> Response:
        ply = (await body(request, AtPly)).ply
        return JSONResponse(await self.arena.think(self.tables.hint, visitor(request), request.path_params["id"], ply))

    async def resign(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.tables.resign, visitor(request), request.path_params["id"]))

    async def flag(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.tables.flag, visitor(request), request.path_params["id"]))

    async def why(self, request: Request) -> Response:
        ply = number(request.path_params["ply"])
        return JSONResponse(await self.arena.think(self.tables.why, visitor(request), request.path_params["id"], ply))

    async def picture(self, request: Request) -> Response:
        ply = number(request.path_params["ply"])
        drawing = await self.arena.think(self.tables.picture, visitor(request), request.path_params["id"], ply)
        return Response(drawing, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})

    async def record(self, request: Request) -> Response:
        id, form = request.path_params["id"], request.path_params["form"]
        name, text = await to_thread(self.tables.download, visitor(request), id, form)
        return Response(
            text, media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )
