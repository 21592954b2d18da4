"""What the page may ask for, and in which words: the bodies of requests, checked."""

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from ludus.errors import LudusError
from ludus.interfaces.web.clients import Client

Short = Annotated[str, Field(max_length=200)]
Ply = Annotated[int, Field(ge=0, le=10_000)]
Square = Annotated[int, Field(ge=0, lt=1000)]
Number = Annotated[int, Field(ge=0, le=2**53)]
Seed = Annotated[int, Field(ge=0, le=2**53)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Nothing(Body):
    """For requests that say everything by their address."""


class NewTable(Body):
    game: Short
    black: Short
    white: Short
    skill: Literal["", "new", "average", "strong"] = ""
    opening: Annotated[int, Field(ge=0, le=20)] = 0
    handicap: Annotated[float, Field(ge=0, le=1)] = 0.0
    clock: Annotated[float, Field(ge=0, le=7200)] = 0.0
    stones: Annotated[int, Field(ge=0, le=9)] = 0


class AtPly(Body):
    """For requests that are about a position: `ply` is the number of moves so far."""

    ply: Ply


class Move(AtPly):
    move: Short


class Mark(AtPly):
    """A piece that is dead, or is not after all."""

    square: Short


class Agree(AtPly):
    """With the pieces that were seen as dead, by the numbers of their squares."""

    dead: Annotated[list[Square], Field(max_length=1000)]


class NewRun(Body):
    learner: Short
    game: Short
    seed: Seed = 1
    settings: Annotated[dict[Short, str | bool | int | float | None], Field(max_length=60)] = {}


class Join(Body):
    name: Short


class Entry(Body):
    player: Short


class NewChallenge(Body):
    """`side` is the one that the challenger wants."""

    pupil: Number
    side: Literal[0, 1] = 0
    clock: Annotated[float, Field(ge=0, le=7200)] = 0.0


class Answer(Body):
    """To a challenge, by its number."""

    challenge: Number
    accept: bool


class Closed(Body):
    closed: bool


class Removed(Body):
    """What a teacher removes: a pupil's entry alone, or the name with it."""

    pupil: Number
    what: Literal["entry", "name"]


class NewStudy(Body):
    kind: Literal["league", "profile"]
    game: Short
    players: Annotated[list[Short], Field(max_length=20)]
    games: Annotated[int, Field(ge=1, le=1000)] = 20
    seed: Seed = 1


Kind = TypeVar("Kind", bound=Body)


async def body(request: Request, kind: type[Kind]) -> Kind:
    """The body of a request, if it is of that kind."""
    try:
        return kind.model_validate_json(await request.body())
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the request"
        raise LudusError(f"{where[:60]}: {first['msg'][:200]}") from None
    except RecursionError:
        raise LudusError("the request: its JSON is nested too deeply") from None


def number(text: str) -> int:
    """A number of moves that is part of an address."""
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise LudusError(f"{text[:20]!r} is not a number of moves; write one such as 12")
    return int(text)


def client(request: Request) -> Client:
    """Who asks, as the guard has found out."""
    who: Client = request.state.client
    return who


def visitor(request: Request) -> str:
    """The name of who asks."""
    return client(request).visitor
