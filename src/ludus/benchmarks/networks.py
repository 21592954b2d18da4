"""How fast networks are evaluated: Blondie24's on positions of checkers, and one on a chromosome with markers."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks.turns import Bench, Row, reported_seconds, timed
from ludus.compile.jit import kernel
from ludus.compile.rng import next_uint64, randint, stream, uniform
from ludus.evaluators.subsquares import Subsquares, architecture, network, network_inputs, network_output
from ludus.games.checkers import CheckersState
from ludus.games.names import game
from ludus.games.othello import OthelloState
from ludus.play.matches import match
from ludus.players.marker import MarkerNetwork, activate_marker, marker_network
from ludus.players.names import player
from ludus.players.protocol import with_fresh_memory

MARKER_ROUNDS = 2000


@dataclass(frozen=True)
class NetworkWork:
    """A random network of Blondie24's kind, and positions of random games of checkers to evaluate."""

    network: Subsquares
    states: NDArray[np.uint64]  # [positions, 4]: own, opp, kings, mover
    file: Path
    """The same for the C program."""

    def evaluate(self, rounds: int) -> float:
        """The mean output, having evaluated all positions so many times."""
        return float(_mean_output(self.network, game("checkers").rules, self.states, rounds))


def network_work(folder: Path, games: int = 20) -> NetworkWork:
    """Work for us and for C."""
    variant, rng = game("checkers"), stream(1, "benchmark network")
    plan = architecture(variant)
    numbers = np.array([0.4 * uniform(rng) - 0.2 for _ in range(plan.count)], np.float32)
    one, anybody = network(plan, numbers, 2.0), player("random", variant)
    positions = [
        each for record in match(anybody, anybody, games, record=True).records() for each in record.positions()
    ]
    states = [(each.state.own, each.state.opp, each.state.kings, each.current_player) for each in positions]
    inputs = np.array([network_inputs(one, each) for each in positions], np.float32)
    file = folder / "network"
    file.write_bytes(np.int32(len(positions)).tobytes() + numbers.tobytes() + inputs.tobytes())
    return NetworkWork(one, np.array(states, np.uint64), file)


def subsquare_networks(bench: Bench) -> Row:
    """Evaluations of positions by a network of Blondie24's kind."""
    work, program = network_work(bench.folder), bench.c_program("blondie24")
    count = len(work.states)
    work.evaluate(1)  # compiles
    times = max(1, int(bench.seconds / max(timed(lambda: work.evaluate(1)), 1e-9)))
    return bench.compare(
        "blondie24 networks",
        lambda: times * count / timed(lambda: work.evaluate(times)),
        (lambda: times * count / reported_seconds([*program, str(work.file), str(times)])) if program else None,
    )


@kernel
def _mean_output(network, rules, states, rounds):
    total = 0.0
    for _ in range(rounds):
        for i in range(len(states)):
            state = CheckersState(states[i, 0], states[i, 1], states[i, 2], 0, int(states[i, 3]))
            total += network_output(network, rules, state)
    return total / (rounds * len(states))


def marker_networks(bench: Bench) -> Row:
    """Activations of a network on a random chromosome with markers."""
    variant, program = game("othello8"), bench.c_program("othello8")
    chromosome, boards = chromosome_work()
    parts = marker_network(variant, chromosome, "logistic", 64.0)
    file = bench.folder / "chromosome"
    file.write_bytes(chromosome.tobytes() + boards.tobytes())
    activations = MARKER_ROUNDS * len(boards)
    activate_rounds(parts, variant.rules, boards, 1)  # compiles
    return bench.compare(
        "othello8 network activations",
        lambda: activations / timed(lambda: activate_rounds(parts, variant.rules, boards, MARKER_ROUNDS)),
        (lambda: activations / reported_seconds([*program, "network", str(file), str(MARKER_ROUNDS)]))
        if program
        else None,
    )


def chromosome_work() -> tuple[NDArray[np.int8], NDArray[np.uint64]]:
    """A chromosome of 5000 integers, and 64 boards: one's own discs and the opponent's."""
    rng = stream(1, "network benchmark")
    chromosome = np.array([randint(rng, 256) - 128 for _ in range(5000)], np.int8)
    discs = np.array([[next_uint64(rng), next_uint64(rng)] for _ in range(64)], np.uint64)
    return chromosome, np.stack([discs[:, 0] & discs[:, 1], discs[:, 0] & ~discs[:, 1]], axis=1)


@kernel
def activate_rounds(player: MarkerNetwork, game: Any, boards: NDArray[np.uint64], rounds: int):
    """Show a network all boards [boards, 2] round after round, and add up its output for square i of board i."""
    player, total = with_fresh_memory(player, game), 0.0
    for _ in range(rounds):
        for i in range(len(boards)):
            activate_marker(player, game, OthelloState(boards[i, 0], boards[i, 1], 0))
            total += player.outputs[i]
    return total
