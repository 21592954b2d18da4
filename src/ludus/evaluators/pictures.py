"""Small boards that show what an evaluator looks for, for explanations.

The file of an evaluator registers the function that draws them with `@pictures(Evaluator)`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ludus.games.game import Position


@dataclass(frozen=True)
class Board:
    """A small board: for each square a number (a heat map) or a word (such as `mine`, `theirs`, `any`)."""

    title: str
    squares: tuple[float, ...] | tuple[str, ...]
    description: str = ""


Picture = Callable[[Any, Position], tuple[Board, ...]]
Function = TypeVar("Function", bound=Callable[..., Any])

_pictures: dict[type, Picture] = {}


def pictures(evaluator: type) -> Callable[[Function], Function]:
    """Register a function of an evaluator and a position that makes the boards for evaluators of that class."""

    def register(function: Function) -> Function:
        _pictures[evaluator] = function
        return function

    return register


def boards(evaluator: Any, position: Position) -> tuple[Board, ...]:
    """The boards that show what an evaluator looks for in a position."""
    picture = _pictures.get(type(evaluator))
    return picture(evaluator, position) if picture else ()
