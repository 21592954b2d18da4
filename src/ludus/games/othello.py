"""Othello on boards of 4x4, 6x6 and 8x8 squares.

bit    0  1  2 ...        square  a1 b1 c1 ...        on 8x8; on a board of n squares a side
       8  9 10 ...                a2 b2 c2 ...        the second row begins at bit n
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import lanes_and, lanes_left, lanes_or, lanes_right, lanes_where, listed, popcount
from ludus.errors import LudusError
from ludus.games.game import Cells, Family, Position, square_symmetries
from ludus.kernels import inlined
from ludus.vocabulary import says

U = np.uint64
Lanes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


class Othello(NamedTuple):
    """The rules for one size of board."""

    size: int
    board: np.uint64
    steps: Lanes  # by how many bits the four lines through a square go on: across, two diagonals, down
    turnable: Lanes  # the squares where a disc can be turned along each of them
    black: np.uint64
    white: np.uint64


class OthelloState(NamedTuple):
    own: np.uint64
    opp: np.uint64
    mover: int


@inlined
def _runs(game, start, opp):
    """The unbroken runs of the opponent's discs that begin next to `start`, along each line ahead and back.

    A run is at most six discs long, so it is complete when grown by one, one, two and two.
    """
    steps = game.steps
    twice = lanes_left(steps, (U(1), U(1), U(1), U(1)))
    start = (start, start, start, start)
    through = lanes_and((opp, opp, opp, opp), game.turnable)
    ahead = lanes_and(through, lanes_left(start, steps))
    back = lanes_and(through, lanes_right(start, steps))
    ahead = lanes_or(ahead, lanes_and(through, lanes_left(ahead, steps)))
    back = lanes_or(back, lanes_and(through, lanes_right(back, steps)))
    ahead_pairs = lanes_and(through, lanes_left(through, steps))
    back_pairs = lanes_and(through, lanes_right(through, steps))
    for _ in range(2):
        ahead = lanes_or(ahead, lanes_and(ahead_pairs, lanes_left(ahead, twice)))
        back = lanes_or(back, lanes_and(back_pairs, lanes_right(back, twice)))
    return ahead, back


@inlined
def playable(game, own, opp):
    """The squares on which the side `own` may put a disc: where a run that begins next to one of its discs ends."""
    ahead, back = _runs(game, own, opp)
    ends = lanes_or(lanes_left(ahead, game.steps), lanes_right(back, game.steps))
    return (ends[0] | ends[1] | ends[2] | ends[3]) & game.board & ~(own | opp)


@inlined
def turned(game, own, opp, square):
    """The opponent's discs that a disc of ours on `square` turns: the runs from there to another disc of ours."""
    ahead, back = _runs(game, U(1) << U(square), opp)
    ours = (own, own, own, own)
    ahead = lanes_where(ahead, lanes_and(lanes_left(ahead, game.steps), ours))
    back = lanes_where(back, lanes_and(lanes_right(back, game.steps), ours))
    found = lanes_or(ahead, back)
    return found[0] | found[1] | found[2] | found[3]


@says(words.initial, Othello)
def _(game):
    return OthelloState(game.black, game.white, 0)


@says(words.width, Othello)
def _(game):
    return game.size * game.size  # at least four are never free, and `listed` fills up to a multiple of eight


@says(words.moves, Othello)
def _(game, state, out):
    n = listed(playable(game, state.own, state.opp), 0, out, 0)
    if n == 0 and playable(game, state.opp, state.own):
        out[0] = game.size * game.size  # a pass
        n = 1
    return n


@says(words.over, Othello)
def _(game, state, work):
    return not playable(game, state.own, state.opp) and not playable(game, state.opp, state.own)


@says(words.mobility, Othello)
def _(game, state, work):
    return popcount(playable(game, state.own, state.opp))


@says(words.play, Othello)
def _(game, state, move):
    if move == game.size * game.size:
        return OthelloState(state.opp, state.own, 1 - state.mover)
    flips = turned(game, state.own, state.opp, move)
    return OthelloState(state.opp & ~flips, state.own | flips | (U(1) << U(move)), 1 - state.mover)


@says(words.mover, Othello)
def _(game, state):
    return state.mover


@says(words.margin, Othello)
def _(game, state):
    lead = float(popcount(state.own) - popcount(state.opp))
    return lead if state.mover == 0 else -lead


@says(words.outcome, Othello)
def _(game, state):
    lead = words.margin(game, state)
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@says(words.remaining, Othello)
def _(game, state):
    return popcount(game.board & ~(state.own | state.opp))


