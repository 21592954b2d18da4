"""Othello on boards of 4x4, 6x6 and 8x8 squares.

bit    0  1  2 ...        square  a1 b1 c1 ...        on 8x8; on a board of n squares a side
       8  9 10 ...                a2 b2 c2 ...        the second row begins at bit n
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import lanes_and, lanes_or, lanes_shl, lanes_shr, lanes_where, popcount, write_bits
from ludus.compile.generic import implements
from ludus.compile.jit import inlined
from ludus.errors import InvalidPosition
from ludus.games import protocol
from ludus.games.game import Cells, Count, Defaults, GameType, Position, square_symmetries
from ludus.games.influence import solve_influence
from ludus.games.style import BoardStyle

U = np.uint64
Lanes = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


class Othello(NamedTuple):
    """The rules for one size of board."""

    size: int
    board: np.uint64
    steps: Lanes  # distance in bits to the next square along each line: horizontal, two diagonals, vertical
    flippable: Lanes  # the squares where a disc can be flipped along each line
    black: np.uint64
    white: np.uint64


class OthelloState(NamedTuple):
    own: np.uint64
    opp: np.uint64
    current_player: int


@inlined
def _runs(game: Othello, start: Any, opp: np.uint64) -> tuple[Lanes, Lanes]:
    """The unbroken runs of the opponent's discs that begin next to `start`, forwards and backwards on each line.

    A run has at most six discs, so it is complete after growing by one, one, two and two (Kogge-Stone).
    """
    steps = game.steps
    twice = lanes_shl(steps, (U(1), U(1), U(1), U(1)))
    start = (start, start, start, start)
    through = lanes_and((opp, opp, opp, opp), game.flippable)
    ahead = lanes_and(through, lanes_shl(start, steps))
    back = lanes_and(through, lanes_shr(start, steps))
    ahead = lanes_or(ahead, lanes_and(through, lanes_shl(ahead, steps)))
    back = lanes_or(back, lanes_and(through, lanes_shr(back, steps)))
    ahead_pairs = lanes_and(through, lanes_shl(through, steps))
    back_pairs = lanes_and(through, lanes_shr(through, steps))
    for _ in range(2):
        ahead = lanes_or(ahead, lanes_and(ahead_pairs, lanes_shl(ahead, twice)))
        back = lanes_or(back, lanes_and(back_pairs, lanes_shr(back, twice)))
    return ahead, back


@inlined
def legal_squares(game: Othello, own: np.uint64, opp: np.uint64) -> Any:
    """The squares where the side `own` may place a disc: the ends of runs that begin next to one of its discs."""
    ahead, back = _runs(game, own, opp)
    ends = lanes_or(lanes_shl(ahead, game.steps), lanes_shr(back, game.steps))
    return (ends[0] | ends[1] | ends[2] | ends[3]) & game.board & ~(own | opp)


@inlined
def flips(game: Othello, own: np.uint64, opp: np.uint64, square: int) -> Any:
    """The opponent's discs that a disc on `square` flips: the runs from there to another disc of the same side."""
    ahead, back = _runs(game, U(1) << U(square), opp)
    ours = (own, own, own, own)
    ahead = lanes_where(ahead, lanes_and(lanes_shl(ahead, game.steps), ours))
    back = lanes_where(back, lanes_and(lanes_shr(back, game.steps), ours))
    found = lanes_or(ahead, back)
    return found[0] | found[1] | found[2] | found[3]


@implements(protocol.initial, Othello)
def _(game):
    return OthelloState(game.black, game.white, 0)


@implements(protocol.max_legal_moves, Othello)
def _(game):
    return game.size * game.size  # four squares are never free; `write_bits` writes a multiple of eight


@implements(protocol.legal_moves, Othello)
def _(game, state, out):
    n = write_bits(legal_squares(game, state.own, state.opp), 0, out, 0)
    if n == 0 and legal_squares(game, state.opp, state.own):
        out[0] = game.size * game.size  # a pass
        n = 1
    return n


@implements(protocol.over, Othello)
def _(game, state, work):
    return not legal_squares(game, state.own, state.opp) and not legal_squares(game, state.opp, state.own)


@implements(protocol.mobility, Othello)
def _(game, state, work):
    return popcount(legal_squares(game, state.own, state.opp))


@implements(protocol.play, Othello)
def _(game, state, move):
    if move == game.size * game.size:
        return OthelloState(state.opp, state.own, 1 - state.current_player)
    flipped = flips(game, state.own, state.opp, move)
    return OthelloState(state.opp & ~flipped, state.own | flipped | (U(1) << U(move)), 1 - state.current_player)


