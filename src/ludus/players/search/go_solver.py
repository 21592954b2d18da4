"""Exact search of small Go boards: the kernels of the solver.

Every search asks whether one side, the prover, can force a score within so many plies. What it has not proved by then
counts against it, so a proof never rests on a guess, and deeper searches only add to what is proved. With simple ko
that is all: a proof comes to an end, whatever was played before.

With superko a score may depend on the positions before (graph history interaction). Two things could go wrong with a
proof that is kept for another line. A move of the opponent may have been barred that is allowed there: so nothing is
kept that was proved by a position of the line before it. And a move of the prover may be barred there: so nothing is
used that might come to a position of the line. For that every proof is kept with the points whose stones it captures;
it can't come to a position that lacks any other of the stones that are here.

Points that a side makes sure of for ever (`ludus.games.go_life`) count at once. With simple ko nobody plays there,
since that is no more than a pass: a pass in a line stands for such a play as long as dead stones are left. With superko
it may be more, as the position is another then.

Scores are numbers of points without komi, from the side of the player to move.
"""

from typing import Any

import numpy as np

from ludus.compile.bitboards import cardinality, difference, intersection, lowest_bit, single, union
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.compile.references import dereference, reference
from ludus.games import protocol
from ludus.games.go_life import safe_points
from ludus.games.go_rules import Board, Go, GoState, group, neighbours, not_suicide, seen_before, zobrist
from ludus.players.search.go_table import (
    HALF,
    NO_MOVE,
    NO_SCORE,
    NOWHERE,
    Entry,
    GoNode,
    GoSearch,
    key_of,
    sides_exchanged,
    slot_of,
    store,
    turned,
    unpacked,
)

U = np.uint64

TRANSPOSED = 3
"""So many plies from the horizon or more, a look at the table for all replies may save the search (enhanced
transposition cutoff)."""


@inlined
def may_repeat(search: GoSearch, node: GoNode, ply: int, captures: np.uint64) -> bool:
    """Whether play that captures stones on these points only might come to an earlier position of the line."""
    if not search.superko:
        return False
    own_kept, opp_kept = node.own[0] & ~captures, node.opp[0] & ~(captures >> HALF)
    for i in range(1, ply):
        own, opp = search.path[i, ply & 1], search.path[i, 1 - (ply & 1)]
        if not (own_kept & ~own) and not (opp_kept & ~opp) and (own != node.own[0] or opp != node.opp[0]):
            return True
    return False


@inlined
def repeated_ply(search: GoSearch, after: GoNode, ply: int) -> int:
    """The last ply up to this one whose position is the same as after a move; 0 if the game had it before, else -1."""
    for i in range(ply, 0, -1):
        if search.path[i, ply & 1] == after.opp[0] and search.path[i, 1 - (ply & 1)] == after.own[0]:
            return i
    position_hash = zobrist(search.keys[ply & 1], after.opp) ^ zobrist(search.keys[1 - (ply & 1)], after.own)
    return 0 if seen_before(search.game, search.past, search.seen, position_hash) else -1


@inlined
def after_move(search: GoSearch, node: GoNode, move: int) -> GoNode:
    """The position after a legal move, without the points that it makes safe."""
    state = GoState(
        node.own, node.opp, node.atari, node.own_lost, node.opp_lost, U(0), node.ko, node.passes, 0, 0, 0, search.past
    )
    after = protocol.play(search.game, state, move)
    return GoNode(
        after.own, after.opp, after.atari, after.own_lost, after.opp_lost, node.opp_safe, node.own_safe, after.ko,
        after.passes,
    )  # fmt: skip


@inlined
def safe_for(search: GoSearch, side: int, stones: Board) -> Any:
    """The points that a side makes sure of for ever: that of the root's player to move (0), or the other (1)."""
    return safe_points(search.game, stones, (search.doubtful[side],))


@inlined
def with_safe_points(search: GoSearch, node: GoNode, ply: int) -> GoNode:
    """The same with the points that the last move, made at this ply, has made safe."""
    return GoNode(
        node.own, node.opp, node.atari, node.own_lost, node.opp_lost, node.own_safe,
        safe_for(search, ply & 1, node.opp), node.ko, node.passes,
    )  # fmt: skip


@inlined
def score_now(game: Go, own: Board, opp: Board) -> Any:
    """The area of both sides as it is."""
    empty = difference(game.board, union(own, opp))
    by_me, by_them = group(game, own, union(own, empty)), group(game, opp, union(opp, empty))
    return cardinality(difference(by_me, by_them)) - cardinality(difference(by_them, by_me))


@inlined
def final_score(search: GoSearch, node: GoNode, ply: int) -> Any:
    """The score if both pass; with simple ko, if both take what is theirs for sure and then pass.

    Who passes at once, after a pass before the search began, ends the game with the stones as they are.
    """
    game = search.game
    if ply == 0 or search.superko:
        return score_now(game, node.own, node.opp)
    mine = union(difference(node.own, node.opp_safe), node.own_safe)
    theirs = union(difference(node.opp, node.own_safe), node.opp_safe)
    return score_now(game, mine, theirs)


