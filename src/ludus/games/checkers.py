"""English checkers (draughts) on the 32 dark squares.

    square    1   2   3   4         bit     0   1   2   3        Bits 8, 17 and 26 are no squares. With these
            5   6   7   8                 4   5   6   7          gaps a step down the board is always 4 bits
              9  10  11  12                 9  10  11  12        (left) or 5 (right), and whatever leaves the
           13  14  15  16                13  14  15  16          board falls on a gap or beyond the last bit.
             ...                           ...

The first player is Black, on squares 1 to 12, and moves down. A capture must be made and completed; a man that
reaches the last row is crowned and its move ends. Who cannot move loses; when both have made their number
of moves the game is drawn.

A move holds, from the low bits up: where it starts (6 bits), how many pieces it jumps (4 bits), and the
direction of each step (2 bits each; a capture has at most nine).
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import listed, lowest, popcount
from ludus.errors import LudusError
from ludus.games.game import Cells, Family, Option, Position
from ludus.kernels import inlined, kernel
from ludus.vocabulary import says

U = np.uint64

BOARD = U(0x7FBFDFEFF)
TOP_ROW, BOTTOM_ROW = U(0xF), U(0x780000000)

MOST_MOVES = 128
"""Room for the moves of any position; 48 quiet moves or 68 captures are the most that were found."""

MOST_CAPTURES = 24
"""No game has more, there being 24 pieces."""


class Checkers(NamedTuple):
    moves_each: int


class CheckersState(NamedTuple):
    own: np.uint64
    opp: np.uint64
    kings: np.uint64  # of both colours
    ply: int
    mover: int


@inlined
def stepped(pieces, direction):
    """Where pieces get to by one step: 0 down-left, 1 down-right, 2 up-right, 3 up-left."""
    if direction == 0:
        moved = pieces << U(4)
    elif direction == 1:
        moved = pieces << U(5)
    elif direction == 2:
        moved = pieces >> U(4)
    else:
        moved = pieces >> U(5)
    return moved & BOARD


@inlined
def walkers(state, direction):
    """The mover's pieces that may go in that direction."""
    forward = direction // 2 == state.mover
    return state.own if forward else state.own & state.kings


@inlined
def jumpers(state, direction):
    """The mover's pieces that can capture in that direction."""
    back = (direction + 2) % 4
    empty = BOARD & ~(state.own | state.opp)
    return walkers(state, direction) & stepped(stepped(empty, back) & state.opp, back)


@kernel
def captures(state, start, out, n):
    """Write all captures by the piece on bit `start` into out[n:]; return the new n."""
    piece = U(1) << U(start)
    is_king = (piece & state.kings) != U(0)
    last_row = BOTTOM_ROW if state.mover == 0 else TOP_ROW
    empty = (BOARD & ~(state.own | state.opp)) | piece
    lowest_way, ways = (0, 4) if is_king else (2 * state.mover, 2 * state.mover + 2)
    place, uncaptured = piece, state.opp
    route, jumped, way = 0, 0, lowest_way
    # depth first over the ways to go on; the route itself tells how to go back
    while True:
        landed = U(0)
        while way < ways:
            passed = stepped(place, way) & uncaptured
            landed = stepped(passed, way) & empty
            if landed:
                break
            way += 1
        if landed:
            place, uncaptured = landed, uncaptured & ~passed
            route |= way << (2 * jumped)
            jumped += 1
            way = lowest_way
            stops = not is_king and (landed & last_row) != U(0)
            if not stops:
                for onward in range(lowest_way, ways):
                    if stepped(stepped(place, onward) & uncaptured, onward) & empty:
                        break
                else:
                    stops = True
            if not stops:
                continue
            if n < len(out):
                out[n] = start | (jumped << 6) | (route << 10)
                n += 1
        if jumped == 0:
            return n
        jumped -= 1
        way = (route >> (2 * jumped)) & 3
        route &= (1 << (2 * jumped)) - 1
        passed = stepped(place, (way + 2) % 4)
        place, uncaptured = stepped(passed, (way + 2) % 4), uncaptured | passed
        way += 1


@says(words.initial, Checkers)
def _(game):
    return CheckersState(U(0x1EFF), U(0x7FBC00000), U(0), 0, 0)


@says(words.width, Checkers)
def _(game):
    return MOST_MOVES


@says(words.moves, Checkers)
def _(game, state, out):
    n = 0
    if state.ply >= 2 * game.moves_each:
        return n
    jumping = jumpers(state, 0) | jumpers(state, 1) | jumpers(state, 2) | jumpers(state, 3)
    if jumping:
        while jumping:
            n = captures(state, lowest(jumping), out, n)
            jumping &= jumping - U(1)
        return n
    empty = BOARD & ~(state.own | state.opp)
    for direction in range(4):
        walking = walkers(state, direction) & stepped(empty, (direction + 2) % 4)
        n = listed(walking, direction << 10, out, n)
    return n


