"""Trackers: their own libraries read back what metrics.csv has, after an interruption too."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import ludus
from ludus.runs import trackers
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.effort import EFFORT
from tests.small import SMALL


def interrupted(folder: Path, tracker: str) -> Run:
    """A run that was interrupted after some steps, of which the last are lost, and then done to its end."""
    run = Run(RunSpec.create("tdl", "othello6", SMALL["tdl"], 3), folder, trackers=(tracker,))
    steps = run.steps(checkpoint_seconds=0.0)
    for _ in range(4):
        next(steps)
    steps.close()
    steps = run.steps(checkpoint_seconds=1e9)
    for _ in range(3):
        next(steps)
    steps.close()
    return run.complete()


def test_tensorboard_reads_all_rows(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = interrupted(tmp_path / "run", "tensorboard")
    events = EventAccumulator(str(tmp_path / "run" / "tensorboard"), {"scalars": 0}).Reload()
    assert set(events.Tags()["scalars"]) == {"td_error", "largest_weight"}
    for name in ("td_error", "largest_weight"):
        read = [(each.step, each.value) for each in events.Scalars(name)]
        assert read == [(row["games"], pytest.approx(row[name], rel=1e-6)) for row in run.metrics]


@pytest.mark.skipif(EFFORT == 1, reason="three seconds to import MLflow and to make its tables: every night")
def test_mlflow_reads_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path / 'mlflow.db'}")
    run = interrupted(tmp_path / "run", "mlflow")
    from mlflow.tracking import MlflowClient

    client = MlflowClient(f"sqlite:///{tmp_path / 'mlflow.db'}")
    experiment = client.get_experiment_by_name("tdl on othello6")
    (found,) = client.search_runs([experiment.experiment_id])
    assert (found.info.status, found.data.params["alpha"], found.data.params["seed"]) == ("FINISHED", "0.05", "3")
    read = [(each.step, each.value) for each in client.get_metric_history(found.info.run_id, "td_error")]
    assert sorted(read) == [(row["games"], row["td_error"]) for row in run.metrics]


def test_a_tracker_changes_nothing_else(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    plain = Run(RunSpec.create("tdl", "othello6", SMALL["tdl"], 3), tmp_path / "plain").complete()
    told = replace(plain, folder=tmp_path / "told", trackers=("tensorboard",)).complete()
    for name in ("metrics.csv", "player.safetensors"):
        assert (plain.folder / name).read_bytes() == (told.folder / name).read_bytes()
    replace(plain, trackers=("tensorboard",)).complete()  # a finished run is told afterwards
    assert list((plain.folder / "tensorboard").iterdir())


def test_a_tracker_that_fails_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Failing(trackers.Tracker):
        def __init__(self, spec: RunSpec, folder: Path, first: int) -> None:
            self.taken = 0

        def add(self, step: int, row: dict[str, float], wall_time: float) -> None:
            self.taken += 1
            if self.taken == 3:
                raise OSError("the database is locked\nand more")

        def close(self, finished: bool) -> None:
            raise AssertionError("it is gone already")

    monkeypatch.setitem(trackers.TRACKERS, "tensorboard", (Failing, "tensorboard"))
    run = Run(
        RunSpec.create("tdl", "othello6", SMALL["tdl"], 3), tmp_path / "run", trackers=("tensorboard",)
    ).complete()
    assert run.finished
    errors = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("ludus: compiling")]
    assert errors == [
        f"ludus: Failing takes no more of {run.folder} (the database is locked); repeat the command to tell it all"
    ]


def test_what_is_not_installed_is_said_before_anything_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(ludus.LudusError, match=r"needs the package tensorboard: .*\[tensorboard\]"):
        ludus.train("tdl", "othello6", folder=tmp_path / "run", log=["tensorboard"])
    with pytest.raises(ludus.LudusError, match="invalid --log paper: must be tensorboard or mlflow"):
        ludus.train("tdl", "othello6", folder=tmp_path / "run", log=["paper"])
    assert not (tmp_path / "run").exists()
