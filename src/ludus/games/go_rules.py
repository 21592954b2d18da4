"""The rules of Go on boards of 2x2 to 19x19 points, for kernels.

    bit    ...                      point   A3 B3 C3       on 3x3; bit 0 is A1, bottom-left,
           3  4  5                          A2 B2 C2       and each row adds as many as the board is wide
           0  1  2                          A1 B1 C1

Captures, no suicide, area scoring, komi. A play may not repeat an earlier position of the whole board (positional
superko); with `ko=simple` only not the position before the opponent's last play. Two passes in a row end the game, and
so does a limit on its length.

The state has, beside the stones, the set of all stones in atari: in groups with a single liberty. A play changes it
only for the groups that it touches, and with it the legal points are a few operations on whole sets.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.bitboards import (
    any_set,
    cardinality,
    difference,
    first_square,
    intersection,
    lowest_bit,
    shift_down,
    shift_up,
    single,
    union,
    write_bits,
)
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.games import protocol
from ludus.games.influence import solve_influence

U = np.uint64

Board = tuple[np.uint64, ...]


class Go(NamedTuple):
    """The rules for one size of board."""

    size: int
    komi: float
    superko: bool
    restricted: bool  # rules=abramson2001: no self-atari by joining stones, no pass while another move is legal
    plies: int
    bloom: int  # words of the Bloom filter at the start of a history, a power of two
    board: Board
    not_west: Board  # all points but those of the first column
    not_east: Board
    keys: NDArray[np.uint64]  # [2, points]: Zobrist keys, for each colour and point


class GoState(NamedTuple):
    own: Board
    opp: Board
    atari: Board  # stones of both colours in groups with one liberty
    own_lost: Board  # points where a stone of this colour has been captured
    opp_lost: Board
    position_hash: np.uint64  # Zobrist hash of all stones
    ko: int  # with simple ko, the forbidden point; else -1
    passes: int
    ply: int
    seen: int  # how many positions the history has
    current_player: int
    history: NDArray[np.uint64]  # the Bloom filter, then the hash of each position so far


@inlined
def no_points(game: Go) -> Any:
    """The empty set of points."""
    return difference(game.board, game.board)


@inlined
def neighbours(game: Go, points: Board) -> Any:
    """The neighbours of these points."""
    across = union(intersection(shift_up(points, 1), game.not_west), intersection(shift_down(points, 1), game.not_east))
    return union(across, union(intersection(shift_up(points, game.size), game.board), shift_down(points, game.size)))


@kernel
def group(game: Go, seed: Board, stones: Board) -> Any:
    """The `stones` that are connected with `seed`, by flood fill."""
    found = seed
    while True:
        grown = union(found, intersection(neighbours(game, found), stones))
        if grown == found:
            return found
        found = grown


@kernel
def group_in_atari(game: Go, stone: Board, stones: Board, empty: Board) -> Any:
    """The group of `stone` if it has at most one liberty, else no points: mostly a second one shows up at once."""
    found = stone
    while True:
        around = neighbours(game, found)
        if cardinality(intersection(around, empty)) > 1:
            return no_points(game)
        grown = union(found, intersection(around, stones))
        if grown == found:
            return found
        found = grown


@inlined
def liberties(game: Go, stones: Board, empty: Board) -> Any:
    """The empty points next to these stones."""
    return intersection(neighbours(game, stones), empty)


@inlined
def intersects(points: Board, others: Board) -> Any:
    """Whether the two sets have a point in common."""
    return any_set(intersection(points, others))


@kernel
def zobrist(keys: NDArray[np.uint64], stones: Board) -> Any:
    """The Zobrist hash of these stones of one colour, given that colour's keys [points]."""
    found = U(0)
    for w in range(len(stones)):
        left = stones[w]
        while left:
            found ^= keys[64 * w + lowest_bit(left)]
            left &= left - U(1)
    return found


@inlined
def add_to_history(game: Go, history: NDArray[np.uint64], seen: int, position_hash: np.uint64) -> None:
    """Add a position to the history. A search that backtracks overwrites it; its bit in the filter may stay."""
    history[game.bloom + seen] = position_hash
    history[np.int64(position_hash >> U(6)) & (game.bloom - 1)] |= U(1) << (position_hash & U(63))


@inlined
def seen_before(game: Go, history: NDArray[np.uint64], seen: int, position_hash: np.uint64) -> bool:
    """Whether the position is among the first `seen` of a history."""
    if not (history[np.int64(position_hash >> U(6)) & (game.bloom - 1)] >> (position_hash & U(63))) & U(1):
        return False
    for i in range(game.bloom + seen - 1, game.bloom - 1, -1):
        if history[i] == position_hash:
            return True
    return False


@inlined
def captured(game: Go, state: GoState, stone: Board) -> Any:
    """The opponent's stones that a play of `stone` captures: whole groups in atari, whose last liberty this was."""
    doomed = intersection(state.opp, state.atari)
    touched = intersection(neighbours(game, stone), doomed)
    return group(game, touched, doomed) if any_set(touched) else touched


