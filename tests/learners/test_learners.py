"""What every learner must hold to, in every game."""

from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load

import ludus
from ludus.errors import LudusError
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.registry import learners
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.effort import nightly
from tests.learners.learning import GAMES, SMALL, as_player, score

BOTH = ["weights", "ntuples"]


def spec_of(name: str, game: str, representation: str, seed: int = 7) -> RunSpec:
    given = {**SMALL[name], "representation": representation, "tuples": 3, "length": 4}
    return RunSpec.create(name, game, given, seed)


STEPS = [("tdl", "othello6", "weights"), *((name, game, "weights") for name in ("cel", "ctdl") for game in GAMES)]
STEPS += nightly(*(("tdl", game, "weights") for game in GAMES if game != "othello6"))
STEPS += [("tdl", game, "ntuples") for game in GAMES] + [
    (name, "othello6", "ntuples") for name in ("cel", "ctdl", "cma-es")
]
STEPS += nightly(*((name, game, "ntuples") for name in ("cel", "ctdl") for game in GAMES if game != "othello6"))


@pytest.mark.parametrize(("name", "game", "representation"), STEPS)
def test_a_few_steps(name: str, game: str, representation: str) -> None:
    asked = spec_of(name, game, representation)
    method, plays, settings = asked.parsed()
    state = method.start(settings, plays, asked.seed)
    kept = [np.copy(each) for each in state]
    assert method.done(settings, state) == 0
    for _ in range(3):
        old, (state, row) = state, method.step(settings, plays, asked.seed, state)
        assert 0 < method.done(settings, state) <= 1
        assert all(np.isfinite(value) for value in row.values())
        again, _ = method.step(settings, plays, asked.seed, old)
        assert all(np.array_equal(a, b) for a, b in zip(state, again, strict=True)), "the same step differs"
    assert all(np.array_equal(a, b) for a, b in zip(kept, method.start(settings, plays, asked.seed), strict=True))
    assert 0 <= score(as_player(method.player(settings, plays, state), plays), "random", games=4) <= 1


@pytest.mark.parametrize("representation", BOTH)
@pytest.mark.parametrize("name", SMALL)
def test_a_run_resumes_to_the_same_bytes(name: str, representation: str, tmp_path: Path) -> None:
    asked = spec_of(name, "othello6", representation)
    whole = [progress.row for progress in Run(asked, tmp_path / "whole").steps()]
    for steps in (1, 2, None):
        stopped = Run(asked, tmp_path / "stopped").steps(checkpoint_seconds=0)
        list(islice(stopped, steps))
        stopped.close()  # type: ignore[attr-defined]
    files: list[Any] = [
        [(tmp_path / run / file).read_bytes() for file in ("player.safetensors", "metrics.csv")]
        for run in ("whole", "stopped")
    ]
    assert len(whole) >= 5
    assert files[0] == files[1]


@pytest.mark.parametrize("name", learners())
def test_two_steps_are_the_same_with_a_stop_between(name: str, tmp_path: Path) -> None:
    """For learners from anywhere, with their own defaults, in the first game that suits them."""
    method = learner(name)
    settings = parse_settings(method, SMALL.get(name, {}))
    for game in map(ludus.game, GAMES):
        with suppress(LudusError):
            method.start(settings, game, 7)
            spec = RunSpec.create(name, game, SMALL.get(name, {}), 7)
            break
    found = []
    for run, stops in (("whole", [2]), ("stopped", [1, 1])):
        for steps in stops:
            stopped = Run(spec, tmp_path / run).steps(checkpoint_seconds=0)
            list(islice(stopped, steps))
            stopped.close()  # type: ignore[attr-defined]
        found.append(load((tmp_path / run / "checkpoint.safetensors").read_bytes()))
    assert found[0].keys() == found[1].keys()
    assert all(found[0][field].tobytes() == found[1][field].tobytes() for field in found[0])


def test_another_seed_gives_another_player(tmp_path: Path) -> None:
    players = set()
    for seed in (1, 2):
        Run(spec_of("cel", "othello6", "weights", seed), tmp_path / str(seed)).complete()
        players.add((tmp_path / str(seed) / "player.safetensors").read_bytes())
    assert len(players) == 2


def test_all_learners_of_this_folder_are_found_and_described() -> None:
    assert set(SMALL) <= set(learners())
    for name in SMALL:
        fields = learner(name).settings.model_fields
        assert all(field.description for field in fields.values())


def test_a_tuple_longer_than_the_board() -> None:
    settings = parse_settings(learner("tdl"), {"representation": "ntuples", "length": 5})
    with pytest.raises(LudusError, match="invalid length=5 for go2: it has only 4 squares"):
        learner("tdl").start(settings, ludus.game("go2"), 1)


def test_a_population_larger_than_memory() -> None:
    asked = {"representation": "ntuples", "length": 10, "tuples": 200, "population": 1000}
    with pytest.raises(
        LudusError, match="invalid population=1000 for cel: networks of 11,809,800 weights allow at most 11"
    ):
        learner("cel").start(parse_settings(learner("cel"), asked), ludus.game("othello8"), 1)
