"""Endings of checkers with up to four pieces, solved once and kept: who wins, and in how many moves.

Retrograde analysis: positions where the side to move has no move are lost; then, move by move further from the end,
one is won if some move leads to a lost one, and lost if all moves lead to won ones. What is never reached is a draw.
Captures and promotions lead to fewer pieces or fewer men, so one class of material is solved after another, together
with the class in which the sides are exchanged.

The board is seen by the side to move, who plays down. A class is (own men, own kings, opposing men, opposing kings); an
entry is 0 for a draw, else 1 more than the number of plies to the end, even for a win and odd for a loss.
"""

import sys
from functools import cache
from hashlib import sha256
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import lowest_bit, popcount
from ludus.compile.cache import cache_home
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.errors import StorageError
from ludus.evaluators.pictures import Board, boards, pictures
from ludus.evaluators.protocol import evaluate, evaluate_within, with_own_memory
from ludus.games import protocol
from ludus.games.checkers import MAX_MOVES, Checkers, CheckersState
from ludus.games.game import Position
from ludus.players.endings import WIN
from ludus.storage import write_whole

U = np.uint64

MOST_PIECES = 4
SIDES = MOST_PIECES + 1
FORMAT = 1
"""Of the file, raised when another table would be written."""

ENDLESS = Checkers(1 << 40)
"""The rules without a limit on moves."""

KNOWN_WIN = WIN / 4
"""What a won ending is worth, less the plies that it takes: more than any evaluator says."""

DRAWN, LOST_AT_ONCE = 0, 1


class EndingTable(NamedTuple):
    """An evaluator that knows endings with few pieces, and asks another for the rest."""

    evaluator: Any
    pieces: int  # as many as this, or fewer
    offsets: NDArray[np.int64]  # [SIDES ** 4]: where each class begins, by its four numbers
    choose: NDArray[np.int64]  # [33, SIDES]: binomial coefficients
    entries: NDArray[np.uint8]


def _places(count: int) -> int:
    return comb(32, count)


@cache
def layout(pieces: int) -> tuple[NDArray[np.int64], int]:
    """Where each class of up to so many pieces begins, [SIDES ** 4], -1 for others; and how many entries there are.

    A class without pieces of the side to move is lost, and not stored.
    """
    offsets, size = np.full(SIDES**4, -1, np.int64), 0
    for counts in product(range(pieces + 1), repeat=4):
        own, opp = counts[0] + counts[1], counts[2] + counts[3]
        if own and opp and own + opp <= pieces:
            offsets[np.ravel_multi_index(counts, (SIDES,) * 4)] = size
            size += int(np.prod([_places(count) for count in counts]))
    return offsets, size


_CHOOSE = np.array([[comb(n, k) for k in range(SIDES)] for n in range(33)], np.int64)


@inlined
def square_of(bit: int) -> int:
    """The square, from 0, of a bit of the board: after every eight squares a bit is left out."""
    return bit - bit // 9


@inlined
def rank(pieces: np.uint64, turned: bool, choose: Any) -> int:
    """Which of all sets of so many squares this is; on a board turned round, if asked."""
    found, count = 0, popcount(pieces)
    k = 1
    while pieces:
        square = square_of(lowest_bit(pieces))
        # from the lowest square on the turned board upwards, the bits must be taken from the highest down
        found += choose[31 - square, count + 1 - k] if turned else choose[square, k]
        k += 1
        pieces &= pieces - U(1)
    return found


