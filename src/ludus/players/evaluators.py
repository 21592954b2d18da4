"""What a position is worth: the evaluators that one-ply players and searches look through.

A file in `ludus.players`, or another package, offers them as `EvaluatorKind`s; `value=NAME` in a player string picks
one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import players
from ludus import vocabulary as words
from ludus.bits import lowest, popcount
from ludus.discovery import named
from ludus.errors import LudusError
from ludus.games import othello
from ludus.games.checkers import Checkers
from ludus.games.game import Game, Position
from ludus.games.go import Go
from ludus.games.othello import Othello
from ludus.kernels import inlined
from ludus.players.explanations import Board, pictures
from ludus.players.strings import only
from ludus.vocabulary import says

U = np.uint64


class PieceCounter(NamedTuple):
    """A weight for each square: the sum over one's own pieces less that over the opponent's. A king counts twice."""

    weights: NDArray[np.float64]


class Lead(NamedTuple):
    """The discs, pieces or points by which the player to move leads."""

    nothing: int = 0


class Mobility(NamedTuple):
    """The moves that the player to move has in Othello, less those its opponent would have."""

    nothing: int = 0


class Material(NamedTuple):
    """Men and kings in checkers."""

    king: float


@inlined
def weighed(weights, pieces):
    """The sum of the weights of these squares."""
    total = 0.0
    while pieces:
        total += weights[lowest(pieces)]
        pieces &= pieces - U(1)
    return total


@says(words.value, PieceCounter)
def _(evaluator, game, state):
    cells, total = np.empty(len(evaluator.weights), np.int64), 0.0
    words.cells(game, state, cells)
    for square in range(len(cells)):
        total += evaluator.weights[square] * cells[square]
    return total if words.mover(game, state) == 0 else -total


@says(words.nudge, PieceCounter)
def _(evaluator, game, state, amount):
    cells, own = np.empty(len(evaluator.weights), np.int64), 1 - 2 * words.mover(game, state)
    words.cells(game, state, cells)
    for square in range(len(cells)):
        evaluator.weights[square] += amount * (own * cells[square])


# the same for our games, faster


@says(words.value, PieceCounter, Othello)
def _(evaluator, game, state):
    return weighed(evaluator.weights, state.own) - weighed(evaluator.weights, state.opp)


@says(words.gain, PieceCounter, Othello)
def _(evaluator, game, state, move):
    # only what the move changes: a new disc, and others that change sides
    if move == game.size * game.size:
        return 0.0
    flips = othello.turned(game, state.own, state.opp, move)
    return evaluator.weights[move] + 2.0 * weighed(evaluator.weights, flips)


@says(words.basis, PieceCounter, Othello)
def _(evaluator, game, state):
    return words.value(evaluator, game, state)


@says(words.foreseen, PieceCounter, Othello)
def _(evaluator, game, state, basis, move, after):
    if move == game.size * game.size:
        return basis
    turned = after.opp & state.opp  # what was the opponent's and now is ours
    return basis + (evaluator.weights[move] + 2.0 * weighed(evaluator.weights, turned))


@says(words.nudge, PieceCounter, Othello)
def _(evaluator, game, state, amount):
    for square in range(game.size * game.size):
        ours, theirs = (state.own >> U(square)) & U(1), (state.opp >> U(square)) & U(1)
        evaluator.weights[square] += amount * (np.int64(ours) - np.int64(theirs))


@says(words.value, PieceCounter, Checkers)
def _(evaluator, game, state):
    total = 0.0
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        worth = evaluator.weights[square] * (2.0 if state.kings & bit else 1.0)
        if state.own & bit:
            total += worth
        elif state.opp & bit:
            total -= worth
    return total


@says(words.nudge, PieceCounter, Checkers)
def _(evaluator, game, state, amount):
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        worth = 2.0 if state.kings & bit else 1.0
        if state.own & bit:
            evaluator.weights[square] += amount * worth
        elif state.opp & bit:
            evaluator.weights[square] -= amount * worth


@says(words.value, PieceCounter, Go)
def _(evaluator, game, state):
    total = 0.0
    for w in range(len(state.own)):
        total += weighed(evaluator.weights[64 * w :], state.own[w]) - weighed(evaluator.weights[64 * w :], state.opp[w])
    return total


@says(words.nudge, PieceCounter, Go)
def _(evaluator, game, state, amount):
    for w in range(len(state.own)):
        for bit in range(min(64, game.size * game.size - 64 * w)):
            ours, theirs = (state.own[w] >> U(bit)) & U(1), (state.opp[w] >> U(bit)) & U(1)
            evaluator.weights[64 * w + bit] += amount * (np.int64(ours) - np.int64(theirs))


@says(words.value, Lead)
def _(evaluator, game, state):
    lead = words.margin(game, state)
    return lead if words.mover(game, state) == 0 else -lead


@says(words.value, Mobility, Othello)
def _(evaluator, game, state):
    ours = popcount(othello.playable(game, state.own, state.opp))
    return float(ours - popcount(othello.playable(game, state.opp, state.own)))


@says(words.value, Material, Checkers)
def _(evaluator, game, state):
    more = evaluator.king - 1.0
    own = popcount(state.own) + more * popcount(state.own & state.kings)
    return own - popcount(state.opp) - more * popcount(state.opp & state.kings)


@dataclass(frozen=True)
class EvaluatorKind:
    """What a file in `ludus.players` offers to look through."""

    name: str
    says: str
    makes: Mapping[str, Callable[[], Any]]
    """What makes the NamedTuple for which `value` has a body, by the game: `othello8`, `othello` in any size, `any`."""
    usual: tuple[str, ...] = ()
    """For which of these games it is what players look through unless told otherwise."""


@pictures(PieceCounter)
def _weights(evaluator: PieceCounter, position: Position) -> tuple[Board, ...]:
    return (Board("weights", tuple(evaluator.weights.tolist()), "what its own piece is worth on each square"),)


def mirrored_table(size: int, *rows: str) -> PieceCounter:
    """A piece counter from the upper half of a board that looks the same from all sides."""
    upper = np.array([[float(weight) for weight in row.split()] for row in rows])
    return PieceCounter(np.vstack([upper, upper[::-1]]).reshape(size * size))


HEURISTIC = mirrored_table(
    8,
    "1.00 -0.25 0.10 0.05 0.05 0.10 -0.25 1.00",
    "-0.25 -0.25 0.01 0.01 0.01 0.01 -0.25 -0.25",
    "0.10 0.01 0.05 0.02 0.02 0.05 0.01 0.10",
    "0.05 0.01 0.02 0.01 0.01 0.02 0.01 0.05",
)
"""The standard heuristic that jaskowski2014 measures players against."""

POSITIONAL = mirrored_table(
    8,
    "120 -20 20 5 5 20 -20 120",
    "-20 -40 -5 -5 -5 -5 -40 -20",
    "20 -5 15 3 3 15 -5 20",
    "5 -5 3 3 3 3 -5 5",
)
"""Iago's kind of judgement without mobility: the opponent of moriarty1995, with Norvig's weights."""

JAIN2018 = mirrored_table(6, "50 -20 5 5 -20 50", "-20 -50 -2 -2 -50 -20", "5 -2 -1 -1 -2 5")
"""The values of squares that jain2018 rewards."""

EVALUATORS = (
    EvaluatorKind("heuristic", "the standard weights", {"othello8": lambda: HEURISTIC}),
    EvaluatorKind("positional", "Iago-like weights", {"othello8": lambda: POSITIONAL}, ("othello8",)),
    EvaluatorKind("jain2018", "that paper's weights", {"othello6": lambda: JAIN2018}, ("othello6",)),
    EvaluatorKind("discs", "the lead in discs", {"othello": Lead}, ("othello4",)),
    EvaluatorKind("mobility", "the moves to choose from, less the opponent's", {"othello": Mobility}),
    EvaluatorKind("pieces", "men, and kings as one and a half", {"checkers": lambda: Material(1.5)}, ("checkers",)),
    EvaluatorKind("area", "the lead in points", {"go": Lead}, ("go",)),
    EvaluatorKind("lead", "the lead as the game counts it", {"any": Lead}, ("any",)),
)


@cache
def evaluators() -> dict[str, EvaluatorKind]:
    """Every evaluator by name."""
    return named(players, "EVALUATORS", EvaluatorKind)


def evaluator(name: str, game: Game) -> Any:
    """The evaluator of that name for this game."""
    if name not in evaluators():
        known = ", ".join(evaluators())
        raise LudusError(f"there is no evaluator {name!r}; there is {known}, or a player file with weights")
    return only(f"the evaluator {name}", game, evaluators()[name].makes)()


def usual(game: Game) -> Any:
    """What players look through unless told otherwise."""
    chosen = {each: kind.name for kind in evaluators().values() for each in kind.usual}
    return evaluator(only("the usual evaluator", game, chosen), game)
