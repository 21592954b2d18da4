"""The field of each game: how far every square is in one side's hands, which is what a codebook compares.

In Go it is the influence of Abramson and Wechsler (2001): a stone has 1 or -1, an empty point the mean of the points
around it. The other games have fields of the same kind, which are ours: in Othello discs radiate as stones do; in
checkers pieces radiate over the diagonals, a king with 1 and a man with half of that.
"""

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.games.checkers import Checkers
from ludus.games.game import Position
from ludus.games.go import Go
from ludus.games.othello import Othello
from ludus.kernels import kernel
from ludus.players.influence import influence, settle
from ludus.vocabulary import says

STILL = 1e-9
"""In checkers the field ripples until no square changes by more than this."""


@says(words.field, Go)
def _(game, state, out):
    influence(game, state, out)


@says(words.field, Othello)
def _(game, state, out):
    squares = game.size * game.size
    discs, matrix = np.empty(squares), np.empty((squares, squares))
    words.cells(game, state, discs)
    settle(game.size, discs, matrix, out)


@says(words.field, Checkers)
def _(game, state, out):
    pieces = np.empty(32)
    words.cells(game, state, pieces)
    for square in range(32):
        pieces[square] *= 0.5
        out[square] = pieces[square]
    ripple(pieces, out)


@kernel
def ripple(pieces, out):
    """Let each empty dark square take the mean of the squares that touch it by a corner, until nothing changes."""
    while True:
        change = 0.0
        for square in range(32):
            if pieces[square] != 0.0:
                continue
            row, place = square // 4, square % 4
            total, count = 0.0, 0
            for other in (row - 1, row + 1):
                if other < 0 or other > 7:
                    continue
                # even rows stand half a square to the right
                left = place if row % 2 == 0 else place - 1
                for column in (left, left + 1):
                    if 0 <= column < 4:
                        total += out[4 * other + column]
                        count += 1
            change = max(change, abs(total / count - out[square]))
            out[square] = total / count
        if change < STILL:
            return


@kernel
def _field(game, state, out):
    words.field(game, state, out)


def field_of(position: Position) -> NDArray[np.float64]:
    """The field of a position, for each square."""
    out = np.empty(position.game.squares)
    _field(position.game.rules, position.state, out)
    return out
