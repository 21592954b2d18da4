"""Go on boards of 2x2 to 19x19 points.

    bit    ...                      point   A3 B3 C3       on 3x3; bit 0 is A1, bottom-left,
           3  4  5                          A2 B2 C2       and each row adds as many as the board is wide
           0  1  2                          A1 B1 C1

Captures, no suicide, area scoring, komi. A play may not bring back an earlier position of the whole board
(positional superko); with `ko="simple"` only the position before the opponent's last play. Two passes in
succession end the game, as does a limit on its length, which superko leaves finite but astronomical.

The state keeps, beside the stones, the set of all stones in groups with a single liberty. A play changes it
only for the groups it touches, and with it the legal points are a few operations on whole sets.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import shake_256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import alone, both, either, filled, first, listed, lowered, lowest, raised, size, without
from ludus.errors import LudusError
from ludus.games.game import Cells, Family, Option, Position, as_kernel_value, square_symmetries
from ludus.kernels import inlined, kernel
from ludus.vocabulary import says

U = np.uint64

Board = tuple[np.uint64, ...]


class Go(NamedTuple):
    """The rules for one size of board."""

    size: int
    komi: float
    superko: bool
    restricted: bool
    plies: int
    sieve: int  # words at the start of a history, a power of two, that sieve out positions which surely are new
    board: Board
    not_west: Board  # all points but those of the first column
    not_east: Board
    keys: NDArray[np.uint64]  # [2, points]: Zobrist's, for each colour and point


class GoState(NamedTuple):
    own: Board
    opp: Board
    atari: Board  # stones of both colours in groups with one liberty
    own_lost: Board  # where stones of this colour were captured at some time
    opp_lost: Board
    position: np.uint64  # hash of all stones
    ko: int  # with simple ko, the point that is barred; else -1
    passes: int
    ply: int
    seen: int  # positions in the history
    mover: int
    history: NDArray[np.uint64]  # the sieve, then the hash of each position so far


@inlined
def nowhere(game):
    """The empty set of points."""
    return without(game.board, game.board)


@inlined
def spread(game, points):
    """The neighbours of these points."""
    across = either(both(raised(points, 1), game.not_west), both(lowered(points, 1), game.not_east))
    return either(across, either(both(raised(points, game.size), game.board), lowered(points, game.size)))


@kernel
def group(game, seed, stones):
    """The stones that are connected with `seed`."""
    found = seed
    while True:
        grown = either(found, both(spread(game, found), stones))
        if grown == found:
            return found
        found = grown


@kernel
def hashed(keys, stones):
    """What these stones, all of one colour, add to the hash of a position."""
    found = U(0)
    for w in range(len(stones)):
        left = stones[w]
        while left:
            found ^= keys[64 * w + lowest(left)]
            left &= left - U(1)
    return found


@inlined
def remember(game, history, seen, position):
    """Add a position to the history. A search that comes back overwrites it; its bit in the sieve may stay."""
    history[game.sieve + seen] = position
    history[np.int64(position >> U(6)) & (game.sieve - 1)] |= U(1) << (position & U(63))


@inlined
def seen_before(game, state, position):
    """Whether the whole board has looked like that earlier in the game."""
    if not (state.history[np.int64(position >> U(6)) & (game.sieve - 1)] >> (position & U(63))) & U(1):
        return False
    for i in range(game.sieve + state.seen - 1, game.sieve - 1, -1):
        if state.history[i] == position:
            return True
    return False


@kernel
def captured(game, state, point):
    """The opponent's stones that a stone of ours on `point` takes off the board."""
    found = nowhere(game)
    left = both(spread(game, alone(state.own, point)), both(state.opp, state.atari))
    while filled(left):
        taken = group(game, alone(left, first(left)), state.opp)
        found = either(found, taken)
        left = without(left, taken)
    return found


@kernel
def after_stone(game, state, point):
    """The hash of the position that a stone of ours on `point` makes."""
    taken = captured(game, state, point)
    return state.position ^ game.keys[state.mover, point] ^ hashed(game.keys[1 - state.mover], taken)


@inlined
def repeating(game, state, suspects):
    """Those of the `suspects` on which a stone of ours brings back an earlier position."""
    found = nowhere(game)
    taking = spread(game, both(state.opp, state.atari))
    for w in range(len(suspects)):
        left = suspects[w]
        while left:
            point = 64 * w + lowest(left)
            if (taking[w] >> U(point & 63)) & U(1):
                position = after_stone(game, state, point)
            else:
                position = state.position ^ game.keys[state.mover, point]
            if seen_before(game, state, position):
                found = either(found, alone(found, point))
            left &= left - U(1)
    return found


