"""Judges of checkers that remember, for the length of a game, what searches found out with them.

Kings wander, and moves can be made in another order: most positions of a game's searches come up again with as far to
look from them. What is remembered are bounds, so a search finds the same as without, only sooner.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.games.checkers import MOST_CAPTURES, Checkers
from ludus.kernels import inlined, kernel
from ludus.players.endings import WIN
from ludus.players.search import noted, recalled
from ludus.vocabulary import says

U = np.uint64

MEMORY = 1 << 13
"""How many positions are remembered; a new one takes the place of an old one."""


class Remembering(NamedTuple):
    judge: Any
    keys: NDArray[np.uint64]  # [room, 3]: pieces, then kings with `context`; nothing is 0, which no position is
    bounds: NDArray[np.float64]  # [room, 2]


@kernel
def remembering(judge):
    """The same judge, without memories so far."""
    return Remembering(judge, np.zeros((MEMORY, 3), np.uint64), np.empty((MEMORY, 2)))


@says(words.value, Remembering)
def _(evaluator, game, state):
    return words.value(evaluator.judge, game, state)


@inlined
def context(game, state, left):
    """Kings, whose move it is and how far to look; 0 if the number of moves could end the game within the search."""
    if state.ply + left + MOST_CAPTURES >= 2 * game.moves_each:
        return U(0)
    return state.kings | (U(left + 1) << U(40)) | (U(state.mover) << U(63))


@inlined
def place(state, context):
    """Where the position is remembered."""
    mixed = (
        (state.own * U(0x9E3779B97F4A7C15)) ^ (state.opp * U(0xC2B2AE3D27D4EB4F)) ^ (context * U(0x165667B19E3779F9))
    )
    return (mixed >> U(40)) & U(MEMORY - 1)


@says(recalled, Remembering, Checkers)
def _(evaluator, game, state, left):
    wanted = context(game, state, left)
    here, keys = place(state, wanted), evaluator.keys
    if wanted and keys[here, 0] == state.own and keys[here, 1] == state.opp and keys[here, 2] == wanted:
        return evaluator.bounds[here, 0], evaluator.bounds[here, 1]
    return -np.inf, np.inf


@says(noted, Remembering, Checkers)
def _(evaluator, game, state, left, low, high):
    told = context(game, state, left)
    decided = low >= WIN / 2 or high <= -WIN / 2  # which is worth the more, the fewer moves led here
    if told and not decided:
        here, keys = place(state, told), evaluator.keys
        keys[here, 0], keys[here, 1], keys[here, 2] = state.own, state.opp, told
        evaluator.bounds[here, 0], evaluator.bounds[here, 1] = low, high