@inlined
def moves_to_try(search: GoSearch, node: GoNode, ply: int, proving: bool) -> Any:
    """The points worth a play, and whether the others can't change the score.

    With superko any play may make another legal that would have repeated a position. So the opponent's plays are all
    tried; the prover may do without those on safe points that capture nothing. With simple ko nobody needs plays on
    safe points, except who would end the game by a pass with dead stones on the board.
    """
    game = search.game
    state = GoState(
        node.own, node.opp, node.atari, node.own_lost, node.opp_lost, U(0), node.ko, node.passes, 0, 0, 0, search.past
    )
    legal = not_suicide(game, state)
    if node.ko >= 0:
        legal = difference(legal, single(legal, node.ko))
    open_points = difference(legal, union(node.own_safe, node.opp_safe))
    dead = neighbours(game, intersection(node.opp, node.own_safe))
    chosen = union(open_points, intersection(legal, intersection(dead, node.own_safe)))
    if not search.superko:
        return (chosen if ply == 0 and node.passes == 1 else open_points), True
    if not proving:
        return legal, True
    return chosen, chosen == legal


@inlined
def order_moves(search: GoSearch, node: GoNode, ply: int, favourite: int, legal: Board) -> int:
    """Write these moves and the pass, the most promising first, above the six bits of a move; return how many."""
    game, points = search.game, search.game.size * search.game.size
    moves, history, killers, n = search.moves[ply], search.history[ply & 1], search.killers[ply], 0
    takes = neighbours(game, intersection(node.opp, node.atari))[0]
    saves = neighbours(game, intersection(node.own, node.atari))[0]
    left = legal[0]
    while True:
        move = lowest_bit(left) if left else points  # a pass comes last
        value = min(history[move], 1 << 30)
        if move == favourite:
            value = 1 << 40
        elif not left:
            value = 0
        elif (takes >> U(move)) & U(1):
            value += 1 << 35
        elif move == killers[0]:
            value += 1 << 34
        elif move == killers[1]:
            value += 1 << 33
        elif (saves >> U(move)) & U(1):
            value += 1 << 32
        word, i = (value << 6) | move, n
        while i > 0 and moves[i - 1] < word:
            moves[i] = moves[i - 1]
            i -= 1
        moves[i] = word
        n += 1
        if not left:
            return n
        left &= left - U(1)


@inlined
def known_reply(search: GoSearch, node: GoNode, depth: int, ply: int, alpha: int, proving: bool, n: int) -> Any:
    """What `prove` returns if the table has a good enough move among the `n` ordered ones, else a very low number."""
    points = search.game.size * search.game.size
    for i in range(n):
        move = search.moves[ply, i] & 63
        if move == points:
            continue
        after = after_move(search, node, move)
        if search.superko and (node.own_lost[0] >> U(move)) & U(1) and repeated_ply(search, after, ply) >= 0:
            continue
        key, symmetry = key_of(search, after, ply + 1)
        at = slot_of(search, key)
        if at < 0:
            continue
        entry = unpacked(search.table[at, 1])
        if -entry.high > alpha:
            proof = turned(search, search.inverse[symmetry], search.table[at, 3])
            if not may_repeat(search, after, ply + 1, proof):
                search.captures[ply] = sides_exchanged(proof) | (difference(node.opp, after.own)[0] << HALF)
                return 2 * -entry.high + 1
        # what the opponent has just failed to prove there
        if not search.thorough and not proving and depth - 1 <= entry.low_depth and -alpha - 1 >= entry.open_low:
            return 2 * -entry.open_low
    return -4 * NO_SCORE


