"""Routes of the coach: reviews of games, games tried again or brought along in a file, puzzles.

GET  /api/tables/ID/review        how far the review is and what it found, by ?judge=; POST starts it
POST /api/tables/ID/again         a new game from a position of this one
POST /api/import                  games from a file (SGF, PDN, GGF)
GET  /api/puzzles                 how many there are, and how many are solved
GET  /api/puzzles/next            a puzzle by ?source=, ?game=, ?difficulty=, behind ?after=
POST /api/puzzles/ID              a move that may solve it; .../solution gives up
"""

from asyncio import to_thread
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.limits import BODY_BYTES
from ludus.interfaces.web.practice import check_kind
from ludus.interfaces.web.requests import AtPly, Body, Nothing, Short, body, client, visitor


class By(Body):
    """For the start of a review."""

    judge: Short = ""


class File(Body):
    """A file of games."""

    name: Short
    text: Annotated[str, Field(max_length=BODY_BYTES)]


class Answer(Body):
    move: Short


class CoachRoutes:
    """One handler for each route."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena

    def routes(self) -> list[Route]:
        table = "/api/tables/{id}"
        return [
            Route(f"{table}/review", self.show_review),
            Route(f"{table}/review", self.start_review, methods=["POST"]),
            Route(f"{table}/again", self.again, methods=["POST"]),
            Route("/api/import", self.import_games, methods=["POST"]),
            Route("/api/puzzles", self.puzzles),
            Route("/api/puzzles/next", self.next_puzzle),
            Route("/api/puzzles/{id}", self.answer, methods=["POST"]),
            Route("/api/puzzles/{id}/solution", self.solution, methods=["POST"]),
        ]

    async def show_review(self, request: Request) -> Response:
        by = request.query_params.get("judge", "")[:200]
        return JSONResponse(
            await self.arena.think(self.arena.reviews.show, visitor(request), request.path_params["id"], by)
        )

    async def start_review(self, request: Request) -> Response:
        by, id = (await body(request, By)).judge, request.path_params["id"]
        return JSONResponse(await self.arena.think(self.arena.reviews.start, visitor(request), id, by))

    async def again(self, request: Request) -> Response:
        ply, id = (await body(request, AtPly)).ply, request.path_params["id"]
        await to_thread(self.arena.admit, client(request))
        payload = await to_thread(self.arena.continuations.again, visitor(request), id, ply)
        self.arena.note_game(client(request), payload["id"])
        return JSONResponse(payload, 201)

    async def import_games(self, request: Request) -> Response:
        file = await body(request, File)
        await to_thread(self.arena.admit, client(request))
        tables = await to_thread(self.arena.continuations.imported, visitor(request), file.name, file.text)
        for id in tables:  # many have no result
            self.arena.note_game(client(request), id)
        return JSONResponse({"tables": tables}, 201)

    async def puzzles(self, request: Request) -> Response:
        return JSONResponse(await to_thread(self.arena.practice.overview, visitor(request)))

    async def next_puzzle(self, request: Request) -> Response:
        asked = {name: request.query_params.get(name, "")[:60] for name in ("source", "game", "difficulty", "after")}
        check_kind(asked["source"], asked["difficulty"])
        return JSONResponse(await to_thread(self.arena.practice.next, visitor(request), *asked.values()))

    async def answer(self, request: Request) -> Response:
        move, id = (await body(request, Answer)).move, request.path_params["id"]
        return JSONResponse(await to_thread(self.arena.practice.answer, visitor(request), id, move))

    async def solution(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.arena.practice.solution, visitor(request), request.path_params["id"]))
