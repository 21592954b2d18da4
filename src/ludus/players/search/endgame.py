"""Exact search of Othello endgames: the kernels of the solver.

Every search asks whether the score of a position is above alpha, and answers with a bound of the score (null windows,
in negamax form, fail-soft). Three things keep the tree small: a transposition table, an order of moves that leaves
the opponent few replies (fastest first) and plays where an odd number of squares is empty (parity), and cutoffs by
stable discs, which matter where one side wins nearly everything. Far from the end an n-tuple network that has learned
the game has a say in the order as well, the further the deeper it looks. The last squares are filled without any of
these, where they cost more than they save.

Scores are whole numbers of discs, from the side of the player to move.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bitboards import lowest_bit, mixed, popcount
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.compile.references import dereference, reference
from ludus.evaluators.ntuples import NTuples
from ludus.evaluators.protocol import evaluate
from ludus.games.othello import Lanes, Othello, OthelloState, flips, legal_squares
from ludus.players.search.stability import line_ends, stable_discs

U = np.uint64

FEW = 6
"""With this many empty squares or fewer, moves are tried by parity alone, and nothing is kept in the table."""

TRANSPOSED = 9
"""With this many or more, a look at the table's bounds for all replies may save the search (enhanced transposition
cutoff)."""

FORESEEN = 11
"""With this many or more, the order of moves depends on the best reply to each as well."""

JUDGED = 14
"""With this many or more, it depends on what the network thinks of the position after each."""

DEEPER = 18
"""With this many the network looks one move further, and one more for every two squares more."""

MOST_DEPTH = 4

NO_SCORE = 1 << 14
"""More than any score, and more than what orders the moves."""

ENTRY = 4
"""Words of an entry of the table: own discs, opponent's discs, bounds with a move, and the nodes they took to find."""


class Endgame(NamedTuple):
    """What all nodes of a search share."""

    game: Othello
    tournament: bool  # whether the winner is given the empty squares
    corners: np.uint64
    columns: tuple[np.uint64, np.uint64]  # the first and the last
    quadrants: Lanes
    line_starts: Lanes  # where each of the four lines through a square begins and ends
    line_ends: Lanes
    neighbours: NDArray[np.uint64]  # [squares]: the squares next to each
    table: NDArray[np.uint64]  # [buckets, 2 * ENTRY]
    moves: NDArray[np.int64]  # [squares + 1, squares]: for each number of empty squares the ordered moves
    flipped: NDArray[np.uint64]  # [squares + 1, squares]: likewise, by square, what a move there flips
    counters: NDArray[np.int64]  # [2]: how many nodes may still be searched; not 0 to stop at once
    network: NTuples  # orders moves far from the end
    trust: float  # what 1 in its value counts beside the promise of a move