@kernel
def choking(game, state, suspects):
    """Those of the `suspects` on which a stone of ours joins others and leaves them one liberty."""
    found = nowhere(game)
    empty = without(game.board, either(state.own, state.opp))
    left = suspects
    while filled(left):
        stone = alone(left, first(left))
        left = without(left, stone)
        ours = group(game, stone, either(state.own, stone))
        free = without(either(empty, captured(game, state, first(stone))), stone)
        if size(ours) > 1 and size(both(spread(game, ours), free)) == 1:
            found = either(found, stone)
    return found


@inlined
def breathing(game, state):
    """The empty points on which a stone of ours would have a liberty: free, of a living group, or by a capture."""
    empty = without(game.board, either(state.own, state.opp))
    giving = either(without(state.own, state.atari), both(state.opp, state.atari))
    return both(empty, spread(game, either(empty, giving)))


@inlined
def barred(game, state, points):
    """Those of the `points` that the rule of ko forbids."""
    if game.superko:
        # a stone that brings back a position stands where one of its colour was captured since
        return repeating(game, state, both(points, state.own_lost))
    if state.ko >= 0:
        return alone(points, state.ko)
    return nowhere(game)


@inlined
def playable(game, state):
    """The points on which the player to move may put a stone."""
    legal = breathing(game, state)
    legal = without(legal, barred(game, state, legal))
    if game.restricted:
        legal = without(legal, choking(game, state, legal))
    return legal


@inlined
def listed_points(points, out):
    """Write the points into `out`, which has room for seven more, and return how many."""
    n = 0
    for w in range(len(points)):
        n = listed(points[w], 64 * w, out, n)
    return n


@says(words.initial, Go)
def _(game):
    none = nowhere(game)
    history = np.zeros(game.sieve + game.plies + 1, np.uint64)
    remember(game, history, 0, U(0))
    return GoState(none, none, none, none, none, U(0), -1, 0, 0, 1, 0, history)


@says(words.width, Go)
def _(game):
    return game.size * game.size + 8


@says(words.moves, Go)
def _(game, state, out):
    if state.passes == 2 or state.ply >= game.plies:
        return 0
    n = listed_points(playable(game, state), out)
    if n == 0 or not game.restricted:
        out[n] = game.size * game.size  # a pass
        n += 1
    return n


@says(words.play, Go)
def _(game, state, move):
    if move == game.size * game.size:
        return GoState(
            state.opp, state.own, state.atari, state.opp_lost, state.own_lost, state.position,
            -1, state.passes + 1, state.ply + 1, state.seen, 1 - state.mover, state.history,
        )  # fmt: skip
    stone = alone(state.own, move)
    own, opp, atari = either(state.own, stone), state.opp, state.atari
    empty = without(game.board, either(own, opp))
    taken = nowhere(game)

    left = both(spread(game, stone), opp)
    while filled(left):
        touched = group(game, alone(left, first(left)), opp)
        left = without(left, touched)
        liberties = size(both(spread(game, touched), empty))
        if liberties == 0:
            taken = either(taken, touched)
        elif liberties == 1:
            atari = either(atari, touched)

    position = state.position ^ game.keys[state.mover, move]
    opp_lost = state.opp_lost
    freed = stone  # our groups that have other liberties than before
    if filled(taken):
        position ^= hashed(game.keys[1 - state.mover], taken)
        opp, atari, empty = without(opp, taken), without(atari, taken), either(empty, taken)
        opp_lost = either(opp_lost, taken)
        freed = either(freed, both(spread(game, taken), own))
    while filled(freed):
        ours = group(game, alone(freed, first(freed)), own)
        freed = without(freed, ours)
        if size(both(spread(game, ours), empty)) == 1:
            atari = either(atari, ours)
        else:
            atari = without(atari, ours)

    ko = -1
    if size(taken) == 1 and filled(both(stone, atari)) and not filled(both(spread(game, stone), own)):
        ko = first(taken)
    seen = state.seen
    if game.superko:
        remember(game, state.history, seen, position)
        seen += 1
    return GoState(
        opp, own, atari, opp_lost, state.own_lost, position,
        ko, 0, state.ply + 1, seen, 1 - state.mover, state.history,
    )  # fmt: skip


@says(words.mover, Go)
def _(game, state):
    return state.mover


@says(words.margin, Go)
def _(game, state):
    black, white = (state.own, state.opp) if state.mover == 0 else (state.opp, state.own)
    lead = size(black) - size(white)
    left = without(game.board, either(black, white))
    while filled(left):
        region = group(game, alone(left, first(left)), left)
        left = without(left, region)
        border = spread(game, region)
        if not filled(both(border, white)) and filled(both(border, black)):
            lead += size(region)
        elif not filled(both(border, black)) and filled(both(border, white)):
            lead -= size(region)
    return lead - game.komi


