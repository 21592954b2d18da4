"""Routes of a class (`ludus serve --class`)."""

from asyncio import to_thread

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.classroom import Classroom
from ludus.interfaces.web.limits import Refused
from ludus.interfaces.web.requests import Answer, Closed, Entry, Join, NewChallenge, Removed, body, client


class ClassRoutes:
    """One handler for each route; every change is answered with the class as it is now."""

    def __init__(self, arena: Arena, token: str) -> None:
        self.arena, self._token = arena, token

    def routes(self) -> list[Route]:
        return [
            Route("/api/class", self.show),
            Route("/api/class/wall", self.wall),
            Route("/api/class/players", self.players),
            Route("/api/class/join", self.join, methods=["POST"]),
            Route("/api/class/entry", self.enter, methods=["POST"]),
            Route("/api/class/challenge", self.challenge, methods=["POST"]),
            Route("/api/class/answer", self.answer, methods=["POST"]),
            Route("/api/class/closed", self.close, methods=["POST"]),
            Route("/api/class/remove", self.remove, methods=["POST"]),
        ]

    @property
    def classroom(self) -> Classroom:
        if self.arena.classroom is None:
            raise Refused(404, "there is no class here; start one with ludus serve --class")
        return self.arena.classroom

    async def _shown(self, request: Request) -> Response:
        return JSONResponse({"class": await to_thread(self.classroom.show, client(request))})

    async def show(self, request: Request) -> Response:
        return await self._shown(request) if self.arena.classroom else JSONResponse({"class": None})

    async def wall(self, request: Request) -> Response:
        wall = await to_thread(self.classroom.wall)
        return JSONResponse(wall | {"token": self._token if client(request).teacher else ""})

    async def players(self, request: Request) -> Response:
        return JSONResponse({"players": await to_thread(self.classroom.offered, client(request))})

    async def join(self, request: Request) -> Response:
        await to_thread(self.classroom.join, client(request), (await body(request, Join)).name)
        return await self._shown(request)

    async def enter(self, request: Request) -> Response:
        player = (await body(request, Entry)).player
        await self.arena.think(self.classroom.enter, client(request), player)
        return await self._shown(request)

    async def challenge(self, request: Request) -> Response:
        wanted = await body(request, NewChallenge)
        asked = wanted.pupil, wanted.side, wanted.clock
        await to_thread(self.classroom.challenge, client(request), *asked)
        return await self._shown(request)

    async def answer(self, request: Request) -> Response:
        wanted = await body(request, Answer)
        who = client(request)
        if wanted.accept:
            await to_thread(self.arena.admit, who)
        answer = await to_thread(self.classroom.answer, who, wanted.challenge, wanted.accept)
        if answer["table"]:
            self.arena.note_game(who, answer["table"])
        return JSONResponse(answer)

    async def close(self, request: Request) -> Response:
        await to_thread(self.classroom.set_closed, client(request), (await body(request, Closed)).closed)
        return await self._shown(request)

    async def remove(self, request: Request) -> Response:
        wanted = await body(request, Removed)
        await to_thread(self.classroom.remove, client(request), wanted.pupil, wanted.what)
        return await self._shown(request)
