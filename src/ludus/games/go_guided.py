"""Playouts of Go by moves that are mostly sensible: better judges of a position than random ones, if slower.

Gelly, Wang, Munos & Teytaud (2006), "Modification of UCT with patterns in Monte-Carlo Go". A player answers the last
move: it captures what has just put its stones in atari, or saves them; else it plays beside that move where a pattern
matches; else anywhere, but not into its own eyes, and rarely into atari. Who has no such move passes.

A chain of stones knows its liberties by a sum over its pseudo-liberties, the pairs of a stone and an empty point beside
it: their number, the sum of their cells and of the squares of these, in one word. All of them are the same cell exactly
if number times squares is the sum squared, so atari and its last liberty are found without looking at the board.

Of the ko rules playouts know the simple one only; what repeats in more than two moves is ended by the limit of length.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import popcount
from ludus.compile.jit import inlined, keep_alive, kernel, without_refcount
from ludus.compile.rng import Rng, randint
from ludus.games import protocol
from ludus.games.go_patterns import GOOD_SURROUNDINGS
from ludus.games.go_rules import Go, GoState, write_points
from ludus.games.protocol import Moves

U = np.uint64

EMPTY, EDGE = 2, 3
"""What a cell holds, beside stones of colour 0 and 1."""

MOST_CANDIDATES = 64
"""So many answers to the last move are thought of at the most."""

Numbers = NDArray[np.int32]
Cells = NDArray[np.uint32]
Words = NDArray[np.uint64]
Firsts = NDArray[np.int64]
Field = NDArray[np.float64]

CAPTURE_PRIOR, PATTERN_PRIOR, NEAR_PRIOR, LINE_PRIOR = 20.0, 10.0, 15.0, 10.0
"""How many won simulations a play is taken to have had that captures or saves stones, that a pattern speaks for, that
is near the last move, and that is on the third line where nothing is near; on a lower line there they are lost ones."""

ATARI_PRIOR, PASS_PRIOR, EYE_PRIOR = 10.0, 10.0, 100.0
"""How many lost simulations a play into atari, a pass, and a play into an eye of one's own are taken to have had."""

CERTAIN_PRIOR = 1000.0
"""The same for a pass that ends the game, if it wins or loses."""


class StoneBoard(NamedTuple):
    """A board with an edge around it, whose cells are numbered row by row. [cells] each

    Numbers of cells are unsigned, since numba would check whether a signed index counts from the end.
    """

    colours: Numbers
    lengths: Numbers  # stones of a chain, at its head
    points: Cells  # the point that a cell is
    heads: Cells  # the stone that a chain is known by; 0, which counts for nothing, where there is no stone
    links: Cells  # the next stone of the chain, in a circle
    empties: Cells  # the empty cells, in any order
    places: Cells  # where among them an empty cell is
    around: Cells  # the surroundings of a cell, as in `go_patterns`
    liberties: Words  # sums over pseudo-liberties of a chain, at its head
    steps: Words  # [8]: from a cell to its neighbours, in the order of the bits in `around`


@inlined
def weight(cell: np.uint64):
    """What a pseudo-liberty adds to the word of its chain: 1, its cell and the cell's square.

    There is room for them on 19x19: up to 1444 pseudo-liberties, on cells up to 420.
    """
    return (cell * cell << U(31)) | (cell << U(11)) | U(1)


@inlined
def in_atari(word: np.uint64):
    """Whether all pseudo-liberties are on the same cell, given that there are any."""
    total = (word >> U(11)) & U(0xFFFFF)
    return (word & U(2047)) * (word >> U(31)) == total * total


@inlined
def last_liberty(word: np.uint64):
    """The cell of all pseudo-liberties, if there is only one."""
    return ((word >> U(11)) & U(0xFFFFF)) // (word & U(2047))


