"""Random games of Go without states: stones are kept in chains that are joined and taken, instead of found anew.

A random empty point is legal more often than not, so points are drawn until one is: which makes each legal move as
likely, and nothing is worked out for the others. A chain counts its pseudo-liberties, the pairs of a stone and an empty
point beside it: they are easy to keep, and it has none exactly when it has no liberty.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import difference, lowest_bit, popcount, single, union
from ludus.compile.jit import inlined, keep_alive, kernel, without_refcount
from ludus.compile.rng import Rng, randint
from ludus.games import protocol
from ludus.games.go_rules import Go, GoState, add_to_history, no_points, seen_before, write_points

U = np.uint64

EMPTY, EDGE = 2, 3
"""What a cell holds, beside stones of colour 0 and 1."""

NEVER_ZERO = 1 << 30
"""Pseudo-liberties of no chain, at cell 0, to which empty cells and the edge belong."""

Numbers = NDArray[np.int32]
Cells = NDArray[np.uint32]


class ChainBoard(NamedTuple):
    """A board with an edge around it, whose cells are numbered row by row. [cells] each

    Numbers of cells are unsigned, since numba would check whether a signed index counts from the end.
    """

    colours: Numbers
    lost: Numbers  # bit 0 and bit 1: whether a stone of that colour has been captured here
    liberties: Numbers  # pseudo-liberties of a chain, at its head
    lengths: Numbers  # stones of a chain, at its head
    points: Cells  # the point that a cell is
    heads: Cells  # the stone that a chain is known by; 0, which counts for nothing, where there is no stone
    links: Cells  # the next stone of the chain, in a circle
    empties: Cells  # the empty cells, in any order
    beside: Cells  # four bits each: which neighbours are black, white and beyond the edge; bit i is that at `steps[i]`
    hashes: NDArray[np.uint64]  # Zobrist hash of a chain, at its head
    steps: NDArray[np.uint64]  # [4]: from a cell to its neighbours


@inlined
def place(board: ChainBoard, cell: np.uint64, colour: int, key: np.uint64) -> None:
    """Put a stone on a cell whose liberty is taken, and join it with the chains of its colour beside it.

    Which neighbours these are is found in one word: a branch for each would often be mispredicted.
    """
    around, side = U(board.beside[cell]), U(4 * colour)
    free = 4 - popcount((around | (around >> U(4)) | (around >> U(8))) & U(15))
    board.colours[cell] = colour
    for i in range(4):
        board.beside[cell + board.steps[i]] ^= U(8 >> i) << side
    friends = (around >> side) & U(15)
    if friends == U(0):
        board.heads[cell], board.links[cell] = cell, cell
        board.liberties[cell], board.lengths[cell], board.hashes[cell] = free, 1, key
    else:
        head = U(board.heads[cell + board.steps[lowest_bit(friends)]])
        board.heads[cell], board.links[cell], board.links[head] = head, board.links[head], cell
        board.liberties[head] += free
        board.lengths[head] += 1
        board.hashes[head] ^= key
        friends &= friends - U(1)
        while friends != U(0):
            other = U(board.heads[cell + board.steps[lowest_bit(friends)]])
            friends &= friends - U(1)
            if other != head:
                head = join(board, other, head)


@inlined
def join(board: ChainBoard, a: np.uint64, b: np.uint64):
    """Make one chain of two, known by the head of the longer, which is returned."""
    if board.lengths[a] < board.lengths[b]:
        a, b = b, a
    stone = b
    for _ in range(board.lengths[b]):
        board.heads[stone] = a
        stone = U(board.links[stone])
    board.links[a], board.links[b] = board.links[b], board.links[a]
    board.liberties[a] += board.liberties[b]
    board.lengths[a] += board.lengths[b]
    board.hashes[a] ^= board.hashes[b]
    return a


@inlined
def remove(board: ChainBoard, head: np.uint64, colour: int, n: int):
    """Take a chain off the board, on which `n` cells are empty; how many are then."""
    stone, side = head, U(4 * colour)
    for _ in range(board.lengths[head]):
        board.colours[stone], board.heads[stone] = EMPTY, 0
        board.lost[stone] |= 1 << colour
        board.empties[n] = stone
        n += 1
        for i in range(4):
            board.liberties[board.heads[stone + board.steps[i]]] += 1
            board.beside[stone + board.steps[i]] ^= U(8 >> i) << side
        stone = U(board.links[stone])
    return n


@inlined
def take_liberty(board: ChainBoard, cell: np.uint64, change: int) -> None:
    """Add `change` to the pseudo-liberties of each stone beside a cell."""
    for i in range(4):
        board.liberties[board.heads[cell + board.steps[i]]] += change


@inlined
def still_free(board: ChainBoard, cell: np.uint64):
    """Four bits: which of the chains beside a cell whose liberty is taken have others."""
    found = U(0)
    for i in range(4):
        found |= U(board.liberties[board.heads[cell + board.steps[i]]] > 0) << U(i)
    return found


@inlined
def captured_hash(board: ChainBoard, cell: np.uint64, colour: int):
    """The Zobrist hash of the stones that a stone on a cell captures, whose liberty is taken."""
    found = U(0)
    for i in range(4):
        head = board.heads[cell + board.steps[i]]
        if board.colours[cell + board.steps[i]] == 1 - colour and board.liberties[head] == 0:
            is_first = True  # the chain may be beside the cell more than once
            for j in range(i):
                is_first &= board.heads[cell + board.steps[j]] != head
            if is_first:
                found ^= board.hashes[head]
    return found


@kernel
def chain_board(game: Go, state: GoState):
    """The board of a state, and how many of its cells are empty."""
    stride, points = game.size + 1, game.size * game.size
    cells = stride * (game.size + 2) + 1
    numbers, indices = empty((4, cells), np.int32), empty((5, cells), np.uint32)
    listed, cell_of = empty(points + 8, np.int64), empty(points, np.uint32)
    owner = ChainBoard(
        numbers[0], numbers[1], numbers[2], numbers[3], indices[0], indices[1], indices[2], indices[3],
        indices[4], empty(cells, np.uint64), empty(4, np.uint64),
    )  # fmt: skip
    board, up = without_refcount(owner), U(stride)
    board.steps[0], board.steps[1], board.steps[2], board.steps[3] = U(0) - up, U(0) - U(1), U(1), up
    for cell in range(cells):
        board.colours[cell], board.heads[cell], board.lost[cell], board.beside[cell] = EDGE, 0, 0, 0
    board.liberties[0] = NEVER_ZERO
    for row in range(game.size):
        for column in range(game.size):
            point, cell = game.size * row + column, stride * (row + 1) + column + 1
            cell_of[point], board.points[cell], board.colours[cell] = cell, point, EMPTY
            edges = (row == 0) + 2 * (column == 0) + 4 * (column == game.size - 1) + 8 * (row == game.size - 1)
            board.beside[cell] = edges << 8
    for side in range(2):
        colour = state.current_player ^ side
        for i in range(write_points(state.opp_lost if side else state.own_lost, listed)):
            board.lost[cell_of[listed[i]]] |= 1 << colour
        for i in range(write_points(state.opp if side else state.own, listed)):
            stone = U(cell_of[listed[i]])
            take_liberty(board, stone, -1)
            place(board, stone, colour, game.keys[colour, listed[i]])
    n = write_points(difference(game.board, union(state.own, state.opp)), listed)
    for i in range(n):
        board.empties[i] = cell_of[listed[i]]
    return owner, n


@kernel
def final_outcome(game: Go, board: ChainBoard, state: GoState):
    """The outcome of a game that has come from `state` to its end on this board."""
    none = no_points(game)
    black, white = none, none
    for cell in range(len(board.colours)):
        if board.colours[cell] < EMPTY:
            stone = single(none, np.int64(board.points[cell]))
            if board.colours[cell] == 0:
                black = union(black, stone)
            else:
                white = union(white, stone)
    last = GoState(black, white, none, none, none, state.position_hash, -1, 0, 0, 0, 0, state.history)
    return protocol.outcome(game, last)


@kernel
def play_out_chains(game: Go, state: GoState, rng: Rng):
    """The outcome of a game that goes on from `state` by random moves, and their number."""
    game, state = without_refcount(game), without_refcount(state)
    owner, n = chain_board(game, state)
    board, history = without_refcount(owner), state.history
    mover, passes, ply = state.current_player, state.passes, state.ply
    seen, position_hash, ko = state.seen, state.position_hash, U(0)
    for i in range(n):
        if board.points[board.empties[i]] == state.ko:
            ko = U(board.empties[i])
    while passes < 2 and ply < game.plies:
        i = randint(rng, n + 1)
        if i == n:
            passes, ply, mover, ko = passes + 1, ply + 1, 1 - mover, U(0)
            continue
        cell = U(board.empties[i])
        key, around = game.keys[mover, board.points[cell]], U(board.beside[cell])
        take_liberty(board, cell, -1)
        free = still_free(board, cell)
        captures = (around >> U(4 - 4 * mover)) & U(15) & ~free
        open_beside = ~(around | (around >> U(4)) | (around >> U(8))) & U(15)
        legal = cell != ko and (open_beside | ((around >> U(4 * mover)) & free) | captures) != U(0)
        if legal and game.superko and (board.lost[cell] >> mover) & 1:
            after = position_hash ^ key
            if captures != U(0):
                after ^= captured_hash(board, cell, mover)
            legal = not seen_before(game, history, seen, after)
        if not legal:
            take_liberty(board, cell, 1)
            continue
        n -= 1
        board.empties[i] = board.empties[n]
        place(board, cell, mover, key)
        position_hash ^= key
        empty_before = n
        if captures != U(0):
            for j in range(4):
                head = U(board.heads[cell + board.steps[j]])
                if board.colours[cell + board.steps[j]] == 1 - mover and board.liberties[head] == 0:
                    position_hash ^= board.hashes[head]
                    n = remove(board, head, 1 - mover, n)
        ko = U(0)
        if game.superko:
            add_to_history(game, history, seen, position_hash)
            seen += 1
        elif n == empty_before + 1 and board.lengths[board.heads[cell]] == 1 and board.liberties[cell] == 1:
            ko = U(board.empties[empty_before])
        passes, ply, mover = 0, ply + 1, 1 - mover
    outcome = final_outcome(game, board, state)
    keep_alive(owner)
    return outcome, ply - state.ply
