"""Networks that look through subsquares, window by window, in double precision."""

import numpy as np

from ludus.games.game import Position


def windows(side: int, smallest: int = 3) -> list[list[tuple[int, int]]]:
    """The spots of each square part of a board of that side."""
    return [
        [(row, column) for row in range(top, top + size) for column in range(left, left + size)]
        for size in range(min(smallest, side), side + 1)
        for top in range(side - size + 1)
        for left in range(side - size + 1)
    ]


def board(position: Position, king: float) -> np.ndarray:
    """The squares as the player to move sees them; nothing on the pale squares of checkers."""
    cells = [float(np.sign(cell)) * (king if abs(cell) == 2 else 1) for cell in position.cells]
    side = position.game.size or 8
    seen = np.zeros((side, side))
    for square, cell in enumerate(cells):
        if position.game.size:
            seen[divmod(square, side)] = cell
        else:
            row = square // 4
            seen[row, 2 * (square % 4) + (row + 1) % 2] = cell
    if position.current_player == 1:
        seen = -seen
        if not position.game.size:
            seen = seen[::-1, ::-1]
    return seen


def output(position: Position, numbers: np.ndarray, king: float, hidden: tuple[int, ...]) -> float:
    """The judgement before it is squashed; `numbers` in the order of the player file."""
    left = list(numbers.astype(float))
    seen = board(position, king)
    side = len(seen)
    dark = [(row, column) for row in range(side) for column in range(side) if position.game.size or (row + column) % 2]
    units = []
    for window in windows(side):
        spots = [spot for spot in window if spot in dark]
        units.append(sum(left.pop(0) * seen[spot] for spot in spots))
    units = [np.tanh(unit + left.pop(0)) for unit in units]
    for size in hidden:
        sums = [sum(left.pop(0) * unit for unit in units) for _ in range(size)]
        units = [np.tanh(each + left.pop(0)) for each in sums]
    result = sum(left.pop(0) * unit for unit in units) + left.pop(0)
    assert not left
    return float(result + seen.sum())