@inlined
def put(board: StoneBoard, cell: np.uint64, colour: int, n: int):
    """Put a stone on one of `n` empty cells and take what it captures: how many are empty then, and the ko."""
    n -= 1
    board.empties[board.places[cell]] = board.empties[n]
    board.places[board.empties[n]] = board.places[cell]
    own, free, side = weight(cell), U(0), U(8 * colour)
    for i in range(4):
        beside = cell + board.steps[i]
        board.liberties[board.heads[beside]] -= own
        board.around[beside] ^= U(8 >> i) << side
        board.around[cell + board.steps[4 + i]] ^= U(128 >> i) << side
        if board.colours[beside] == EMPTY:
            free += weight(beside)
    board.colours[cell], board.heads[cell], board.links[cell] = colour, cell, cell
    board.lengths[cell], board.liberties[cell] = 1, free
    before = n
    for i in range(4):
        beside = cell + board.steps[i]
        if board.colours[beside] == colour:
            if board.heads[beside] != board.heads[cell]:
                join(board, U(board.heads[beside]), U(board.heads[cell]))
        elif board.colours[beside] == 1 - colour and board.liberties[board.heads[beside]] == U(0):
            n = remove(board, U(board.heads[beside]), 1 - colour, n)
    ko = U(0)
    if n == before + 1 and board.lengths[board.heads[cell]] == 1:
        taken = U(board.empties[before])
        if board.liberties[cell] == weight(taken):
            ko = taken
    return n, ko


@inlined
def join(board: StoneBoard, a: np.uint64, b: np.uint64) -> None:
    """Make one chain of two, known by the head of the longer."""
    if board.lengths[a] < board.lengths[b]:
        a, b = b, a
    stone = b
    for _ in range(board.lengths[b]):
        board.heads[stone] = a
        stone = U(board.links[stone])
    board.links[a], board.links[b] = board.links[b], board.links[a]
    board.liberties[a] += board.liberties[b]
    board.lengths[a] += board.lengths[b]


@inlined
def remove(board: StoneBoard, head: np.uint64, colour: int, n: int):
    """Take a chain off the board, on which `n` cells are empty; how many are then."""
    stone, side = head, U(8 * colour)
    for _ in range(board.lengths[head]):
        board.colours[stone], board.heads[stone] = EMPTY, 0
        board.empties[n], board.places[stone] = stone, n
        n += 1
        freed = weight(stone)
        for i in range(4):
            beside = stone + board.steps[i]
            board.liberties[board.heads[beside]] += freed
            board.around[beside] ^= U(8 >> i) << side
            board.around[stone + board.steps[4 + i]] ^= U(128 >> i) << side
        stone = U(board.links[stone])
    return n


@inlined
def is_eye(board: StoneBoard, cell: np.uint64, colour: int):
    """Whether all neighbours are of this colour, and the other has one corner at the most, at the edge none."""
    around = U(board.around[cell])
    own, other = around >> U(8 * colour), around >> U(8 - 8 * colour)
    if own & U(15) != U(15):
        return False
    corners = (other >> U(4)) & U(15)
    beyond = corners & (own >> U(4))
    return popcount(corners & ~beyond) + (beyond != U(0)) < 2


@inlined
def matches_pattern(board: StoneBoard, cell: np.uint64):
    """Whether a pattern matches around an empty cell."""
    around = U(board.around[cell])
    return (GOOD_SURROUNDINGS[around >> U(6)] >> (around & U(63))) & U(1) != U(0)


@inlined
def outlook(board: StoneBoard, cell: np.uint64, colour: int):
    """The word of the chain that a stone on an empty cell would belong to, before captures, and if it captures any."""
    word, captures, own = U(0), False, weight(cell)
    for i in range(4):
        beside = cell + board.steps[i]
        held, head = board.colours[beside], board.heads[beside]
        if held == EMPTY:
            word += weight(beside)
        elif held == colour:
            is_first = True  # the chain may be beside the cell more than once
            for j in range(i):
                is_first &= board.heads[cell + board.steps[j]] != head
            if is_first:
                word += board.liberties[head]
            word -= own
        elif held != EDGE:
            captures |= in_atari(board.liberties[head])
    return word, captures


@inlined
def is_safe(board: StoneBoard, cell: np.uint64, colour: int) -> bool:
    """Whether a stone on an empty cell captures something or has two liberties."""
    word, captures = outlook(board, cell, colour)
    return captures or not in_atari(word)


@inlined
def joined_length(board: StoneBoard, cell: np.uint64, colour: int):
    """How many stones the chain would have to which a stone on an empty cell belonged; chains met twice count twice."""
    found = 1
    for i in range(4):
        beside = cell + board.steps[i]
        if board.colours[beside] == colour:
            found += board.lengths[board.heads[beside]]
    return found


