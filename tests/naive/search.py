"""A slow, obvious minimax over positions: the reference that compiled searches are compared with."""

from collections.abc import Callable

from ludus.games.game import Position

Judge = Callable[[Position], float]
"""What a position is worth to the player to move."""


def worth(position: Position, depth: int, judge: Judge) -> float:
    """What the position is worth to the player to move, looking `depth` moves ahead."""
    if position.over:
        result = 1e9 * (2 * (position.outcome or 0.0) - 1) + position.margin
        return result if position.mover == 0 else -result
    if depth == 0:
        return judge(position)
    return max(-worth(position.play(move), depth - 1, judge) for move in position.moves)


def best_moves(position: Position, depth: int, judge: Judge) -> set[str]:
    """All moves that are as good as the best."""
    values = {move: -worth(position.play(move), depth - 1, judge) for move in position.moves}
    return {move for move, value in values.items() if value == max(values.values())}
