"""A slow, obvious Connect Four: the reference the example is compared with."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = "abcdefg"
HEIGHT = 6


@dataclass(frozen=True)
class Position:
    """The discs of each column from the bottom up, R for red and Y for yellow."""

    columns: tuple[str, ...]


class NaiveConnectFour:
    def start(self) -> Position:
        return Position(("",) * 7)

    def legal_moves(self, position: Position) -> list[str]:
        """The squares on which a disc can come to rest; none if the game is over."""
        if self._winner(position):
            return []
        heights = [len(column) for column in position.columns]
        return [f"{name}{height + 1}" for name, height in zip(COLUMNS, heights, strict=True) if height < HEIGHT]

    def play(self, position: Position, move: str) -> Position:
        if move not in self.legal_moves(position):
            raise ValueError(f"illegal move {move!r}")
        disc = "RY"[self.current_player(position)]
        return Position(
            tuple(
                column + disc if name == move[0] else column
                for name, column in zip(COLUMNS, position.columns, strict=True)
            )
        )

    def current_player(self, position: Position) -> int:
        return sum(len(column) for column in position.columns) % 2

    def cells(self, position: Position) -> list[int]:
        """1 red, -1 yellow, 0 empty, in the order a1, b1, ... a2, b2, ..."""
        return [{"R": 1, "Y": -1, "": 0}[column[row : row + 1]] for row in range(HEIGHT) for column in position.columns]

    def outcome(self, position: Position) -> float:
        if self.legal_moves(position):
            raise ValueError("the game is not over")
        return {"R": 1.0, "Y": 0.0, "": 0.5}[self._winner(position)]

    def margin(self, position: Position) -> float:
        return {"R": 1.0, "Y": -1.0, "": 0.0}[self._winner(position)]

    def _winner(self, position: Position) -> str:
        """Whose four discs are in a row, if there are any."""
        for column in range(7):
            for row in range(HEIGHT):
                for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = [self._disc(position, column + i * right, row + i * up) for i in range(4)]
                    if line[0] and line == [line[0]] * 4:
                        return line[0]
        return ""

    def _disc(self, position: Position, column: int, row: int) -> str:
        return position.columns[column][row : row + 1] if 0 <= column < 7 and row >= 0 else ""
