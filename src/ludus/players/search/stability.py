"""Stable discs of Othello: no play can flip them, so they bound the final score."""

from typing import Any

import numpy as np

from ludus.compile.bitboards import lanes_and, lanes_or, lanes_shl, lanes_shr
from ludus.compile.jit import kernel, without_refcount
from ludus.compile.references import dereference
from ludus.games.othello import Lanes

U = np.uint64


def line_ends(size: int, step: int) -> Lanes:
    """The squares where the four lines end, in the order of `Othello.steps`: a step ahead (1) or back (-1) is off the
    board."""
    ends = []
    for columns, rows in ((1, 0), (-1, 1), (1, 1), (0, 1)):
        outside = 0
        for square in range(size * size):
            row, column = square // size + step * rows, square % size + step * columns
            if not (0 <= row < size and 0 <= column < size):
                outside |= 1 << square
        ends.append(U(outside))
    return ends[0], ends[1], ends[2], ends[3]


@kernel
def stable_discs(context: Any, own: np.uint64, opp: np.uint64):
    """Discs of the side `own` that can never be flipped: perhaps not all of them, but no others.

    A disc is safe along a line that is full, at an end of the line, and beside a stable disc of its side. It is stable
    if it is safe along all four lines.

    context  the address of an Endgame
    """
    endgame = without_refcount(dereference(context))
    game, steps, ends, starts = endgame.game, endgame.game.steps, endgame.line_ends, endgame.line_starts
    not_ends, not_starts = (~ends[0], ~ends[1], ~ends[2], ~ends[3]), (~starts[0], ~starts[1], ~starts[2], ~starts[3])
    free = game.board & ~(own | opp)
    opened = (free, free, free, free)  # on each line the squares that share it with a free one
    for _ in range(game.size - 1):
        ahead, back = lanes_shl(lanes_and(opened, not_ends), steps), lanes_shr(lanes_and(opened, not_starts), steps)
        opened = lanes_or(opened, lanes_or(ahead, back))
    full = (~opened[0], ~opened[1], ~opened[2], ~opened[3])
    safe = lanes_or(full, lanes_or(starts, ends))
    stable, found = U(0), own & safe[0] & safe[1] & safe[2] & safe[3]
    while found != stable:
        stable = found
        lanes = (stable, stable, stable, stable)
        held = lanes_or(safe, lanes_or(lanes_shl(lanes, steps), lanes_shr(lanes, steps)))
        found = own & held[0] & held[1] & held[2] & held[3]
    return stable