@kernel
def hash_after(game: Go, state: GoState, point: int) -> Any:
    """The hash of the position after a play on `point`."""
    taken = captured(game, state, single(state.own, point))
    return (
        state.position_hash
        ^ game.keys[state.current_player, point]
        ^ zobrist(game.keys[1 - state.current_player], taken)
    )


@inlined
def repetitions(game: Go, state: GoState, candidates: Board) -> Any:
    """The `candidates` where a play repeats an earlier position."""
    found = no_points(game)
    taking = neighbours(game, intersection(state.opp, state.atari))
    for w in range(len(candidates)):
        left = candidates[w]
        while left:
            point = 64 * w + lowest_bit(left)
            if (taking[w] >> U(point & 63)) & U(1):
                position_hash = hash_after(game, state, point)
            else:
                position_hash = state.position_hash ^ game.keys[state.current_player, point]
            if seen_before(game, state.history, state.seen, position_hash):
                found = union(found, single(found, point))
            left &= left - U(1)
    return found


@kernel
def self_atari(game: Go, state: GoState, candidates: Board) -> Any:
    """The `candidates` where a play joins stones of its own and leaves the group in atari."""
    found = no_points(game)
    empty = difference(game.board, union(state.own, state.opp))
    left = candidates
    while any_set(left):
        stone = single(left, first_square(left))
        left = difference(left, stone)
        ours = group(game, stone, union(state.own, stone))
        free = difference(union(empty, captured(game, state, stone)), stone)
        if cardinality(ours) > 1 and cardinality(liberties(game, ours, free)) == 1:
            found = union(found, stone)
    return found


@inlined
def not_suicide(game: Go, state: GoState) -> Any:
    """The empty points where a play has a liberty: next to it, by a group that it joins, or by a capture."""
    empty = difference(game.board, union(state.own, state.opp))
    giving = union(difference(state.own, state.atari), intersection(state.opp, state.atari))
    return intersection(empty, neighbours(game, union(empty, giving)))


@inlined
def ko_points(game: Go, state: GoState, points: Board) -> Any:
    """The `points` that the ko rule forbids."""
    if game.superko:
        # a play that repeats a position is where a stone of its colour has been captured since
        return repetitions(game, state, intersection(points, state.own_lost))
    if state.ko >= 0:
        return single(points, state.ko)
    return no_points(game)


@inlined
def legal_points(game: Go, state: GoState) -> Any:
    """The points where the current player may place a stone."""
    legal = not_suicide(game, state)
    legal = difference(legal, ko_points(game, state, legal))
    if game.restricted:
        legal = difference(legal, self_atari(game, state, legal))
    return legal


@inlined
def write_points(points: Board, out: protocol.Moves) -> int:
    """Write the points into `out`, which must have room for seven more, and return how many there are."""
    n = 0
    for w in range(len(points)):
        n = write_bits(points[w], 64 * w, out, n)
    return n


@implements(protocol.initial, Go)
def _(game):
    none = no_points(game)
    history = zeros(game.bloom + game.plies + 1, np.uint64)
    add_to_history(game, history, 0, U(0))
    return GoState(none, none, none, none, none, U(0), -1, 0, 0, 1, 0, history)


@implements(protocol.max_legal_moves, Go)
def _(game):
    return game.size * game.size + 8


@implements(protocol.legal_moves, Go)
def _(game, state, out):
    if state.passes == 2 or state.ply >= game.plies:
        return 0
    n = write_points(legal_points(game, state), out)
    if n == 0 or not game.restricted:
        out[n] = game.size * game.size  # a pass
        n += 1
    return n


@implements(protocol.play, Go)
def _(game, state, move):
    if move == game.size * game.size:
        return GoState(
            state.opp, state.own, state.atari, state.opp_lost, state.own_lost, state.position_hash,
            -1, state.passes + 1, state.ply + 1, state.seen, 1 - state.current_player, state.history,
        )  # fmt: skip
    stone = single(state.own, move)
    around, taken = neighbours(game, stone), captured(game, state, stone)
    own, opp = union(state.own, stone), difference(state.opp, taken)
    empty = difference(game.board, union(own, opp))

    # of our groups in atari, those next to what was taken have got a liberty, and those that the stone joins are new
    weak = intersection(own, state.atari)
    freed = intersection(weak, union(around, neighbours(game, taken)))
    atari = difference(state.atari, taken)
    if any_set(freed):
        atari = difference(atari, group(game, freed, weak))
    atari = union(atari, group_in_atari(game, stone, own, empty))
    left = intersection(around, opp)
    while any_set(left):
        touched = single(left, first_square(left))
        pressed = group_in_atari(game, touched, opp, empty)
        atari = union(atari, pressed)
        left = difference(left, union(touched, pressed))

    position_hash = state.position_hash ^ game.keys[state.current_player, move]
    opp_lost = state.opp_lost
    if any_set(taken):
        position_hash ^= zobrist(game.keys[1 - state.current_player], taken)
        opp_lost = union(opp_lost, taken)

    ko = -1
    if cardinality(taken) == 1 and intersects(stone, atari) and not intersects(around, own):
        ko = first_square(taken)
    seen = state.seen
    if game.superko:
        add_to_history(game, state.history, seen, position_hash)
        seen += 1
    return GoState(
        opp, own, atari, opp_lost, state.own_lost, position_hash,
        ko, 0, state.ply + 1, seen, 1 - state.current_player, state.history,
    )  # fmt: skip


