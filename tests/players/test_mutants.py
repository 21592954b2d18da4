"""Player files that were tampered with: each is refused by the one error, or plays whole legal games.

With the compiler off an index from a file that is out of range shows as an error; to machine code it would be somebody
else's memory. So `python -m` this file plays the mutants there.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

import ludus
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, parse_settings
from ludus.learners.names import learner
from ludus.play.matches import match
from ludus.players.files import load_player
from ludus.players.names import player
from tests.effort import EFFORT
from tests.interpreted import TRAININGS

MUTANTS = 15 * EFFORT
NUMBERS = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e38, -1.0, 0.0, 5e-324)
WHOLE_NUMBERS = (-1, 0, 1, 2, 127, 128, 255, 10**6, 2**31 - 1, -(2**31), 2**62, -(2**63), 2**63 - 1)
KINDS = (np.float32, np.float64, np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint64, np.bool_, np.float16)
SETTINGS = (
    None, "", "x", -1, 0, 1, 1.5, 1e308, -1e308, 1e-300, float("nan"), float("inf"), True, False, [], {}, 10**30,
    "4,4", "1" * 40, "captures", 20, 21,
)  # fmt: skip
NEVER_TRAINED = ("blondie24", "social")
"""Whose first step takes long with the compiler off; their first networks do as well."""


def learned(name: str, game: Game, given: dict[str, Any]) -> PlayerSpec:
    """What the learner has after its first step."""
    method = learner(name)
    settings = parse_settings(method, given)
    state = method.start(settings, game, 1)
    if name not in NEVER_TRAINED:
        state, _ = method.step(settings, game, 1, state)
    return method.player(settings, game, state)


def changed(array: NDArray[Any], choice: random.Random) -> NDArray[Any]:
    """Other numbers, another shape or another type."""
    array = array.copy()
    wrong = choice.choice(NUMBERS if array.dtype.kind == "f" else WHOLE_NUMBERS)
    with np.errstate(all="ignore"):
        match choice.randrange(7):
            case 0 if array.size:
                array.reshape(-1)[choice.randrange(array.size)] = np.array(wrong).astype(array.dtype)
            case 1:
                array[...] = np.array(wrong).astype(array.dtype)
            case 2:
                array = array.astype(choice.choice(KINDS))
            case 3:
                array = np.resize(array, (array.size + choice.choice((-1, 1)),))
            case 4 if array.ndim:
                array = np.concatenate([array, array])
            case 5:
                array = np.ascontiguousarray(array.T)
            case _:
                array = np.zeros((0,) * max(array.ndim, 1), array.dtype)
    return array


def mutant(game: Game, whole: PlayerSpec, choice: random.Random) -> bytes:
    """A player file with a few things changed."""
    arrays, settings = dict(whole.arrays), dict(whole.settings)
    header: dict[str, Any] = {"format": 1, "kind": whole.kind, "game": game.name, "game_version": game.type.version}
    header |= {"settings": settings, "provenance": {}}
    for _ in range(choice.randint(1, 2)):
        part = choice.choice([arrays, arrays, settings or arrays, header])
        name = choice.choice(list(part))
        part[name] = changed(np.asarray(arrays[name]), choice) if part is arrays else choice.choice(SETTINGS)
    content = bytearray(save({name: np.asarray(each) for name, each in arrays.items()}, {"ludus": json.dumps(header)}))
    if choice.random() < 0.3:
        content[choice.randrange(len(content))] = choice.randrange(256)
    return bytes(content)


def complaints() -> dict[str, str]:
    """What mutants of each learner's players did wrong, if anything; and whether all were refused, or none was."""
    found: dict[str, str] = {}
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "player.safetensors"
        for name, (board, given) in TRAININGS.items():
            game, choice = ludus.game(board), random.Random(name)
            whole, opponent = learned(name, game, dict(given)), player("random", game)
            for number in range(MUTANTS):
                file.write_bytes(mutant(game, whole, choice))
                try:
                    match(load_player(file, game), opponent, 2, seed=number, record=True)
                except LudusError:
                    refused += 1
                except Exception as problem:
                    found[f"{name}, mutant {number}"] = repr(problem)
    if not 0.2 < refused / (len(TRAININGS) * MUTANTS) < 0.95:
        found["refused"] = f"{refused} of {len(TRAININGS) * MUTANTS}"
    return found


def test_mutants_are_refused_or_play() -> None:
    switched = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    arguments = [sys.executable, "-W", "error", "-m", "tests.players.test_mutants"]
    done = subprocess.run(arguments, env=switched, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {}


if __name__ == "__main__":
    print(json.dumps(complaints()))
