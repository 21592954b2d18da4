"""Tuning: what is varied, and a search that goes on as if it had not been interrupted."""

import json
import sys
from pathlib import Path

import pytest

import ludus
from ludus.learners.names import learner
from ludus.runs.settings import read_settings
from ludus.runs.tuning import Dimension, dimensions
from tests.interfaces.conftest import say  # noqa: F401 - a fixture

SMALL = {"games": 300, "step_games": 300}


def test_what_is_varied() -> None:
    tdl = learner("tdl")
    assert dimensions(tdl, ["alpha"]) == (Dimension("alpha", 1e-4, 1.0, log=True),)
    assert dimensions(tdl, ["alpha=0.01..0.5", "openings=0..10"]) == (
        Dimension("alpha", 0.01, 0.5, log=True),
        Dimension("openings", 0, 10, whole=True),
    )
    assert dimensions(tdl, ["rates", "symmetric"]) == (
        Dimension("rates", choices=("one", "coherent")),
        Dimension("symmetric", choices=(False, True)),
    )
    assert dimensions(tdl, ["placement=snakes|edges"])[0].choices == ("snakes", "edges")
    assert [each.name for each in dimensions(tdl, [])] == ["alpha", "epsilon", "decay"]


@pytest.mark.parametrize(
    ("name", "vary", "sentence"),
    [
        ("tdl", ["apha"], "unknown setting 'apha' for tdl"),
        ("tdl", ["alpha=0.1..2"], "invalid alpha=2.0 for tdl: must be at most 1"),
        ("tdl", ["alpha=0.5..0.1"], "the first number must be lower"),
        ("tdl", ["alpha=low..high"], "write two numbers"),
        ("tdl", ["games=10..inf"], "write two numbers"),
        ("tdl", ["alpha=0.1"], r"write alpha=LOW..HIGH or alpha=ONE\|OTHER"),
        ("tdl", ["alpha", "alpha"], "names alpha twice"),
        ("tdl", ["placement"], "placement is no number"),
        ("cel", [], "cel does not say what to tune"),
    ],
)
def test_what_can_not_be_varied(name: str, vary: list[str], sentence: str) -> None:
    with pytest.raises(ludus.LudusError, match=sentence):
        dimensions(learner(name), vary)


class Interrupted(Exception):
    pass


def tuned(folder: Path, stop: int = -1, **more):
    def on_trial(trial, given_up: bool) -> None:
        if trial.number == stop:
            raise Interrupted

    asked = {"vary": ["alpha", "schedule"], "settings": SMALL, "seeds": 2, "games": 20, "fresh": 0, "folder": folder}
    return ludus.tune("tdl", "othello6", trials=6, on_trial=on_trial, **asked | more)


def test_an_interrupted_search_makes_the_same_trials(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    whole, _ = tuned(tmp_path / "whole")
    with pytest.raises(Interrupted):
        tuned(tmp_path / "broken", stop=1)
    found, compared = tuned(tmp_path / "broken", fresh=2)
    assert found.trials == whole.trials
    assert any(len(each.scores) == 1 for each in found.trials)  # hopeless ones are given up
    best = max((each for each in found.trials if len(each.scores) == 2), key=lambda each: each.mean)
    assert found.best == best
    assert sum(found.importance.values()) == pytest.approx(1.0)
    asked = read_settings(str(tmp_path / "broken" / "best.toml"))
    assert {**asked.settings, **best.settings, **SMALL} == asked.settings
    assert 'src="importance.svg"' in (tmp_path / "broken" / "index.html").read_text()
    assert len(json.loads((tmp_path / "broken" / "trials.json").read_text())) == 6
    seeds = [(group.name, run.spec.seed, run.spec.settings["alpha"]) for group in compared.groups for run in group.runs]
    alpha = best.settings["alpha"]  # measured with seeds that the search has not seen
    assert seeds == [("tuned", 3, alpha), ("tuned", 4, alpha), ("defaults", 3, 0.05), ("defaults", 4, 0.05)]
    with pytest.raises(ludus.LudusError, match="holds a search with"):
        tuned(tmp_path / "broken", seeds=3)


def test_the_command_tells_each_trial_and_what_was_found(say, tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    chosen = ["--game", "othello4", "--set", "games=20", "--vary", "alpha=0.01..0.5", "--trials", "2", "--seeds", "1"]
    arguments = ["tune", "tdl", *chosen, "--games", "4", "--fresh", "0", "--workers", "2", "--out", str(tmp_path)]
    code, out, _ = say(*arguments)
    assert code == 0
    assert [line.partition(": alpha=")[0] for line in out.splitlines()[:2]] == ["trial 1", "trial 2"]
    told = json.loads(say(*arguments, "--json")[1])  # which tries nothing more
    assert told["trials"] == json.loads((tmp_path / "trials.json").read_text())
    assert (told["fresh"], told["mean"]) == (None, max(each["scores"][0] for each in told["trials"]))
    assert f"the best of 2 trials: alpha={told['best']['alpha']} (mean {told['mean']:.2f} over 1 runs)" in out


def test_any_seed_will_do_and_a_damaged_study_is_named(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    asked = {"vary": ["alpha"], "settings": {"games": 20}, "seeds": 1, "games": 4, "fresh": 0, "seed": 2**40}
    found, _ = ludus.tune("tdl", "othello6", trials=3, folder=tmp_path, **asked)
    assert len(found.trials) == 3
    (tmp_path / "study.sqlite").write_bytes(b"no database")
    with pytest.raises(ludus.LudusError, match=r"study.sqlite can't be used .*; name another folder"):
        ludus.tune("tdl", "othello6", trials=4, folder=tmp_path, **asked)


def test_optuna_is_asked_for_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ludus.LudusError, match=r"needs the package optuna: .*\[tune\]"):
        tuned(tmp_path / "search")