@implements(protocol.fingerprint, Go)
def _(game, state, plies):
    if state.ply + plies >= game.plies:
        return U(0), U(0)
    past = U(0)  # with superko, what may be played depends on all positions so far, in whatever order
    if game.superko:
        for i in range(game.bloom, game.bloom + state.seen):
            past += (state.history[i] ^ (state.history[i] >> U(31))) * U(0x9E3779B97F4A7C15)
    return state.position_hash, (past << U(12)) | U((state.ko + 1) * 8 + 2 * state.passes + state.current_player + 1)


@implements(protocol.current_player, Go)
def _(game, state):
    return state.current_player


@implements(protocol.margin, Go)
def _(game, state):
    black, white = (state.own, state.opp) if state.current_player == 0 else (state.opp, state.own)
    empty = difference(game.board, union(black, white))
    by_black, by_white = group(game, black, union(black, empty)), group(game, white, union(white, empty))
    lead = cardinality(difference(by_black, by_white)) - cardinality(difference(by_white, by_black))
    return lead - game.komi


@implements(protocol.outcome, Go)
def _(game, state):
    lead = protocol.margin(game, state)
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@implements(protocol.cells, Go)
def _(game, state, out):
    colour = 1 - 2 * state.current_player
    for point in range(game.size * game.size):
        spot = single(state.own, point)
        out[point] = colour if intersects(spot, state.own) else (-colour if intersects(spot, state.opp) else 0)


@implements(protocol.piece_sets, Go)
def _(game, state, out):
    words = len(state.own)
    for word in range(words):
        out[word], out[words + word] = state.own[word], state.opp[word]


@implements(protocol.influence, Go)
def _(game, state, out):
    """The influence of Abramson and Wechsler (2001)."""
    points = game.size * game.size
    stones, matrix = empty(points, np.float64), empty((points, points), np.float64)
    protocol.cells(game, state, stones)
    solve_influence(game.size, stones, matrix, out)


@implements(protocol.planes, Go)
def _(game, state, out):
    empty, legal = difference(game.board, union(state.own, state.opp)), legal_points(game, state)
    for w in range(len(empty)):
        out[2 * w] = empty[w]
        out[2 * w + 1] = state.opp[w] | legal[w]


@implements(protocol.copy_state, Go)
def _(game, state):
    return GoState(
        state.own, state.opp, state.atari, state.own_lost, state.opp_lost, state.position_hash,
        state.ko, state.passes, state.ply, state.seen, state.current_player, state.history.copy(),
    )  # fmt: skip


@kernel
def without_liberty(game: Go, stones: Board, empty: Board) -> Any:
    """The `stones`, all of one colour, whose groups have no liberty."""
    return difference(stones, group(game, intersection(neighbours(game, empty), stones), stones))


@kernel
def with_stones(game, own, opp, current_player, passes, ply, bars, history):
    """The state with these stones, in which ko forbids the points `bars` and no others.

    history  [bloom + plies + len(bars) + 1]: zeros, where the state will have its history
    """
    empty = difference(game.board, union(own, opp))
    atari = no_points(game)
    for stones in (own, opp):
        left = stones
        while any_set(left):
            chain = group(game, single(left, first_square(left)), left)
            left = difference(left, chain)
            if cardinality(liberties(game, chain, empty)) == 1:
                atari = union(atari, chain)
    position_hash = zobrist(game.keys[current_player], own) ^ zobrist(game.keys[1 - current_player], opp)
    add_to_history(game, history, 0, position_hash)
    # the game so far is unknown, so there may have been a capture on any point
    state = GoState(own, opp, atari, game.board, game.board, position_hash, -1, passes, ply, 1, current_player, history)
    for i in range(len(bars)):
        add_to_history(game, history, i + 1, hash_after(game, state, bars[i]))
    ko = -1
    if len(bars) > 0 and not game.superko:
        ko = bars[0]
    return GoState(
        own, opp, atari, game.board, game.board, position_hash, ko, passes, ply, 1 + len(bars), current_player, history
    )


@kernel
def write_ko_points(game, state, out):
    return write_points(ko_points(game, state, not_suicide(game, state)), out)


@kernel
def any_without_liberty(game, own, opp):
    empty = difference(game.board, union(own, opp))
    return any_set(without_liberty(game, own, empty)) or any_set(without_liberty(game, opp, empty))
