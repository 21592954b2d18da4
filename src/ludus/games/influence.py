"""Influence fields: how much each side controls every square, as the generic function `influence` writes it.

A piece has influence 1 or -1, and an empty square has the mean of the squares around it, diagonals included.

The equations: at an empty point, the number of its neighbours times its influence, less the influence of its empty
neighbours, is the sum of the stones around it. Points are numbered row by row, so the matrix is banded: an equation
reaches no further than a row and a point, and neither does elimination. A new stone changes the field by a multiple of
its point's column of the inverse, so that one elimination serves all moves that capture nothing.
"""

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel
from ludus.games import protocol
from ludus.games.game import Position


def influence_of(position: Position) -> NDArray[np.float64]:
    """The influence on each square of a position. [squares]"""
    out = np.empty(position.game.squares)
    _influence(position.game.rules, position.state, out)
    return out


@kernel
def _influence(game, state, out):
    protocol.influence(game, state, out)


@kernel
def solve_influence(size: int, stones: protocol.Field, matrix: protocol.Field, out: protocol.Field) -> None:
    """Write the influence of these stones. `matrix` is left eliminated.

    stones  [points]: 1 black, -1 white, 0 empty
    matrix  [points, points]: scratch space
    out     [points]
    """
    out[:] = 0.0
    if not any_nonzero(stones):  # without a stone the matrix has no inverse
        return
    write_equations(size, stones, matrix, out)
    eliminate(size, matrix)
    solve(size, matrix, out)


@kernel
def any_nonzero(values: protocol.Field) -> bool:
    """Whether any of the values is not 0."""
    for i in range(len(values)):
        if values[i] != 0.0:
            return True
    return False


@kernel
def write_equations(size: int, stones: protocol.Field, matrix: protocol.Field, right: protocol.Field) -> None:
    """Write the equations: the upper triangle of the matrix, which is symmetric, and the right-hand side.

    The equation of a stone says that its influence is its colour.
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
def eliminate(size: int, matrix: protocol.Field) -> None:
    """Gaussian elimination. With a stone on the board the matrix is positive definite, so pivoting is not needed."""
    for i in range(len(matrix)):
        end = min(i + size + 2, len(matrix))
        for k in range(i + 1, end):
            if matrix[i, k] != 0.0:
                share = matrix[i, k] / matrix[i, i]
                for j in range(k, end):
                    matrix[k, j] -= share * matrix[i, j]


@kernel
def solve(size: int, matrix: protocol.Field, right: protocol.Field) -> None:
    """Replace a right-hand side [points] by the solution. `matrix` is eliminated."""
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
def invert(size: int, matrix: protocol.Field, inverse: protocol.Field) -> None:
    """Write the band of the inverse [points, points]. `matrix` is eliminated.

    Row i of the triangle times the inverse is 0 right of the diagonal and 1 on it, which gives the rows of the inverse
    from last to first without what is outside of the band (Takahashi, 1973).
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
