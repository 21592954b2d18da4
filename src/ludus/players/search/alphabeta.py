"""Alpha-beta and plain minimax to a fixed depth, in negamax form.

The root's moves are put into random order before the search, and only a better one replaces the best; so among equally
good moves each is as likely, though alpha-beta learns the exact value of none but the best. Finished games count by
their result, beyond all that an evaluator says, then by the margin, then by how soon they are won.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.generic import generic, implements
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.compile.references import dereference, reference
from ludus.compile.rng import shuffle
from ludus.evaluators.protocol import child_eval, evaluate_within, parent_eval, with_own_memory
from ludus.games import protocol
from ludus.players.endings import result
from ludus.players.protocol import Moves, choose, with_fresh_memory

Budget = NDArray[np.int64]
"""[1]: how many positions may still be looked at; once negative, values mean nothing."""

MoveTable = NDArray[np.int64]
"""[plies, max_legal_moves + 1]: room for the legal moves at each ply, and last its killer move."""

EXTENSIONS = ("no", "captures", "pairs")
"""How a search is extended beyond its horizon where moves are forced: a kind of quiescence search.

`captures`: on, move by move, as long as the next move is forced. `pairs`: as Blondie24's authors describe it, by one
move for each forced one on the line, in steps of two, and by two more while a forced move is pending; with 4 moves
ahead that is some hundred times the work.
"""
BY_PAIRS = 2

SCOUTED = 4
"""So far from the horizon and further, it pays to ask of a move only whether it is better."""

NO_MOVE = -1
"""What no game has as a move."""

MOST_FORCED = 72
"""A line of checkers has 24 captures at most; each adds one move, or two at the horizon."""


class Search(NamedTuple):
    """A player that searches."""

    evaluator: Any
    depth: int
    exact: int  # with this many moves left or fewer, search to the end of the game
    prunes: bool  # alpha-beta, or plain minimax
    random_ties: bool  # whether one of several best moves is drawn by lot; else the first is made
    extension: int = 0  # a number of EXTENSIONS


class Line(NamedTuple):
    """The line of moves from the root to a node."""

    ply: int  # moves made
    horizon: int  # the ply at which to evaluate
    forced: int  # how many of the moves were forced


class SearchContext(NamedTuple):
    """What all nodes of a search share."""

    player: Search
    game: Any
    move_table: MoveTable
    budget: Budget


@generic
def probe(evaluator: Any, game: Any, state: Any, left: int) -> Any:
    """Look a state up in the evaluator's transposition table: the bounds of its value, searched `left` moves deep, and
    the move to try first, or NO_MOVE."""


@generic
def store(evaluator: Any, game: Any, state: Any, left: int, low: float, high: float, move: int) -> Any:
    """Put such bounds and such a move into the evaluator's transposition table, if it has one."""


@generic
def arrange(evaluator: Any, game: Any, state: Any, moves: Moves, n: int, first: int, left: int) -> Any:
    """Put `moves[:n]` into the order to try them in: `first` first, unless it is NO_MOVE.

    moves  a row of a MoveTable: its last entry is the killer move, which refuted a sister of this state
    """


@generic
def credit(evaluator: Any, game: Any, state: Any, move: int, left: int) -> Any:
    """Remember that this move refuted the state, searched `left` moves deep."""


@generic
def scouts(evaluator: Any) -> Any:
    """Whether to ask of all moves but the first only whether they are better than it (principal variation search).

    That pays where the first is mostly the best.
    """


@implements(probe)
def _(evaluator, game, state, left):
    return -np.inf, np.inf, NO_MOVE


@implements(store)
def _(evaluator, game, state, left, low, high, move):
    pass


@inlined
def killer_first(moves: Moves, n: int) -> None:
    """Put the killer move in front, if it is legal here."""
    for i in range(1, n):
        if moves[i] == moves[-1]:
            moves[0], moves[i] = moves[i], moves[0]
            break


@implements(arrange)
def _(evaluator, game, state, moves, n, first, left):
    killer_first(moves, n)


@implements(credit)
def _(evaluator, game, state, move, left):
    pass


@implements(scouts)
def _(evaluator):
    return False


