"""Exported runs: whole for others, taken back as they were, and refused if a byte is wrong."""

import hashlib
import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import ludus
from ludus.errors import StorageError
from ludus.runs import exchange
from ludus.runs.exchange import SUMS
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.small import SMALL


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    spec = RunSpec.create("tdl", "othello6", SMALL["tdl"], 3)
    return Run(spec, tmp_path_factory.mktemp("runs") / "first").complete()


@pytest.fixture(scope="module")
def once(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "out"
    ludus.export_run(run, folder, games=200, authors=["A. Researcher"], license="CC-BY-4.0")
    return folder


@pytest.fixture
def exported(once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(once, tmp_path / "out"))


def test_an_exported_run_comes_back(run: Run, exported: Path, tmp_path: Path) -> None:
    taken = ludus.import_run(exported, tmp_path / "taken")
    assert (taken.spec, taken.finished, taken.metrics) == (run.spec, True, run.metrics)
    assert taken.seconds == pytest.approx(run.seconds, abs=0.01)
    assert (taken.folder / "player.safetensors").read_bytes() == (run.folder / "player.safetensors").read_bytes()
    assert ludus.match(taken, "random", games=4).a.game.name == "othello6"
    assert ludus.import_run(exported, tmp_path / "taken") == taken  # again, which changes nothing
    assert ludus.train("tdl", "othello6", seed=3, folder=taken.folder, **SMALL["tdl"]).folder == taken.folder


def test_it_says_what_others_want_to_know(exported: Path) -> None:
    assert subprocess.run(["sha256sum", "--check", "--quiet", SUMS], cwd=exported).returncode == 0
    card = (exported / "README.md").read_text()
    front = dict(line.split(": ", 1) for line in card.split("---\n")[1].splitlines())
    (result,) = json.loads(front["model-index"])[0]["results"]
    assert [each["type"] for each in result["metrics"]] == ["generalization", "heuristic"]
    assert json.loads(front["license"]) == "cc-by-4.0"
    drawn = {line.split("(")[1].rstrip(")") for line in card.splitlines() if line.startswith("![")}
    assert drawn == {file.name for file in exported.glob("*.svg")} >= {"metric-td-error.svg", "weights.svg"}
    citation = (exported / "CITATION.cff").read_text()
    assert "A. Researcher" in citation
    assert "CC-BY-4.0" in citation
    assert tomllib.loads((exported / "settings.toml").read_text())["settings"]["games"] == 3000


@pytest.mark.parametrize("name", ["player.safetensors", "metrics.csv", "run.json", "README.md", SUMS])
def test_damage_is_noticed(exported: Path, name: str, tmp_path: Path) -> None:
    whole = (exported / name).read_bytes()
    for content in (whole[:-3], bytes([whole[0] ^ 1]) + whole[1:], None):
        (exported / name).unlink(missing_ok=True)
        if content is not None:
            (exported / name).write_bytes(content)
        with pytest.raises(ludus.LudusError, match="export"):
            ludus.import_run(exported, tmp_path / "taken")
    assert not (tmp_path / "taken").exists()


def test_a_player_of_another_run_is_noticed(exported: Path, tmp_path: Path) -> None:
    asked = json.loads((exported / "run.json").read_text()) | {"seed": 4}
    (exported / "run.json").write_text(json.dumps(asked))
    sums = (exported / SUMS).read_text().splitlines()
    digest = hashlib.sha256((exported / "run.json").read_bytes()).hexdigest()
    fixed = [f"{digest}  run.json" if line.endswith("run.json") else line for line in sums]
    (exported / SUMS).write_text("\n".join(fixed) + "\n")
    with pytest.raises(ludus.LudusError, match=r"was not trained as run.json says"):
        ludus.import_run(exported, tmp_path / "taken")


def test_nothing_is_overwritten(run: Run, exported: Path, tmp_path: Path) -> None:
    with pytest.raises(ludus.LudusError, match="is not empty; name a new folder"):
        ludus.export_run(run, exported, games=10**9)  # it says so before it plays them
    with pytest.raises(ludus.LudusError, match="can't be written"):
        ludus.export_run(run, exported / "README.md" / "new", games=10**9)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(ludus.LudusError, match="holds something else"):
        ludus.import_run(exported, tmp_path / "other")
    unfinished = Run(RunSpec.create("tdl", "othello6", SMALL["tdl"], 5), tmp_path / "begun")
    unfinished.register()
    with pytest.raises(ludus.LudusError, match="is not finished"):
        ludus.export_run(unfinished, tmp_path / "new")


def test_an_export_that_fails_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(run: Run, authors: object, license: str) -> str:
        raise StorageError("the disk is full")

    monkeypatch.setattr(exchange, "citation", full)
    with pytest.raises(StorageError, match="full"):
        ludus.export_run(run, tmp_path / "out", games=0)
    assert not any((tmp_path / "out").iterdir())
