"""Counting the sequences of moves of a given length: the classic test that a move generator is exact."""

import numpy as np

from ludus import vocabulary as words
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.kernels import kernel


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves there are from here.

    A forced pass is a move; a game that ends earlier counts as one sequence.
    """
    if depth < 0:
        raise LudusError(f"depth {depth} is not possible; it is 0 or more")
    if depth == 0:
        return 1
    work = np.empty((depth + 1, position.game.width), np.int64)
    return int(_perft(position.game.rules, position.state, np.int64(depth), work, work[2 % (depth + 1)], work[0]))


def divided(position: Position, depth: int) -> dict[str, int]:
    """The same count for each first move."""
    return {move: perft(position.play(move), depth - 1) for move in position.moves}


@kernel
def _perft(game, state, depth, work, last, spare):
    # the two last plies, where nearly all time goes, do without a call, and without taking a row of `work`
    if depth == 2:
        n = words.moves(game, state, last)
        total = np.int64(0)
        for i in range(n):
            total += max(1, words.mobility(game, words.play(game, state, last[i]), spare))
        return max(total, 1)
    row = work[depth]
    n = words.moves(game, state, row)
    if n == 0 or depth == 1:
        return max(n, 1)
    total = np.int64(0)
    for i in range(n):
        total += _perft(game, words.play(game, state, row[i]), depth - 1, work, last, spare)
    return total
