"""A slow, obvious Go: the reference the fast kernel is compared with."""

from __future__ import annotations

from dataclasses import dataclass

BLACK, WHITE, EMPTY = 1, -1, 0
PASS = "pass"
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # no I
DIRECTIONS = [(0, 1), (1, 0), (0, -1), (-1, 0)]

Board = tuple[int, ...]  # A1, B1, ... row by row from the bottom


@dataclass(frozen=True)
class Position:
    """The board after every ply, the start first and the present last; and who moves."""

    history: tuple[Board, ...]
    turn: int
    passes: int  # how many passes in succession have just been made

    @property
    def board(self) -> Board:
        return self.history[-1]


class NaiveGo:
    """Go with area scoring and no suicide; A1 is the bottom-left corner."""

    def __init__(
        self,
        size: int,
        komi: float = 7.5,
        ko: str = "superko",
        plies: int | None = None,
        restricted: bool = False,
    ) -> None:
        if ko not in ("superko", "simple"):
            raise ValueError(f"ko must be 'superko' or 'simple', not {ko!r}")
        self.size = size
        self.names = [letter + str(row + 1) for row in range(size) for letter in LETTERS[:size]]
        self.komi = komi
        self.ko = ko
        self.plies = 4 * size * size if plies is None else plies
        self.restricted = restricted

    def start(self) -> Position:
        """The empty board, Black to move."""
        return Position(((EMPTY,) * (self.size * self.size),), 0, 0)

    def legal_moves(self, position: Position) -> list[str]:
        """Legal plays in square order, then "pass" where it is allowed; [] if over."""
        if position.passes >= 2 or len(position.history) - 1 >= self.plies:
            return []
        found = [name for point, name in enumerate(self.names) if self._legal(position, point)]
        if not self.restricted or not found:
            found.append(PASS)
        return found

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move."""
        if move not in self.legal_moves(position):
            raise ValueError(f"illegal move {move!r}")
        if move == PASS:
            after, passes = position.board, position.passes + 1
        else:
            after, passes = self._placed(position, self.names.index(move)), 0
        return Position((*position.history, after), 1 - position.turn, passes)

    def current_player(self, position: Position) -> int:
        """0 when Black is to move, 1 when White is."""
        return position.turn

    def cells(self, position: Position) -> list[int]:
        """+1 Black, -1 White, 0 empty, in the order A1, B1, ..."""
        return list(position.board)

    def outcome(self, position: Position) -> float:
        """1.0 if Black won, 0.5 for a draw, 0.0 if White won."""
        if self.legal_moves(position):
            raise ValueError("the game is not over")
        margin = self.margin(position)
        return 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5

    def margin(self, position: Position) -> float:
        """Black area minus White area minus komi; area is stones and own empty regions."""
        board = position.board
        total = 0
        for point, cell in enumerate(board):
            colours = {cell}
            if cell == EMPTY:
                colours = {board[other] for other in self._region(board, point)[1]}
            if len(colours) == 1:
                total += colours.pop()
        return total - self.komi

    def _legal(self, position: Position, point: int) -> bool:
        """Whether the player to move may place a stone on this point."""
        if position.board[point] != EMPTY:
            return False
        after = self._placed(position, point)
        stones, liberties = self._group(after, point)
        if not liberties:
            return False  # suicide
        forbidden = position.history if self.ko == "superko" else position.history[-2:-1]
        if after in forbidden:
            return False
        return not (self.restricted and len(stones) > 1 and len(liberties) == 1)

    def _placed(self, position: Position, point: int) -> Board:
        """The board with a stone put here and enemy groups without liberties taken off."""
        colour = BLACK if position.turn == 0 else WHITE
        board = list(position.board)
        board[point] = colour
        for other in self._neighbours(point):
            if board[other] == -colour:
                stones, liberties = self._group(tuple(board), other)
                if not liberties:
                    for stone in stones:
                        board[stone] = EMPTY
        return tuple(board)

    def _group(self, board: Board, point: int) -> tuple[set[int], set[int]]:
        """The stones of the group on this point, and its liberties."""
        stones, border = self._region(board, point)
        return stones, {other for other in border if board[other] == EMPTY}

    def _region(self, board: Board, point: int) -> tuple[set[int], set[int]]:
        """The connected points with the same contents as this one, and those around them."""
        region, border = {point}, set()
        waiting = [point]
        while waiting:
            for other in self._neighbours(waiting.pop()):
                if board[other] != board[point]:
                    border.add(other)
                elif other not in region:
                    region.add(other)
                    waiting.append(other)
        return region, border

    def _neighbours(self, point: int) -> list[int]:
        """The up to four points next to this one."""
        row, column = point // self.size, point % self.size
        found = []
        for up, right in DIRECTIONS:
            r, c = row + up, column + right
            if 0 <= r < self.size and 0 <= c < self.size:
                found.append(r * self.size + c)
        return found
