"""What the end of a game is worth to those who look ahead."""

import numpy as np

from ludus import vocabulary as words
from ludus.kernels import inlined, kernel

WIN = 1e9
"""What a finished game is worth to its winner, before the margin is added."""

SOONER = 1e-3
"""What winning a move sooner is worth; who doesn't care may put the win off for ever."""


@kernel
def result(game, state, ply):
    """What a game that is finished in so many moves is worth to the player who would be next."""
    won, lead = 2.0 * words.outcome(game, state) - 1.0, words.margin(game, state)
    if words.mover(game, state) == 1:
        won, lead = -won, -lead
    return won * (WIN - SOONER * ply) + lead


@inlined
def prospect(evaluator, game, state, move):
    """How good `move` is for the player who makes it, up to a constant; where a game can end suddenly, a move that ends
    it counts by the result."""
    if words.sudden(game):
        after = words.play(game, state, move)
        if words.over(game, after, np.empty(words.width(game), np.int64)):
            worth = result(game, after, 1)
            return worth if words.mover(game, after) == words.mover(game, state) else -worth
    return float(words.gain(evaluator, game, state, move))
