"""The weighted piece counter, a weight for each square; and the weights that papers measure against."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import lowest_bit
from ludus.compile.generic import implements
from ludus.compile.jit import inlined
from ludus.evaluators.base import EvaluatorKind
from ludus.evaluators.pictures import Board, pictures
from ludus.evaluators.protocol import (
    child_eval,
    coherence,
    coherent_step,
    evaluate,
    gradient_step,
    member,
    move_value,
    parent_eval,
)
from ludus.games import othello, protocol
from ludus.games.checkers import Checkers
from ludus.games.game import Position
from ludus.games.go_rules import Go
from ludus.games.othello import Othello

U = np.uint64


class PieceCounter(NamedTuple):
    """The weights of the current player's pieces less those of the opponent's. A king counts twice."""

    weights: NDArray[np.float64]  # [squares]


AT_ONCE = 4
"""A move of Othello seldom flips more discs than this."""


@inlined
def weighted_sum(weights, pieces):
    """The sum of the weights of these squares.

    The first are added without a branch for each, which would often be mispredicted.
    """
    total = 0.0
    for _ in range(AT_ONCE):
        weight = weights[lowest_bit(pieces) & 63]
        total += weight if pieces else 0.0
        pieces &= pieces - U(1)
    while pieces:
        total += weights[lowest_bit(pieces)]
        pieces &= pieces - U(1)
    return total


@implements(evaluate, PieceCounter)
def _(evaluator, game, state):
    cells, total = empty(len(evaluator.weights), np.int64), 0.0
    protocol.cells(game, state, cells)
    for square in range(len(cells)):
        total += evaluator.weights[square] * cells[square]
    return total if protocol.current_player(game, state) == 0 else -total


@implements(gradient_step, PieceCounter)
def _(evaluator, game, state, amount):
    cells, own = empty(len(evaluator.weights), np.int64), 1 - 2 * protocol.current_player(game, state)
    protocol.cells(game, state, cells)
    for square in range(len(cells)):
        evaluator.weights[square] += amount * (own * cells[square])


@implements(coherent_step, PieceCounter)
def _(evaluator, errors, sizes, game, state, amount):
    cells, own = empty(len(evaluator.weights), np.int64), 1 - 2 * protocol.current_player(game, state)
    protocol.cells(game, state, cells)
    for square in range(len(cells)):
        change = amount * (own * cells[square])
        evaluator.weights[square] += change * coherence(errors.weights[square], sizes.weights[square])
        errors.weights[square] += change
        sizes.weights[square] += abs(change)


@implements(member, PieceCounter)
def _(population, i):
    return PieceCounter(population.weights[i])


# faster bodies for the bitboards of single games


@implements(evaluate, PieceCounter, Othello)
def _(evaluator, game, state):
    return weighted_sum(evaluator.weights, state.own) - weighted_sum(evaluator.weights, state.opp)


@implements(move_value, PieceCounter, Othello)
def _(evaluator, game, state, move):
    # only what the move changes: a new disc, and those that it flips
    if move == game.size * game.size:
        return 0.0
    flips = othello.flips(game, state.own, state.opp, move)
    return evaluator.weights[move] + 2.0 * weighted_sum(evaluator.weights, flips)


@implements(parent_eval, PieceCounter, Othello)
def _(evaluator, game, state):
    return evaluate(evaluator, game, state)


@implements(child_eval, PieceCounter, Othello)
def _(evaluator, game, state, parent, move, after):
    if move == game.size * game.size:
        return parent
    flipped = after.opp & state.opp  # the opponent's before, ours now
    return parent + (evaluator.weights[move] + 2.0 * weighted_sum(evaluator.weights, flipped))


@implements(gradient_step, PieceCounter, Othello)
def _(evaluator, game, state, amount):
    for square in range(game.size * game.size):
        ours, theirs = (state.own >> U(square)) & U(1), (state.opp >> U(square)) & U(1)
        evaluator.weights[square] += amount * (np.int64(ours) - np.int64(theirs))


@implements(evaluate, PieceCounter, Checkers)
def _(evaluator, game, state):
    total = 0.0
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        value = evaluator.weights[square] * (2.0 if state.kings & bit else 1.0)
        if state.own & bit:
            total += value
        elif state.opp & bit:
            total -= value
    return total


@implements(gradient_step, PieceCounter, Checkers)
def _(evaluator, game, state, amount):
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        count = 2.0 if state.kings & bit else 1.0
        if state.own & bit:
            evaluator.weights[square] += amount * count
        elif state.opp & bit:
            evaluator.weights[square] -= amount * count


@implements(evaluate, PieceCounter, Go)
def _(evaluator, game, state):
    total = 0.0
    for w in range(len(state.own)):
        total += weighted_sum(evaluator.weights[64 * w :], state.own[w]) - weighted_sum(
            evaluator.weights[64 * w :], state.opp[w]
        )
    return total


@implements(gradient_step, PieceCounter, Go)
def _(evaluator, game, state, amount):
    for w in range(len(state.own)):
        for bit in range(min(64, game.size * game.size - 64 * w)):
            ours, theirs = (state.own[w] >> U(bit)) & U(1), (state.opp[w] >> U(bit)) & U(1)
            evaluator.weights[64 * w + bit] += amount * (np.int64(ours) - np.int64(theirs))


@pictures(PieceCounter)
def _weights(evaluator: PieceCounter, position: Position) -> tuple[Board, ...]:
    return (Board("weights", tuple(evaluator.weights.tolist()), "what its own piece is worth on each square"),)


def mirrored_table(size: int, *rows: str) -> PieceCounter:
    """A piece counter from the upper half of a board, of which the lower half is the mirror image."""
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
"""Iago-like weights without mobility, the opponent of moriarty1995; the numbers are Norvig's."""

JAIN2018 = mirrored_table(6, "50 -20 5 5 -20 50", "-20 -50 -2 -2 -50 -20", "5 -2 -1 -1 -2 5")
"""The values of squares that jain2018 rewards."""

EVALUATORS = (
    EvaluatorKind("heuristic", "the standard weights", {"othello8": lambda: HEURISTIC}),
    EvaluatorKind("positional", "Iago-like weights", {"othello8": lambda: POSITIONAL}),
    EvaluatorKind("jain2018", "that paper's weights", {"othello6": lambda: JAIN2018}),
)
