"""A slow, obvious English checkers: the reference the fast kernel is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

EMPTY, MAN, KING = 0, 1, 2  # the second player's pieces are -MAN and -KING


@dataclass(frozen=True)
class Position:
    """Squares 1..32 in order, who moves (0 Black, 1 White), and plies played so far."""

    board: tuple[int, ...]
    turn: int
    ply: int


def place(square: int) -> tuple[int, int]:
    """Row and column (both from 0, at the top left) of square 1..32."""
    row = (square - 1) // 4
    column = 2 * ((square - 1) % 4)
    if row % 2 == 0:
        column += 1
    return row, column


SQUARE_AT: dict[tuple[int, int], int] = {place(square): square for square in range(1, 33)}


def neighbour(square: int, down: int, right: int) -> int | None:
    """The square that many rows down and columns right, or None when off the board."""
    row, column = place(square)
    return SQUARE_AT.get((row + down, column + right))


class NaiveCheckers:
    """English checkers; Black (first) starts on 1-12 and moves towards higher numbers."""

    def __init__(self, moves_each: int = 100) -> None:
        self.moves_each = moves_each

    def start(self) -> Position:
        """Black men on 1-12, White men on 21-32, Black to move."""
        return Position((MAN,) * 12 + (EMPTY,) * 8 + (-MAN,) * 12, 0, 0)

    def legal_moves(self, position: Position) -> list[str]:
        """Legal moves: the captures if there are any, else the steps; [] if over."""
        if self._at_limit(position):
            return []
        routes = self._captures(position)
        if routes:
            return ["x".join(str(square) for square in route) for route in routes]
        return [f"{start}-{end}" for start, end in self._steps(position)]

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move."""
        if move not in self.legal_moves(position):
            raise ValueError(f"illegal move {move!r}")
        route = [int(square) for square in move.replace("x", "-").split("-")]
        board = list(position.board)
        piece = board[route[0] - 1]
        board[route[0] - 1] = EMPTY
        if "x" in move:
            for here, there in pairwise(route):
                (row_a, column_a), (row_b, column_b) = place(here), place(there)
                jumped = SQUARE_AT[(row_a + row_b) // 2, (column_a + column_b) // 2]
                board[jumped - 1] = EMPTY
        if abs(piece) == MAN and self._on_king_row(route[-1], piece):
            piece = 2 * piece
        board[route[-1] - 1] = piece
        return Position(tuple(board), 1 - position.turn, position.ply + 1)

    def current_player(self, position: Position) -> int:
        """0 when Black is to move, 1 when White is."""
        return position.turn

    def cells(self, position: Position) -> list[int]:
        """Squares 1..32: Black man +1, king +2; White man -1, king -2; empty 0."""
        return list(position.board)

    def outcome(self, position: Position) -> float:
        """The side that cannot move has lost, even at the move limit; else the limit makes it a draw."""
        if self.legal_moves(position):
            raise ValueError("the game is not over")
        if self._steps(position) or self._captures(position):
            return 0.5
        return 0.0 if position.turn == 0 else 1.0

    def margin(self, position: Position) -> float:
        """Black pieces minus White pieces, a king counting as one."""
        black = [piece for piece in position.board if piece > 0]
        white = [piece for piece in position.board if piece < 0]
        return float(len(black) - len(white))

    def _at_limit(self, position: Position) -> bool:
        return position.ply >= 2 * self.moves_each

    def _own_squares(self, position: Position) -> list[int]:
        """The squares on which the player to move has a piece."""
        sign = 1 if position.turn == 0 else -1
        return [square for square in range(1, 33) if position.board[square - 1] * sign > 0]

    def _directions(self, piece: int) -> list[tuple[int, int]]:
        """Black men go down the board, White men up, kings both ways."""
        down = [(1, -1), (1, 1)]
        up = [(-1, -1), (-1, 1)]
        if abs(piece) == KING:
            return down + up
        return down if piece > 0 else up

    def _steps(self, position: Position) -> list[tuple[int, int]]:
        """All moves of one step to an empty square."""
        found = []
        for square in self._own_squares(position):
            for down, right in self._directions(position.board[square - 1]):
                target = neighbour(square, down, right)
                if target is not None and position.board[target - 1] == EMPTY:
                    found.append((square, target))
        return found

    def _captures(self, position: Position) -> list[list[int]]:
        """The routes of all completed captures."""
        found = []
        for square in self._own_squares(position):
            board = list(position.board)
            piece = board[square - 1]
            board[square - 1] = EMPTY  # the jumper is in the air
            found.extend(self._jumps(board, piece, [square]))
        return [route for route in found if len(route) > 1]

    def _jumps(self, board: list[int], piece: int, route: list[int]) -> list[list[int]]:
        """The routes that finish the one begun; just that one when no jump can follow."""
        here = route[-1]
        crowned = len(route) > 1 and abs(piece) == MAN and self._on_king_row(here, piece)
        found = []
        for down, right in self._directions(piece):
            over = neighbour(here, down, right)
            target = neighbour(here, 2 * down, 2 * right)
            if crowned or over is None or target is None:
                continue
            if board[over - 1] * piece < 0 and board[target - 1] == EMPTY:
                after = list(board)
                after[over - 1] = EMPTY
                found.extend(self._jumps(after, piece, [*route, target]))
        return found or [route]

    def _on_king_row(self, square: int, piece: int) -> bool:
        return square >= 29 if piece > 0 else square <= 4
