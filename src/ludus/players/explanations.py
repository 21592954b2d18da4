"""Explanations: why a player moves as it does, by what it expects of each move and by what it looks at.

A file in `ludus.players` that brings a new kind of parts says with `@explains(Parts)` how they decide; one that brings
an evaluator says with `@pictures(Evaluator)` which boards show what it looks for. A player without either gives no
reasons. Two things are added here for every player: each move in a sentence, by what its game has to say
(`ludus.games.words`), and the chance of winning, where it is known what the player's values mean
(`ludus.players.calibration`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, TypeVar

from ludus.evaluators.pictures import Board
from ludus.games.game import Position
from ludus.games.words import sentence
from ludus.players.base import CompiledPlayer, Player
from ludus.players.calibration import calibration
from ludus.registry import player_kinds


@dataclass(frozen=True)
class MoveValue:
    """A legal move and its value to the player, as the player sees it."""

    move: str
    value: float
    description: str = ""
    boards: tuple[Board, ...] = ()
    """What the value comes from: rules, codebook vectors, and the like."""
    sentence: str = ""
    """What the move does on the board, in words; the game's own where the player has none."""
    chance: float | None = None
    """The chance of winning after it, from 0 to 1, where values can be calibrated to results."""
    proven: bool = False
    """Whether it is certain that it wins, or loses, with best play; no matter what the value seems to say."""


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

    @property
    def sentence(self) -> str:
        """What its best move does on the board, in words; nothing if the player gives no values."""
        return self.moves[0].sentence if self.moves else ""

    def _repr_html_(self) -> str:
        rows = [("move", "value", "chance", "what it does")]
        for each in self.moves:
            chance = "" if each.chance is None else f"{each.chance:.0%}"
            rows.append((each.move, f"{each.value:.4g}", chance, each.sentence))
        cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
        return f"<p>{escape(self.description)}</p><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


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
        return explain_parts(player.parts, position, player.name)
    return Explanation(f"{player.name} gives no reasons for its moves.")


def explain_parts(parts: Any, position: Position, name: str = "") -> Explanation:
    """The same for the parts of a compiled player, which that player string names."""
    player_kinds()  # registers the explanations of all players
    explain = _explain.get(type(parts))
    if explain is None:
        return Explanation(f"A {type(parts).__name__} player gives no reasons.")
    found, known = explain(parts, position), calibration(name, position.game)
    moves = tuple(
        replace(
            each,
            sentence=each.sentence or sentence(position, each.move),
            chance=float(each.value > 0) if each.proven else known.chance(each.value) if known else each.chance,
        )
        for each in found.moves
    )
    return replace(found, moves=moves)


def ranked(values: Mapping[str, float]) -> tuple[MoveValue, ...]:
    """The moves with these values, the best first."""
    return tuple(MoveValue(move, values[move]) for move in sorted(values, key=lambda move: -values[move]))
