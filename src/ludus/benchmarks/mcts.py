"""How fast Monte Carlo tree search simulates games."""

from ludus.benchmarks.games import as_openspiel_plays
from ludus.benchmarks.turns import Bench, Row, Turn, timed
from ludus.compile.rng import stream
from ludus.players.search.uct import MCTS, Playouts, new_tree, simulate

SIMULATIONS, EXPLORATION = 1000, 1.4
"""Of one search, ours and OpenSpiel's."""

MEGABYTES = 1000
"""The memory that OpenSpiel's tree may take, far more than it needs."""


def mcts_simulations(bench: Bench, name: str) -> Row:
    """Simulations a second of searches from the start, each with one random playout, beside OpenSpiel's MCTSBot."""
    variant, parts = as_openspiel_plays(name), MCTS(Playouts(), SIMULATIONS, EXPLORATION)
    rules, state = variant.rules, variant.start().state

    def search(times: int) -> None:
        for seed in range(times):
            rng = stream(seed, "mcts benchmark")
            simulate(parts, rules, state, new_tree(parts, rules, state, rng), SIMULATIONS, rng)

    search(1)  # compiles
    times = max(1, int(bench.seconds / timed(lambda: search(1))))
    return bench.compare(
        f"{name} mcts simulations",
        lambda: times * SIMULATIONS / timed(lambda: search(times)),
        openspiel=_openspiel(name),
    )


def _openspiel(name: str) -> Turn | None:
    """The same search by OpenSpiel's C++, where it is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game({"othello8": "othello", "go9": "go(board_size=9)"}[name])

    def turn() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, MEGABYTES, True, 1, False)
        return SIMULATIONS / timed(lambda: bot.mcts_search(game.new_initial_state()))

    return turn
