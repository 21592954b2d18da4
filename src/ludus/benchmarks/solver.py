"""How fast Othello endgames are solved."""

from ludus.benchmarks.turns import Bench, Row, timed
from ludus.compile.rng import randint, stream
from ludus.games.game import Position
from ludus.games.names import game
from ludus.players.search.solver import empty_squares, solve

EMPTY = 14


def solver_nodes(bench: Bench) -> Row:
    """Positions that the solver looks at in a second, in an endgame after random moves."""
    position = _endgame()
    nodes = solve(position).nodes  # compiles
    times = max(1, int(bench.seconds / max(timed(lambda: solve(position)), 1e-3)))

    def turn() -> float:
        return times * nodes / timed(lambda: [solve(position) for _ in range(times)])

    return bench.compare("othello8 solver nodes", turn)


def _endgame() -> Position:
    position, rng = game("othello8").start(), stream(1, "solver benchmark")
    while empty_squares(position) > EMPTY:
        moves = position.legal_moves
        position = position.play(moves[randint(rng, len(moves))])
    return position
