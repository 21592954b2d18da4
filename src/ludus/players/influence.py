"""The influence of the stones over a Go board, and the player that plays for the most of it.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 2 and, as the
player "Heuristic", section 5. A black stone has influence 1, a white one -1, and every empty point the mean of the
points around it, diagonals included.

Where we decided: the paper lets the influence ripple until no changes occur; here the equations are solved exactly.
Sums that differ by less than `SAME` are a tie, so that rounding decides nothing; of those the lowest point is played.
A lone colour has the same influence all over the board, so on an empty board the player begins at A1.

The equations. At an empty point, the number of its neighbours times its influence, less the influence of its empty
neighbours, is the sum of its stones around. Points are numbered row by row, so no equation reaches further than a
row and a point, and neither do the factors of elimination: the work is done in a narrow band of the matrix, of which
the rest is never touched. A stone put on a point changes the field by a multiple of that point's column of the
matrix's inverse, so that one elimination serves all moves that capture nothing.
"""

from typing import NamedTuple

import numpy as np

from ludus import vocabulary as words
from ludus.bits import alone, both, filled, first, without
from ludus.games.game import Game, Position
from ludus.games.go import Go, captured, spread
from ludus.kernels import kernel
from ludus.players.explanations import Board, Explanation, explains, ranked
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import only, settings
from ludus.vocabulary import says

SAME = 1e-9


@kernel
def influence(game, state, out):
    """Write the influence at each point: 1 at Black's stones, -1 at White's, 0 everywhere on an empty board."""
    points = game.size * game.size
    stones, matrix = np.empty(points), np.empty((points, points))
    words.cells(game, state, stones)
    settle(game.size, stones, matrix, out)


@kernel
def settle(size, stones, matrix, out):
    """Write the influence of these stones, given by colour, 0 where there is none. `matrix` is left eliminated."""
    out[:] = 0.0
    if not stones.any():  # nothing to settle on: the matrix has no inverse
        return
    equate(size, stones, matrix, out)
    eliminate(size, matrix)
    solve(size, matrix, out)


@kernel
def equate(size, stones, matrix, right):
    """Write the equations: the matrix, which is symmetric, from its diagonal on, and the right side.

    A stone's equation is that its influence is itself.
    """
    for row in range(size):
        for column in range(size):
            point = row * size + column
            matrix[point, point : point + size + 2] = 0.0
            right[point] = stones[point]
            if stones[point] != 0.0:
                matrix[point, point] = 1.0
                continue
            for i in range(max(row - 1, 0), min(row + 2, size)):
                for j in range(max(column - 1, 0), min(column + 2, size)):
                    other = i * size + j
                    if other != point:
                        matrix[point, point] += 1.0
                        right[point] += stones[other]
                        if other > point and stones[other] == 0.0:
                            matrix[point, other] = -1.0


@kernel
def eliminate(size, matrix):
    """Make the matrix triangular. With any stone on the board it is positive definite, so no pivot is sought."""
    for i in range(len(matrix)):
        end = min(i + size + 2, len(matrix))
        for k in range(i + 1, end):
            if matrix[i, k] != 0.0:
                share = matrix[i, k] / matrix[i, i]
                for j in range(k, end):
                    matrix[k, j] -= share * matrix[i, j]


@kernel
def solve(size, matrix, right):
    """Turn a right side into its solution. `matrix` is eliminated."""
    for i in range(len(matrix)):
        share = right[i] / matrix[i, i]
        for k in range(i + 1, min(i + size + 2, len(matrix))):
            right[k] -= share * matrix[i, k]
    for i in range(len(matrix) - 1, -1, -1):
        rest = right[i]
        for k in range(i + 1, min(i + size + 2, len(matrix))):
            rest -= matrix[i, k] * right[k]
        right[i] = rest / matrix[i, i]


@kernel
def invert(size, matrix, inverse):
    """Write the band of the inverse. `matrix` is eliminated.

    Row i of the triangle times the inverse is 0 right of the diagonal and 1 on it, which gives the inverse's rows
    from the last to the first, without what lies outside of the band (Takahashi, 1973).
    """
    for i in range(len(matrix) - 1, -1, -1):
        end = min(i + size + 2, len(matrix))
        inverse[i, i + 1 : end] = 0.0
        for k in range(i + 1, end):
            if matrix[i, k] != 0.0:
                share = matrix[i, k] / matrix[i, i]
                for j in range(i + 1, end):
                    inverse[i, j] -= share * inverse[k, j]
        inverse[i, i] = 1.0 / matrix[i, i]
        for k in range(i + 1, end):
            inverse[i, i] -= matrix[i, k] / matrix[i, i] * inverse[i, k]
            inverse[k, i] = inverse[i, k]


@kernel
def prospects(game, state, moves, n, out):
    """Write for each of the legal moves `moves[:n]` the sum of the influence after it, seen by who makes it."""
    points, colour = game.size * game.size, 1.0 - 2.0 * state.mover
    stones, after, field, shift = np.empty((4, points))
    matrix, inverse = np.empty((points, points)), np.empty((points, points))
    words.cells(game, state, stones)
    if not stones.any():
        for i in range(n):
            out[i] = points if moves[i] < points else 0.0
        return

    settle(game.size, stones, matrix, field)
    invert(game.size, matrix, inverse)
    for point in range(points):
        shift[point] = 1.0 if stones[point] == 0.0 else 0.0
    solve(game.size, matrix, shift)  # the sums of the inverse's columns
    total = field.sum()
    for i in range(n):
        out[i] = colour * total
        if moves[i] < points:
            out[i] += (1.0 - colour * field[moves[i]]) * shift[moves[i]] / inverse[moves[i], moves[i]]

    # a capture frees points, which no column of the inverse knows of
    taking = spread(game, both(state.opp, state.atari))
    for i in range(n):
        if moves[i] < points and filled(both(alone(taking, moves[i]), taking)):
            after[:] = stones
            after[moves[i]] = colour
            taken = captured(game, state, moves[i])
            while filled(taken):
                after[first(taken)] = 0.0
                taken = without(taken, alone(taken, first(taken)))
            settle(game.size, after, matrix, field)
            out[i] = colour * field.sum()


class Influence(NamedTuple):
    nothing: int = 0  # numba wants a field


@says(words.choose, Influence, Go)
def _(player, game, state, moves, n, dice):
    sums = np.empty(n)
    prospects(game, state, moves, n, sums)
    best = 0
    for i in range(1, n):
        # a pass comes last, so it is made only where nothing else is legal
        if moves[i] < game.size * game.size and sums[i] > sums[best] + SAME:
            best = i
    return moves[best]


@explains(Influence)
def _explained(player: Influence, position: Position) -> Explanation:
    moves = np.array(list(position.legal.values()), np.int64)
    sums, field, rules = np.empty(len(moves)), np.empty(position.game.squares), position.game.rules
    prospects(rules, position.state, moves, len(moves), sums)
    influence(rules, position.state, field)
    own = 1.0 - 2.0 * position.mover
    return Explanation(
        "It makes the move that leaves it the most influence over the board, and passes only if it must.",
        "the sum of the influence over all points after the move, its own being positive",
        ranked(dict(zip(position.legal, sums.tolist(), strict=True))),
        boards=(Board("influence", tuple((own * field).tolist()), "before the move; above 0 is its own"),),
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    settings("influence", arguments, ())
    return CompiledPlayer(text, game, only("influence", game, {"go": Influence})())


PLAYERS = (
    PlayerKind("influence", "Go: the move that leaves it the most influence over the board", "influence", _make),
)
