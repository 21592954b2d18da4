"""Connect Four for Ludus: the whole game in one file.

    bit    ...                             square  ...
           7  8  9 10 11 12 13                     a2 b2 c2 d2 e2 f2 g2       the bit of a square is also the number
           0  1  2  3  4  5  6                     a1 b1 c1 d1 e1 f1 g1       of the move that puts a disc there

A disc falls to the lowest free square of its column. Four in a row win, in any direction; a full board without them is
a draw. Moves are written as in Allis (1988), by the square where the disc comes to rest.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bitboards import popcount, write_bits
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.errors import InvalidPosition
from ludus.evaluators.base import EvaluatorKind
from ludus.evaluators.pictures import Board, pictures
from ludus.evaluators.protocol import evaluate
from ludus.games import protocol
from ludus.games.game import Cells, Defaults, GameType, Position
from ludus.games.style import BoardStyle

U = np.uint64
ROWS, COLUMNS = 6, 7


def squares(rows: range, columns: range) -> np.uint64:
    """The set of the squares in these rows and columns."""
    return U(sum(1 << (COLUMNS * row + column) for row in rows for column in columns))


BOARD, BOTTOM = squares(range(ROWS), range(COLUMNS)), squares(range(1), range(COLUMNS))
STEPS = (1, COLUMNS, COLUMNS + 1, COLUMNS - 1)
"""From one square of a line to the next: horizontal, vertical, and both diagonals."""
STARTS = (
    squares(range(6), range(4)),
    squares(range(3), range(7)),
    squares(range(3), range(4)),
    squares(range(3), range(3, 7)),
)
"""For each of the steps, the squares where a line of four can start without leaving the board."""


class ConnectFour(NamedTuple):
    """The rules. There are no options, but numba needs a field."""

    nothing: int = 0


class ConnectFourState(NamedTuple):
    own: np.uint64  # the discs of the player to move
    opp: np.uint64
    current_player: int


@inlined
def four(discs):
    """Whether four of these discs are in a row."""
    for i in range(4):
        pairs = discs & (discs >> U(STEPS[i]))
        if pairs & (pairs >> U(2 * STEPS[i])) & STARTS[i]:
            return True
    return False


@kernel
def won(discs):
    """Whether four of these discs are in a row, for calls from Python."""
    return four(discs)


@implements(protocol.initial, ConnectFour)
def _(game):
    return ConnectFourState(U(0), U(0), 0)


@implements(protocol.max_legal_moves, ConnectFour)
def _(game):
    return 8  # one more than there are columns, since `write_bits` writes eight at a time


@implements(protocol.legal_moves, ConnectFour)
def _(game, state, out):
    if four(state.opp):
        return 0
    taken = state.own | state.opp
    return write_bits(((taken << U(COLUMNS)) | BOTTOM) & BOARD & ~taken, 0, out, 0)


@implements(protocol.play, ConnectFour)
def _(game, state, move):
    return ConnectFourState(state.opp, state.own | (U(1) << U(move)), 1 - state.current_player)


@implements(protocol.current_player, ConnectFour)
def _(game, state):
    return state.current_player


@implements(protocol.outcome, ConnectFour)
def _(game, state):
    return float(state.current_player) if four(state.opp) else 0.5  # the player to move has lost


@implements(protocol.margin, ConnectFour)
def _(game, state):
    return 2.0 * protocol.outcome(game, state) - 1.0


@implements(protocol.cells, ConnectFour)
def _(game, state, out):
    first, second = (state.own, state.opp) if state.current_player == 0 else (state.opp, state.own)
    for square in range(ROWS * COLUMNS):
        out[square] = np.int64((first >> U(square)) & U(1)) - np.int64((second >> U(square)) & U(1))


@implements(protocol.can_end_suddenly, ConnectFour)
def _(game):
    return True


@implements(protocol.fingerprint, ConnectFour)
def _(game, state, plies):
    return state.own, state.opp


@implements(protocol.remaining, ConnectFour)
def _(game, state):
    return popcount(BOARD & ~(state.own | state.opp))


class ConnectFourType(GameType):
    name = "connectfour"
    title = "Connect Four"
    version = 1
    sides = ("Red", "Yellow")
    board_style = BoardStyle(colours=("#c8372d", "#f2c230"))
    pieces = ("disc", "discs")
    unit = ""
    first_row_below = True
    pieces_fall = True
    move_pattern = "[a-g][1-6]?|[1-7]"
    move_example = "d1, or just the column: d or 4"
    # published as 5673234 without the games that the seventh move has won, each of which Ludus counts once
    perft = {"connectfour": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234 + 13032)}

    def defaults(self, size: int) -> Defaults:
        return Defaults(evaluator="lines")

    def rules(self, size: int, options: Mapping[str, Any]) -> ConnectFour:
        return ConnectFour()

    def shape(self, rules: ConnectFour) -> tuple[int, int]:
        return ROWS, COLUMNS

    def max_plies(self, rules: ConnectFour) -> int:
        return ROWS * COLUMNS

    def max_margin(self, rules: ConnectFour) -> float:
        return 1.0

    def symmetries(self, rules: ConnectFour) -> NDArray[np.int64]:
        board = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
        return np.array([board.ravel(), board[:, ::-1].ravel()], np.int64)

    def state_from_cells(
        self, rules: ConnectFour, cells: Cells, current_player: int, like: Any = None
    ) -> ConnectFourState:
        red, yellow = (U(sum(1 << int(square) for square in np.flatnonzero(cells == side))) for side in (1, -1))
        return ConnectFourState(red, yellow, 0) if current_player == 0 else ConnectFourState(yellow, red, 1)

    def move_text(self, rules: ConnectFour, state: Any, move: int) -> str:
        return self.square_name(rules, move)

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        """A move may be written as its column alone, by letter or number."""
        wanted = "abcdefg"[int(text) - 1] if text.isdigit() else text.lower()
        return [move for move in legal if move.startswith(wanted)]

    def position_text(self, position: Position) -> str:
        """Rows from the top, X Red, O Yellow; the number of discs tells who moves."""
        rows = position.cells.reshape(ROWS, COLUMNS)[::-1]
        return "/".join("".join("O.X"[cell + 1] for cell in row) for row in rows)

    def parse(self, rules: ConnectFour, text: str) -> ConnectFourState:
        rows = text.upper().split("/")
        if [len(row) for row in rows] != [COLUMNS] * ROWS or set("".join(rows)) - set("XO."):
            raise InvalidPosition(
                f"{text!r} is not a position of connectfour; write {ROWS} rows of {COLUMNS} squares from the top "
                "with / between them (X red, O yellow, . empty)"
            )
        board = np.array([["O.X".index(square) - 1 for square in row] for row in reversed(rows)], np.int8)
        lead = int(board.sum())
        if lead not in (0, 1):
            raise InvalidPosition(
                f"{text!r} is impossible: Red, who moves first, has as many discs as Yellow, or one more"
            )
        if np.any((board[1:] != 0) & (board[:-1] == 0)):
            raise InvalidPosition(f"{text!r} has a disc with nothing below it; it would have fallen")
        state = self.state_from_cells(rules, board.ravel(), lead)
        if won(state.own):
            raise InvalidPosition(f"{text!r} is impossible: with four in a row the game was over a move before")
        return state

    def diagram(self, position: Position) -> str:
        rows = [
            f"{row + 1} " + " ".join("O.X"[cell + 1] for cell in position.cells[COLUMNS * row : COLUMNS * (row + 1)])
            for row in reversed(range(ROWS))
        ]
        turn = f"{position.side} ({'XO'[position.current_player]}) to move"
        if position.outcome is not None:
            turn = {1.0: "Red has won", 0.5: "a draw", 0.0: "Yellow has won"}[position.outcome]
        return "\n".join([*rows, "  a b c d e f g", f"Red X, Yellow O: {turn}"])


class Lines(NamedTuple):
    """Counts the lines of four that only one side has discs in, each with the square of their number."""

    masks: NDArray[np.uint64]


@implements(evaluate, Lines, ConnectFour)
def _(evaluator, game, state):
    total = 0
    for mask in evaluator.masks:
        ours, theirs = popcount(state.own & mask), popcount(state.opp & mask)
        if theirs == 0:
            total += ours * ours
        elif ours == 0:
            total -= theirs * theirs
    return float(total)


def all_lines() -> Lines:
    """The 69 lines of four."""
    starts = [(int(start), step) for step, start in zip(STEPS, STARTS, strict=True)]
    lines = [
        sum(1 << (square + i * step) for i in range(4))
        for start, step in starts
        for square in range(ROWS * COLUMNS)
        if start >> square & 1
    ]
    return Lines(np.array(lines, np.uint64))


@pictures(Lines)
def _boards(evaluator: Lines, position: Position) -> tuple[Board, ...]:
    """For the page and `ludus explain`: where the open lines of both sides are."""
    own, opp = int(position.state.own), int(position.state.opp)
    worth = np.zeros(ROWS * COLUMNS)
    for mask in evaluator.masks.tolist():
        line = [square for square in range(ROWS * COLUMNS) if mask >> square & 1]
        if not mask & opp:
            worth[line] += (mask & own).bit_count()
        elif not mask & own:
            worth[line] -= (mask & opp).bit_count()
    return (Board("open lines", tuple(worth.tolist()), "discs in lines through each square that can still be filled"),)


GAME = ConnectFourType()
LINES = EvaluatorKind("lines", "lines of four that can still be filled", {"connectfour": all_lines})
