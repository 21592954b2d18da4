"""What `ludus bench` measures: every kind of work beside C programs and OpenSpiel, and how fast Ludus starts."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ludus.benchmarks.codebooks import codebook_comparisons
from ludus.benchmarks.games import GAMES, perft_nodes, piece_counters, random_games
from ludus.benchmarks.mcts import mcts_simulations
from ludus.benchmarks.networks import marker_networks, subsquare_networks
from ludus.benchmarks.ntuples import ntuple_networks
from ludus.benchmarks.records import record_reading
from ludus.benchmarks.rules import rule_matching
from ludus.benchmarks.search import search_speed
from ludus.benchmarks.solver import solver_nodes
from ludus.benchmarks.turns import Bench, Row


def measure(seconds: float = 0.3, rounds: int = 5) -> Iterator[Row]:
    """A row for each kind of work: how much is done a second on one core, and the ratio to what others do."""
    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder:
        bench = Bench(seconds, rounds, Path(folder))
        for name in GAMES:
            yield random_games(bench, name)
            if name == "othello8":
                yield perft_nodes(bench)
                yield piece_counters(bench)
                yield search_speed(bench)
                yield marker_networks(bench)
                yield ntuple_networks(bench)
        yield subsquare_networks(bench)
        yield codebook_comparisons(bench)
        yield rule_matching(bench)
        for name in ("othello8", "go9"):
            yield mcts_simulations(bench, name)
        yield from record_reading(bench)
        yield solver_nodes(bench)


def _child_seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    begin = os.times()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    end = os.times()
    return end.children_user - begin.children_user + end.children_system - begin.children_system


def start_seconds() -> dict[str, float]:
    """The processor's seconds of the smallest command: with an empty cache of compiled code, and with a full one."""
    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as cache:
        command = [sys.executable, "-m", "ludus", "perft", "othello8", "--depth", "1"]
        environment = os.environ | {"LUDUS_CACHE": cache}
        cold, warm, again = (_child_seconds(command, environment) for _ in range(3))
    return {"cold_seconds": round(cold, 2), "warm_seconds": round(min(warm, again), 2)}
