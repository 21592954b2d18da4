"""What the first use of a learner waits for: mostly the compiler."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from ludus.benchmarks.turns import Row
from ludus.registry import learners
from ludus.runs.run import CHECKPOINTS

PATIENCE = 600.0


def first_use() -> Iterator[Row]:
    """For each learner the processor's seconds until `ludus train` has done its first step: with an empty cache, and
    with all kernels in it."""
    for name, learner in sorted(learners().items()):
        with tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder:
            cold, warm = (_seconds_to_first_step(name, Path(folder), run) for run in ("cold", "warm"))
        yield {"learner": name, "game": learner.usual_game, "cold_seconds": cold, "warm_seconds": warm}


def _seconds_to_first_step(name: str, folder: Path, run: str) -> float:
    command = [sys.executable, "-m", "ludus", "train", name, "--out", str(folder / run), "--workers", "1"]
    environment = os.environ | {"LUDUS_CACHE": str(folder / "cache"), CHECKPOINTS: "0"}  # rows are written at once
    metrics, give_up = folder / run / "metrics.csv", time.monotonic() + PATIENCE
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        process, seconds = psutil.Process(started.pid), 0.0
        while started.poll() is None and time.monotonic() < give_up:
            times = process.cpu_times()
            seconds = times.user + times.system
            if metrics.exists() and len(metrics.read_text().splitlines()) > 1:
                break
            time.sleep(0.05)
        started.kill()
    return round(seconds, 1)
