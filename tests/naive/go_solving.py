"""A slow, obvious solver of Go: every line to its end by the true rules, with all positions so far."""

from tests.naive.go import PASS, NaiveGo, Position


class TooLong(Exception):
    """More positions than allowed."""


class NaiveGoSolver:
    """Asks whether a score is above a number; looks at so many positions at most."""

    def __init__(self, game: NaiveGo, most: int) -> None:
        self.game, self.left = game, most

    def is_above(self, position: Position, alpha: float) -> bool:
        """Whether the player to move can get more than that. Raises TooLong."""
        self.left -= 1
        if self.left < 0:
            raise TooLong
        moves = self.game.legal_moves(position)
        if not moves:
            margin = self.game.margin(position)
            return (margin if position.turn == 0 else -margin) > alpha
        moves.sort(key=lambda move: move != PASS)  # it ends games soon
        return any(not self.is_above(self.game.play(position, move), -alpha - 1) for move in moves)
