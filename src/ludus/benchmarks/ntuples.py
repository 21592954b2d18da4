"""How fast n-tuple networks are evaluated."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks.turns import Bench, Row, reported_seconds, timed
from ludus.compile.jit import kernel, without_refcount
from ludus.evaluators.ntuples import NTuples
from ludus.evaluators.protocol import evaluate
from ludus.games.names import game
from ludus.games.othello import OthelloState
from ludus.measures.performance import compiled
from ludus.play.matches import match
from ludus.players.names import player


@dataclass(frozen=True)
class NTupleWork:
    """A random network, and the positions that a greedy player evaluates in random games of 8x8 Othello."""

    network: NTuples
    states: NDArray[np.uint64]  # [positions, 3]: own, opp, mover
    file: Path
    """The same for the C program."""

    def evaluate(self, rounds: int) -> float:
        """The sum of all values, having evaluated all positions so many times."""
        return float(_total(self.network, game("othello8").rules, self.states, rounds))


def ntuple_work(folder: Path, games: int = 20) -> NTupleWork:
    """Work for us and for C: 12 snakes of 6 squares, each looked up for all eight symmetries."""
    variant = game("othello8")
    network: NTuples = compiled(player("ntuples:seed=1,tuples=12,length=6", variant)).parts.evaluator
    anybody = player("random", variant)
    afterstates = [
        position.play(move)
        for record in match(anybody, anybody, games, record=True).records()
        for position in record.positions()
        for move in position.legal_moves
    ]
    states = np.array([(each.state.own, each.state.opp, each.current_player) for each in afterstates], np.uint64)
    file = folder / "ntuples"
    begins = network.empty_board[0]
    sizes = np.array([len(begins), network.weights.size, len(states)], np.int32)
    parts = (sizes, network.powers, begins, network.weights, states)
    file.write_bytes(b"".join(part.tobytes() for part in parts))
    return NTupleWork(network, states, file)


def ntuple_networks(bench: Bench) -> Row:
    """Evaluations of afterstates by an n-tuple network."""
    work, program = ntuple_work(bench.folder), bench.c_program("ntuples")
    count = len(work.states)
    work.evaluate(1)  # compiles
    times = max(1, int(bench.seconds / max(timed(lambda: work.evaluate(1)), 1e-9)))
    return bench.compare(
        "othello8 n-tuple networks",
        lambda: times * count / timed(lambda: work.evaluate(times)),
        (lambda: times * count / reported_seconds([*program, str(work.file), str(times)])) if program else None,
    )


@kernel
def _total(network, rules, states, rounds):
    network, total = without_refcount(network), 0.0
    for _ in range(rounds):
        for i in range(len(states)):
            state = OthelloState(states[i, 0], states[i, 1], int(states[i, 2]))
            total += evaluate(network, rules, state)
    return total
