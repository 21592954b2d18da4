"""Perft: counting the sequences of moves of a given length, the classic test of a move generator."""

import numpy as np

from ludus.checked import checked
from ludus.compile.jit import kernel
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.game import Position


@checked
def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves there are from a position.

    A forced pass is a move; a game that ends earlier counts as one sequence.
    """
    if depth < 0:
        raise InvalidSetting(f"invalid depth {depth}: must be 0 or more")
    depth = min(depth, position.game.max_plies)  # no game is longer
    if depth == 0:
        return 1
    work = np.empty((depth + 1, position.game.max_legal_moves), np.int64)
    return int(_perft(position.game.rules, position.state, np.int64(depth), work, work[2 % (depth + 1)], work[0]))


def divide(position: Position, depth: int) -> dict[str, int]:
    """Perft after each first move, known as divide; of a game that is over nothing."""
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves}


@kernel
def _perft(game, state, depth, work, last, spare):
    # the last two plies, which take nearly all the time, need no call and no row of `work`
    if depth == 2:
        n = protocol.legal_moves(game, state, last)
        total = np.int64(0)
        for i in range(n):
            total += max(1, protocol.mobility(game, protocol.play(game, state, last[i]), spare))
        return max(total, 1)
    row = work[depth]
    n = protocol.legal_moves(game, state, row)
    if n == 0 or depth == 1:
        return max(n, 1)
    total = np.int64(0)
    for i in range(n):
        total += _perft(game, protocol.play(game, state, row[i]), depth - 1, work, last, spare)
    return total
