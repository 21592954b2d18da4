"""Runs survive anything: whatever happens on the way, the player is the same to the byte."""

import errno
import fcntl
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba.core import event

import ludus
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.learners.td import TDLearner
from ludus.players.files import read_player
from ludus.players.names import player
from ludus.registry import learners
from ludus.runs.pool import complete_all
from ludus.runs.run import CHECKPOINTS, Run
from ludus.runs.spec import RunSpec
from ludus.runs.store import read_run
from tests.effort import EFFORT, nightly
from tests.small import SMALL

PLAYER = "player.safetensors"


def small_run(name: str, folder: Path, seed: int = 3, game: str = "othello6", **settings: object) -> Run:
    return Run(RunSpec.create(name, game, SMALL[name] | settings, seed), folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The player of an uninterrupted run of each learner."""
    found = {}
    for name in learners():
        folder = tmp_path_factory.mktemp(name)
        small_run(name, folder).complete()
        found[name] = (folder / "player.safetensors").read_bytes()
    return found


RUN_AND_DIE = """
import os, pathlib, signal, sys
from tests.runs.test_run import small_run

name, folder, doomed, moment = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
real, saves = os.replace, [0]

def replace(source, target):
    saves[0] += 1
    if saves[0] == doomed and moment == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    real(source, target)
    if saves[0] == doomed and moment == "after":
        os.kill(os.getpid(), signal.SIGKILL)

os.replace = replace
print("ready", flush=True)
for _ in small_run(name, folder).steps(0.0):
    pass
"""


KILLED = ("tdl", "xcs", "blondie24")
"""Runs of other learners are killed every night only: they save and resume by the same code, and that their states come
back whole, `test_learners` sees."""


@pytest.mark.parametrize("name", [*KILLED, *nightly(*(name for name in learners() if name not in KILLED))])
def test_a_killed_run_ends_as_if_it_had_not_been(name: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    """Real processes, killed inside a save and at random moments, until one gets to the end. Every step is saved."""
    choice, kills = random.Random(name), 0
    for number in range(EFFORT):
        folder = tmp_path / str(number)
        deaths = [(choice.randrange(2, 6), moment) for moment in ("before", "after")]
        while not (folder / "player.safetensors").exists():
            doomed, moment = deaths.pop() if deaths else (0, "")
            process = subprocess.Popen(
                [sys.executable, "-c", RUN_AND_DIE, name, str(folder), str(doomed), moment], stdout=subprocess.PIPE
            )
            assert process.stdout
            process.stdout.readline()  # what comes before is only imports
            if not doomed:
                time.sleep(choice.uniform(0.1, 1.0 + kills / 2))  # longer each time: a slow machine gets there too
                process.kill()
            process.stdout.close()
            assert process.wait() in (0, -signal.SIGKILL)
            kills += process.returncode != 0
        assert (folder / "player.safetensors").read_bytes() == whole[name]
        assert (folder / "metrics.csv").read_text().count("\n") == len(read_run(folder).metrics) + 1
    assert kills >= 2


@pytest.mark.parametrize("name", learners())
def test_a_failing_disk_loses_nothing(name: str, whole: dict[str, bytes], tmp_path: Path, monkeypatch) -> None:
    """The first, second, third, ... write to disk fails; the run stops with one sentence and can go on."""
    real, fails = os.fsync, 0
    for doomed in range(1, 6):
        left = [doomed]

        def fsync(descriptor: int, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise OSError(28, "No space left on device")
            real(descriptor)

        monkeypatch.setattr(os, "fsync", fsync)
        folder = tmp_path / str(doomed)
        said = ""
        try:
            list(small_run(name, folder).steps(0.0))
        except ludus.LudusError as problem:
            said = str(problem)
        if said:
            fails += 1
            assert str(folder) in said
            assert "No space left on device" in said
            assert not (folder / "player.safetensors").exists()
        monkeypatch.setattr(os, "fsync", real)
        list(small_run(name, folder).steps(0.0))
        assert (folder / "player.safetensors").read_bytes() == whole[name]
    assert fails >= 3


def test_rows_after_the_last_checkpoint_are_forgotten(tmp_path: Path) -> None:
    steady, broken = tmp_path / "steady", tmp_path / "broken"
    list(small_run("tdl", steady).steps())
    steps = small_run("tdl", broken).steps(checkpoint_seconds=0.0)
    for _ in range(7):
        next(steps)
    steps.close()
    with open(broken / "metrics.csv", "a") as file:
        file.write("700,0.1,2.0\n99")  # what a dying process may have left there
    list(small_run("tdl", broken).steps())
    assert (broken / "metrics.csv").read_bytes() == (steady / "metrics.csv").read_bytes()
    assert [row["games"] for row in read_run(broken).metrics] == [float(games) for games in range(100, 3001, 100)]
    assert read_run(broken).state == "finished"


def test_players_on_the_way_and_times_survive_an_interruption(tmp_path: Path) -> None:
    asked = {"games": 1200, "step_games": 100}
    plain, kept = (small_run("tdl", tmp_path / name, **asked) for name in ("plain", "kept"))
    list(plain.steps())
    steps = replace(kept, snapshots=4).steps(checkpoint_seconds=0.0)
    for _ in range(7):
        next(steps)
    steps.close()
    with open(kept.folder / "times.csv", "a") as file:
        file.write("8,9.5\n9,")  # what a dying process may have left there
    list(replace(kept, snapshots=4).steps())
    assert players_of([kept]) == players_of([plain])
    assert list(kept.snapshot_files) == [3, 6, 9]
    shorter = small_run("tdl", tmp_path / "shorter", games=600, step_games=100).complete()  # which a longer begins with
    ours, theirs = (read_player(file)[1]["weights"] for file in (kept.snapshot_files[6], shorter.folder / PLAYER))
    assert (ours == theirs).all()
    times = kept.times
    assert list(times) == list(range(1, 13))
    assert sorted(times.values()) == list(times.values())
    assert times[12] == pytest.approx(kept.seconds, abs=0.001)


def test_the_time_of_a_run_is_that_of_learning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the compiler's, with what it compiles within a kernel, nor that of whoever watches."""
    real, kernel = TDLearner.step, {"dispatcher": SimpleNamespace(py_func=test_bad_settings), "args": ()}
    now = [1000.0]

    def step(*arguments: object) -> object:
        with event.trigger_event("numba:compile", data=kernel):
            with event.trigger_event("numba:compile", data=kernel):
                now[0] += 10
            now[0] += 100
        now[0] += 1
        return real(*arguments)

    monkeypatch.setattr(TDLearner, "step", step)
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    run = small_run("tdl", tmp_path / "run", games=300, step_games=100)
    for _ in run.steps():
        now[0] += 1000
    assert run.seconds == 3


def test_another_request_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    list(small_run("tdl", tmp_path).steps())
    with pytest.raises(ludus.LudusError, match=r"holds a run with alpha 0\.05; "):
        list(small_run("tdl", tmp_path, alpha=0.1).steps())
    assert list(small_run("tdl", tmp_path).steps()) == []


def test_a_run_under_way_keeps_others_out(tmp_path: Path) -> None:
    steps = small_run("tdl", tmp_path).steps()
    next(steps)
    with pytest.raises(ludus.LudusError, match="in use by another process"):
        next(small_run("tdl", tmp_path).steps())
    steps.close()


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(ludus.LudusError, match=r"can't be locked .*; name a place on a file system that has locks"):
        next(small_run("tdl", tmp_path).steps())


def test_how_often_checkpoints_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for asked, wanted in (("0", True), ("1e9", False)):
        monkeypatch.setenv(CHECKPOINTS, asked)
        steps = small_run("tdl", tmp_path / asked).steps()
        next(steps)
        steps.close()
        assert (tmp_path / asked / "checkpoint.safetensors").exists() == wanted
    for asked in ("often", "-1", "nan"):
        monkeypatch.setenv(CHECKPOINTS, asked)
        with pytest.raises(ludus.LudusError, match=f"invalid LUDUS_CHECKPOINT_SECONDS={asked}"):
            next(small_run("tdl", tmp_path / asked).steps())


def some_steps(folder: Path, steps: int) -> None:
    """Do the first steps of a small run, each with a checkpoint, as a killed process would leave them."""
    work = small_run("tdl", folder).steps(checkpoint_seconds=0.0)
    for _ in range(steps):
        next(work)
    work.close()  # type: ignore[attr-defined]


DAMAGE = (lambda content: b"", lambda content: content[:100], lambda content: b"\0" * 200, lambda content: None)
"""What may become of a file: nothing is left of it, or a part, or something else, or not even its name."""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_checkpoint_is_replaced_by_the_one_before(damage, whole: dict[str, bytes], tmp_path: Path) -> None:
    steady = tmp_path / "steady"
    small_run("tdl", steady).complete()
    folder = tmp_path / "damaged"
    some_steps(folder, 7)
    file = folder / "checkpoint.safetensors"
    content = damage(file.read_bytes())
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    assert read_run(folder).to_json()["seconds"] > 0
    assert next(small_run("tdl", folder).steps(0.0)).row["games"] == 700  # the seventh step again
    small_run("tdl", folder).complete()
    assert (folder / "player.safetensors").read_bytes() == whole["tdl"]
    assert (folder / "metrics.csv").read_bytes() == (steady / "metrics.csv").read_bytes()
    assert {each.name for each in folder.iterdir()} == {each.name for each in steady.iterdir()}


def test_metrics_that_were_cut_off_need_the_checkpoint_before(whole: dict[str, bytes], tmp_path: Path) -> None:
    some_steps(tmp_path, 7)
    file = tmp_path / "metrics.csv"
    file.write_bytes(file.read_bytes()[:-3])
    small_run("tdl", tmp_path).complete()
    assert (tmp_path / "player.safetensors").read_bytes() == whole["tdl"]
    assert len(read_run(tmp_path).metrics) == 30


def test_two_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    some_steps(tmp_path, 3)
    for name in ("checkpoint.safetensors", "checkpoint-previous.safetensors"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(ludus.LudusError, match=r"checkpoint\.safetensors is damaged"):
        list(small_run("tdl", tmp_path).steps())


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_run_whose_player_is_damaged_is_not_finished(damage, whole: dict[str, bytes], tmp_path: Path) -> None:
    small_run("tdl", tmp_path).complete()
    file = tmp_path / "player.safetensors"
    for content in (damage(whole["tdl"]), whole["tdl"][:-1], whole["tdl"] + b"\0"):
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content)
        assert read_run(tmp_path).state == "started"
        small_run("tdl", tmp_path).complete()
        assert file.read_bytes() == whole["tdl"]


def test_a_finished_run_is_a_player(tmp_path: Path) -> None:
    list(small_run("tdl", tmp_path).steps())
    assert player(str(tmp_path), ludus.game("othello6")).name == str(tmp_path / "player.safetensors")
    with pytest.raises(ludus.LudusError, match="plays othello6"):
        player(str(tmp_path), ludus.game("othello8"))


def players_of(runs: list[Run]) -> list[bytes]:
    return [(each.folder / "player.safetensors").read_bytes() for each in runs]


def test_many_runs_by_processes_give_the_same_players(tmp_path: Path) -> None:
    alone = [small_run("tdl", tmp_path / "alone" / str(seed), seed) for seed in range(4)]
    together = [small_run("tdl", tmp_path / "together" / str(seed), seed) for seed in range(4)]
    assert list(complete_all(alone)) == alone
    assert sorted(each.spec.seed for each in complete_all(together, workers=2)) == [0, 1, 2, 3]
    assert players_of(together) == players_of(alone)


def test_a_watched_run_learns_the_same_and_resumes_to_the_same_curve(tmp_path: Path) -> None:
    names = ("unwatched", "whole", "stopped")
    unwatched, whole, stopped = (small_run("tdl", tmp_path / name) for name in names)
    unwatched.complete()
    list(whole.steps(curve=True))
    for _ in zip(range(2), stopped.steps(checkpoint_seconds=0, curve=True), strict=False):
        pass
    list(stopped.steps(curve=True))
    assert len(set(players_of([unwatched, whole, stopped]))) == 1
    curves = [(each.folder / "curve.csv").read_text() for each in (whole, stopped)]
    assert curves[0] == curves[1] != "step,measured_points\n"
    assert 0 <= whole.metrics[-1]["measured_points"] <= 100
    assert "measured_points" not in unwatched.metrics[-1]


BAD_SETTINGS = [
    ({"alpha": "2"}, "invalid alpha=2 for tdl: must be at most 1"),
    ({"games": "many"}, "invalid games=many for tdl: must be a whole number"),
    ({"apha": "0.1"}, r"unknown setting 'apha' for tdl \(did you mean alpha\?\); known settings: games, alpha"),
]


@pytest.mark.parametrize(("given", "description"), BAD_SETTINGS)
def test_bad_settings(given: dict[str, str], description: str) -> None:
    with pytest.raises(ludus.LudusError, match=description):
        parse_settings(learner("tdl"), given)
