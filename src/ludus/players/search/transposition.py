"""Transposition tables for searches of checkers: evaluators that keep, for the length of a game, what searches found.

Kings wander, and moves can be made in another order: most positions of a game's searches come up again with as far to
look from them. The table holds bounds, so a search finds the same as without, only sooner. What a first, shallow search
leaves in it costs little, and tells which moves at the root to look at first.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.bitboards import popcount
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.compile.references import dereference
from ludus.evaluators.protocol import evaluate, evaluate_within
from ludus.games.checkers import Checkers, CheckersState
from ludus.players.endings import WIN
from ludus.players.search.alphabeta import BY_PAIRS, Line, best_of, probe, root_value, store

U = np.uint64

ENTRIES = 1 << 13
"""How many positions the table has room for; a new one always replaces the old one in its slot."""

AHEAD = 2
"""How many moves a first search looks ahead, which tells what to look at first."""


class TranspositionTable(NamedTuple):
    """An evaluator with the bounds that searches found by it."""

    evaluator: Any
    keys: NDArray[
        np.uint64
    ]  # [entries, 3]: pieces, then kings with `context`; an empty slot is 0, which no position is
    bounds: NDArray[np.float64]  # [entries, 2]: low and high


@kernel
def with_transposition_table(evaluator: Any) -> TranspositionTable:
    """The same evaluator with an empty table."""
    return TranspositionTable(evaluator, zeros((ENTRIES, 3), np.uint64), empty((ENTRIES, 2), np.float64))


@implements(evaluate, TranspositionTable)
def _(evaluator, game, state):
    return evaluate(evaluator.evaluator, game, state)


@implements(evaluate_within, TranspositionTable)
def _(evaluator, game, state, alpha, beta):
    return evaluate_within(evaluator.evaluator, game, state, alpha, beta)


@inlined
def context(game: Checkers, state: CheckersState, left: int):
    """Kings, whose move it is and how far to look; 0 if the limit of moves could end the game within the search."""
    captures = popcount(state.own | state.opp)  # beyond the horizon, each of which takes a piece at least
    if state.ply + left + captures >= 2 * game.moves_each:
        return U(0)
    return state.kings | (U(left + 1) << U(40)) | (U(state.current_player) << U(63))


@inlined
def slot(state: CheckersState, context: np.uint64):
    """The slot of the table that a position hashes to."""
    mixed = (
        (state.own * U(0x9E3779B97F4A7C15)) ^ (state.opp * U(0xC2B2AE3D27D4EB4F)) ^ (context * U(0x165667B19E3779F9))
    )
    return (mixed >> U(40)) & U(ENTRIES - 1)


@implements(probe, TranspositionTable, Checkers)
def _(evaluator, game, state, left):
    wanted = context(game, state, left)
    here, keys = slot(state, wanted), evaluator.keys
    if wanted and keys[here, 0] == state.own and keys[here, 1] == state.opp and keys[here, 2] == wanted:
        return evaluator.bounds[here, 0], evaluator.bounds[here, 1]
    return -np.inf, np.inf


@implements(store, TranspositionTable, Checkers)
def _(evaluator, game, state, left, low, high):
    wanted = context(game, state, left)
    # a win is worth the more, the fewer moves led here
    decided = WIN / 2 <= abs(low) < np.inf or WIN / 2 <= abs(high) < np.inf
    if wanted and not decided:
        here, keys = slot(state, wanted), evaluator.keys
        keys[here, 0], keys[here, 1], keys[here, 2] = state.own, state.opp, wanted
        evaluator.bounds[here, 0], evaluator.bounds[here, 1] = low, high


@implements(best_of, TranspositionTable)
def _(evaluator, context, state, moves, line):
    """Looks at the moves that seem best first. Of equally good ones, it too finds the first of those given."""
    player, _, move_table, _ = without_refcount(dereference(context))
    order, values = move_table[0], empty(len(moves), np.float64)  # no node needs that row: a search begins at ply 1
    shallow, best = Line(line.ply, AHEAD, line.forced), -np.inf
    sorts = player.prunes and line.horizon > AHEAD and player.extension != BY_PAIRS  # by pairs, none is shallow
    for i in range(len(moves)):
        order[i] = i
        if sorts:
            values[i] = root_value(context, state, moves[i], shallow, best)
            best, j = max(best, values[i]), i
            while j > 0 and values[order[j - 1]] < values[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
    best, pick = -np.inf, len(moves)
    for j in range(len(moves)):
        i, alpha = order[j], -np.inf
        if player.prunes:
            alpha = best if i > pick else np.nextafter(best, -np.inf)  # as good is good enough for one given earlier
        value = root_value(context, state, moves[i], line, alpha)
        if value > best or (value == best and i < pick):
            best, pick = value, i
    return moves[pick], best