@inlined
def extended_horizon(player: Search, line: Line, is_forced: bool):
    """How far to look, having arrived at the horizon."""
    if player.extension == BY_PAIRS:
        wanted = player.depth + (line.forced + 1) // 2 * 2
        if line.horizon < wanted:
            return wanted
        return line.horizon + 2 if is_forced else line.horizon
    return line.horizon + 1 if is_forced else line.horizon


@inlined
def leaf_value(evaluator: Any, game: Any, state: Any, parent: float, move: int, ply: int, buffer: Moves):
    """The value, to who makes it, of a move at the horizon, `ply` moves deep. `buffer` has room for moves."""
    after = protocol.play(game, state, move)
    if protocol.over(game, after, buffer):
        value = result(game, after, ply)
        return value if protocol.current_player(game, after) == protocol.current_player(game, state) else -value
    return float(child_eval(evaluator, game, state, parent, move, after))


@kernel
def alphabeta(context: Any, state: Any, line: Line, alpha: float, beta: float):
    """The value of the state to the player to move: exact between alpha and beta, else a bound (fail-soft).

    context  the address of a SearchContext
    """
    player, game, move_table, budget = without_refcount(dereference(context))
    ply, horizon = line.ply, line.horizon
    budget[0] -= 1
    left = horizon - ply
    # by pairs, how far to look depends on the line; and a memory is slower than a leaf
    uses_table = player.extension != BY_PAIRS and (left > 1 or player.extension > 0)
    favourite = NO_MOVE
    if uses_table:
        low, high, favourite = probe(player.evaluator, game, state, left)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
    moves = move_table[ply]
    n = protocol.legal_moves(game, state, moves)
    if n == 0:
        return result(game, state, ply)
    is_forced = player.extension > 0 and protocol.is_forced(game, moves[0])
    if ply >= horizon and player.extension > 0:
        horizon = extended_horizon(player, line, is_forced)
    if ply >= horizon or ply == len(move_table) - 1 or budget[0] < 0:
        low, high = evaluate_within(player.evaluator, game, state, alpha, beta)
        if uses_table and budget[0] >= 0 and low == high:
            store(player.evaluator, game, state, left, low, high, NO_MOVE)
        return low if low > alpha else high
    best, best_move, first_alpha = -np.inf, NO_MOVE, alpha
    if player.prunes:
        arrange(player.evaluator, game, state, moves, n, favourite, left)
    # most positions are leaves, and a call costs about as much as evaluating one
    at_frontier = ply + 1 == horizon and player.extension == 0
    parent = parent_eval(player.evaluator, game, state) if at_frontier else 0.0
    below, next_line = move_table[ply + 1], Line(ply + 1, horizon, line.forced + is_forced)
    for i in range(n):
        if at_frontier:
            budget[0] -= 1
            value = leaf_value(player.evaluator, game, state, parent, moves[i], ply + 1, below)
        else:
            after = protocol.play(game, state, moves[i])
            sign = 1.0 if protocol.current_player(game, after) == protocol.current_player(game, state) else -1.0
            limit = beta
            if scouts(player.evaluator) and left >= SCOUTED and i > 0 and alpha > -np.inf:
                limit = np.nextafter(alpha, np.inf)
            one, other = sign * alpha, sign * limit
            value = sign * alphabeta(context, after, next_line, min(one, other), max(one, other))
            if limit < beta and alpha < value < beta:
                one, other = sign * alpha, sign * beta
                value = sign * alphabeta(context, after, next_line, min(one, other), max(one, other))
        if value > best:
            best, best_move = value, moves[i]
            if player.prunes:
                alpha = max(alpha, best)
                if alpha >= beta:
                    moves[len(moves) - 1] = best_move
                    credit(player.evaluator, game, state, best_move, left)
                    break
    if uses_table and budget[0] >= 0:
        low, high = best if best > first_alpha else -np.inf, best if best < beta else np.inf
        store(player.evaluator, game, state, left, low, high, best_move if best > first_alpha else NO_MOVE)
    return best


@kernel
def best_move(player: Search, game: Any, state: Any, moves: Moves, depth: int, budget: Budget, deepens: bool):
    """The first of `moves` that no other beats at that depth, and its value."""
    player = Search(player.evaluator, depth, player.exact, player.prunes, player.random_ties, player.extension)
    plies, width = depth + 1 + (MOST_FORCED if player.extension > 0 else 0), protocol.max_legal_moves(game)
    move_table = empty((plies, width + 1), np.int64)
    move_table[:, width] = -1
    return search_root(player, game, state, moves, depth, move_table, budget, deepens)