def new_endgame(game: Othello, tournament: bool, entries: int, network: NTuples, trust: float) -> Endgame:
    """A search with an empty table of so many entries, a power of two.

    The network's memory is copied, so that several searches may have the same one.
    """
    size, squares = game.size, game.size**2
    board = np.arange(squares).reshape(size, size)
    half = size // 2
    around = [
        board[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        for row in range(size)
        for column in range(size)
    ]
    return Endgame(
        game=game,
        tournament=tournament,
        corners=_bits(board[:: size - 1, :: size - 1]),
        columns=(_bits(board[:, 0]), _bits(board[:, -1])),
        quadrants=(
            _bits(board[:half, :half]),
            _bits(board[:half, half:]),
            _bits(board[half:, :half]),
            _bits(board[half:, half:]),
        ),
        line_starts=line_ends(size, -1),
        line_ends=line_ends(size, 1),
        neighbours=np.array([_bits(near) & ~(U(1) << U(square)) for square, near in enumerate(around)], np.uint64),
        table=np.zeros((entries // 2, 2 * ENTRY), np.uint64),
        moves=np.zeros((squares + 1, squares), np.int64),
        flipped=np.zeros((squares + 1, squares), np.uint64),
        counters=np.zeros(2, np.int64),
        network=network._replace(seen=network.seen.copy(), indices=network.indices.copy(), now=network.now.copy()),
        trust=trust,
    )


def _bits(squares: NDArray[np.int64]) -> np.uint64:
    return U(sum(1 << int(square) for square in squares.ravel()))


@inlined
def final_score(endgame: Endgame, own: np.uint64, opp: np.uint64) -> Any:
    """The score of a finished game."""
    mine, theirs = popcount(own), popcount(opp)
    lead, empty = mine - theirs, endgame.game.size * endgame.game.size - mine - theirs
    if endgame.tournament and lead > 0:
        return lead + empty
    if endgame.tournament and lead < 0:
        return lead - empty
    return lead


@inlined
def odd_quadrants(endgame: Endgame, empty: np.uint64) -> Any:
    """The quadrants with an odd number of empty squares: whoever moves there first may also move there last."""
    odd = U(0)
    for quadrant in endgame.quadrants:
        if popcount(empty & quadrant) & 1:
            odd |= quadrant
    return odd


@inlined
def last_square(endgame: Endgame, own: np.uint64, opp: np.uint64, square: int) -> Any:
    """The score with one empty square."""
    endgame.counters[0] -= 1
    lead, game = popcount(own) - popcount(opp), endgame.game
    gain = popcount(flips(game, own, opp, square))
    if gain:
        return lead + 2 * gain + 1
    loss = popcount(flips(game, opp, own, square))
    if loss:
        return lead - 2 * loss - 1
    return final_score(endgame, own, opp)


@kernel
def last_two(context: Any, own: np.uint64, opp: np.uint64, alpha: int, a: int, b: int):
    """The score with the empty squares `a` and `b`: exact up to alpha, else a lower bound."""
    endgame = without_refcount(dereference(context))
    game, neighbours = endgame.game, endgame.neighbours
    endgame.counters[0] -= 1
    best = -NO_SCORE
    for square, other in ((a, b), (b, a)):
        if neighbours[square] & opp:
            turned = flips(game, own, opp, square)
            if turned:
                score = -last_square(endgame, opp & ~turned, own | turned | (U(1) << U(square)), other)
                if score > alpha:
                    return score
                best = max(best, score)
    if best > -NO_SCORE:
        return best
    best = NO_SCORE
    for square, other in ((a, b), (b, a)):
        if neighbours[square] & own:
            turned = flips(game, opp, own, square)
            if turned:
                best = min(best, last_square(endgame, own & ~turned, opp | turned | (U(1) << U(square)), other))
    return best if best < NO_SCORE else final_score(endgame, own, opp)


@kernel
def last_few(context: Any, own: np.uint64, opp: np.uint64, alpha: int):
    """The score with few empty squares: a lower bound if above alpha, else an upper bound."""
    endgame = without_refcount(dereference(context))
    game, neighbours = endgame.game, endgame.neighbours
    empty = game.board & ~(own | opp)
    count = popcount(empty)
    if count == 2:
        return last_two(context, own, opp, alpha, lowest_bit(empty), lowest_bit(empty & (empty - U(1))))
    if count == 1:
        return last_square(endgame, own, opp, lowest_bit(empty))
    endgame.counters[0] -= 1
    odd = odd_quadrants(endgame, empty)
    best = -NO_SCORE
    for squares in (empty & odd, empty & ~odd):
        while squares:
            square = lowest_bit(squares)
            squares &= squares - U(1)
            if not neighbours[square] & opp:
                continue
            turned = flips(game, own, opp, square)
            if not turned:
                continue
            score = -last_few(context, opp & ~turned, own | turned | (U(1) << U(square)), -alpha - 1)
            if score > alpha:
                return score
            best = max(best, score)
    if best > -NO_SCORE:
        return best
    if not legal_squares(game, opp, own):
        return final_score(endgame, own, opp)
    return -last_few(context, opp, own, -alpha - 1)


@inlined
def bucket_of(endgame: Endgame, own: np.uint64, opp: np.uint64) -> Any:
    """The bucket of the table that a position hashes to."""
    return mixed(own, opp) & U(len(endgame.table) - 1)


@inlined
def probe(endgame: Endgame, own: np.uint64, opp: np.uint64) -> Any:
    """What the table knows: a lower and an upper bound of the score, and the move to try first, or -1."""
    table, bucket = endgame.table, bucket_of(endgame, own, opp)
    for at in (0, ENTRY):
        if table[bucket, at] == own and table[bucket, at + 1] == opp:
            found = np.int64(table[bucket, at + 2])
            return (found & 255) - 128, ((found >> 8) & 255) - 128, ((found >> 16) & 255) - 1
    return -NO_SCORE, NO_SCORE, -1


@inlined
def store(endgame: Endgame, own: np.uint64, opp: np.uint64, low: int, high: int, move: int, nodes: int) -> Any:
    """Put bounds into the table: over the same position, else over the entry of the bucket that took fewer nodes.

    The other one then counts half, so that nothing stays for ever.
    """
    table, bucket = endgame.table, bucket_of(endgame, own, opp)
    at = 0
    if table[bucket, ENTRY] == own and table[bucket, ENTRY + 1] == opp:
        at = ENTRY
    elif not (table[bucket, 0] == own and table[bucket, 1] == opp):
        at = 0 if table[bucket, 3] <= table[bucket, ENTRY + 3] else ENTRY
        table[bucket, ENTRY + 3 - at] >>= U(1)
    table[bucket, at], table[bucket, at + 1] = own, opp
    table[bucket, at + 2] = U((max(low, -100) + 128) | ((min(high, 100) + 128) << 8) | ((move + 1) << 16))
    table[bucket, at + 3] = U(nodes)


@inlined
def promise(endgame: Endgame, own: np.uint64, opp: np.uint64, square: int, replies: np.uint64) -> Any:
    """How good a move seems that led to this position: it leaves few replies, and few squares where one may arise."""
    first, last = endgame.columns
    wide = own | ((own & ~last) << U(1)) | ((own & ~first) >> U(1))
    frontier = (
        (wide | (wide << U(endgame.game.size)) | (wide >> U(endgame.game.size))) & endgame.game.board & ~(own | opp)
    )
    corner = 12 if (U(1) << U(square)) & endgame.corners else 0
    return corner - 16 * (popcount(replies) + popcount(replies & endgame.corners)) - 4 * popcount(frontier)


@kernel
def best_promise(context: Any, own: np.uint64, opp: np.uint64, legal: np.uint64):
    """The promise of the best of these moves."""
    endgame, best = without_refcount(dereference(context)), -NO_SCORE
    while legal:
        square = lowest_bit(legal)
        legal &= legal - U(1)
        turned = flips(endgame.game, own, opp, square)
        mine, theirs = own | turned | (U(1) << U(square)), opp & ~turned
        best = max(best, promise(endgame, mine, theirs, square, legal_squares(endgame.game, theirs, mine)))
    return best


@kernel
def network_value(context: Any, own: np.uint64, opp: np.uint64, depth: int, alpha: float, beta: float):
    """What the network thinks of a position, so many moves ahead (alpha-beta, fail-soft)."""
    endgame = without_refcount(dereference(context))
    game = endgame.game
    if depth == 0:
        return evaluate(endgame.network, game, OthelloState(own, opp, 0))
    legal = legal_squares(game, own, opp)
    if not legal:
        if not legal_squares(game, opp, own):
            return float(final_score(endgame, own, opp))  # more than any value, unless it is close to a draw
        return -network_value(context, opp, own, depth, -beta, -alpha)
    best = -np.inf
    while legal and best < beta:
        square = lowest_bit(legal)
        legal &= legal - U(1)
        turned = flips(game, own, opp, square)
        mine, theirs = own | turned | (U(1) << U(square)), opp & ~turned
        best = max(best, -network_value(context, theirs, mine, depth - 1, -beta, -max(alpha, best)))
    return best


@kernel
def order_moves(context: Any, own: np.uint64, opp: np.uint64, legal: np.uint64, favourite: int):
    """Write the legal moves, the most promising first, and what they flip; return how many there are.

    A move is written with its value above the six bits of its square.
    """
    endgame = without_refcount(dereference(context))
    game, empty = endgame.game, endgame.game.board & ~(own | opp)
    count, odd, n = popcount(empty), odd_quadrants(endgame, empty), 0
    moves, flipped = endgame.moves[count], endgame.flipped[count]
    while legal:
        square = lowest_bit(legal)
        legal &= legal - U(1)
        turned = flips(game, own, opp, square)
        flipped[square] = turned
        mine, theirs = own | turned | (U(1) << U(square)), opp & ~turned
        replies = legal_squares(game, theirs, mine)
        value = promise(endgame, mine, theirs, square, replies)
        if count >= FORESEEN and replies:
            value -= best_promise(context, theirs, mine, replies) // 2
        if (U(1) << U(square)) & odd:
            value += 8
        if count >= JUDGED:
            depth = min(max((count - DEEPER) // 2 + 1, 0), MOST_DEPTH)
            theirs_value = network_value(context, theirs, mine, depth, -np.inf, np.inf)
            value -= int(min(max(endgame.trust * theirs_value, -NO_SCORE // 2), NO_SCORE // 2))
        if square == favourite:
            value += NO_SCORE
        key, i = (value << 6) | square, n
        while i > 0 and moves[i - 1] < key:
            moves[i] = moves[i - 1]
            i -= 1
        moves[i] = key
        n += 1
    return n


@kernel
def search(context: Any, own: np.uint64, opp: np.uint64, alpha: int):
    """The score of a position: a lower bound if above alpha, else an upper bound.

    It means nothing once the counters say stop.

    context  the address of an Endgame
    """
    endgame = without_refcount(dereference(context))
    game, counters = endgame.game, endgame.counters
    count = popcount(game.board & ~(own | opp))
    if count <= FEW:
        return last_few(context, own, opp, alpha)
    counters[0] -= 1
    if counters[0] < 0 or counters[1]:
        return 0
    squares = game.size * game.size
    if squares - 2 * popcount(opp) <= alpha:  # else no number of stable discs is enough
        bound = squares - 2 * popcount(stable_discs(context, opp, own))
        if bound <= alpha:
            return bound
    low, high, favourite = probe(endgame, own, opp)
    if low > alpha:
        return low
    if high <= alpha:
        return high
    legal = legal_squares(game, own, opp)
    if not legal:
        if not legal_squares(game, opp, own):
            return final_score(endgame, own, opp)
        return -search(context, opp, own, -alpha - 1)
    before = counters[0]
    n = order_moves(context, own, opp, legal, favourite)
    moves, flipped = endgame.moves[count], endgame.flipped[count]
    if count >= TRANSPOSED:
        for i in range(n):
            square = moves[i] & 63
            turned = flipped[square]
            _, known, _ = probe(endgame, opp & ~turned, own | turned | (U(1) << U(square)))
            if -known > alpha:
                return -known
    best = -NO_SCORE
    for i in range(n):
        square = moves[i] & 63
        turned = flipped[square]
        score = -search(context, opp & ~turned, own | turned | (U(1) << U(square)), -alpha - 1)
        if counters[0] < 0 or counters[1]:
            return 0
        best = max(best, score)
        if best > alpha:
            favourite = square
            break
    if best > alpha:
        low = max(low, best)
    else:
        high = min(high, best)
    store(endgame, own, opp, low, high, favourite, before - counters[0])
    return best


@kernel
def search_root(endgame: Endgame, own: np.uint64, opp: np.uint64, alpha: int):
    """The same for a position with a legal move, and the move that the bound is of: the best one if above alpha.

    The position itself stays out of the table, which keeps the best move only.
    """
    context = reference(endgame)
    count = popcount(endgame.game.board & ~(own | opp))
    before, favourite = endgame.counters[0], probe(endgame, own, opp)[2]
    n = order_moves(context, own, opp, legal_squares(endgame.game, own, opp), favourite)
    best, best_square = -NO_SCORE, -1
    for i in range(n):
        square = endgame.moves[count, i] & 63
        turned = endgame.flipped[count, square]
        score = -search(context, opp & ~turned, own | turned | (U(1) << U(square)), -alpha - 1)
        if endgame.counters[0] < 0 or endgame.counters[1]:
            break
        if score > best:
            best, best_square = score, square
        if best > alpha:
            store(endgame, own, opp, -NO_SCORE, NO_SCORE, best_square, before - endgame.counters[0])
            break
    return best, best_square
