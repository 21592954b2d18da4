"""N-tuple networks: small sets of squares, each with a lookup table of weights for all that may stand on them.

Lucas (2007), "Learning to play Othello with n-tuple systems"; Szubert, Jaśkowski and Krawiec (2013), "On scalability,
generalization, and hybridization of coevolutionary learning: a case study for Othello", section III.

A square is empty, the current player's or the opponent's, so n squares index a table of 3**n weights; where there are
kings it may hold a man or a king of either, so that the table has 5**n. With symmetric sampling each table is looked up
once for every symmetry of the board, so that all of them share its weights. With several stages a network has all its
tables once for each part of the game, told by the number of pieces on the board. Where tuples lie is the subject of
`placements.py`.

Where a game has a symmetry that exchanges the sides (checkers), the second player sees the board transformed by it.

A network remembers the position that each player saw last, and the indices of all lookups there. What is shown to it
next differs on few squares, mostly by a move, and only these change the indices: each piece that comes or goes adds its
row of powers. That is several times as fast as finding all indices anew, and gives the same.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.bitboards import lowest_bit, popcount
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.evaluators.placements import NO_SQUARE, Places
from ludus.evaluators.protocol import coherence, coherent_step, evaluate, gradient_step, member, with_own_memory
from ludus.games import protocol
from ludus.games.game import Game

U = np.uint64

MAX_STAGES = 60


class NTuples(NamedTuple):
    """A table for each tuple, and how pieces index it. A lookup is a tuple seen through one symmetry of the board."""

    weights: NDArray[np.float64]  # [stages, entries]: the tables of all tuples one after another
    powers: NDArray[np.int32]  # [player, squares, lookups]: what a square adds to an index, times what stands there:
    # 1 for a piece of one's own, 2 for another's, 3 and 4 for kings
    empty_board: NDArray[np.int32]  # [player, lookups]: the indices where no piece stands
    most: int  # pieces on a board
    seen: NDArray[np.uint64]  # [player, kinds * 2 * words]: the pieces in the position that each player saw last
    indices: NDArray[np.int32]  # [player, lookups]: the indices of all lookups there
    now: NDArray[np.uint64]  # [kinds * 2 * words]: room for the pieces of the position to see


def symbols(game: Game) -> int:
    """What a square may show: nothing, or a piece of some kind of either side."""
    return 1 + 2 * game.piece_kinds


def table_sizes(game: Game, places: Places) -> NDArray[np.int64]:
    """How many weights the table of each tuple has: [tuples]."""
    sizes: NDArray[np.int64] = symbols(game) ** np.sum(places != NO_SQUARE, axis=1)
    return sizes


def ntuples(game: Game, places: Places, weights: NDArray[np.float64], symmetric: bool) -> NTuples:
    """The network with its tuples on these squares, and weights [stages, entries]."""
    plain, swapping = (
        [goes for i, goes in enumerate(game.symmetries) if game.type.swaps_sides(i) is swaps] for swaps in (False, True)
    )
    views = [each if symmetric else each[:1] for each in (plain, swapping or plain)]
    lookups = [[goes[squares[squares != NO_SQUARE]] for squares in places for goes in each] for each in views]
    sizes = table_sizes(game, places)
    begins = np.repeat(np.cumsum(sizes) - sizes, len(views[0]))
    return network(game, lookups, np.array([begins, begins]), weights)


def network(
    game: Game,
    lookups: Sequence[Sequence[Sequence[int]]],
    begins: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> NTuples:
    """The network whose lookups have these squares for each player, in tables that begin there: [player, lookups]."""
    powers = np.zeros((2, game.squares, len(lookups[0])), np.int32)
    for player in range(2):
        for i, squares in enumerate(lookups[player]):
            for power, square in enumerate(reversed(squares)):
                powers[player, square, i] = symbols(game) ** power
    words, empty_board = 2 * game.piece_kinds * -(-game.squares // 64), begins.astype(np.int32)
    seen, now = np.zeros((2, words), U), np.zeros(words, U)
    return NTuples(weights, powers, empty_board, game.type.max_pieces(game.rules), seen, empty_board.copy(), now)


@implements(with_own_memory, NTuples)
def _(evaluator):
    seen, indices = zeros(evaluator.seen.shape, np.uint64), empty(evaluator.indices.shape, np.int32)
    for player in range(2):
        for i in range(indices.shape[1]):
            indices[player, i] = evaluator.empty_board[player, i]
    now = empty(len(evaluator.now), np.uint64)
    return NTuples(evaluator.weights, evaluator.powers, evaluator.empty_board, evaluator.most, seen, indices, now)


@inlined
def _look(evaluator: NTuples, game: Any, state: Any):
    """Bring the indices of the current player up to date with the state; return the stage of the game."""
    player = protocol.current_player(game, state)
    seen, indices, powers, now = evaluator.seen[player], evaluator.indices[player], evaluator.powers, evaluator.now
    protocol.piece_sets(game, state, now)
    sets = 2 * protocol.piece_kinds(game)  # a constant: where there are no kings, the loops over them are compiled away
    words, pieces = len(now) // sets, 0
    for word in range(words):
        # in variables, since the indices that are written below might be where the arrays are, for all LLVM knows
        own, opp = now[word], now[words + word]
        own_before, opp_before = seen[word], seen[words + word]
        seen[word], seen[words + word] = own, opp
        pieces += popcount(own | opp)
        changed = (own ^ own_before) | (opp ^ opp_before)
        for each in range(2, sets):
            pieces += popcount(now[each * words + word])
            changed |= now[each * words + word] ^ seen[each * words + word]
        while changed:
            bit = lowest_bit(changed)
            changed &= changed - U(1)
            digit = np.int64((own >> U(bit)) & U(1)) + 2 * np.int64((opp >> U(bit)) & U(1))
            digit -= np.int64((own_before >> U(bit)) & U(1)) + 2 * np.int64((opp_before >> U(bit)) & U(1))
            for each in range(2, sets):
                there, before = now[each * words + word], seen[each * words + word]
                digit += (each + 1) * (np.int64((there >> U(bit)) & U(1)) - np.int64((before >> U(bit)) & U(1)))
            row = powers[player, 64 * word + bit]
            for i in range(len(indices)):
                indices[i] += np.int32(np.int32(digit) * row[i])  # products of 64 bits would take twice as long
        for each in range(2, sets):
            seen[each * words + word] = now[each * words + word]
    stages = len(evaluator.weights)
    return U(min(stages - 1, pieces * stages // evaluator.most))


@kernel
def _value(evaluator, game, state):
    evaluator = without_refcount(evaluator)
    weights = evaluator.weights[_look(evaluator, game, state)]
    indices = evaluator.indices[protocol.current_player(game, state)]
    # four sums at a time, since each addition waits for the one before it
    a, b, c, d, many = 0.0, 0.0, 0.0, 0.0, len(indices) // 4 * 4
    for i in range(0, many, 4):
        a += weights[U(indices[i])]
        b += weights[U(indices[i + 1])]
        c += weights[U(indices[i + 2])]
        d += weights[U(indices[i + 3])]
    for i in range(many, len(indices)):
        a += weights[U(indices[i])]
    return (a + b) + (c + d)


@kernel
def _update(evaluator, game, state, amount):
    evaluator = without_refcount(evaluator)
    weights = evaluator.weights[_look(evaluator, game, state)]
    indices = evaluator.indices[protocol.current_player(game, state)]
    for i in range(len(indices)):
        weights[U(indices[i])] += amount


@kernel
def _coherent_update(evaluator, errors, sizes, game, state, amount):
    evaluator, errors, sizes = without_refcount(evaluator), without_refcount(errors), without_refcount(sizes)
    stage = _look(evaluator, game, state)
    weights, errors_there, sizes_there = evaluator.weights[stage], errors.weights[stage], sizes.weights[stage]
    indices = evaluator.indices[protocol.current_player(game, state)]
    for i in range(len(indices)):
        index = U(indices[i])
        weights[index] += amount * coherence(errors_there[index], sizes_there[index])
        errors_there[index] += amount
        sizes_there[index] += abs(amount)


# kernels, not inlined: a call costs little beside their work, while compiling them into each caller would take long


@implements(evaluate, NTuples)
def _(evaluator, game, state):
    return _value(evaluator, game, state)


@implements(gradient_step, NTuples)
def _(evaluator, game, state, amount):
    _update(evaluator, game, state, amount)


@implements(coherent_step, NTuples)
def _(evaluator, errors, sizes, game, state, amount):
    _coherent_update(evaluator, errors, sizes, game, state, amount)


@implements(member, NTuples)
def _(population, i):
    weights, powers, empty_board, most, seen, indices, now = population
    return NTuples(weights[i], powers, empty_board, most, seen, indices, now)
