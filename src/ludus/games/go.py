"""Go on boards of 2x2 to 19x19 points.

    bit    ...                      point   A3 B3 C3       on 3x3; bit 0 is A1, bottom-left,
           3  4  5                          A2 B2 C2       and each row adds as many as the board is wide
           0  1  2                          A1 B1 C1

Captures, no suicide, area scoring, komi. A play may not repeat an earlier position of the whole board (positional
superko); with `ko=simple` only not the position before the opponent's last play. Two passes in a row end the game, and
so does a limit on its length.

The state has, beside the stones, the set of all stones in atari: in groups with a single liberty. A play changes it
only for the groups that it touches, and with it the legal points are a few operations on whole sets.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import shake_256
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
from ludus.errors import InvalidPosition
from ludus.games import protocol
from ludus.games.game import Cells, Count, Defaults, GameType, Option, Position, as_kernel_value, square_symmetries
from ludus.games.influence import solve_influence
from ludus.games.style import BoardStyle

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
def _ko_points(game, state, out):
    return write_points(ko_points(game, state, not_suicide(game, state)), out)


@kernel
def _any_without_liberty(game, own, opp):
    empty = difference(game.board, union(own, opp))
    return any_set(without_liberty(game, own, empty)) or any_set(without_liberty(game, opp, empty))


COLUMNS = "ABCDEFGHJKLMNOPQRST"


def point_name(size: int, point: int) -> str:
    return f"{COLUMNS[point % size]}{point // size + 1}"


def _board(points: int, bits: int) -> Board:
    """A set of points, given as one long integer, as the words of a board."""
    return tuple(U((bits >> shift) & 0xFFFFFFFFFFFFFFFF) for shift in range(0, points, 64))


def _points(board: Board, points: int) -> NDArray[np.bool_]:
    """The points of a board, as Python sees them: [points]"""
    return np.array([bool((int(board[point // 64]) >> (point % 64)) & 1) for point in range(points)])


def _line(size: int, point: int) -> str:
    """How far from the edge a point is."""
    row, column = divmod(point, size)
    away = min(row, column, size - 1 - row, size - 1 - column)
    if size % 2 and row == column == size // 2:
        return "centre point"
    return f"{('first', 'second', 'third', 'fourth', 'fifth')[min(away, 4)]} line{' or beyond' if away > 4 else ''}"


class GoType(GameType):
    name = "go"
    title = "Go"
    version = 1
    sizes = range(2, 20)
    default_size = 9
    options = (
        Option("komi", 7.5, "points added to White's score", low=-400, high=400, title="Komi"),
        Option(
            "ko",
            "superko",
            "superko bars every earlier position, simple only the last",
            ("superko", "simple"),
            title="Ko",
            labels=("No position may come back (superko)", "Only the last position may not come back"),
        ),
        Option(
            "rules",
            "area",
            "abramson2001 also bars joining stones into atari and needless passes",
            ("area", "abramson2001"),
            title="Rules",
            labels=("Area scoring (as Chinese rules)", "Those of abramson2001"),
        ),
        Option(
            "plies",
            0,
            "moves after which the game ends; 0 is four for each point",
            low=0,
            high=100000,
            title="Most moves",
        ),
    )
    counts_captures = True
    rules_summary = (
        "Area scoring: your stones and the points that only they surround count, and White gets the komi for moving "
        "second. Suicide is not allowed. No play may repeat an earlier position of the whole board, whoever moved "
        "then (positional superko); with simple ko, only the position before the opponent's last play is barred. Two "
        "passes end the game, and so does a limit on its length. After two passes people agree on which stones are "
        "dead, or play on; between machines every stone counts as it stands, unless a GTP engine says which are dead."
    )
    pieces = ("stone", "stones")
    board_style = BoardStyle(
        grid="lines",
        piece="stone",
        square="#d9ad68",
        line="#6b4a1c",
        frame="#d9ad68",
        label="#3f2b0f",
        heat="#0072b2",
        star_points=True,
    )
    first_row_below = True
    move_pattern = r"[a-hj-t]\d{1,2}|pass"
    move_example = "C3, or pass"

    def defaults(self, size: int) -> Defaults:
        simulations = 10_000 if size <= 7 else 5000 if size <= 9 else 2000  # about as long for each size
        return Defaults("area", "greedy:value=area", "wally", judge=f"mcts:simulations={simulations}")

    def record_formats(self, size: int) -> tuple[str, ...]:
        return ("sgf",)

    def count(self, position: Position, dead: Collection[int] = ()) -> Count:
        from ludus.games.go_counting import count

        return count(position, dead)

    def dead_pieces(self, position: Position) -> list[int] | None:
        from ludus.games.go_counting import dead_stones

        return dead_stones(position)

    def handicap_squares(self, rules: Go, stones: int) -> list[int]:
        from ludus.games.go_counting import handicap_points

        return handicap_points(rules.size, stones)

    def rules(self, size: int, options: Mapping[str, Any]) -> Go:
        points = size * size
        plies = options["plies"] or 4 * points
        row, every_row = (1 << size) - 1, sum(1 << (size * i) for i in range(size))
        return Go(
            size=size,
            komi=options["komi"],
            superko=options["ko"] == "superko",
            restricted=options["rules"] == "abramson2001",
            plies=plies,
            bloom=1 << max(plies // 4, 1).bit_length(),
            board=_board(points, (1 << points) - 1),
            not_west=_board(points, every_row * (row - 1)),
            not_east=_board(points, every_row * (row >> 1)),
            keys=np.frombuffer(shake_256(b"ludus go").digest(16 * points), "<u8").astype(np.uint64).reshape(2, points),
        )

    def shape(self, rules: Go) -> tuple[int, int]:
        return rules.size, rules.size

    def square_name(self, rules: Go, square: int) -> str:
        return point_name(rules.size, square)

    def max_plies(self, rules: Go) -> int:
        return rules.plies

    def symmetries(self, rules: Go) -> NDArray[np.int64]:
        return square_symmetries(rules.size)

    def state_from_cells(
        self, rules: Go, cells: Cells, current_player: int, like: GoState | None = None, bars: Iterable[int] = ()
    ) -> Any:
        black, white = (
            _board(rules.size**2, sum(1 << int(point) for point in np.flatnonzero(cells == colour)))
            for colour in (1, -1)
        )
        own, opp = (black, white) if current_player == 0 else (white, black)
        forbidden = np.array(list(bars), np.int64)
        history = np.zeros(rules.bloom + rules.plies + len(forbidden) + 1, np.uint64)
        passes, ply = (like.passes, like.ply) if like else (0, 0)
        return as_kernel_value(with_stones(rules, own, opp, current_player, passes, ply, forbidden, history))

    def ko_points(self, position: Position) -> NDArray[np.int64]:
        """The points that only the ko rule forbids."""
        points = np.empty(position.game.max_legal_moves, np.int64)
        return points[: _ko_points(position.game.rules, position.state, points)]

    def mirrored(self, position: Position, symmetry: int) -> Any:
        goes = position.game.symmetries[symmetry]
        cells = np.empty_like(position.cells)
        cells[goes] = position.cells
        return self.state_from_cells(
            position.game.rules, cells, position.current_player, position.state, goes[self.ko_points(position)]
        )

    def deeds(self, position: Position, move: str, after: Position) -> list[str]:
        """What it captures, puts in atari and saves from it."""
        from ludus.games.words import counted

        if move == "pass":
            return ["passes"]
        mover = 1 if position.current_player == 0 else -1
        before, now, point = position.cells * mover, after.cells * mover, position.legal[move]
        # the stones in atari, of both sides
        was, is_now = (_points(each.state.atari, position.game.size**2) for each in (position, after))
        threatened = int(np.sum(is_now & (now < 0) & ~was))
        saved = int(np.sum(was & (before > 0) & ~is_now))
        found = super().deeds(position, move, after)
        if saved:
            found.append(f"saves {counted(saved, *self.pieces)} from atari")
        if threatened:
            found.append(f"puts {counted(threatened, *self.pieces)} in atari")
        if is_now[point]:
            found.append("can be captured itself")
        return found or [f"plays on the {_line(position.game.size, point)}"]

    def prospects(self, position: Position, after: Position) -> list[str]:
        """How many moves there are says little in Go."""
        return []

    def move_text(self, rules: Go, state: GoState, move: int) -> str:
        return "pass" if move == rules.size**2 else point_name(rules.size, move)

    def position_text(self, position: Position) -> str:
        """Rows from the top, X black, O white, then the side to move, and what else decides the next moves.

        `.X./O.O/... X ko=B3 passes=1 ply=7`. Of the game so far a text has only the points that ko forbids now, not
        those that superko would forbid later.
        """
        rows = position.cells.reshape(position.game.size, -1)[::-1]
        parts = ["/".join("".join("O.X"[cell + 1] for cell in row) for row in rows), "XO"[position.current_player]]
        if len(bars := self.ko_points(position)):
            parts.append("ko=" + ",".join(point_name(position.game.size, int(point)) for point in bars))
        parts += [f"{name}={value}" for name in ("passes", "ply") if (value := getattr(position.state, name))]
        return " ".join(parts)

    def parse(self, rules: Go, text: str) -> Any:
        size, names = rules.size, [point_name(rules.size, point) for point in range(rules.size**2)]
        board, side, *rest = [*text.upper().split(), "", ""]
        rows = board.split("/")
        if [len(row) for row in rows] != [size] * size or set(board) - set("XO./") or side not in ("X", "O"):
            raise InvalidPosition(
                f"{text!r} is not a position of go{size}; write {size} rows from the top with / between them "
                "(X black, O white, . empty), then X or O for the side to move"
            )
        found = {"KO": "", "PASSES": "0", "PLY": "0"}
        for part in filter(None, rest):
            key, _, value = part.partition("=")
            if key not in found or not value:
                raise InvalidPosition(
                    f"{part.lower()!r} in {text!r} is not understood; write ko=C3, passes=1 or ply=20"
                )
            found[key] = value
        for key, most in (("PASSES", 2), ("PLY", rules.plies)):
            if not re.fullmatch(r"\d{1,6}", found[key], re.ASCII) or int(found[key]) > most:
                raise InvalidPosition(f"{key.lower()}={found[key]} is not possible; write a number from 0 to {most}")
        cells = np.array(["O.X".index(point) - 1 for row in reversed(rows) for point in row], np.int8)
        bars = found["KO"].split(",") if found["KO"] else []
        for bar in bars:
            if bar not in names or cells[names.index(bar)]:
                raise InvalidPosition(
                    f"ko={bar} is not possible; name empty points of the board, such as ko={names[0]}"
                )
        like = GoState(*((),) * 5, U(0), -1, int(found["PASSES"]), int(found["PLY"]), 0, 0, np.empty(0, np.uint64))
        state = self.state_from_cells(rules, cells, "XO".index(side), like, [names.index(bar) for bar in bars])
        if _any_without_liberty(rules, state.own, state.opp):
            raise InvalidPosition(f"{text!r} has stones without a liberty, which would have been captured")
        return state

    def diagram(self, position: Position) -> str:
        size = position.game.size
        rows = [
            f"{row + 1:>2} " + " ".join("O.X"[cell + 1] for cell in position.cells[size * row : size * (row + 1)])
            for row in reversed(range(size))
        ]
        turn = "over" if position.over else f"{position.side} ({'XO'[position.current_player]}) to move"
        lead = f"{'Black' if position.margin > 0 else 'White'} leads by {abs(position.margin):g}"
        score = lead if position.margin else "nobody leads"
        return "\n".join([*rows, "   " + " ".join(COLUMNS[:size]), f"Black X, White O, {score}: {turn}"])


GAME = GoType()