@implements(protocol.fingerprint, Othello)
def _(game, state, plies):
    # turned over, two boards share a square, unless the board is full
    turned = U(0) - U(state.current_player)
    return state.own ^ turned, state.opp ^ turned


@implements(protocol.current_player, Othello)
def _(game, state):
    return state.current_player


@implements(protocol.margin, Othello)
def _(game, state):
    lead = float(popcount(state.own) - popcount(state.opp))
    return lead if state.current_player == 0 else -lead


@implements(protocol.outcome, Othello)
def _(game, state):
    lead = protocol.margin(game, state)
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@implements(protocol.remaining, Othello)
def _(game, state):
    return popcount(game.board & ~(state.own | state.opp))


@implements(protocol.cells, Othello)
def _(game, state, out):
    black = state.own if state.current_player == 0 else state.opp
    white = state.opp if state.current_player == 0 else state.own
    for square in range(game.size * game.size):
        out[square] = np.int64((black >> U(square)) & U(1)) - np.int64((white >> U(square)) & U(1))


@implements(protocol.piece_sets, Othello)
def _(game, state, out):
    out[0], out[1] = state.own, state.opp


@implements(protocol.influence, Othello)
def _(game, state, out):
    """Discs have influence as stones in Go."""
    squares = game.size * game.size
    discs, matrix = empty(squares, np.float64), empty((squares, squares), np.float64)
    protocol.cells(game, state, discs)
    solve_influence(game.size, discs, matrix, out)


@implements(protocol.planes, Othello)
def _(game, state, out):
    out[0] = game.board & ~(state.own | state.opp)
    out[1] = state.opp | legal_squares(game, state.own, state.opp)


@implements(protocol.action, Othello)
def _(game, state, move):
    return -1 if move == game.size * game.size else move


def square_name(size: int, square: int) -> str:
    return f"{chr(ord('a') + square % size)}{square // size + 1}"


