"""A slow, obvious minimax over positions: the reference that compiled searches are compared with."""

from collections.abc import Callable

from ludus.games.game import Position

Judge = Callable[[Position], float]
"""What a position is worth to the player to move."""


def compelled(position: Position) -> bool:
    """Whether the player to move has to capture (in checkers)."""
    return "x" in position.legal_moves[0]


def worth(
    position: Position, ply: int, horizon: int, judge: Judge, extend: str = "no", depth: int = 0, forced: int = 0
) -> float:
    """What the position, `ply` moves ahead, is worth to the player to move, looking on to the horizon."""
    if position.over:
        won, lead = 2 * (position.outcome or 0.0) - 1, position.margin
        result = won * (1e9 - 1e-3 * ply) + lead
        return result if position.current_player == 0 else -result
    if ply == horizon and extend == "captures" and compelled(position):
        horizon += 1
    if ply == horizon and extend == "pairs":
        in_pairs = forced + forced % 2
        if horizon < depth + in_pairs:
            horizon = depth + in_pairs
        elif compelled(position):
            horizon += 2
    if ply == horizon:
        return judge(position)
    forced += compelled(position)
    return max(
        -worth(position.play(move), ply + 1, horizon, judge, extend, depth, forced) for move in position.legal_moves
    )


def best_moves(position: Position, depth: int, judge: Judge, extend: str = "no") -> set[str]:
    """All moves that are as good as the best."""
    forced = int(compelled(position))
    values = {
        move: -worth(position.play(move), 1, depth, judge, extend, depth, forced) for move in position.legal_moves
    }
    return {move for move, value in values.items() if value == max(values.values())}
