"""Routes of learning: runs, leagues and profiles, and the reports on papers."""

from asyncio import to_thread

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludus.interfaces.web.arena import Arena
from ludus.interfaces.web.learning import SUGGESTED_RUN
from ludus.interfaces.web.requests import NewRun, NewStudy, Nothing, body, client, visitor
from ludus.interfaces.web.safety import REPORT_POLICY


class LearningRoutes:
    """One handler for each route."""

    def __init__(self, arena: Arena) -> None:
        self.learning, self.studies, self.reports = arena.learning, arena.studies, arena.reports
        self.classroom = arena.classroom

    def routes(self) -> list[Route]:
        return [
            Route("/api/learners", self.learners),
            Route("/api/runs", self.list_runs),
            Route("/api/runs", self.start_run, methods=["POST"]),
            Route("/api/runs/{id}", self.curve),
            Route("/api/runs/{id}/stop", self.stop_run, methods=["POST"]),
            Route("/api/runs/{id}/resume", self.resume_run, methods=["POST"]),
            Route("/api/studies", self.list_studies),
            Route("/api/studies", self.start_study, methods=["POST"]),
            Route("/api/studies/{id}/stop", self.stop_study, methods=["POST"]),
            Route("/api/papers", self.list_papers),
            Route("/papers/{key}/", self.report),
            Route("/papers/{key}/{name}", self.report),
        ]

    async def learners(self, request: Request) -> Response:
        return JSONResponse({"learners": await to_thread(self.learning.learners), "suggested": SUGGESTED_RUN})

    async def list_runs(self, request: Request) -> Response:
        return JSONResponse({"runs": await to_thread(self.learning.runs, client(request))})

    async def start_run(self, request: Request) -> Response:
        wanted = await body(request, NewRun)
        payload = await to_thread(
            self.learning.start, wanted.learner, wanted.game, wanted.settings, wanted.seed, client(request)
        )
        if self.classroom:
            await to_thread(self.classroom.records.add_grown, payload["id"], visitor(request))
        return JSONResponse(payload, 201)

    async def curve(self, request: Request) -> Response:
        return JSONResponse(await to_thread(self.learning.curve, request.path_params["id"], client(request)))

    async def stop_run(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.learning.stop, request.path_params["id"], client(request)))

    async def resume_run(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.learning.resume, request.path_params["id"], client(request)))

    async def list_studies(self, request: Request) -> Response:
        return JSONResponse({"studies": await to_thread(self.studies.listed, client(request))})

    async def start_study(self, request: Request) -> Response:
        wanted = await body(request, NewStudy)
        payload = await to_thread(
            self.studies.start, wanted.kind, wanted.game, wanted.players, wanted.games, wanted.seed, client(request)
        )
        return JSONResponse(payload, 201)

    async def stop_study(self, request: Request) -> Response:
        await body(request, Nothing)
        return JSONResponse(await to_thread(self.studies.stop, request.path_params["id"], client(request)))

    async def list_papers(self, request: Request) -> Response:
        return JSONResponse({"papers": await to_thread(self.reports.listed)})

    async def report(self, request: Request) -> Response:
        key, name = request.path_params["key"], request.path_params.get("name", "index.html")
        content, media_type = await to_thread(self.reports.file, key, name)
        return Response(content, media_type=media_type, headers={"Content-Security-Policy": REPORT_POLICY})
