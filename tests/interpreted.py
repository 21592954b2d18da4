"""Work for machine code and for the Python that it is made from; `python -m tests.interpreted` tells what came of it.

Everything that kernels make is reduced to a hash, so that a single bit that differs shows.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

import ludus
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.play.matches import match
from ludus.players.names import player
from tests.effort import EFFORT

MATCHES = (
    ("random", "random", "othello6"),
    ("ranking:11 down-left,9 down-left", "random", "checkers"),
    ("random", "random", "go5"),
    ("weights:seed=3", "greedy:value=mobility", "othello4"),
    ("xcs:othello6", "alphabeta:depth=2,value=mobility", "othello6"),
    ("marker:mobility", "fixed-network:searcher", "othello8"),
    ("ntuples:seed=1,tuples=4,length=4", "noisy:0.2,heuristic", "othello8"),
    ("alphabeta:depth=2,extend=captures", "random", "checkers:moves=30"),
    ("sarsa-lvq:go5", "influence", "go5"),
    ("sarsa-linear:go5", "random", "go5:rules=abramson2001"),
    ("wally", "restrained:random", "go9:plies=60"),
    ("mcts:simulations=20", "mcts:simulations=20,value=discs", "othello4"),
    ("mcts:simulations=10", "random", "go3"),
)
"""Who meets whom at what."""

TRAININGS = {
    "tdl": ("othello4", {"games": 6, "step_games": 2, "decay": 0.5}),
    "cel": ("othello4", {"games": 60, "population": 3, "sample": 3, "representation": "ntuples", "tuples": 2}),
    "ctdl": ("othello4", {"games": 60, "population": 3, "sample": 3, "lesson_games": 2}),
    "cma-es": ("othello4", {"games": 60, "population": 4, "step_games": 24}),
    "blondie24": (
        "checkers:moves=8", {"generations": 1, "population": 2, "opponents": 1, "depth": 1, "hidden": "4"},
    ),
    "social": (
        "checkers:moves=8",
        {"generations": 2, "population": 3, "opponents": 1, "depth": 1, "hidden": "4", "individual": 1, "social": 2},
    ),
    "sarsa-linear": ("go3", {"games": 8, "step_games": 4}),
    "sarsa-lvq": ("go3", {"games": 8, "step_games": 4, "capacity": 20, "from_opponent": True}),
    "xcs": ("othello4", {"games": 30, "step_games": 10, "rules": 100, "prediction": "linear"}),
    "marker": (
        "othello4",
        {"opponents": "population", "generations": "2", "trial_games": 2, "games": 2, "population": 4, "parents": 2,
         "hall": 1, "genes": 300},
    ),
    "fixed-network": (
        "othello4",
        {"opponents": "random", "generations": "2", "trial_games": 2, "games": 2, "population": 4, "parents": 2,
         "hidden": 3},
    ),
}  # fmt: skip
"""Small trainings: the game and the settings."""


def digest(*arrays: Any) -> str:
    parts = hashlib.sha256()
    for each in arrays:
        array = np.ascontiguousarray(each)
        parts.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
    return parts.hexdigest()[:16]


def played(a: str, b: str, name: str) -> str:
    game = ludus.game(name)
    found = match(player(a, game), player(b, game), 2 * EFFORT, seed=1, record=True)
    return digest(found.scores, *(block.moves for block in found.blocks))


def trained(name: str, game: str, given: Mapping[str, Any]) -> str:
    method, plays = learner(name), ludus.game(game)
    settings = parse_settings(method, given)
    state = method.start(settings, plays, 1)
    while method.done(settings, state) < 1:
        state, row = method.step(settings, plays, 1, state)
    return digest(*state, np.array(list(row.values())))


def solved(name: str) -> str:
    return repr(ludus.solve(name).to_json() | {"seconds": 0})


CASES: Mapping[str, Callable[[], str]] = {
    **{", ".join(each): partial(played, *each) for each in MATCHES},
    **{name: partial(trained, name, *given) for name, given in TRAININGS.items()},
    "solver": partial(solved, "othello4"),
    "Go solver": partial(solved, "go2"),
}
QUICK = list(CASES)[:3]

if __name__ == "__main__":
    print(json.dumps({name: CASES[name]() for name in sys.argv[1:] or CASES}))
