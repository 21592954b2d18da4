"""A slow, obvious Othello: the reference the fast kernel is compared with."""

from __future__ import annotations

from dataclasses import dataclass

BLACK, WHITE, EMPTY = 1, -1, 0
PASS = "pass"
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


@dataclass(frozen=True)
class Position:
    """Discs row by row from the top (a1, b1, ...) and who moves: 0 Black, 1 White."""

    board: tuple[int, ...]
    turn: int


class NaiveOthello:
    """Othello on a square board of even size; a1 is the top-left corner."""

    def __init__(self, size: int = 8) -> None:
        if size not in (4, 6, 8):
            raise ValueError(f"size must be 4, 6 or 8, not {size}")
        self.size = size

    def start(self) -> Position:
        """Four discs in the centre, White on the NW-SE pair, Black to move."""
        board = [EMPTY] * (self.size * self.size)
        low = self.size // 2 - 1
        high = self.size // 2
        board[self._index(low, low)] = WHITE
        board[self._index(high, high)] = WHITE
        board[self._index(low, high)] = BLACK
        board[self._index(high, low)] = BLACK
        return Position(tuple(board), 0)

    def legal_moves(self, position: Position) -> list[str]:
        """Legal moves in square order; ["pass"] if only the opponent can move; [] if over."""
        own = self._placements(position.board, self._colour(position.turn))
        if own:
            return own
        if self._placements(position.board, self._colour(1 - position.turn)):
            return [PASS]
        return []

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move."""
        if move not in self.legal_moves(position):
            raise ValueError(f"illegal move {move!r}")
        board = list(position.board)
        if move != PASS:
            colour = self._colour(position.turn)
            row, column = self._square(move)
            for index in self._flipped(position.board, row, column, colour):
                board[index] = colour
            board[self._index(row, column)] = colour
        return Position(tuple(board), 1 - position.turn)

    def current_player(self, position: Position) -> int:
        """0 when Black is to move, 1 when White is."""
        return position.turn

    def cells(self, position: Position) -> list[int]:
        """+1 Black, -1 White, 0 empty, in the order a1, b1, ..."""
        return list(position.board)

    def outcome(self, position: Position) -> float:
        """1.0 if Black won, 0.5 for a draw, 0.0 if White won."""
        if self.legal_moves(position):
            raise ValueError("the game is not over")
        margin = self.margin(position)
        if margin > 0:
            return 1.0
        if margin < 0:
            return 0.0
        return 0.5

    def margin(self, position: Position) -> float:
        """Black discs minus White discs."""
        return float(position.board.count(BLACK) - position.board.count(WHITE))

    def _placements(self, board: tuple[int, ...], colour: int) -> list[str]:
        """Names of the empty squares where this colour would flip something."""
        found = []
        for row in range(self.size):
            for column in range(self.size):
                if board[self._index(row, column)] != EMPTY:
                    continue
                if self._flipped(board, row, column, colour):
                    found.append(self._name(row, column))
        return found

    def _flipped(self, board: tuple[int, ...], row: int, column: int, colour: int) -> list[int]:
        """Indices of the discs that a disc of this colour placed here would turn over."""
        flipped = []
        for down, right in DIRECTIONS:
            line = []
            r, c = row + down, column + right
            while self._inside(r, c) and board[self._index(r, c)] == -colour:
                line.append(self._index(r, c))
                r, c = r + down, c + right
            if self._inside(r, c) and board[self._index(r, c)] == colour:
                flipped.extend(line)
        return flipped

    def _colour(self, turn: int) -> int:
        return BLACK if turn == 0 else WHITE

    def _inside(self, row: int, column: int) -> bool:
        return 0 <= row < self.size and 0 <= column < self.size

    def _index(self, row: int, column: int) -> int:
        return row * self.size + column

    def _name(self, row: int, column: int) -> str:
        return "abcdefgh"[column] + str(row + 1)

    def _square(self, name: str) -> tuple[int, int]:
        return int(name[1:]) - 1, "abcdefgh".index(name[0])
