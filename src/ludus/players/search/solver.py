"""The front door to the exact solvers: the final score with best play of both sides, the best move and a line."""

from concurrent.futures import ThreadPoolExecutor

from ludus.games.game import Game, Position
from ludus.players.search import go_solutions, othello_solver  # noqa: F401 - they register themselves
from ludus.players.search.othello_solver import MOST_EMPTY, SCORINGS
from ludus.players.search.solutions import Report, Solution, empty_squares, solver_of, solver_of_game

__all__ = ["MOST_EMPTY", "SCORINGS", "Solution", "check_solvable", "empty_squares", "score", "solve"]


def solve(
    position: Position,
    *,
    scoring: str = "",
    nodes: int | None = None,
    seconds: float | None = None,
    report: Report = lambda used, words: None,
) -> Solution:
    """Solve a position of Othello or Go; with a limit of nodes or seconds, as far as that goes.

    The same position and limit of nodes give the same solution. Ctrl-C stops it within a second.
    """
    solver = solver_of(position, scoring, nodes, seconds)
    with ThreadPoolExecutor(1) as worker:
        return solver(position, scoring or solver.scorings[0], worker, report).solve(nodes, seconds)


def score(position: Position, nodes: int) -> int | None:
    """The score with best play to the player to move, of a finished game too; None if so many nodes don't prove it."""
    if position.over:
        return solver_of_game(position.game).final_score(position)
    return solve(position, nodes=nodes).score


def check_solvable(game: Game) -> None:
    """Raise WrongGame if no position of this game can be solved."""
    solver_of(game.start(), "", 1, None)