class OthelloType(GameType):
    name = "othello"
    title = "Othello"
    version = 1
    sizes = (4, 6, 8)
    default_size = 8
    pieces = ("disc", "discs")
    unit = "discs"
    board_style = BoardStyle(piece="disc", square="#23774f", line="#175338", frame="#3a2a1e")
    rules_summary = (
        "A disc must enclose opposing discs in a straight line between itself and another of its colour; all that it "
        "encloses are flipped. Whoever can't do so passes; nobody else may. The game ends when neither side can move, "
        "and whoever has more discs wins."
    )
    named_openings = "openings-othello.csv"
    move_pattern = "[a-h][1-8]|pass|--|pa"
    move_example = "f5, or pass"
    perft = {
        "othello4": (4, 12, 44, 128, 424, 1256, 3624, 9116),
        "othello6": (4, 12, 56, 244, 1364, 7604, 47740, 308716),
        "othello8": (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, 1939886636),
    }

    def defaults(self, size: int) -> Defaults:
        grades = (4.0, 8.0, 16.0)  # discs
        judges = {
            4: "alphabeta:depth=4",
            6: "alphabeta:depth=10,value=ntuples:othello6",
            8: "alphabeta:depth=8,value=ntuples:othello8",
        }
        evaluator, opponent = {4: ("discs",) * 2, 6: ("jain2018",) * 2, 8: ("positional", "heuristic")}[size]
        return Defaults(evaluator, opponent, openings="four-ply", judge=judges[size], grades=grades)

    def count(self, position: Position, dead: Collection[int] = ()) -> Count:
        owners = tuple(int(cell) for cell in position.cells)
        return Count(owners, (owners.count(1), owners.count(-1)))

    def record_formats(self, size: int) -> tuple[str, ...]:
        return ("ggf", "sgf", "wtb") if size == 8 else ("ggf", "sgf")

    def rules(self, size: int, options: Mapping[str, Any]) -> Othello:
        half = size // 2
        corners = {(row, column): 1 << (row * size + column) for row in (half - 1, half) for column in (half - 1, half)}
        board = U((1 << (size * size)) - 1)
        # a disc in the first or last column can be flipped only along that column
        inner = U(sum(((1 << (size - 1)) - 2) << (size * row) for row in range(size)))
        return Othello(
            size=size,
            board=board,
            steps=(U(1), U(size - 1), U(size + 1), U(size)),
            flippable=(inner, inner, inner, board),
            black=U(corners[half - 1, half] | corners[half, half - 1]),
            white=U(corners[half - 1, half - 1] | corners[half, half]),
        )

    def shape(self, rules: Othello) -> tuple[int, int]:
        return rules.size, rules.size

    def square_name(self, rules: Othello, square: int) -> str:
        return square_name(rules.size, square)

    def actions(self, rules: Othello) -> int:
        return rules.size**2  # a pass is always forced and no action

    def max_plies(self, rules: Othello) -> int:
        return 2 * rules.size**2  # there is a disc between any two passes

    def final_margin(self, position: Position) -> float:
        """The winner is given the empty squares."""
        empty = float((position.cells == 0).sum())
        return position.margin + (empty if position.margin > 0 else -empty if position.margin < 0 else 0.0)

    def symmetries(self, rules: Othello) -> NDArray[np.int64]:
        return square_symmetries(rules.size)

    def state_from_cells(self, rules: Othello, cells: Cells, current_player: int, like: Any = None) -> OthelloState:
        black, white = (U(sum(1 << int(square) for square in np.flatnonzero(cells == colour))) for colour in (1, -1))
        return OthelloState(black, white, 0) if current_player == 0 else OthelloState(white, black, 1)

    def move_text(self, rules: Othello, state: OthelloState, move: int) -> str:
        return "pass" if move == rules.size**2 else square_name(rules.size, move)

    def deeds(self, position: Position, move: str, after: Position) -> list[str]:
        """Corners, the squares beside them, edges, and how few discs it flips."""
        from ludus.games.words import counted

        if move == "pass":
            return ["must pass"]
        size, square, cells = position.game.size, position.legal[move], position.cells
        row, column = divmod(square, size)
        corner = (row >= size // 2) * (size - 1) * size + (column >= size // 2) * (size - 1)
        away = abs(row - corner // size), abs(column - corner % size)  # from the nearest corner
        flipped = int(np.sum(cells * after.cells < 0))
        found = []
        if away == (0, 0):
            found.append(f"takes the corner {move}")
        elif max(away) == 1 and cells[corner] == 0:
            kind = "X-square" if away == (1, 1) else "C-square"
            found.append(f"takes the {kind} {move} beside the empty corner {square_name(size, corner)}")
        elif 0 in away:
            found.append("takes an edge square")
        if flipped == 1 or (not found and flipped <= 2):
            found.append(f"flips only {counted(flipped, 'disc', 'discs')}")
        return found or [f"flips {counted(flipped, 'disc', 'discs')}"]

    def prospects(self, position: Position, after: Position) -> list[str]:
        """Few moves, and corners that can be taken."""
        size = position.game.size
        corners = {0, size - 1, size * (size - 1), size * size - 1}
        open_corners = [text for text, square in after.legal.items() if square in corners]
        found = super().prospects(position, after)
        return [*found, f"can take the corner {' or '.join(open_corners)}"] if open_corners else found

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        return super().find("pass" if text.lower() in ("--", "pa") else text, legal)

    def position_text(self, position: Position) -> str:
        """Squares row by row, X black, O white, - empty, then the side to move: `---OX--- ... X`."""
        return "".join("O-X"[cell + 1] for cell in position.cells) + " " + "XO"[position.current_player]

    def parse(self, rules: Othello, text: str) -> OthelloState:
        squares, wanted = "".join(text.upper().split()), rules.size**2
        board, side = squares[:-1], squares[-1:]
        if len(board) != wanted or set(board) - set("XO-.*") or side not in ("X", "O"):
            raise InvalidPosition(
                f"{text!r} is not a position of othello{rules.size}; write {wanted} squares row by row "
                "(X black, O white, - empty), then X or O for the side to move"
            )
        cells = np.array([{"X": 1, "*": 1, "O": -1}.get(square, 0) for square in board], np.int8)
        return self.state_from_cells(rules, cells, "XO".index(side))

    def diagram(self, position: Position) -> str:
        size = position.game.size
        rows = ["  " + " ".join(chr(ord("a") + column) for column in range(size))]
        legal = {move for move in position.legal.values() if not position.over}
        for row, cells in enumerate(position.cells.reshape(size, size)):
            shown = ["+" if row * size + i in legal else "O.X"[cell + 1] for i, cell in enumerate(cells)]
            rows.append(f"{row + 1} {' '.join(shown)}")
        black, white = (int(np.sum(position.cells == colour)) for colour in (1, -1))
        turn = "over" if position.over else f"{position.side} ({'XO'[position.current_player]}) to move"
        return "\n".join([*rows, f"Black X {black}, White O {white}: {turn}"])


GAME = OthelloType()
