"""Comparisons of speed in turns.

Machines are noisy, so Ludus, a C program and OpenSpiel take turns in short rounds and each counts by its best round:
what slowed one of them down for a while does not decide the ratio. Seconds are those of the processor, so that other
programs on the machine matter little.
"""

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

C_SOURCES = Path(__file__).parent / "c"

Row = dict[str, Any]
"""A line of the benchmark: the work, how much of it is done a second, and the ratios to what others do."""

Turn = Callable[[], float]
"""Does a share of the work and returns how much of it was done a second."""


@dataclass(frozen=True)
class Bench:
    """How long turns are, how many each program gets, and the folder in which C programs are compiled."""

    seconds: float
    rounds: int
    folder: Path

    def c_program(self, name: str) -> list[str]:
        """The command that runs the C program of that name, or nothing without gcc.

        A game's size is the program's first argument: `othello8` is run as `othello 8`.
        """
        stem, size = name, ""
        if not (C_SOURCES / f"{name}.c").exists():
            stem, size = name.rstrip("0123456789"), name.lstrip("abcdefghijklmnopqrstuvwxyz")
        source, program = C_SOURCES / f"{stem}.c", self.folder / f"{stem}.program"
        if not shutil.which("gcc"):
            return []
        if not program.exists():
            subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
        return [str(program), size] if size else [str(program)]

    def compare(self, work: str, ours: Turn, c: Turn | None = None, openspiel: Turn | None = None) -> Row:
        """The best round of each, and our ratio to the others."""
        turns = {name: turn for name, turn in (("ours", ours), ("c", c), ("openspiel", openspiel)) if turn}
        best = dict.fromkeys(turns, 0.0)
        for _ in range(self.rounds):
            best = {name: max(best[name], turn()) for name, turn in turns.items()}
        ratios = {
            f"vs_{other}": round(best["ours"] / best[other], 3) if other in best else None
            for other in ("c", "openspiel")
        }
        return {"work": work, "per_second": round(best["ours"])} | ratios

    def compare_repeated(
        self,
        work: str,
        repeat: Callable[[int], Any],
        c_command: Callable[[int], Sequence[str]] | None = None,
        openspiel: Turn | None = None,
    ) -> Row:
        """The same for work that can be done any number of times: as often as a turn has time for."""
        repeat(1)  # compiles
        times = 1
        while (taken := timed(lambda: repeat(times))) < self.seconds / 4:  # noqa: B023 - called at once
            times = int(times * max(2, min(100, self.seconds / 2 / max(taken, 1e-9))))
        command = c_command(times) if c_command else None
        return self.compare(
            work,
            lambda: times / timed(lambda: repeat(times)),
            (lambda: times / reported_seconds(command)) if command else None,
            openspiel,
        )


def timed(work: Callable[[], Any]) -> float:
    """The processor's seconds that the work takes in this process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def reported_seconds(command: Sequence[str]) -> float:
    """The seconds that a program says it took."""
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["seconds"])
