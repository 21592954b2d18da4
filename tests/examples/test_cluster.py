"""The examples for clusters, with hosts and a batch system that are stand-ins but really start processes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludus.runs.pool import complete_all
from ludus.runs.run import CHECKPOINTS, Run
from ludus.runs.spec import RunSpec
from tests.docs.pages import ROOT
from tests.runs.test_dask import midway

pytest.importorskip("distributed", reason="Dask is not installed")

EXAMPLES = ROOT / "examples" / "cluster"
SETTINGS = {"games": 20_000, "step_games": 20}
"""A run of many steps, each of which is written down."""

RUNS = 6
"""Dask gives a worker two runs at a time, so three workers have work even when two of them are stopped."""

PATIENCE = 600.0
"""Seconds after which something must hang."""

OWN_WORLD = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
OWN_WORLD += [] if os.getuid() == 0 else ["--user", "--map-root-user"]


def command(runs: int, folder: Path) -> list[str]:
    settings = [word for name, value in SETTINGS.items() for word in ("--set", f"{name}={value}")]
    return ["train", "tdl", "--game", "othello6", *settings, "--runs", str(runs), "--out", str(folder)]


def players(folder: Path) -> dict[str, bytes]:
    return {file.parent.name: file.read_bytes() for file in folder.rglob("player.safetensors")}


def players_of_this_machine(runs: int, folder: Path) -> dict[str, bytes]:
    tasks = [Run(RunSpec.create("tdl", "othello6", SETTINGS, 1 + n), folder / f"seed-{1 + n}") for n in range(runs)]
    list(complete_all(tasks, workers=2))
    return players(folder)


@pytest.mark.long
def test_hosts_by_ssh_one_of_which_loses_its_power_and_one_its_cable(tmp_path: Path) -> None:
    if not shutil.which("unshare") or not shutil.which("ip"):
        pytest.skip("unshare and ip are needed to make hosts of network namespaces")
    possible = subprocess.run(
        [*OWN_WORLD, "ip", "link", "add", "probe", "type", "bridge"], capture_output=True, text=True
    )
    if possible.returncode:
        pytest.skip(f"network namespaces are not possible here: {possible.stderr.strip()}")
    shared = tmp_path / "shared"
    shared.mkdir()
    hosts = [sys.executable, str(Path(__file__).with_name("hosts.py")), str(shared), str(EXAMPLES / "by_ssh.sh")]
    asked = [*OWN_WORLD, *hosts, *command(RUNS, shared / "runs")]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "does not see" in done.stdout
    assert players(shared / "runs") == players_of_this_machine(RUNS, tmp_path / "alone")


SBATCH = """\
#!/bin/sh
cp "$1" "job-$$.sh"
setsid bash "job-$$.sh" > "job-$$.log" 2>&1 &
echo $! >> jobs
echo "Submitted batch job $!"
"""
SCANCEL = """\
#!/bin/sh
kill -9 -- "-$1"
"""


@pytest.mark.long
def test_jobs_of_slurm_one_of_which_ends_in_the_middle(tmp_path: Path) -> None:
    """There is only one job at a time, so the runs end only if another takes its place."""
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    for name, script in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1s",
        CHECKPOINTS: "0",
    }
    example = [sys.executable, str(EXAMPLES / "by_slurm.py"), "--interface", "lo", *command(3, Path("runs"))]
    process = subprocess.Popen(example, cwd=tmp_path, env=os.environ | environment)
    try:
        while not midway(tmp_path / "runs"):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(int((tmp_path / "jobs").read_text()), signal.SIGKILL)
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        for job in (tmp_path / "jobs").read_text().split():
            subprocess.run([tmp_path / "scancel", job], stderr=subprocess.DEVNULL)
    assert players(tmp_path / "runs") == players_of_this_machine(3, tmp_path / "alone")