@says(words.outcome, Go)
def _(game, state):
    lead = words.margin(game, state)
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@says(words.cells, Go)
def _(game, state, out):
    colour = 1 - 2 * state.mover
    for point in range(game.size * game.size):
        spot = alone(state.own, point)
        out[point] = colour if filled(both(spot, state.own)) else (-colour if filled(both(spot, state.opp)) else 0)


@says(words.planes, Go)
def _(game, state, out):
    empty, legal = without(game.board, either(state.own, state.opp)), playable(game, state)
    for w in range(len(empty)):
        out[2 * w] = empty[w]
        out[2 * w + 1] = state.opp[w] | legal[w]


@says(words.detached, Go)
def _(game, state):
    return GoState(
        state.own, state.opp, state.atari, state.own_lost, state.opp_lost, state.position,
        state.ko, state.passes, state.ply, state.seen, state.mover, state.history.copy(),
    )  # fmt: skip


@kernel
def smothered(game, stones, empty):
    """Those of the `stones`, all of one colour, whose groups have no liberty."""
    return without(stones, group(game, both(spread(game, empty), stones), stones))


@kernel
def set_up(game, own, opp, mover, passes, ply, bars, history):
    """The state with these stones. The points `bars`, and no others, are barred by ko; `history` is room for it."""
    empty = without(game.board, either(own, opp))
    atari = nowhere(game)
    for stones in (own, opp):
        left = stones
        while filled(left):
            chain = group(game, alone(left, first(left)), left)
            left = without(left, chain)
            if size(both(spread(game, chain), empty)) == 1:
                atari = either(atari, chain)
    position = hashed(game.keys[mover], own) ^ hashed(game.keys[1 - mover], opp)
    remember(game, history, 0, position)
    # without knowing the game so far, any point may have seen a capture
    state = GoState(own, opp, atari, game.board, game.board, position, -1, passes, ply, 1, mover, history)
    for i in range(len(bars)):
        remember(game, history, i + 1, after_stone(game, state, bars[i]))
    ko = -1
    if len(bars) > 0 and not game.superko:
        ko = bars[0]
    return GoState(own, opp, atari, game.board, game.board, position, ko, passes, ply, 1 + len(bars), mover, history)


@kernel
def _barred_points(game, state, out):
    return listed_points(barred(game, state, breathing(game, state)), out)


@kernel
def _smothered(game, own, opp):
    empty = without(game.board, either(own, opp))
    return filled(smothered(game, own, empty)) or filled(smothered(game, opp, empty))


COLUMNS = "ABCDEFGHJKLMNOPQRST"


def point_name(size: int, point: int) -> str:
    return f"{COLUMNS[point % size]}{point // size + 1}"


def _board(points: int, bits: int) -> Board:
    """A set of points, given as one long integer, in as many words as the board needs."""
    return tuple(U((bits >> shift) & 0xFFFFFFFFFFFFFFFF) for shift in range(0, points, 64))


