"""Why a player moves as it does: what it weighed, and what it looked at.

A file in `ludus.players` that brings a new kind of parts says with `@explains(Parts)` how they decide; one that brings
an evaluator says with `@pictures(Evaluator)` which boards show what it looks for. Whoever says nothing is explained by
what can be asked of everybody: nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ludus.games.game import Position
from ludus.players.player import CompiledPlayer, Player


@dataclass(frozen=True)
class Board:
    """A small board: for each square a number (a heat map) or a word (such as `mine`, `theirs`, `any`)."""

    title: str
    squares: tuple[float, ...] | tuple[str, ...]
    says: str = ""


@dataclass(frozen=True)
class Weighed:
    """A legal move, and what the player thinks it is worth to itself."""

    move: str
    value: float
    says: str = ""
    boards: tuple[Board, ...] = ()
    """What speaks for this value: rules, codebook vectors, and the like."""


@dataclass(frozen=True)
class Explanation:
    says: str
    """One sentence: how this player decides."""
    unit: str = ""
    """What the values of moves mean."""
    moves: tuple[Weighed, ...] = ()
    """Every legal move, the best first; none if the player can't tell."""
    line: tuple[str, ...] = ()
    """The moves that the player expects, its own first."""
    boards: tuple[Board, ...] = ()
    """What the player looks for in any position."""
    picture: Callable[[], str] | None = None
    """Draws the player itself, such as its network, as SVG."""


Explain = Callable[[Any, Position], Explanation]
Picture = Callable[[Any, Position], tuple[Board, ...]]
Given = TypeVar("Given", bound=Callable[..., Any])

_explain: dict[type, Explain] = {}
_pictures: dict[type, Picture] = {}


def explains(parts: type) -> Callable[[Given], Given]:
    """Make the decorated function explain players with such parts, which it is given with the position."""

    def register(function: Given) -> Given:
        _explain[parts] = function
        return function

    return register


def pictures(evaluator: type) -> Callable[[Given], Given]:
    """Make the decorated function show what such an evaluator looks for; it is given it with the position."""

    def register(function: Given) -> Given:
        _pictures[evaluator] = function
        return function

    return register


def explanation(player: Player, position: Position) -> Explanation:
    """Why `player` moves as it does in this position, which is not the end of a game."""
    if isinstance(player, CompiledPlayer):
        return explained(player.parts, position)
    return Explanation(f"{player.name} does not tell why it moves.")


def explained(parts: Any, position: Position) -> Explanation:
    """The same of the parts of a compiled player."""
    explain = _explain.get(type(parts))
    return explain(parts, position) if explain else Explanation(f"A {type(parts).__name__} player gives no reasons.")


def boards(evaluator: Any, position: Position) -> tuple[Board, ...]:
    """What an evaluator looks for."""
    picture = _pictures.get(type(evaluator))
    return picture(evaluator, position) if picture else ()


def ranked(values: Mapping[str, float]) -> tuple[Weighed, ...]:
    """The moves with these values, the best first."""
    return tuple(Weighed(move, values[move]) for move in sorted(values, key=lambda move: -values[move]))
