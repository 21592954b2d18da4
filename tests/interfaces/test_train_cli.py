"""`ludus train`, `ludus runs` and `ludus demo` as a person uses them."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from ludus.papers import demo
from ludus.registry import learners

SLACK_SECONDS = 3.0  # for a machine that does other things too
SMALL = ["--game", "othello6", "--set", "games=3000", "--set", "step_games=500"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_run_is_trained_listed_drawn_and_played(say) -> None:
    code, out, _ = say("train", "tdl", *SMALL, "--out", "runs/first")
    assert (code, out.splitlines()[-1]) == (0, "runs/first is finished; play or measure it as runs/first")
    assert say("train", "tdl", *SMALL, "--out", "runs/first")[1].startswith("runs/first is finished")
    (run,) = json.loads(say("runs", "--json")[1])["runs"]
    assert (run["state"], run["steps"], run["last"]["games"]) == ("finished", 6, 3000)
    assert "runs/first" in say("runs")[1]
    assert say("runs", "--curve", "td_error", "--figure", "curve.svg")[1].startswith("td_error is drawn in curve.svg\n")
    assert json.loads(say("runs", "--curve", "td_error", "--json")[1])["runs"]
    assert Path("curve.svg").read_text().startswith("<?xml")
    assert say("match", "runs/first", "random", "--game", "othello6", "--games", "20")[0] == 0


def test_a_run_that_could_not_begin_is_not_in_the_way(say, refuses) -> None:
    assert say("match", "random", "discs", *SMALL[:2], "--games", "40", "--save", "games.ggf")[0] == 0
    fit = ["train", "fit", *SMALL[:2], "--out", "runs/fitted", "--set"]
    refuses([*fit, "records=gamse.ggf"], "gamse.ggf")
    assert say(*fit, "records=games.ggf")[0] == 0
    refuses([*fit, "records=gamse.ggf"], "holds a run with")


def test_players_on_the_way_are_kept_and_trackers_told(say, refuses) -> None:
    pytest.importorskip("tensorboard")
    train = ["train", "tdl", *SMALL, "--out", "run"]
    refuses([*train, "--log", "paper"], "invalid --log paper: must be tensorboard or mlflow")
    assert not Path("run").exists()
    assert say(*train, "--snapshots", "3", "--log", "tensorboard")[0] == 0
    assert [file.stem for file in sorted(Path("run/snapshots").iterdir())] == ["00000002", "00000004"]
    assert list(Path("run/tensorboard").iterdir())


def test_many_runs(say) -> None:
    code, out, _ = say("train", "tdl", *SMALL, "--runs", "3", "--workers", "1", "--out", "runs/many")
    assert (code, out.count("finished")) == (0, 3)
    assert len(json.loads(say("runs", "runs/many", "--json")[1])["runs"]) == 3
    Path("runs/many/seed-2/metrics.csv").write_text("games\nmany\n")  # the others are still listed
    code, out, wrong = say("runs", "runs/many", "--json")
    assert (code, len(json.loads(out)["runs"])) == (2, 2)
    assert wrong.startswith("ludus: 1 of 3 runs can't be read; the first: runs/many/seed-2/metrics.csv is damaged")


@pytest.mark.parametrize("where", [[], ["--runs", "3", "--workers", "2"], ["--runs", "2", "--on", "dask"]])
def test_ctrl_c_leaves_a_run_that_goes_on(where: list[str]) -> None:
    command = [sys.executable, "-m", "ludus", "train", "tdl", "--game", "othello6", "--set", "games=100000000"]
    process = subprocess.Popen(
        [*command, "--out", "run", *where],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # jobs in the background inherit its being off
    )
    while not list(Path("run").rglob("checkpoint.safetensors")):
        assert process.poll() is None
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    begin = time.monotonic()
    err = process.communicate(timeout=60)[1]
    assert time.monotonic() - begin < 2 + SLACK_SECONDS
    assert process.returncode == 130
    assert "ludus: stopped; repeat the command to resume run" in err
    assert "Traceback" not in err
    assert not Path("run/seed-3").exists()  # a run that waited does not begin


@pytest.mark.parametrize("seconds", [0.15, 0.5, 1.0])
def test_an_early_ctrl_c_is_quiet(seconds: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ludus", "train", "tdl", "--game", "othello6", "--runs", "3", "--workers", "2"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    if process.returncode != -signal.SIGINT:  # on a busy machine Python itself may not have begun yet
        assert process.returncode == 130
        assert "Traceback" not in err


DEAF = """
import time
from ludus.interfaces.cli.interrupts import watching_for_interrupts, when_stopped
from ludus.progress import progress_bar
when_stopped("stopped; half is kept")
with watching_for_interrupts(), progress_bar("work") as update:
    update(0.5, "half")
    while True:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass
"""
"""Work that does not listen, as a kernel does not."""


def test_ctrl_c_says_its_last_words_below_a_bar() -> None:
    ours, terminal = pty.openpty()
    command = [sys.executable, "-c", DEAF]
    process = subprocess.Popen(
        command,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(terminal)
    shown = b""
    while b"half" not in shown:
        shown += os.read(ours, 1000)
    process.send_signal(signal.SIGINT)
    with suppress(OSError):  # as a terminal ends
        while more := os.read(ours, 1000):
            shown += more
    os.close(ours)
    assert process.wait() == 130
    assert shown.endswith(b"\r\nludus: stopped; half is kept\r\n")
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")  # the cursor is seen again


def test_learners_are_listed_in_a_line_each(say) -> None:
    code, out, _ = say("train")
    assert code == 0
    lines = {line.split()[0]: line for line in out.splitlines() if line}
    assert set(learners()) < set(lines)
    assert "checkers" in lines["blondie24"]


def test_demo_grows_a_player_and_reports(say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "GAMES", 3000)
    monkeypatch.setattr(demo, "STAGES", (500,))
    monkeypatch.setattr(demo, "MEASURED_GAMES", 200)
    code, out, _ = say("demo")
    assert code == 0
    assert "tdl-generalization" in out
    assert "reports/demo/index.html" in out
    told = json.loads(Path("reports/demo/claims.json").read_text())["claims"]
    assert [claim["paper"] for claim in told] == ["87.26 ± 0.32", "46.14 ± 0.96"]
    assert Path("reports/demo/weights.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "genius"], "unknown learner 'genius'; known learners:"),
        (["train", "tdl", "--set", "alpha"], "write --set name=value"),
        (["train", "tdl", "--set", "alpha=5"], "invalid alpha=5 for tdl: must be at most 1"),
        (["train", "tdl", "--set", "speed=5"], "unknown setting 'speed' for tdl"),
        (["train", "tdl", "--game", "chess"], "unknown game 'chess'"),
        (["train", "tdl", "--on", "moon"], "must be local or dask"),
        (["train", "tdl", "--out", "/dev/null/run"], "/dev/null/run can't be written"),
        (["runs", "nowhere"], "there is no folder nowhere"),
        (["paper", "einstein1905"], "einstein1905"),
    ],
)
def test_bad_input(refuses, arguments: list[str], sentence: str) -> None:
    refuses(arguments, sentence)
