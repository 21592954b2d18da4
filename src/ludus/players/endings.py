"""Values of finished games for players that look ahead."""

from typing import Any

import numpy as np

from ludus.compile.arrays import empty
from ludus.compile.jit import inlined, kernel
from ludus.evaluators.protocol import move_value
from ludus.games import protocol

WIN = 1e9
"""What a finished game is worth to its winner, before the margin is added."""

SOONER = 1e-3
"""What winning a move sooner is worth; a player who doesn't care may put the win off for ever."""


@kernel
def result(game: Any, state: Any, ply: int):
    """The value, to the player who would be next, of a game that is finished after `ply` moves of a search.

    Drawn games count by their margin, too, as checkers at the limit of moves do: published runs were made with that.
    """
    won, lead = 2.0 * protocol.outcome(game, state) - 1.0, protocol.margin(game, state)
    if protocol.current_player(game, state) == 1:
        won, lead = -won, -lead
    return won * (WIN - SOONER * ply) + lead


@inlined
def one_ply_value(evaluator: Any, game: Any, state: Any, move: int):
    """The value of `move` to the player who makes it, up to a constant that is the same for all moves.

    Where a game can end suddenly, a move that ends it counts by the result.
    """
    if protocol.can_end_suddenly(game):
        after = protocol.play(game, state, move)
        if protocol.over(game, after, empty(protocol.max_legal_moves(game), np.int64)):
            value = result(game, after, 1)
            return value if protocol.current_player(game, after) == protocol.current_player(game, state) else -value
    return float(move_value(evaluator, game, state, move))
