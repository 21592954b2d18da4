"""Transposition tables: evaluators that keep what searches found, for the length of a game.

Moves can be made in another order, and kings wander: many positions of a game's searches come up again with as far to
look from them. The table holds bounds, so a search finds the same as without, only sooner. It also keeps the move that
proved best, and how often each move refuted a position: what to try first. So a search deepens step by step, and what
the shallow searches leave behind costs little and puts the moves of the deep one into order.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.bitboards import mixed
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.evaluators.pictures import Board, boards, pictures
from ludus.evaluators.protocol import child_eval, evaluate, evaluate_within, parent_eval, with_own_memory
from ludus.games import protocol
from ludus.games.game import Position
from ludus.players.endings import WIN
from ludus.players.search.alphabeta import (
    NO_MOVE,
    arrange,
    credit,
    killer_first,
    probe,
    scouts,
    store,
)

U = np.uint64

HISTORY = 1 << 11
"""How many counters each side has for what its moves refuted."""

SORTED = 2
"""So far from the horizon and further, moves are sorted; nearer, it costs more than it saves."""

MOST_SORTED = 512
"""As many moves are sorted at the most; no position of our games has more."""


class TranspositionTable(NamedTuple):
    """An evaluator with what searches found by it."""

    evaluator: Any
    entries: int  # how many a game gives room for, a power of two; outside of games there is room for one
    keys: NDArray[np.uint64]  # [entries, 3]: the fingerprint, then how deep the search was
    moves: NDArray[np.int64]  # [entries]: the best move
    bounds: NDArray[np.float64]  # [entries, 2]: low and high
    history: NDArray[np.int64]  # [2 * HISTORY]: by side and move
    scores: NDArray[np.int64]  # [MOST_SORTED]: of the moves of the position whose moves are being sorted


def remembering(evaluator: Any, entries: int) -> TranspositionTable:
    """The same evaluator, whose searches remember so many positions for the length of a game, a power of two."""
    return TranspositionTable(
        evaluator,
        entries,
        np.zeros((1, 3), np.uint64),
        np.zeros(1, np.int64),
        np.zeros((1, 2)),
        np.zeros(2 * HISTORY, np.int64),
        np.zeros(MOST_SORTED, np.int64),
    )


@kernel
def with_transposition_table(evaluator: Any, entries: int) -> TranspositionTable:
    """The same evaluator with an empty table of so many entries."""
    return TranspositionTable(
        evaluator,
        entries,
        zeros((entries, 3), np.uint64),
        empty(entries, np.int64),
        empty((entries, 2), np.float64),
        zeros(2 * HISTORY, np.int64),
        empty(MOST_SORTED, np.int64),
    )


@implements(with_own_memory, TranspositionTable)
def _(evaluator):
    return with_transposition_table(with_own_memory(evaluator.evaluator), evaluator.entries)


@pictures(TranspositionTable)
def _pictures(evaluator: TranspositionTable, position: Position) -> tuple[Board, ...]:
    return boards(evaluator.evaluator, position)


@implements(evaluate, TranspositionTable)
def _(evaluator, game, state):
    return evaluate(evaluator.evaluator, game, state)


@implements(evaluate_within, TranspositionTable)
def _(evaluator, game, state, alpha, beta):
    return evaluate_within(evaluator.evaluator, game, state, alpha, beta)


@implements(parent_eval, TranspositionTable)
def _(evaluator, game, state):
    return parent_eval(evaluator.evaluator, game, state)


@implements(child_eval, TranspositionTable)
def _(evaluator, game, state, parent, move, after):
    return child_eval(evaluator.evaluator, game, state, parent, move, after)


@inlined
def slot(table: TranspositionTable, one: np.uint64, other: np.uint64):
    """Where in the table a position with that fingerprint is kept."""
    return mixed(one, other) & U(len(table.keys) - 1)


@implements(probe, TranspositionTable)
def _(evaluator, game, state, left):
    one, other = protocol.fingerprint(game, state, left)
    if one | other:
        here, keys = slot(evaluator, one, other), evaluator.keys
        if keys[here, 0] == one and keys[here, 1] == other:
            if keys[here, 2] == U(left):
                return evaluator.bounds[here, 0], evaluator.bounds[here, 1], evaluator.moves[here]
            return -np.inf, np.inf, evaluator.moves[here]
    return -np.inf, np.inf, NO_MOVE


@implements(store, TranspositionTable)
def _(evaluator, game, state, left, low, high, move):
    # a win is worth the more, the fewer moves led here
    decided = WIN / 2 <= abs(low) < np.inf or WIN / 2 <= abs(high) < np.inf
    one, other = protocol.fingerprint(game, state, left)
    if (one | other) and not decided:
        here, keys, bounds = slot(evaluator, one, other), evaluator.keys, evaluator.bounds
        if keys[here, 0] == one and keys[here, 1] == other:
            if keys[here, 2] == U(left):
                low, high = max(low, bounds[here, 0]), min(high, bounds[here, 1])
            if move == NO_MOVE:
                move = evaluator.moves[here]
        keys[here, 0], keys[here, 1], keys[here, 2] = one, other, U(left)
        evaluator.moves[here] = move
        bounds[here, 0], bounds[here, 1] = low, high


@inlined
def counter(game: Any, state: Any, move: int):
    """The counter of what that move refuted."""
    start, end = protocol.move_squares(game, move)
    return HISTORY * protocol.current_player(game, state) + (((start << 5) ^ end) & (HISTORY - 1))


@implements(credit, TranspositionTable)
def _(evaluator, game, state, move, left):
    evaluator.history[counter(game, state, move)] += left * left


@implements(arrange, TranspositionTable)
def _(evaluator, game, state, moves, n, first, left):
    if left < SORTED:
        killer_first(moves, n)
        return
    history, scores, killer = evaluator.history, evaluator.scores, moves[-1]
    for i in range(min(n, len(scores))):
        move = moves[i]
        if move == first:
            score = 1 << 62
        elif move == killer:
            score = 1 << 61
        else:
            score = history[counter(game, state, move)]
        j = i
        while j > 0 and scores[j - 1] < score:
            scores[j], moves[j] = scores[j - 1], moves[j - 1]
            j -= 1
        scores[j], moves[j] = score, move


@implements(scouts, TranspositionTable)
def _(evaluator):
    return True