@kernel
def stone_board(game: Go, state: GoState):
    """The board of a state, and how many of its cells are empty."""
    stride, points = game.size + 1, game.size * game.size
    cells = stride * (game.size + 2) + 1
    numbers, indices, words = empty((2, cells), np.int32), empty((6, cells), np.uint32), empty(cells, np.uint64)
    listed = empty(points + 8, np.int64)
    owner = StoneBoard(
        numbers[0], numbers[1], indices[0], indices[1], indices[2], indices[3], indices[4], indices[5],
        words, empty(8, np.uint64),
    )  # fmt: skip
    board, up, one = without_refcount(owner), U(stride), U(1)
    board.steps[0], board.steps[1], board.steps[2], board.steps[3] = U(0) - up, U(0) - one, one, up
    board.steps[4], board.steps[5] = U(0) - up - one, one - up
    board.steps[6], board.steps[7] = up - one, up + one
    for cell in range(cells):
        board.colours[cell], board.heads[cell], board.around[cell], board.liberties[cell] = EDGE, 0, 0, 0
    n = 0
    for row in range(game.size):
        for column in range(game.size):
            cell = stride * (row + 1) + column + 1
            board.points[cell], board.colours[cell] = game.size * row + column, EMPTY
            board.empties[n], board.places[cell] = cell, n
            n += 1
            if row == 0:
                board.around[cell] |= 0x3131
            if row == game.size - 1:
                board.around[cell] |= 0xC8C8
            if column == 0:
                board.around[cell] |= 0x5252
            if column == game.size - 1:
                board.around[cell] |= 0xA4A4
    for side in range(2):
        colour = state.current_player ^ side
        for i in range(write_points(state.opp if side else state.own, listed)):
            n = put(board, cell_of(game, listed[i]), colour, n)[0]
    return owner, n