@says(words.play, Checkers)
def _(game, state, move):
    place = U(1) << U(move & 63)
    jumped, route = (move >> 6) & 15, move >> 10
    own, opp, kings = state.own & ~place, state.opp, state.kings
    is_king = place & kings
    kings &= ~place
    if jumped == 0:
        place = stepped(place, route)
    for _ in range(jumped):
        passed = stepped(place, route & 3)
        place = stepped(passed, route & 3)
        opp &= ~passed
        kings &= ~passed
        route >>= 2
    if is_king or place & (BOTTOM_ROW if state.mover == 0 else TOP_ROW):
        kings |= place
    return CheckersState(opp, own | place, kings, state.ply + 1, 1 - state.mover)


@says(words.compelled, Checkers)
def _(game, move):
    return (move >> 6) & 15 > 0


@says(words.mover, Checkers)
def _(game, state):
    return state.mover


@says(words.margin, Checkers)
def _(game, state):
    lead = float(popcount(state.own) - popcount(state.opp))
    return lead if state.mover == 0 else -lead


@says(words.outcome, Checkers)
def _(game, state):
    empty = BOARD & ~(state.own | state.opp)
    for direction in range(4):
        if jumpers(state, direction) or walkers(state, direction) & stepped(empty, (direction + 2) % 4):
            return 0.5  # could move, so it is the number of moves that ended the game
    return float(state.mover)


@says(words.cells, Checkers)
def _(game, state, out):
    black = state.own if state.mover == 0 else state.opp
    white = state.opp if state.mover == 0 else state.own
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        worth = 2 if state.kings & bit else 1
        out[square] = worth if black & bit else (-worth if white & bit else 0)


@says(words.ends, Checkers)
def _(game, move):
    start = move & 63
    jumped, route = (move >> 6) & 15, move >> 10
    place = U(1) << U(start)
    for _ in range(max(1, jumped)):
        place = stepped(place, route & 3)
        if jumped > 0:
            place = stepped(place, route & 3)
        route >>= 2
    end = lowest(place)
    return start - start // 9, end - end // 9


@says(words.planes, Checkers)
def _(game, state, out):
    out[0], out[1] = U(0), U(0)
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        place = U(square if state.mover == 0 else 31 - square)
        if not (state.own | state.opp) & bit:
            out[0] |= U(1) << place
        elif state.kings & bit:
            out[0] |= U(1) << place
            out[1] |= U(1) << place
        elif state.opp & bit:
            out[1] |= U(1) << place


@says(words.action, Checkers)
def _(game, state, move):
    """Where it starts and in which direction, with the board turned round for the second player."""
    bit, way = move & 63, (move >> 10) & 3
    square = bit - bit // 9
    return 4 * square + way if state.mover == 0 else 4 * (31 - square) + (way + 2) % 4


def bit_of(square: int) -> int:
    """The bit of a square counted from 0."""
    return square + square // 8


def square_of(bit: int) -> int:
    return bit - bit // 9


STEPS = (4, 5, -4, -5)
"""By how many bits each direction moves."""


class CheckersFamily(Family):
    name = "checkers"
    title = "English checkers"
    version = 1
    options = (Option("moves", 100, "draw when each side has made this many moves", low=1, high=10000),)
    move_form = r"\d{1,2}([-x]\d{1,2})+"
    move_example = "11-15 or 15x22x29"
    pieces = ("man", "pieces")
    unit = "pieces"
    symbols = ("mine", "theirs", "empty", "king")  # two bits have no room to tell whose king
    perft = {"checkers": (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)}

    def rules(self, size: int, options: Mapping[str, Any]) -> Checkers:
        return Checkers(moves_each=options["moves"])

    def shape(self, rules: Checkers) -> tuple[int, int]:
        return 8, 8

    def spots(self, rules: Checkers) -> list[tuple[int, int]]:
        """The dark squares."""
        return [(square // 4, 2 * (square % 4) + 1 - square // 4 % 2) for square in range(32)]

    def square_name(self, rules: Checkers, square: int) -> str:
        return str(square + 1)

    def greatest_lead(self, rules: Checkers) -> float:
        return 12.0

    def longest(self, rules: Checkers) -> int:
        return 2 * rules.moves_each

    def symmetries(self, rules: Checkers) -> NDArray[np.int64]:
        return np.array([np.arange(32), np.arange(31, -1, -1)], np.int64)

    def swaps(self, symmetry: int) -> bool:
        return symmetry == 1

    def arranged(self, rules: Checkers, cells: Cells, mover: int, like: CheckersState | None = None) -> CheckersState:
        def bits(chosen: NDArray[np.bool_]) -> np.uint64:
            return U(sum(1 << bit_of(int(square)) for square in np.flatnonzero(chosen)))

        black, white, kings = bits(cells > 0), bits(cells < 0), bits(abs(cells) == 2)
        rounds = like.ply // 2 if like else 0  # the number of moves that both have made
        if mover == 0:
            return CheckersState(black, white, kings, 2 * rounds, 0)
        return CheckersState(white, black, kings, 2 * rounds + 1, 1)

    def path(self, rules: Checkers, move: int) -> list[int]:
        jumped, route = (move >> 6) & 15, move >> 10
        places = [move & 63]
        for i in range(max(jumped, 1)):
            places.append(places[-1] + STEPS[(route >> (2 * i)) & 3] * (2 if jumped else 1))
        return [square_of(each) for each in places]

    def move_text(self, rules: Checkers, state: CheckersState, move: int) -> str:
        jumps = (move >> 6) & 15 > 0
        return ("x" if jumps else "-").join(str(square + 1) for square in self.path(rules, move))

    def actions(self, rules: Checkers) -> int:
        return 4 * 32

    def action_text(self, rules: Checkers, action: int) -> str:
        return f"{action // 4 + 1} {('down-left', 'down-right', 'up-right', 'up-left')[action % 4]}"

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        """A capture may be written by its ends alone, and with `-` as well."""
        wanted = [int(square) for square in re.split("[-x]", text.lower())]
        routes = {move: [int(square) for square in re.split("[-x]", move)] for move in legal}
        exact = [move for move, route in routes.items() if route == wanted]
        return exact or [
            move for move, route in routes.items() if len(wanted) == 2 and route[:: len(route) - 1] == wanted
        ]

    def position_text(self, position: Position) -> str:
        """FEN as PDN has it, and the number of the move: `B:W21,22,K30:B1,2,3:F1`."""
        sides = []
        for letter, sign in (("W", -1), ("B", 1)):
            pieces = [(i + 1, cell * sign) for i, cell in enumerate(position.cells.tolist()) if cell * sign > 0]
            sides.append(letter + ",".join(f"{'K' if worth == 2 else ''}{square}" for square, worth in pieces))
        return ":".join(["BW"[position.mover], *sides, f"F{position.state.ply // 2 + 1}"])

    def parse(self, rules: Checkers, text: str) -> CheckersState:
        parts = re.fullmatch(
            r"([BW])((?::[BW](?:K?\d{1,2}(?:-\d{1,2})?(?:,K?\d{1,2}(?:-\d{1,2})?)*)?){2})(?::H\d{1,6})?(?::F(\d{1,6}))?\.?",
            "".join(text.upper().split()),
            re.ASCII,
        )
        sides = parts[2].split(":")[1:] if parts else []
        if not parts or {side[0] for side in sides} != {"B", "W"}:
            raise LudusError(f"{text!r} is not a position; write FEN such as B:W21-32:B1-12 or W:WK3,30:B12,K28:F40")
        cells = np.zeros(32, np.int8)
        for side in sides:
            for piece in filter(None, side[1:].split(",")):
                low, _, high = piece.lstrip("K").partition("-")
                if not 1 <= int(low) <= int(high or low) <= 32:
                    raise LudusError(f"{piece!r} in {text!r} is not a square; squares are 1 to 32")
                for square in range(int(low), int(high or low) + 1):
                    if cells[square - 1]:
                        raise LudusError(f"square {square} is named twice in {text!r}; it can hold one piece")
                    cells[square - 1] = (1 if side[0] == "B" else -1) * (2 if piece[0] == "K" else 1)
        for sign, row, side in ((1, cells[28:], "black"), (-1, cells[:4], "white")):
            if sign in row:
                raise LudusError(f"{text!r} has a {side} man on its last row; there it would be a king")
        for sign, side in ((1, "black"), (-1, "white")):
            if np.sum(cells * sign > 0) > 12:
                raise LudusError(f"{text!r} has more than 12 {side} pieces")
        mover = "BW".index(parts[1])
        ply = 2 * max(int(parts[3] or 1) - 1, 0)
        return self.arranged(rules, cells, mover, CheckersState(U(0), U(0), U(0), ply, 0))

    def diagram(self, position: Position) -> str:
        rows, cells = [], position.cells
        for row in range(8):
            shown = [f"{'WwBb.'[(-2, -1, 2, 1, 0).index(cell)]:>3}" for cell in cells[4 * row : 4 * row + 4].tolist()]
            pale = "   "
            line = "".join(pale + each if row % 2 == 0 else each + pale for each in shown)
            rows.append(f"{line.rstrip():<26}{4 * row + 1:>3}-{4 * row + 4}")
        black, white = int(np.sum(cells > 0)), int(np.sum(cells < 0))
        turn = "over" if position.over else f"{position.side} to move"
        return "\n".join([*rows, f"Black b {black}, White w {white} (capitals are kings): {turn}"])


GAME = CheckersFamily()