@kernel
def search_root(
    player: Search,
    game: Any,
    state: Any,
    moves: Moves,
    depth: int,
    move_table: MoveTable,
    budget: Budget,
    deepens: bool,
):
    """The same with room for the search.

    A shallow search comes first, and what looked best in it is tried first; with a table there are more of them, in
    steps of two. Whatever the order, the first of equally good moves is found: of one given earlier than the best so
    far, it is asked whether it is as good.
    """
    context = reference(SearchContext(player, game, move_table, budget))
    ply: Any = np.int64(1)  # as a literal it would make a type of its own, whose recursion numba does not keep on disk
    forced = ply if player.extension > 0 and protocol.is_forced(game, moves[0]) else ply - 1
    order, values = move_table[0], empty(len(moves), np.float64)  # no node needs that row: a search begins at ply 1
    for i in range(len(moves)):
        order[i] = i
    deepens = deepens and player.prunes and player.extension != BY_PAIRS  # by pairs, no search is shallow
    horizon = 2 - depth % 2 if deepens else depth
    while True:
        line, best, pick = Line(ply, horizon, forced), -np.inf, len(moves)
        for j in range(len(moves)):
            i, alpha = order[j], -np.inf
            if player.prunes and j > 0:
                alpha = best if i > pick else np.nextafter(best, -np.inf)
            scouted = scouts(player.evaluator) and horizon > SCOUTED and alpha > -np.inf
            limit = np.nextafter(alpha, np.inf) if scouted else np.inf
            value = root_value(context, state, moves[i], line, alpha, limit)
            if scouted and value > alpha:
                value = root_value(context, state, moves[i], line, alpha, np.inf)
            values[i] = value
            if value > best or (value == best and i < pick):
                best, pick = value, i
        if horizon >= depth:
            return moves[pick], best
        for j in range(1, len(moves)):
            i, k = order[j], j
            while k > 0 and values[order[k - 1]] < values[i]:
                order[k] = order[k - 1]
                k -= 1
            order[k] = i
        horizon = horizon + 2 if scouts(player.evaluator) else depth


@inlined
def root_value(context: Any, state: Any, move: int, line: Line, alpha: float, beta: float):
    """The value of a move at the root: exact between alpha and beta, else a bound."""
    game = without_refcount(dereference(context)).game
    after = protocol.play(game, state, move)
    if protocol.current_player(game, after) == protocol.current_player(game, state):
        return alphabeta(context, after, line, alpha, beta)
    return -alphabeta(context, after, line, -beta, -alpha)


@kernel
def search(player: Search, game: Any, state: Any, moves: Moves, depth: int, budget: Budget):
    """The same for Python, whose positions keep their history."""
    player = with_fresh_memory(player, game)
    return best_move(player, game, protocol.copy_state(game, state), moves, depth, budget, True)


@kernel
def search_deeper(player: Search, game: Any, state: Any, moves: Moves, depth: int, budget: Budget):
    """The same for a player with its own memory, which has seen shallower searches already."""
    return best_move(player, game, protocol.copy_state(game, state), moves, depth, budget, False)


@kernel
def full_depth(player: Search, game: Any, state: Any) -> int:
    """How far the player looks ahead: to the end of the game where few enough moves are left for `exact`."""
    # each move may be followed by a pass
    return 2 * player.exact if protocol.remaining(game, state) <= player.exact else player.depth


@kernel
def unlimited_budget():
    """A budget of positions that is never spent."""
    return np.full(1, 1 << 62, np.int64)


@implements(with_fresh_memory, Search)
def _(player, game):
    evaluator, depth, exact, prunes, random_ties, extension = player
    return Search(with_own_memory(evaluator), depth, exact, prunes, random_ties, extension)


@implements(choose, Search)
def _(player, game, state, moves, n, rng):
    if player.random_ties:
        shuffle(rng, moves, n)
    if n == 1:
        return moves[0]
    return best_move(player, game, state, moves[:n], full_depth(player, game, state), unlimited_budget(), True)[0]