@inlined
def place(index: int, count: int, choose: Any) -> np.uint64:
    """The set of `count` squares with that rank."""
    pieces = U(0)
    for k in range(count, 0, -1):
        square = k - 1
        while choose[square + 1, k] <= index:
            square += 1
        index -= choose[square, k]
        pieces |= U(1) << U(square + square // 8)
    return pieces


@inlined
def entry_of(state: CheckersState, offsets: Any, choose: Any) -> Any:
    """Where the table has a state, or -1."""
    turned = state.current_player == 1
    own_kings, opp_kings = state.own & state.kings, state.opp & state.kings
    own_men, opp_men = state.own ^ own_kings, state.opp ^ opp_kings
    a, b, c, d = popcount(own_men), popcount(own_kings), popcount(opp_men), popcount(opp_kings)
    begin = offsets[((a * SIDES + b) * SIDES + c) * SIDES + d]
    if begin < 0:
        return -1
    found = rank(own_men, turned, choose) * choose[32, b] + rank(own_kings, turned, choose)
    found = found * choose[32, c] + rank(opp_men, turned, choose)
    return begin + found * choose[32, d] + rank(opp_kings, turned, choose)


@kernel
def solve_class(counts: Any, plies: int, offsets: Any, choose: Any, entries: NDArray[np.uint8]) -> int:
    """Settle the positions of a class that end in so many plies, all that end sooner being known; return how many."""
    a, b, c, d = counts
    begin, settled, moves = offsets[((a * SIDES + b) * SIDES + c) * SIDES + d], 0, empty(MAX_MOVES, np.int64)
    size = choose[32, a] * choose[32, b] * choose[32, c] * choose[32, d]
    for i in range(size):
        if entries[begin + i] != DRAWN:
            continue
        rest, opp_kings = i // choose[32, d], place(i % choose[32, d], d, choose)
        rest, opp_men = rest // choose[32, c], place(rest % choose[32, c], c, choose)
        own_men, own_kings = place(rest // choose[32, b], a, choose), place(rest % choose[32, b], b, choose)
        own, opp = own_men | own_kings, opp_men | opp_kings
        if popcount(own | opp) < a + b + c + d:
            continue  # two pieces on one square
        state = CheckersState(own, opp, own_kings | opp_kings, 0, 0)
        n = protocol.legal_moves(ENDLESS, state, moves)
        wins, loses = False, True
        for j in range(n):
            after = protocol.play(ENDLESS, state, moves[j])
            entry = LOST_AT_ONCE if after.own == U(0) else np.int64(entries[entry_of(after, offsets, choose)])
            if plies % 2 == 1:
                wins = wins or entry == plies  # the opponent loses in one ply less
            elif entry == DRAWN or entry % 2 == 1 or entry > plies:
                loses = False
        if wins if plies % 2 == 1 else loses:
            entries[begin + i] = plies + 1
            settled += 1
    return settled


def solve(pieces: int) -> NDArray[np.uint8]:
    """All endings with up to so many pieces."""
    offsets, size = layout(pieces)
    entries, longest = np.zeros(size, np.uint8), 0
    classes = [counts for counts in product(range(pieces + 1), repeat=4) if offsets[_class_number(counts)] >= 0]
    classes.sort(key=lambda counts: (sum(counts), counts[0] + counts[2]))
    for counts in classes:
        exchanged = (*counts[2:], *counts[:2])
        if counts > exchanged:
            continue  # it was solved with the other
        plies, quiet = 0, 0
        while plies <= longest + 1 or quiet < 2:
            settled = sum(solve_class(each, plies, offsets, _CHOOSE, entries) for each in {counts, exchanged})
            quiet = 0 if settled else quiet + 1
            longest = max(longest, plies) if settled else longest
            plies += 1
    return entries


def _class_number(counts: tuple[int, ...]) -> int:
    return int(np.ravel_multi_index(counts, (SIDES,) * 4))


@cache
def load(pieces: int) -> NDArray[np.uint8]:
    """The same from the cache folder, where it is kept once it has been solved."""
    file, size = cache_home() / "endings" / f"checkers-{pieces}-{FORMAT}.bin", layout(pieces)[1]
    try:
        content = file.read_bytes()
    except OSError:
        content = b""
    if len(content) == size + 32 and sha256(content[:size]).digest() == content[size:]:
        return np.frombuffer(content[:size], np.uint8).copy()
    print(f"ludus: solving checkers endings with up to {pieces} pieces, once (kept in {file.parent})", file=sys.stderr)
    entries = solve(pieces)
    try:
        write_whole(file, entries.tobytes() + sha256(entries.tobytes()).digest())
    except StorageError as problem:
        print(f"ludus: {problem}", file=sys.stderr)
    return entries


def with_endings(evaluator: Any, pieces: int) -> EndingTable:
    """The same evaluator, which knows all endings with up to so many pieces."""
    return EndingTable(evaluator, pieces, layout(pieces)[0], _CHOOSE, load(pieces))


@inlined
def known_value(table: EndingTable, state: CheckersState):
    """What a state in the table is worth to the side to move, however few moves the game has left."""
    entry = np.int64(table.entries[entry_of(state, table.offsets, table.choose)])
    if entry == DRAWN:
        return 0.0
    value = KNOWN_WIN - (entry - 1)
    return value if entry % 2 == 0 else -value


@inlined
def is_known(table: EndingTable, state: CheckersState):
    """Whether the table has the state."""
    return popcount(state.own | state.opp) <= table.pieces


@kernel
def known_entry(state: CheckersState, offsets: Any, choose: Any, entries: NDArray[np.uint8]) -> Any:
    """The entry of a state."""
    return np.int64(entries[entry_of(state, offsets, choose)])


def plies_to_end(position: Position) -> int | None:
    """How many plies a decided position of up to MOST_PIECES pieces takes, an odd number if the side to move wins; None
    for a draw."""
    if not position.state.opp:
        return 1  # the table has no positions of one side alone: after any move, the other can't move
    pieces = int(np.count_nonzero(position.cells))
    entry = int(known_entry(position.state, layout(pieces)[0], _CHOOSE, load(pieces)))
    return None if entry == DRAWN else entry - 1


@implements(evaluate, EndingTable, Checkers)
def _(evaluator, game, state):
    evaluator = without_refcount(evaluator)
    if is_known(evaluator, state):
        return known_value(evaluator, state)
    return float(evaluate(evaluator.evaluator, game, state))


@implements(evaluate_within, EndingTable, Checkers)
def _(evaluator, game, state, alpha, beta):
    evaluator = without_refcount(evaluator)
    if is_known(evaluator, state):
        value = known_value(evaluator, state)
        return value, value
    return evaluate_within(evaluator.evaluator, game, state, alpha, beta)


@implements(with_own_memory, EndingTable)
def _(evaluator):
    inner = with_own_memory(evaluator.evaluator)
    return EndingTable(inner, evaluator.pieces, evaluator.offsets, evaluator.choose, evaluator.entries)


@pictures(EndingTable)
def _pictures(evaluator: EndingTable, position: Position) -> tuple[Board, ...]:
    return boards(evaluator.evaluator, position)