class GoFamily(Family):
    name = "go"
    title = "Go"
    version = 1
    sizes = range(2, 20)
    default_size = 9
    options = (
        Option("komi", 7.5, "points added to White's score", low=-400, high=400),
        Option("ko", "superko", "superko bars every earlier position, simple only the last", ("superko", "simple")),
        Option(
            "rules",
            "area",
            "abramson2001 also bars joining stones into atari and needless passes",
            ("area", "abramson2001"),
        ),
        Option("plies", 0, "moves after which the game ends; 0 is four for each point", low=0, high=100000),
    )
    pieces = ("stone", "stones")
    first_row_below = True
    move_form = r"[a-hj-t]\d{1,2}|pass"
    move_example = "C3, or pass"

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
            sieve=1 << max(plies // 4, 1).bit_length(),
            board=_board(points, (1 << points) - 1),
            not_west=_board(points, every_row * (row - 1)),
            not_east=_board(points, every_row * (row >> 1)),
            keys=np.frombuffer(shake_256(b"ludus go").digest(16 * points), "<u8").astype(np.uint64).reshape(2, points),
        )

    def shape(self, rules: Go) -> tuple[int, int]:
        return rules.size, rules.size

    def square_name(self, rules: Go, square: int) -> str:
        return point_name(rules.size, square)

    def longest(self, rules: Go) -> int:
        return rules.plies

    def symmetries(self, rules: Go) -> NDArray[np.int64]:
        return square_symmetries(rules.size)

    def arranged(
        self, rules: Go, cells: Cells, mover: int, like: GoState | None = None, bars: Iterable[int] = ()
    ) -> Any:
        black, white = (
            _board(rules.size**2, sum(1 << int(point) for point in np.flatnonzero(cells == colour)))
            for colour in (1, -1)
        )
        own, opp = (black, white) if mover == 0 else (white, black)
        barred = np.array(list(bars), np.int64)
        history = np.zeros(rules.sieve + rules.plies + len(barred) + 1, np.uint64)
        passes, ply = (like.passes, like.ply) if like else (0, 0)
        return as_kernel_value(set_up(rules, own, opp, mover, passes, ply, barred, history))

    def barred(self, position: Position) -> NDArray[np.int64]:
        """The points that only the rule of ko forbids."""
        points = np.empty(position.game.width, np.int64)
        return points[: _barred_points(position.game.rules, position.state, points)]

    def mirrored(self, position: Position, symmetry: int) -> Any:
        goes = position.game.symmetries[symmetry]
        cells = np.empty_like(position.cells)
        cells[goes] = position.cells
        return self.arranged(position.game.rules, cells, position.mover, position.state, goes[self.barred(position)])

    def move_text(self, rules: Go, state: GoState, move: int) -> str:
        return "pass" if move == rules.size**2 else point_name(rules.size, move)

    def position_text(self, position: Position) -> str:
        """Rows from the top, X Black, O White, then who moves, and what else bears on the next moves.

        `.X./O.O/... X ko=B3 passes=1 ply=7`. A position stands alone: of the game so far it keeps the points that
        are barred now, not all that would be barred later.
        """
        rows = position.cells.reshape(position.game.size, -1)[::-1]
        parts = ["/".join("".join("O.X"[cell + 1] for cell in row) for row in rows), "XO"[position.mover]]
        if len(bars := self.barred(position)):
            parts.append("ko=" + ",".join(point_name(position.game.size, int(point)) for point in bars))
        parts += [f"{name}={value}" for name in ("passes", "ply") if (value := getattr(position.state, name))]
        return " ".join(parts)

    def parse(self, rules: Go, text: str) -> Any:
        size, names = rules.size, [point_name(rules.size, point) for point in range(rules.size**2)]
        board, mover, *rest = [*text.upper().split(), "", ""]
        rows = board.split("/")
        if [len(row) for row in rows] != [size] * size or set(board) - set("XO./") or mover not in ("X", "O"):
            raise LudusError(
                f"{text!r} is not a position; write {size} rows from the top with / between them (X black, O white, "
                ". empty), then X or O for the side to move"
            )
        found = {"KO": "", "PASSES": "0", "PLY": "0"}
        for part in filter(None, rest):
            key, _, value = part.partition("=")
            if key not in found or not value:
                raise LudusError(f"{part.lower()!r} in {text!r} is not known; write ko=C3, passes=1 or ply=20")
            found[key] = value
        for key, most in (("PASSES", 2), ("PLY", rules.plies)):
            if not re.fullmatch(r"\d{1,6}", found[key], re.ASCII) or int(found[key]) > most:
                raise LudusError(f"{key.lower()}={found[key]} is not possible; it is a number from 0 to {most}")
        cells = np.array(["O.X".index(point) - 1 for row in reversed(rows) for point in row], np.int8)
        bars = found["KO"].split(",") if found["KO"] else []
        for bar in bars:
            if bar not in names or cells[names.index(bar)]:
                raise LudusError(f"ko={bar} is not possible; ko names empty points of the board, such as ko={names[0]}")
        like = GoState(*((),) * 5, U(0), -1, int(found["PASSES"]), int(found["PLY"]), 0, 0, np.empty(0, np.uint64))
        state = self.arranged(rules, cells, "XO".index(mover), like, [names.index(bar) for bar in bars])
        if _smothered(rules, state.own, state.opp):
            raise LudusError(f"{text!r} has stones without a liberty; they would have been captured")
        return state

    def diagram(self, position: Position) -> str:
        size = position.game.size
        rows = [
            f"{row + 1:>2} " + " ".join("O.X"[cell + 1] for cell in position.cells[size * row : size * (row + 1)])
            for row in reversed(range(size))
        ]
        turn = "over" if position.over else f"{position.side} ({'XO'[position.mover]}) to move"
        lead = f"{'Black' if position.margin > 0 else 'White'} leads by {abs(position.margin):g}"
        return "\n".join([*rows, "   " + " ".join(COLUMNS[:size]), f"Black X, White O, {lead}: {turn}"])


GAME = GoFamily()
