"""How fast learners learn, as ratios within one run: python benchmarks/training.py [--json]

- tdl beside plain one-ply games of piece counters: at least 0.5 of their speed is promised
- cel beside the games it plays: at most 1.2 times their time is promised
- twenty TD runs by two workers beside one: at least 1.8 times as fast is promised
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ludus
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.measures.performance import random_opponent_scores
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.runs.pool import complete_all
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec

GAME = ludus.game("othello8")
ROUNDS = 5


def seconds(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def speed(name: str) -> Callable[[], float]:
    """Games a second of one step of a learner that has learned a little already."""
    chosen = learner(name)
    settings = parse_settings(chosen, {"games": 10**7})
    state, row = chosen.step(settings, GAME, 1, chosen.start(settings, GAME, 1))
    games = row["games"]  # all steps play as many
    return lambda: games / seconds(lambda: chosen.step(settings, GAME, 1, state))


def plain_speed() -> float:
    """Games a second of one piece counter against ever new ones, as both learners play them."""
    one = player("heuristic", GAME)
    assert isinstance(one, CompiledPlayer)
    return 20_000 / seconds(lambda: random_opponent_scores(one, 20_000, 1))


def twenty_runs(workers: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        settings = {"games": 100_000}
        runs = [Run(RunSpec.create("tdl", GAME, settings, seed), Path(folder) / str(seed)) for seed in range(20)]
        return seconds(lambda: list(complete_all(runs, workers)))


def main() -> None:
    tdl, cel = speed("tdl"), speed("cel")
    plain_speed()
    rounds = np.array([[plain_speed(), tdl(), cel()] for _ in range(ROUNDS)]).max(axis=0)
    told = {
        "plain games a second": round(float(rounds[0])),
        "tdl games a second": round(float(rounds[1])),
        "tdl against plain": round(float(rounds[1] / rounds[0]), 3),
        "cel time against its games": round(float(rounds[0] / rounds[2]), 3),
        "two workers against one, twenty runs": round(twenty_runs(1) / twenty_runs(2), 3),
    }
    print(json.dumps(told, indent=2) if "--json" in sys.argv else "\n".join(f"{k}: {v}" for k, v in told.items()))


if __name__ == "__main__":
    main()
