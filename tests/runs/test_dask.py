"""Runs on a Dask cluster: the same players as on one machine, whatever happens to its scheduler and workers."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import ludus
from ludus.play.parallel import WORKERS, workers
from ludus.runs.dask import CHANCES, sharing
from ludus.runs.pool import Cluster, complete_all
from ludus.runs.run import CHECKPOINTS, Run
from ludus.runs.spec import RunSpec
from ludus.storage import locked
from tests.runs.test_run import players_of, small_run

dask = pytest.importorskip("dask", reason="Dask is not installed")
distributed = pytest.importorskip("distributed", reason="Dask is not installed")

Start = Callable[..., "subprocess.Popen[bytes]"]

EVERY_STEP = {CHECKPOINTS: "0"}
LASTING = {"games": 10_000, "step_games": 100}
STRICTEST = {"distributed.scheduler.allowed-failures": 0}

ENDLESS = {"games": 1_000_000_000}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `dask scheduler` or `dask worker`, each a process in a folder of its own."""
    started: list[subprocess.Popen[bytes]] = []

    def dask(*arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
        folder = tmp_path / f"process-{len(started)}"
        folder.mkdir()
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        with open(folder / "log", "wb") as log:
            process = subprocess.Popen(command, cwd=folder, env=os.environ | environment, stdout=log, stderr=log)
        started.append(process)
        return process

    yield dask
    for process in started:
        process.kill()
        process.wait()


def midway(folder: Path) -> bool:
    """Whether a run is between its first checkpoint and its end; its worker is frozen meanwhile."""
    return any(not file.with_name("player.safetensors").exists() for file in folder.rglob("checkpoint.safetensors"))


def held(folder: Path) -> bool:
    try:
        with locked(folder):
            return False
    except ludus.LudusError:
        return True


def runs_in(folder: str | Path, count: int = 4) -> list[Run]:
    return [small_run("tdl", Path(folder) / str(seed), seed) for seed in range(count)]


def test_a_run_survives_the_death_of_its_worker(tmp_path: Path) -> None:
    """By Dask's strictest rules, as if every worker that the scheduler would try had died."""
    alone, on_dask = (
        [Run(RunSpec.create("tdl", "othello6", LASTING, seed), tmp_path / name / str(seed)) for seed in range(3)]
        for name in ("alone", "dask")
    )
    list(complete_all(alone))
    with (
        dask.config.set(STRICTEST),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", env=EVERY_STEP
        ) as local,
        ThreadPoolExecutor() as beside,
    ):
        done = beside.submit(list, complete_all(on_dask, cluster=Cluster(local.scheduler_address)))
        worker = local.workers[0].process.pid
        while not midway(tmp_path / "dask"):
            os.kill(worker, signal.SIGCONT)
            time.sleep(0.05)
            os.kill(worker, signal.SIGSTOP)
        os.kill(worker, signal.SIGKILL)
        assert sorted(each.folder for each in done.result()) == [each.folder for each in on_dask]
    assert players_of(on_dask) == players_of(alone)


def test_runs_survive_the_loss_of_the_scheduler(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere
    alone, on_dask = runs_in("alone"), runs_in("dask")
    endless = Run(RunSpec.create("tdl", "othello6", ENDLESS, 3), Path("dask/endless"))
    list(complete_all(alone))
    cluster = Cluster(scheduler_file=str(tmp_path / "scheduler.json"))

    def begin() -> "subprocess.Popen[bytes]":
        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", cluster.scheduler_file)
        while not os.path.exists(cluster.scheduler_file) or not os.path.getsize(cluster.scheduler_file):
            time.sleep(0.1)
        start("worker", "--scheduler-file", cluster.scheduler_file, "--no-nanny", "--nthreads", "2")
        return scheduler

    scheduler = begin()
    done = complete_all([endless, *on_dask[:2]], cluster=cluster)
    next(done)
    scheduler.kill()
    with pytest.raises(
        ludus.LudusError, match="has gone away; start a scheduler in its place and repeat the command to resume"
    ):
        list(done)
    os.remove(cluster.scheduler_file)
    begin()
    assert len(list(complete_all(on_dask, cluster=cluster))) == 4
    assert players_of(on_dask) == players_of(alone)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A scheduler without workers, which takes the first death that a run causes for the last."""
    with (
        dask.config.set(STRICTEST),
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as local,
    ):
        yield Cluster(local.scheduler_address)


STRANGERS = {
    "raise ModuleNotFoundError('there is none')": r"the worker on \S+ can't use Ludus \(there is none\); install ludus",
    "__version__ = '0.0.1'": r"the worker on \S+ has ludus 0.0.1; install ludus",
    f"__version__ = {ludus.__version__!r}; import os; os._exit(1)": r"every worker .* died before its next checkpoint",
}


@pytest.mark.parametrize(("package", "description"), STRANGERS.items())
def test_workers_that_cannot_serve(
    package: str, description: str, cluster: Cluster, start: Start, tmp_path: Path
) -> None:
    (tmp_path / "ludus.py").write_text(package)
    for _ in range(CHANCES):
        start("worker", cluster.address, "--no-nanny", "--nthreads", "1", PYTHONPATH=str(tmp_path))
    with pytest.raises(ludus.LudusError, match=description):
        list(complete_all(runs_in(tmp_path / "runs", 1), cluster=cluster))


def test_whoever_stops_waiting_stops_the_runs(cluster: Cluster, start: Start, tmp_path: Path, capfd) -> None:
    """Else workers would go on with what nobody wants, and keep its folder locked."""
    start("worker", cluster.address, "--nthreads", "2")
    long = Run(RunSpec.create("tdl", "othello6", ENDLESS, 3), tmp_path / "long")
    done = complete_all([long, *runs_in(tmp_path, 1)], cluster=cluster)
    assert next(done).folder == tmp_path / "0"
    assert "has no workers; waiting for some" in capfd.readouterr().err
    while not held(tmp_path / "long"):
        time.sleep(0.1)
    done.close()
    with locked(tmp_path / "long", patience=60):
        pass


def test_that_all_workers_have_left_is_told(
    cluster: Cluster, start: Start, tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludus.runs.dask.WATCH_SECONDS", 0.1)
    worker = start("worker", cluster.address, "--nthreads", "2")
    long = Run(RunSpec.create("tdl", "othello6", ENDLESS, 3), tmp_path / "long")
    done = complete_all([long, *runs_in(tmp_path, 1)], cluster=cluster)
    next(done)
    capfd.readouterr()
    worker.terminate()
    told = ""
    while "has no workers; waiting for some" not in told:
        told += capfd.readouterr().err
        time.sleep(0.1)
    done.close()


def test_runs_of_one_worker_share_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WORKERS, "64")
    with sharing(5):
        assert workers() == 5
        with sharing(5):
            assert workers() == 2
        assert workers() == 5


def test_a_cluster_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.runs.dask.CONNECT_SECONDS", 1)
    missing = Cluster(scheduler_file=str(tmp_path / "none.json"))
    for cluster, description in (
        (missing, r"scheduler file .*none.json is not there"),
        (Cluster("tcp://127.0.0.1:9"), "the Dask cluster tcp://127.0.0.1:9 can't be used"),
        (Cluster("moon"), "the Dask cluster moon can't be used"),
    ):
        with pytest.raises(ludus.LudusError, match=description):
            list(complete_all(runs_in(tmp_path, 1), cluster=cluster))
