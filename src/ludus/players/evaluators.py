"""What a position is worth: the evaluators that one-ply players and searches look through.

Each is named in `EVALUATORS`, which says for which games it exists; `value=NAME` in a player string picks one.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import lowest, popcount
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

EVALUATORS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    "heuristic": {"othello8": lambda: HEURISTIC},
    "positional": {"othello8": lambda: POSITIONAL},
    "jain2018": {"othello6": lambda: JAIN2018},
    "discs": {"othello": Lead},
    "mobility": {"othello": Mobility},
    "pieces": {"checkers": lambda: Material(1.5)},
    "area": {"go": Lead},
}
"""By name and game. `pieces` counts a king as one and a half men."""

USUAL = {"othello8": "positional", "othello6": "jain2018", "othello4": "discs", "checkers": "pieces", "go": "area"}
"""What a search looks through unless told otherwise."""


def evaluator(name: str, game: Game) -> Any:
    """The evaluator of that name for this game."""
    if name not in EVALUATORS:
        raise LudusError(
            f"there is no evaluator {name!r}; there is {', '.join(EVALUATORS)}, or a player file with weights"
        )
    return only(f"the evaluator {name}", game, EVALUATORS[name])()
