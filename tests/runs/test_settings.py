"""Settings as files: what is written is read as the same, from files, runs and players."""

from pathlib import Path

import pytest

import ludus
from ludus.registry import learners
from ludus.runs.groups import Training, read_group
from ludus.runs.run import Run
from ludus.runs.settings import presets, read_settings, write_settings
from ludus.runs.spec import RunSpec
from tests.small import SMALL


@pytest.mark.parametrize("name", learners())
def test_what_a_run_was_asked_comes_back_from_its_file(name: str, tmp_path: Path) -> None:
    spec = RunSpec.create(name, "othello6", SMALL[name], 7)
    write_settings(tmp_path / "my.toml", spec)
    Run(spec, tmp_path / "run").register()
    for source in ("my.toml", "run"):
        read = read_settings(str(tmp_path / source))
        assert RunSpec.create(read.learner, read.game or "", read.settings, read.seed or 0) == spec


@pytest.mark.parametrize("name", presets())
def test_shipped_players_are_presets(name: str, tmp_path: Path) -> None:
    found = read_settings(name)
    spec = RunSpec.create(found.learner, found.game or "", found.settings, 5)
    group = read_group(f"as before={name}", Training(spec.game, [5], tmp_path))
    assert (group.name, [run.spec for run in group.runs]) == ("as before", [spec])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("learner = 3", "invalid learner=3: must be a text"),
        ('learner = "tdl"\nseed = true', "invalid seed=True: must be a whole number"),
        ('learner = "tdl"\nseed = -1', "invalid seed=-1: must be 0 or more"),
        ('learner = "tdl"\nalpha = 0.1', "unknown entry 'alpha'; known entries: learner, game, seed, settings"),
        ("seed = 1", "names no learner"),
        ("learner = ", "is no settings file"),
    ],
)
def test_files_that_are_wrong(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(text)
    with pytest.raises(ludus.LudusError, match=sentence):
        read_settings(str(tmp_path / "my.toml"))


def test_a_name_of_nothing() -> None:
    with pytest.raises(ludus.LudusError, match=r"there are no settings 'nothing'; name a file such as my.toml, .*xcs:"):
        read_settings("nothing")