@says(words.cells, Othello)
def _(game, state, out):
    black = state.own if state.mover == 0 else state.opp
    white = state.opp if state.mover == 0 else state.own
    for square in range(game.size * game.size):
        out[square] = np.int64((black >> U(square)) & U(1)) - np.int64((white >> U(square)) & U(1))


@says(words.planes, Othello)
def _(game, state, out):
    out[0] = game.board & ~(state.own | state.opp)
    out[1] = state.opp | playable(game, state.own, state.opp)


@says(words.action, Othello)
def _(game, state, move):
    return -1 if move == game.size * game.size else move


def square_name(size: int, square: int) -> str:
    return f"{chr(ord('a') + square % size)}{square // size + 1}"


class OthelloFamily(Family):
    name = "othello"
    title = "Othello"
    version = 1
    sizes = (4, 6, 8)
    default_size = 8
    pieces = ("disc", "discs")
    unit = "discs"
    move_form = "[a-h][1-8]|pass|--|pa"
    move_example = "f5, or pass"
    perft = {
        "othello4": (4, 12, 44, 128, 424, 1256, 3624, 9116),
        "othello6": (4, 12, 56, 244, 1364, 7604, 47740, 308716),
        "othello8": (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284),
    }

    def rules(self, size: int, options: Mapping[str, Any]) -> Othello:
        half = size // 2
        corners = {(row, column): 1 << (row * size + column) for row in (half - 1, half) for column in (half - 1, half)}
        board = U((1 << (size * size)) - 1)
        # a disc in the first or last column can be turned only along that column
        inner = U(sum(((1 << (size - 1)) - 2) << (size * row) for row in range(size)))
        return Othello(
            size=size,
            board=board,
            steps=(U(1), U(size - 1), U(size + 1), U(size)),
            turnable=(inner, inner, inner, board),
            black=U(corners[half - 1, half] | corners[half, half - 1]),
            white=U(corners[half - 1, half - 1] | corners[half, half]),
        )

    def shape(self, rules: Othello) -> tuple[int, int]:
        return rules.size, rules.size

    def square_name(self, rules: Othello, square: int) -> str:
        return square_name(rules.size, square)

    def actions(self, rules: Othello) -> int:
        return rules.size**2  # a pass is forced, so there is nothing to decide

    def longest(self, rules: Othello) -> int:
        return 2 * rules.size**2  # between two passes there is a disc

    def symmetries(self, rules: Othello) -> NDArray[np.int64]:
        return square_symmetries(rules.size)

    def arranged(self, rules: Othello, cells: Cells, mover: int, like: Any = None) -> OthelloState:
        black, white = (U(sum(1 << int(square) for square in np.flatnonzero(cells == colour))) for colour in (1, -1))
        return OthelloState(black, white, 0) if mover == 0 else OthelloState(white, black, 1)

    def move_text(self, rules: Othello, state: OthelloState, move: int) -> str:
        return "pass" if move == rules.size**2 else square_name(rules.size, move)

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        return super().find("pass" if text.lower() in ("--", "pa") else text, legal)

    def position_text(self, position: Position) -> str:
        """Squares row by row, X Black, O White, - empty, then who moves: `---OX--- ... X`."""
        return "".join("O-X"[cell + 1] for cell in position.cells) + " " + "XO"[position.mover]

    def parse(self, rules: Othello, text: str) -> OthelloState:
        squares, wanted = "".join(text.upper().split()), rules.size**2
        board, mover = squares[:-1], squares[-1:]
        if len(board) != wanted or set(board) - set("XO-.*") or mover not in ("X", "O"):
            raise LudusError(
                f"{text!r} is not a position; write {wanted} squares row by row (X black, O white, - empty), "
                "then X or O for the side to move"
            )
        cells = np.array([{"X": 1, "*": 1, "O": -1}.get(square, 0) for square in board], np.int8)
        return self.arranged(rules, cells, "XO".index(mover))

    def diagram(self, position: Position) -> str:
        size = position.game.size
        rows = ["  " + " ".join(chr(ord("a") + column) for column in range(size))]
        legal = {move for move in position.legal.values() if not position.over}
        for row, cells in enumerate(position.cells.reshape(size, size)):
            shown = ["+" if row * size + i in legal else "O.X"[cell + 1] for i, cell in enumerate(cells)]
            rows.append(f"{row + 1} {' '.join(shown)}")
        black, white = (int(np.sum(position.cells == colour)) for colour in (1, -1))
        turn = "over" if position.over else f"{position.side} ({'XO'[position.mover]}) to move"
        return "\n".join([*rows, f"Black X {black}, White O {white}: {turn}"])


GAME = OthelloFamily()