@inlined
def cell_of(game: Go, point: int):
    """The cell of a point."""
    return U((game.size + 1) * (point // game.size + 1) + point % game.size + 1)


@inlined
def add_candidate(candidates: Words, count: int, cell: np.uint64):
    """One more cell among the candidates, as long as there is room."""
    candidates[count] = cell
    return min(count + 1, MOST_CANDIDATES - 1)


@inlined
def answers_to_atari(board: StoneBoard, mover: int, last: np.uint64, ko: np.uint64, candidates: Words):
    """Write where the stones beside the last move that are in atari can be saved, and where that move is captured."""
    count = 0
    word = board.liberties[board.heads[last]]
    if board.colours[last] == 1 - mover and in_atari(word):
        cell = last_liberty(word)
        if cell != ko:
            count = add_candidate(candidates, count, cell)
    for i in range(4):
        beside = last + board.steps[i]
        head = U(board.heads[beside])
        if board.colours[beside] == mover and in_atari(board.liberties[head]):
            cell = last_liberty(board.liberties[head])
            if cell != ko and is_safe(board, cell, mover):
                count = add_candidate(candidates, count, cell)
            stone = head
            for _ in range(board.lengths[head]):
                for j in range(4):
                    enemy = stone + board.steps[j]
                    word = board.liberties[board.heads[enemy]]
                    if board.colours[enemy] == 1 - mover and in_atari(word):
                        cell = last_liberty(word)
                        if cell != ko:
                            count = add_candidate(candidates, count, cell)
                stone = U(board.links[stone])
    return count


@inlined
def answers_by_pattern(board: StoneBoard, mover: int, last: np.uint64, ko: np.uint64, candidates: Words):
    """Write the cells around the last move where a pattern matches and a stone is safe."""
    count = 0
    for i in range(8):
        cell = last + board.steps[i]
        if board.colours[cell] == EMPTY and cell != ko and matches_pattern(board, cell) and is_safe(board, cell, mover):
            count = add_candidate(candidates, count, cell)
    return count


@inlined
def anywhere(board: StoneBoard, mover: int, n: int, ko: np.uint64, rng: Rng):
    """A random legal cell that is no eye, mostly not one in atari; 0 if there is none."""
    i = randint(rng, n) if n > 0 else 0
    for _ in range(n):
        cell = U(board.empties[i])
        i = i + 1 if i + 1 < n else 0
        if cell != ko:
            around = U(board.around[cell])
            if popcount((around | (around >> U(8))) & U(15)) <= 2:
                return cell
            if not is_eye(board, cell, mover):
                word, captures = outlook(board, cell, mover)
                if captures or not in_atari(word):
                    return cell
                if word != U(0) and joined_length(board, cell, mover) <= 2 and randint(rng, 4) == 0:
                    return cell
    return U(0)


@inlined
def sensible_move(board: StoneBoard, mover: int, n: int, last: np.uint64, ko: np.uint64, candidates: Words, rng: Rng):
    """The cell where the mover plays after a move on the cell `last`; 0 for a pass, of either.

    candidates  [MOST_CANDIDATES]: scratch space
    """
    if last != U(0):
        count = answers_to_atari(board, mover, last, ko, candidates)
        if count == 0:
            count = answers_by_pattern(board, mover, last, ko, candidates)
        if count > 0:
            return candidates[randint(rng, count)]
    return anywhere(board, mover, n, ko, rng)


@inlined
def lead(board: StoneBoard, n: int):
    """By how many points Black leads: stones, and empty cells with neighbours of one colour only."""
    found = 0
    for cell in range(len(board.colours)):
        if board.colours[cell] < EMPTY:
            found += 1 - 2 * board.colours[cell]
    for i in range(n):
        around = U(board.around[board.empties[i]])
        black, white = around & U(15), (around >> U(8)) & U(15)
        edge = black & white
        if black != edge and white == edge:
            found += 1
        elif white != edge and black == edge:
            found -= 1
    return found


@kernel
def play_out_guided(game: Go, state: GoState, last: int, firsts: Firsts, rng: Rng):
    """The outcome of a game that goes on from `state`, to which the move `last` has led, and the number of its moves.

    firsts  [points + 1]: -1, where who first plays on a point is to be written
    """
    game, state = without_refcount(game), without_refcount(state)
    owner, n = stone_board(game, state)
    board, candidates = without_refcount(owner), empty(MOST_CANDIDATES, np.uint64)
    mover, passes, ply = state.current_player, state.passes, state.ply
    before, ko = U(0), U(0)
    if 0 <= last < game.size * game.size:
        before = cell_of(game, last)
    if state.ko >= 0:
        ko = cell_of(game, state.ko)
    while passes < 2 and ply < game.plies:
        cell = sensible_move(board, mover, n, before, ko, candidates, rng)
        ply += 1
        if cell == U(0):
            passes, ko = passes + 1, U(0)
        else:
            n, ko = put(board, cell, mover, n)
            passes = 0
            point = board.points[cell]
            if firsts[point] < 0:
                firsts[point] = mover
        before, mover = cell, 1 - mover
    margin = lead(board, n) - game.komi
    keep_alive(owner)
    return 1.0 if margin > 0 else (0.5 if margin == 0 else 0.0), ply - state.ply


@kernel
def write_go_priors(game: Go, state: GoState, last: int, moves: Moves, n: int, visits: Field, totals: Field) -> None:
    """Write what is known of plays before they are tried; see `write_priors` of `ludus.games.guided_playouts`."""
    owner, _ = stone_board(game, state)
    board, points, mover = without_refcount(owner), game.size * game.size, state.current_player
    for i in range(n):
        good, bad, point = 0.0, 0.0, moves[i]
        if point < points:
            cell = cell_of(game, point)
            word, captures = outlook(board, cell, mover)
            if is_eye(board, cell, mover):
                bad += EYE_PRIOR
            elif captures:
                good += CAPTURE_PRIOR
            elif in_atari(word):
                bad += ATARI_PRIOR
            elif rescues(board, cell, mover):
                good += CAPTURE_PRIOR
            if matches_pattern(board, cell):
                good += PATTERN_PRIOR
            row, column = point // game.size, point % game.size
            if 0 <= last < points:
                away = abs(row - last // game.size) + abs(column - last % game.size)
                if away <= 3:
                    good += NEAR_PRIOR * (4 - away) / 3
            line = min(min(row, column), game.size - 1 - max(row, column))
            if board.around[cell] == 0 or line == 0:
                if line <= 1 and is_lonely(board, cell):
                    bad += LINE_PRIOR
                elif line == 2 and is_lonely(board, cell):
                    good += LINE_PRIOR
        elif state.passes == 0:
            bad += PASS_PRIOR
        else:
            outcome = protocol.outcome(game, state)  # which is that of ending the game here
            good, bad = CERTAIN_PRIOR * outcome, CERTAIN_PRIOR * (1.0 - outcome)
            if mover == 1:
                good, bad = bad, good
        visits[i], totals[i] = good + bad, good - bad
    keep_alive(owner)


@inlined
def rescues(board: StoneBoard, cell: np.uint64, colour: int) -> bool:
    """Whether a stone of this colour beside a cell is in atari."""
    found = False
    for i in range(4):
        beside = cell + board.steps[i]
        found |= board.colours[beside] == colour and in_atari(board.liberties[board.heads[beside]])
    return found


@inlined
def is_lonely(board: StoneBoard, cell: np.uint64):
    """Whether there is no stone among the eight points around a cell."""
    around = U(board.around[cell])
    return (around ^ (around >> U(8))) & U(255) == U(0)
