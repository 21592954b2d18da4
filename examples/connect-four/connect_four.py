"""Connect Four for Ludus: the whole game in one file.

    bit    ...                             square  ...
           7  8  9 10 11 12 13                     a2 b2 c2 d2 e2 f2 g2       the bit of a square is also the number
           0  1  2  3  4  5  6                     a1 b1 c1 d1 e1 f1 g1       of the move that puts a disc there

A disc falls to the lowest free square of its column. Four in a row, across, up or aslant, win; a full board without
them is a draw. Moves are written as Allis (1988) does, by the square where the disc comes to rest.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import LudusError
from ludus import vocabulary as words
from ludus.bits import listed, popcount
from ludus.games.game import Cells, Family, Position
from ludus.kernels import inlined, kernel
from ludus.players.evaluators import EvaluatorKind
from ludus.players.explanations import Board, pictures
from ludus.vocabulary import says

U = np.uint64
ROWS, COLUMNS = 6, 7


def squares(rows: range, columns: range) -> np.uint64:
    """The set of the squares in these rows and columns."""
    return U(sum(1 << (COLUMNS * row + column) for row in rows for column in columns))


BOARD, BOTTOM = squares(range(ROWS), range(COLUMNS)), squares(range(1), range(COLUMNS))
STEPS = (1, COLUMNS, COLUMNS + 1, COLUMNS - 1)
"""From one square of a line to the next: across, up, aslant to the right and to the left."""
STARTS = (
    squares(range(6), range(4)),
    squares(range(3), range(7)),
    squares(range(3), range(4)),
    squares(range(3), range(3, 7)),
)
"""Where a line of four that goes on by such steps can start without leaving the board."""


class ConnectFour(NamedTuple):
    """The rules. There is nothing to choose, but numba wants a field."""

    nothing: int = 0


class ConnectFourState(NamedTuple):
    own: np.uint64  # the discs of the player to move
    opp: np.uint64
    mover: int


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
    """The same for Python."""
    return four(discs)


@says(words.initial, ConnectFour)
def _(game):
    return ConnectFourState(U(0), U(0), 0)


@says(words.width, ConnectFour)
def _(game):
    return 8  # one more than there are columns, since `listed` writes eight at a time


@says(words.moves, ConnectFour)
def _(game, state, out):
    if four(state.opp):
        return 0
    taken = state.own | state.opp
    return listed(((taken << U(COLUMNS)) | BOTTOM) & BOARD & ~taken, 0, out, 0)


@says(words.play, ConnectFour)
def _(game, state, move):
    return ConnectFourState(state.opp, state.own | (U(1) << U(move)), 1 - state.mover)


@says(words.mover, ConnectFour)
def _(game, state):
    return state.mover


@says(words.outcome, ConnectFour)
def _(game, state):
    return float(state.mover) if four(state.opp) else 0.5  # whoever would be next has lost


@says(words.margin, ConnectFour)
def _(game, state):
    return 2.0 * words.outcome(game, state) - 1.0


@says(words.cells, ConnectFour)
def _(game, state, out):
    first, second = (state.own, state.opp) if state.mover == 0 else (state.opp, state.own)
    for square in range(ROWS * COLUMNS):
        out[square] = np.int64((first >> U(square)) & U(1)) - np.int64((second >> U(square)) & U(1))


@says(words.sudden, ConnectFour)
def _(game):
    return True


@says(words.remaining, ConnectFour)
def _(game, state):
    return popcount(BOARD & ~(state.own | state.opp))


class ConnectFourFamily(Family):
    name = "connectfour"
    title = "Connect Four"
    version = 1
    sides = ("Red", "Yellow")
    colours = ("#c8372d", "#f2c230")
    pieces = ("disc", "discs")
    unit = ""
    first_row_below = True
    pieces_fall = True
    move_form = "[a-g][1-6]?|[1-7]"
    move_example = "d1, or just the column: d or 4"
    # the last is published as 5673234, without the games that the seventh move has won; Ludus counts each of them once
    perft = {"connectfour": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234 + 13032)}

    def rules(self, size: int, options: Mapping[str, Any]) -> ConnectFour:
        return ConnectFour()

    def shape(self, rules: ConnectFour) -> tuple[int, int]:
        return ROWS, COLUMNS

    def longest(self, rules: ConnectFour) -> int:
        return ROWS * COLUMNS

    def greatest_lead(self, rules: ConnectFour) -> float:
        return 1.0

    def symmetries(self, rules: ConnectFour) -> NDArray[np.int64]:
        board = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
        return np.array([board.ravel(), board[:, ::-1].ravel()], np.int64)

    def arranged(self, rules: ConnectFour, cells: Cells, mover: int, like: Any = None) -> ConnectFourState:
        red, yellow = (U(sum(1 << int(square) for square in np.flatnonzero(cells == side))) for side in (1, -1))
        return ConnectFourState(red, yellow, 0) if mover == 0 else ConnectFourState(yellow, red, 1)

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
            raise LudusError(
                f"{text!r} is not a position; write {ROWS} rows of {COLUMNS} squares from the top with / between them "
                "(X red, O yellow, . empty)"
            )
        board = np.array([["O.X".index(square) - 1 for square in row] for row in reversed(rows)], np.int8)
        lead = int(board.sum())
        if lead not in (0, 1):
            raise LudusError(f"{text!r} can't come about: Red, who begins, has as many discs as Yellow, or one more")
        if np.any((board[1:] != 0) & (board[:-1] == 0)):
            raise LudusError(f"{text!r} has a disc with nothing below it; it would have fallen")
        state = self.arranged(rules, board.ravel(), lead)
        if won(state.own):
            raise LudusError(f"{text!r} can't come about: with four in a row the game was over a move before")
        return state

    def diagram(self, position: Position) -> str:
        rows = [
            f"{row + 1} " + " ".join("O.X"[cell + 1] for cell in position.cells[COLUMNS * row : COLUMNS * (row + 1)])
            for row in reversed(range(ROWS))
        ]
        turn = f"{position.side} ({'XO'[position.mover]}) to move"
        if position.outcome is not None:
            turn = {1.0: "Red has won", 0.5: "a draw", 0.0: "Yellow has won"}[position.outcome]
        return "\n".join([*rows, "  a b c d e f g", f"Red X, Yellow O: {turn}"])


class Lines(NamedTuple):
    """Counts the lines of four that can still be filled: a line counts the square of the discs that are in it."""

    masks: NDArray[np.uint64]


@says(words.value, Lines, ConnectFour)
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


GAME = ConnectFourFamily()
LINES = EvaluatorKind("lines", "lines of four that can still be filled", {"connectfour": all_lines}, ("connectfour",))
