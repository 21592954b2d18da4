"""Routes of games: what can be played, tables, and what people do at them."""

from asyncio import to_thread

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludus.interfaces.web import catalog
from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.matchmaking import Matchmaking
from ludus.interfaces.web.requests import Agree, AtPly, Mark, Move, NewTable, Nothing, body, client, number, visitor
from ludus.interfaces.web.safety import PICTURE_POLICY


class TableRoutes:
    """One handler for each route. `think` is for what a machine may need seconds for."""

    def __init__(self, arena: Arena) -> None:
        self.arena, self.tables = arena, arena.tables
        self.matchmaking = Matchmaking(arena.games, arena.catalog)

    def routes(self) -> list[Route]:
        table, shared = "/api/tables/{id}", "/api/shared/{token}"
        return [
            Route("/api/games", self.games),
            Route("/api/players", self.players),
            Route("/api/prepare", self.prepare),
            Route("/api/results", self.results),
            Route("/api/tables", self.list_tables),
            Route("/api/tables", self.begin, methods=["POST"]),
            Route(table, self.show),
            Route(f"{table}/move", self.move, methods=["POST"]),
            Route(f"{table}/reply", self.reply, methods=["POST"]),
            Route(f"{table}/undo", self.undo, methods=["POST"]),
            Route(f"{table}/hint", self.hint, methods=["POST"]),
            Route(f"{table}/resign", self.resign, methods=["POST"]),
            Route(f"{table}/flag", self.flag, methods=["POST"]),
            Route(f"{table}/mark", self.mark, methods=["POST"]),
            Route(f"{table}/agree", self.agree, methods=["POST"]),
            Route(f"{table}/resume", self.resume, methods=["POST"]),
            Route(f"{table}/share", self.share, methods=["POST"]),
            Route(shared, self.shared),
            *(Route(f"{place}/why/{{ply}}", self.why) for place in (table, shared)),
            *(Route(f"{place}/picture/{{ply}}", self.picture) for place in (table, shared)),
            *(Route(f"{place}/record/{{form}}", self.record) for place in (table, shared)),
        ]

    def _game(self, request: Request) -> tuple[str, str]:
        """Whose game is asked about, and its id: the visitor's own, or one that is shared."""
        token = request.path_params.get("token")
        return self.tables.owner(token) if token else (visitor(request), request.path_params["id"])

    async def games(self, request: Request) -> Response:
        return JSONResponse({"games": await to_thread(catalog.games)})

    async def players(self, request: Request) -> Response:
        game = catalog.offered_game(request.query_params.get("game", "")[:200])
        players = await to_thread(self.arena.catalog.players, game)
        found = await to_thread(self.matchmaking.opponent, visitor(request), game, players)
        suggested = catalog.suggested_opponent(game, players)
        return JSONResponse({"game": game.name, "players": players, "suggested": suggested, "found": found})

    async def prepare(self, request: Request) -> Response:
        asked = request.query_params
        game, players = asked.get("game", "")[:200], [text[:200] for text in asked.getlist("player")[:2]]
        return JSONResponse(await to_thread(self.arena.preparation.ask, game, players))

    async def results(self, request: Request) -> Response:
        return JSONResponse({"results": await to_thread(self.matchmaking.results, visitor(request))})

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
            wanted.stones,
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

    async def mark(self, request: Request) -> Response:
        wanted = await body(request, Mark)
        who, id = visitor(request), request.path_params["id"]
        return JSONResponse(await to_thread(self.tables.mark, who, id, wanted.ply, wanted.square))

    async def agree(self, request: Request) -> Response:
        wanted = await body(request, Agree)
        who, id = visitor(request), request.path_params["id"]
        return JSONResponse(await to_thread(self.tables.agree, who, id, wanted.ply, wanted.dead))

    async def resume(self, request: Request) -> Response:
        ply = (await body(request, AtPly)).ply
        return JSONResponse(await to_thread(self.tables.resume, visitor(request), request.path_params["id"], ply))

    async def share(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.tables.share, visitor(request), request.path_params["id"]))

    async def shared(self, request: Request) -> Response:
        return JSONResponse(await to_thread(self.tables.shared, request.path_params["token"]))

    async def why(self, request: Request) -> Response:
        ply = number(request.path_params["ply"])
        return JSONResponse(await self.arena.think(self.tables.why, *self._game(request), ply))

    async def picture(self, request: Request) -> Response:
        ply = number(request.path_params["ply"])
        drawing = await self.arena.think(self.tables.picture, *self._game(request), ply)
        return Response(drawing, media_type="image/svg+xml", headers={"Content-Security-Policy": PICTURE_POLICY})

    async def record(self, request: Request) -> Response:
        name, text = await to_thread(self.tables.download, *self._game(request), request.path_params["form"])
        return Response(
            text, media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )
