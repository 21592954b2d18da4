"""English checkers (draughts) on the 32 dark squares.

    square    1   2   3   4         bit     0   1   2   3        Bits 8, 17 and 26 are no squares. With these
            5   6   7   8                 4   5   6   7          gaps a step down the board is always 4 bits
              9  10  11  12                 9  10  11  12        (left) or 5 (right), and whatever leaves the
           13  14  15  16                13  14  15  16          board falls on a gap or beyond the last bit.
             ...                           ...

The first player is Black, on squares 1 to 12, and moves down. Captures are compulsory and must be completed; a man that
reaches the last row is crowned, which ends its move. A player who can't move loses; the game is drawn after a given
number of moves by each side.

A move holds, from the lowest bit: the bit it starts from (6 bits), how many pieces it jumps (4 bits), and the direction
of each step (2 bits each; a capture has at most nine).
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import lowest_bit, popcount, write_bits
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.errors import InvalidPosition
from ludus.games import protocol
from ludus.games.game import Cells, Defaults, Game, GameType, Option, Position
from ludus.games.style import BoardStyle

U = np.uint64

BOARD = U(0x7FBFDFEFF)
TOP_ROW, BOTTOM_ROW = U(0xF), U(0x780000000)

MAX_MOVES = 128
"""Room for the moves of any position; the most that were found are 48 quiet moves or 68 captures."""

TOLERANCE = 1e-9
"""Influence is relaxed until no square changes by more than this."""


class Checkers(NamedTuple):
    moves_each: int


class CheckersState(NamedTuple):
    own: np.uint64
    opp: np.uint64
    kings: np.uint64  # of both colours
    ply: int
    current_player: int


@inlined
def shift(pieces: np.uint64, direction: int) -> np.uint64:
    """The pieces moved by one step: 0 down-left, 1 down-right, 2 up-right, 3 up-left."""
    distance = U(4 + (direction & 1))
    moved = pieces << distance if direction < 2 else pieces >> distance  # both are cheaper than a wrong guess
    return moved & BOARD


@inlined
def movers(state: CheckersState, direction: int) -> np.uint64:
    """The current player's pieces that may move in that direction."""
    forward = direction // 2 == state.current_player
    return state.own if forward else state.own & state.kings


@inlined
def jumpers(state: CheckersState, direction: int) -> np.uint64:
    """The current player's pieces that can capture in that direction."""
    back = (direction + 2) % 4
    empty = BOARD & ~(state.own | state.opp)
    return movers(state, direction) & shift(shift(empty, back) & state.opp, back)


@inlined
def add_captures(state: CheckersState, start: int, out: protocol.Moves, n: int) -> int:
    """Write all captures by the piece on bit `start` into `out` [max_legal_moves] from `n` on; return the new `n`."""
    piece = U(1) << U(start)
    is_king = (piece & state.kings) != U(0)
    last_row = BOTTOM_ROW if state.current_player == 0 else TOP_ROW
    empty = (BOARD & ~(state.own | state.opp)) | piece
    first_direction, end_direction = (0, 4) if is_king else (2 * state.current_player, 2 * state.current_player + 2)
    place, uncaptured = piece, state.opp
    route, jumped, direction = 0, 0, first_direction
    # depth first over the ways to go on; the route itself says how to go back
    while True:
        landed = U(0)
        while direction < end_direction:
            passed = shift(place, direction) & uncaptured
            landed = shift(passed, direction) & empty
            if landed:
                break
            direction += 1
        if landed:
            place, uncaptured = landed, uncaptured & ~passed
            route |= direction << (2 * jumped)
            jumped += 1
            direction = first_direction
            stops = not is_king and (landed & last_row) != U(0)
            if not stops:
                for onward in range(first_direction, end_direction):
                    if shift(shift(place, onward) & uncaptured, onward) & empty:
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
        direction = (route >> (2 * jumped)) & 3
        route &= (1 << (2 * jumped)) - 1
        passed = shift(place, (direction + 2) % 4)
        place, uncaptured = shift(passed, (direction + 2) % 4), uncaptured | passed
        direction += 1


@implements(protocol.initial, Checkers)
def _(game):
    return CheckersState(U(0x1EFF), U(0x7FBC00000), U(0), 0, 0)


@implements(protocol.max_legal_moves, Checkers)
def _(game):
    return MAX_MOVES


@implements(protocol.legal_moves, Checkers)
def _(game, state, out):
    n = 0
    if state.ply >= 2 * game.moves_each:
        return n
    jumping = jumpers(state, 0) | jumpers(state, 1) | jumpers(state, 2) | jumpers(state, 3)
    if jumping:
        while jumping:
            n = add_captures(state, lowest_bit(jumping), out, n)
            jumping &= jumping - U(1)
        return n
    empty = BOARD & ~(state.own | state.opp)
    for direction in range(4):
        moving = movers(state, direction) & shift(empty, (direction + 2) % 4)
        n = write_bits(moving, direction << 10, out, n)
    return n


@implements(protocol.play, Checkers)
def _(game, state, move):
    place = U(1) << U(move & 63)
    jumped, route = (move >> 6) & 15, move >> 10
    own, opp, kings = state.own & ~place, state.opp, state.kings
    is_king = place & kings
    kings &= ~place
    if jumped == 0:
        place = shift(place, route)
    for _ in range(jumped):
        passed = shift(place, route & 3)
        place = shift(passed, route & 3)
        opp &= ~passed
        kings &= ~passed
        route >>= 2
    kings |= place if is_king else place & (BOTTOM_ROW if state.current_player == 0 else TOP_ROW)
    return CheckersState(opp, own | place, kings, state.ply + 1, 1 - state.current_player)


@implements(protocol.is_forced, Checkers)
def _(game, move):
    return (move >> 6) & 15 > 0


@implements(protocol.fingerprint, Checkers)
def _(game, state, plies):
    captures = popcount(state.own | state.opp)  # each takes a piece at least
    if state.ply + plies + captures >= 2 * game.moves_each:
        return U(0), U(0)
    # a board has 35 bits: those of the kings fill up the two words
    return (
        state.own | (state.kings << U(35)),
        state.opp | (state.kings >> U(29) << U(35)) | (U(state.current_player) << U(63)),
    )


@implements(protocol.current_player, Checkers)
def _(game, state):
    return state.current_player


@implements(protocol.margin, Checkers)
def _(game, state):
    lead = float(popcount(state.own) - popcount(state.opp))
    return lead if state.current_player == 0 else -lead


@implements(protocol.outcome, Checkers)
def _(game, state):
    empty = BOARD & ~(state.own | state.opp)
    for direction in range(4):
        if jumpers(state, direction) or movers(state, direction) & shift(empty, (direction + 2) % 4):
            return 0.5  # it could move, so the game ended by the number of moves
    return float(state.current_player)


@implements(protocol.cells, Checkers)
def _(game, state, out):
    black = state.own if state.current_player == 0 else state.opp
    white = state.opp if state.current_player == 0 else state.own
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        piece = 2 if state.kings & bit else 1
        out[square] = piece if black & bit else (-piece if white & bit else 0)


@implements(protocol.occupied, Checkers)
def _(game, state, squares, pieces):
    n, left = 0, state.own | state.opp
    while left:
        bit = left & (~left + U(1))
        place = lowest_bit(left)
        squares[n] = place - place // 9
        piece = 2 if bit & state.kings else 1
        pieces[n] = piece if bit & state.own else -piece
        n += 1
        left ^= bit
    return n


@implements(protocol.piece_kinds, Checkers)
def _(game):
    return 2


@implements(protocol.piece_sets, Checkers)
def _(game, state, out):
    out[0], out[1] = _without_gaps(state.own & ~state.kings), _without_gaps(state.opp & ~state.kings)
    out[2], out[3] = _without_gaps(state.own & state.kings), _without_gaps(state.opp & state.kings)


@inlined
def _without_gaps(pieces: np.uint64):
    """The same pieces with square s at bit s: after every eight squares a bit is left out."""
    rows = U(0)
    for i in range(4):
        rows |= ((pieces >> U(9 * i)) & U(0xFF)) << U(8 * i)
    return rows


@implements(protocol.move_squares, Checkers)
def _(game, move):
    start = move & 63
    jumped, route = (move >> 6) & 15, move >> 10
    place = U(1) << U(start)
    for _ in range(max(1, jumped)):
        place = shift(place, route & 3)
        if jumped > 0:
            place = shift(place, route & 3)
        route >>= 2
    end = lowest_bit(place)
    return start - start // 9, end - end // 9


@implements(protocol.influence, Checkers)
def _(game, state, out):
    """A king has influence 1 and a man 0.5, which spread along the diagonals."""
    pieces = empty(32, np.float64)
    protocol.cells(game, state, pieces)
    for square in range(32):
        pieces[square] *= 0.5
        out[square] = pieces[square]
    relax(pieces, out)


@kernel
def relax(pieces: protocol.Field, out: protocol.Field) -> None:
    """Give each empty square the mean of its diagonal neighbours, until nothing changes (Gauss-Seidel). [32] each"""
    while True:
        change = 0.0
        for square in range(32):
            if pieces[square] != 0.0:
                continue
            row, place = square // 4, square % 4
            total, count = 0.0, 0
            for other in (row - 1, row + 1):
                if other < 0 or other > 7:
                    continue
                # even rows stand half a square to the right
                left = place if row % 2 == 0 else place - 1
                for column in (left, left + 1):
                    if 0 <= column < 4:
                        total += out[4 * other + column]
                        count += 1
            change = max(change, abs(total / count - out[square]))
            out[square] = total / count
        if change < TOLERANCE:
            return


@implements(protocol.planes, Checkers)
def _(game, state, out):
    out[0], out[1] = U(0), U(0)
    for square in range(32):
        bit = U(1) << U(square + square // 8)
        place = U(square if state.current_player == 0 else 31 - square)
        if not (state.own | state.opp) & bit:
            out[0] |= U(1) << place
        elif state.kings & bit:
            out[0] |= U(1) << place
            out[1] |= U(1) << place
        elif state.opp & bit:
            out[1] |= U(1) << place


@implements(protocol.action, Checkers)
def _(game, state, move):
    """The square it starts from and its first direction, on a board turned round for the second player."""
    bit, direction = move & 63, (move >> 10) & 3
    square = bit - bit // 9
    return 4 * square + direction if state.current_player == 0 else 4 * (31 - square) + (direction + 2) % 4


def bit_of(square: int) -> int:
    """The bit of a square, counted from 0."""
    return square + square // 8


def square_of(bit: int) -> int:
    return bit - bit // 9


STEPS = (4, 5, -4, -5)
"""The distance in bits of a step in each direction."""


BARRED_BALLOTS = {"9-14 21-17", "9-14 23-18", "10-14 21-17", "10-14 23-18", "11-16 23-19", "12-16 23-19"}
"""Two-move ballots that lose a man at once."""


def two_move_ballots(game: Game) -> NDArray[np.int64]:
    """The 43 ways to make the first two moves without losing a man: [openings, moves]."""
    found, start = [], game.start()
    for first, move in start.legal.items():
        for second, reply in start.play(first).legal.items():
            if f"{first} {second}" not in BARRED_BALLOTS:
                found.append((move, reply))
    return np.array(found, np.int64)


CENTRE = (14, 15, 18, 19)
"""The squares in the middle of the board."""


class CheckersType(GameType):
    name = "checkers"
    title = "English checkers"
    version = 1
    openings = {"ballots": two_move_ballots}
    options = (Option("moves", 100, "draw when each side has made this many moves", low=1, high=10000),)
    move_pattern = r"\d{1,2}([-x]\d{1,2})+"
    move_example = "11-15 or 15x22x29"
    named_openings = "openings-checkers.csv"
    pieces = ("man", "pieces")
    unit = "pieces"
    board_style = BoardStyle(
        piece="man",
        colours=("#1d1b1a", "#f4edde"),
        square="#6f8a5c",
        unused="#e9dcc2",
        line="#6f8a5c",
        frame="#4a3526",
        label="#0c1306",
        coordinates="squares",
        rotate_for_first=True,
    )
    numbers_pairs = True
    rules_summary = (
        "Men move and capture forwards, kings both ways. A capture must be made, and completed; of several, any may "
        "be chosen. A man that reaches the last row becomes a king, which ends its move. Whoever can't move loses; "
        "the game is drawn when both sides have made a given number of moves."
    )
    symbols = ("mine", "theirs", "empty", "king")  # two bits leave no room for whose king it is
    perft = {
        "checkers": (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673, 1766623630),
    }

    def defaults(self, size: int) -> Defaults:
        judge = "alphabeta:depth=10,value=ntuples:checkers,extend=captures"
        grades = (5.0, 10.0, 20.0)  # percent of winning: what half a man, a man and two men are worth
        return Defaults("pieces", "pieces", openings="ballots", judge=judge, grades=grades)

    def record_formats(self, size: int) -> tuple[str, ...]:
        return ("pdn",)

    def rules(self, size: int, options: Mapping[str, Any]) -> Checkers:
        return Checkers(moves_each=options["moves"])

    def shape(self, rules: Checkers) -> tuple[int, int]:
        return 8, 8

    def coordinates(self, rules: Checkers) -> list[tuple[int, int]]:
        """The dark squares."""
        return [(square // 4, 2 * (square % 4) + 1 - square // 4 % 2) for square in range(32)]

    def square_name(self, rules: Checkers, square: int) -> str:
        return str(square + 1)

    def max_pieces(self, rules: Checkers) -> int:
        return 24

    def max_margin(self, rules: Checkers) -> float:
        return 12.0

    def max_plies(self, rules: Checkers) -> int:
        return 2 * rules.moves_each

    def symmetries(self, rules: Checkers) -> NDArray[np.int64]:
        return np.array([np.arange(32), np.arange(31, -1, -1)], np.int64)

    def swaps_sides(self, symmetry: int) -> bool:
        return symmetry == 1

    def state_from_cells(
        self, rules: Checkers, cells: Cells, current_player: int, like: CheckersState | None = None
    ) -> CheckersState:
        def bits(chosen: NDArray[np.bool_]) -> np.uint64:
            return U(sum(1 << bit_of(int(square)) for square in np.flatnonzero(chosen)))

        black, white, kings = bits(cells > 0), bits(cells < 0), bits(abs(cells) == 2)
        rounds = like.ply // 2 if like else 0  # the number of moves that both have made
        if current_player == 0:
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

    def deeds(self, position: Position, move: str, after: Position) -> list[str]:
        """What it captures and crowns; else which piece goes where."""
        start, *_, end = self.path(position.game.rules, position.legal[move])
        column = self.coordinates(position.game.rules)[end][1]
        place = " to the edge" if column in (0, 7) else " into the centre" if end + 1 in CENTRE else ""
        piece = "moves a king" if abs(position.cells[start]) == 2 else "advances a man"
        home = start // 4 == (0 if position.current_player == 0 else 7)
        quiet = f"{piece}{' of its back row' if home and piece[0] == 'a' else ''}{place}"
        found = super().deeds(position, move, after)
        captured = position.cells[(position.cells * position.cells[start] < 0) & (after.cells == 0)].tolist()
        if captured in ([2], [-2]):
            found[0] = "captures one king"
        return found or [quiet]

    def prospects(self, position: Position, after: Position) -> list[str]:
        """Captures, which are forced, and few moves."""
        if any("x" in move for move in after.legal):
            return ["must capture"]
        return super().prospects(position, after)

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        """A capture may be written by its first and last square alone, and with `-`."""
        wanted = [int(square) for square in re.split("[-x]", text.lower())]
        routes = {move: [int(square) for square in re.split("[-x]", move)] for move in legal}
        exact = [move for move, route in routes.items() if route == wanted]
        return exact or [
            move for move, route in routes.items() if len(wanted) == 2 and route[:: len(route) - 1] == wanted
        ]

    def position_text(self, position: Position) -> str:
        """FEN as in PDN, with the number of the move: `B:W21,22,K30:B1,2,3:F1`."""
        sides = []
        for letter, sign in (("W", -1), ("B", 1)):
            pieces = [(i + 1, cell * sign) for i, cell in enumerate(position.cells.tolist()) if cell * sign > 0]
            sides.append(letter + ",".join(f"{'K' if piece == 2 else ''}{square}" for square, piece in pieces))
        return ":".join(["BW"[position.current_player], *sides, f"F{position.state.ply // 2 + 1}"])

    def parse(self, rules: Checkers, text: str) -> CheckersState:
        parts = re.fullmatch(
            r"([BW])((?::[BW](?:K?\d{1,2}(?:-\d{1,2})?(?:,K?\d{1,2}(?:-\d{1,2})?)*)?){2})(?::H\d{1,6})?(?::F(\d{1,6}))?\.?",
            "".join(text.upper().split()),
            re.ASCII,
        )
        sides = parts[2].split(":")[1:] if parts else []
        if not parts or {side[0] for side in sides} != {"B", "W"}:
            raise InvalidPosition(
                f"{text!r} is not a position of checkers; write FEN such as B:W21-32:B1-12 or W:WK3,30:B12,K28:F40"
            )
        cells = np.zeros(32, np.int8)
        for side in sides:
            for piece in filter(None, side[1:].split(",")):
                low, _, high = piece.lstrip("K").partition("-")
                if not 1 <= int(low) <= int(high or low) <= 32:
                    raise InvalidPosition(f"{piece!r} in {text!r} is not a square; squares are numbered 1 to 32")
                for square in range(int(low), int(high or low) + 1):
                    if cells[square - 1]:
                        raise InvalidPosition(f"square {square} is named twice in {text!r}; a square holds one piece")
                    cells[square - 1] = (1 if side[0] == "B" else -1) * (2 if piece[0] == "K" else 1)
        for sign, row, side in ((1, cells[28:], "black"), (-1, cells[:4], "white")):
            if sign in row:
                raise InvalidPosition(f"{text!r} has a {side} man on its last row, where it would be a king")
        for sign, side in ((1, "black"), (-1, "white")):
            if np.sum(cells * sign > 0) > 12:
                raise InvalidPosition(f"{text!r} has more than 12 {side} pieces, which no game can have")
        ply = 2 * max(int(parts[3] or 1) - 1, 0)
        return self.state_from_cells(rules, cells, "BW".index(parts[1]), CheckersState(U(0), U(0), U(0), ply, 0))

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


GAME = CheckersType()
