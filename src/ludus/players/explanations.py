"""Explanations: why a player moves as it does, by what it expects of each move and by what it looks at.

A file in `ludus.players` that brings a new kind of parts says with `@explains(Parts)` how they decide; one that brings
an evaluator says with `@pictures(Evaluator)` which boards show what it looks for. A player without either gives no
reasons.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ludus.evaluators.pictures import Board
from ludus.games.game import Position
from ludus.players.base import CompiledPlayer, Player
from ludus.registry import player_kinds


@dataclass(frozen=True)
class MoveValue:
    """A legal move and its value to the player, as the player sees it."""

    move: str
    value: float
    description: str = ""
    boards: tuple[Board, ...] = ()
    """What the value comes from: rules, codebook vectors, and the like."""


@dataclass(frozen=True)
class Explanation:
    """Why a player moves as it does in a position: all that pages, notebooks and the command line show of it."""

    description: str
    """One sentence: how this player decides."""
    unit: str = ""
    """What the values of moves mean."""
    moves: tuple[MoveValue, ...] = ()
    """Every legal move, the best first; none if the player gives no values."""
    line: tuple[str, ...] = ()
    """The principal variation: the moves that the player expects, its own first."""
    boards: tuple[Board, ...] = ()
    """What the player looks for in any position."""
    picture: Callable[[], str] | None = None
    """Draws the player itself, such as its network, as SVG."""


Explain = Callable[[Any, Position], Explanation]
Given = TypeVar("Given", bound=Callable[..., Any])

_explain: dict[type, Explain] = {}


def explains(parts: type) -> Callable[[Given], Given]:
    """Make the decorated function explain players with such parts, which it is given with the position."""

    def register(function: Given) -> Given:
        _explain[parts] = function
        return function

    return register


def explanation(player: Player, position: Position) -> Explanation:
    """Why `player` moves as it does in this position, which is not the end of a game."""
    if isinstance(player, CompiledPlayer):
        return explain_parts(player.parts, position)
    return Explanation(f"{player.name} gives no reasons for its moves.")


def explain_parts(parts: Any, position: Position) -> Explanation:
    """The same for the parts of a compiled player."""
    player_kinds()  # registers the explanations of all players
    explain = _explain.get(type(parts))
    return explain(parts, position) if explain else Explanation(f"A {type(parts).__name__} player gives no reasons.")


def ranked(values: Mapping[str, float]) -> tuple[MoveValue, ...]:
    """The moves with these values, the best first."""
    return tuple(MoveValue(move, values[move]) for move in sorted(values, key=lambda move: -values[move]))