@kernel
def prove(context: Any, node: GoNode, depth: int, ply: int, alpha: int, proving: bool):
    """The score of a position: a lower bound if above alpha, else an upper bound; doubled, plus 1 if that is proved.

    It means nothing once the counters say stop.

    context  the address of a GoSearch
    proving  whether the player to move is the prover, else the opponent
    """
    search = without_refcount(dereference(context))
    game, counters = search.game, search.counters
    points = game.size * game.size
    counters[0] -= 1
    search.captures[ply], search.needs[ply] = U(0), NOWHERE
    if counters[0] < 0 or counters[1]:
        return 0
    lead = final_score(search, node, ply) if node.passes == 1 else -NO_SCORE
    if lead > alpha:
        return 2 * lead + 1
    safe_low, safe_high = 2 * cardinality(node.own_safe) - points, points - 2 * cardinality(node.opp_safe)
    if safe_low > alpha:
        return 2 * safe_low + 1
    if safe_high <= alpha:
        return 2 * max(safe_high, lead) + 1
    is_root = ply == counters[2]
    key, symmetry = key_of(search, node, ply)
    entry, low_captures, high_captures = Entry(-NO_SCORE, NO_SCORE, NO_MOVE, 0, 0, 0, 0), U(0), U(0)
    at = slot_of(search, key)
    if at >= 0 and not is_root:
        entry, low_captures, high_captures = unpacked(search.table[at, 1]), search.table[at, 2], search.table[at, 3]
        if entry.low > alpha:
            proof = turned(search, search.inverse[symmetry], low_captures)
            if not may_repeat(search, node, ply, proof):
                search.captures[ply] = proof
                return 2 * entry.low + 1
        if entry.high <= alpha:
            proof = turned(search, search.inverse[symmetry], high_captures)
            if not may_repeat(search, node, ply, proof):
                search.captures[ply] = proof
                return 2 * entry.high + 1
    if depth == 0:
        return 2 * (safe_low if proving else safe_high)
    if not search.thorough:
        if proving and depth <= entry.low_depth and alpha >= entry.open_low:
            return 2 * entry.open_low
        if not proving and depth <= entry.high_depth and alpha <= entry.open_high:
            return 2 * (entry.open_high + 1)
    before = counters[0]
    search.path[ply, ply & 1], search.path[ply, 1 - (ply & 1)] = node.own[0], node.opp[0]
    favourite = counters[3] if is_root else search.inverses[symmetry, entry.move]
    tried, complete = moves_to_try(search, node, ply, proving)
    n = order_moves(search, node, ply, favourite, tried)
    moves = search.moves[ply]
    best, proved, captures, needs = -NO_SCORE, True, U(0), NOWHERE
    if depth >= TRANSPOSED and not is_root:
        known = known_reply(search, node, depth, ply, alpha, proving, n)
        if known > -2 * NO_SCORE:
            return known
    for i in range(n):
        move = moves[i] & 63
        if move == points and node.passes == 1:
            score, sure, taken, need = lead, True, U(0), NOWHERE
        else:
            after = after_move(search, node, move)
            taken = U(0)
            if move < points:
                if search.superko and (node.own_lost[0] >> U(move)) & U(1):
                    repeated = repeated_ply(search, after, ply)
                    if repeated >= 0:
                        needs = min(needs, repeated if repeated > 0 else NOWHERE)
                        continue
                taken = difference(node.opp, after.own)[0] << HALF
                after = with_safe_points(search, after, ply)
            found = prove(context, after, depth - 1, ply + 1, -alpha - 1, not proving)
            if counters[0] < 0 or counters[1]:
                return 0
            score, sure = -(found >> 1), bool(found & 1)
            taken |= sides_exchanged(search.captures[ply + 1])
            need = search.needs[ply + 1]
        best = max(best, score)
        if score > alpha:
            favourite, proved, captures, needs = move, sure, taken, need
            break
        proved, captures, needs = proved and sure, captures | taken, min(needs, need)
    if best <= alpha and not complete:
        proved = False
    if best > alpha:
        killers = search.killers[ply]
        if killers[0] != favourite:
            killers[0], killers[1] = favourite, killers[0]
        search.history[ply & 1, favourite] += depth * depth
    if needs >= ply:
        needs = NOWHERE
    search.captures[ply], search.needs[ply] = captures, needs
    if is_root:
        counters[3] = favourite
    elif needs == NOWHERE:
        low, high, open_low, low_depth = entry.low, entry.high, entry.open_low, entry.low_depth
        open_high, high_depth = entry.open_high, entry.high_depth
        if proved:
            if best > alpha and best > low:
                low, low_captures = best, turned(search, symmetry, captures)
            elif best <= alpha and best < high:
                high, high_captures = best, turned(search, symmetry, captures)
        elif best > alpha:
            open_high, high_depth = alpha, depth
        else:
            open_low, low_depth = alpha, depth
        move = search.symmetries[symmetry, favourite]
        kept = Entry(low, high, move, open_low, low_depth, open_high, high_depth)
        store(search, key, kept, low_captures, high_captures, before - counters[0])
    return 2 * best + (1 if proved else 0)


@kernel
def prove_after(search: GoSearch, state: GoState, line: protocol.Moves, depth: int, alpha: int, proving: bool):
    """The same for the position after a line of moves from the root, and the move that the score is of."""
    counters = search.counters
    node = GoNode(
        state.own, state.opp, state.atari, state.own_lost, state.opp_lost, safe_for(search, 0, state.own),
        safe_for(search, 1, state.opp), state.ko, state.passes,
    )  # fmt: skip
    for ply in range(len(line)):
        search.path[ply, ply & 1], search.path[ply, 1 - (ply & 1)] = node.own[0], node.opp[0]
        node = with_safe_points(search, after_move(search, node, line[ply]), ply)
    counters[2] = len(line)
    begin: Any = np.int64(len(line))
    found = prove(reference(search), node, depth, begin, alpha, proving)
    return found, counters[3]
