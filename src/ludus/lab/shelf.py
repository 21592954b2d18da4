"""What runs there are in a folder, how far they are, and their figures."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.lab.runs import finished, peek
from ludus.storage import why

TOLD = {"learner": str, "game": str, "settings": dict, "seed": int}
"""What run.json tells of every run."""


@dataclass(frozen=True)
class RunInfo:
    """One run, as its folder tells."""

    folder: Path
    asked: dict[str, Any]
    state: str
    """`finished`, `begun` or `waiting`."""
    steps: int
    seconds: float
    last: dict[str, float]
    """The last row of its figures."""


def runs(folder: Path) -> tuple[list[RunInfo], list[str]]:
    """Every run in the folder or below it, by name, and what is wrong with those that can't be read."""
    try:
        files = sorted(folder.rglob("run.json"))
    except (OSError, ValueError) as problem:
        raise LudusError(f"{folder} can't be looked through ({why(problem)}); name a folder of runs") from problem
    found, wrong = list[RunInfo](), list[str]()
    for file in files:
        try:
            found.append(info(file.parent))
        except LudusError as problem:
            wrong.append(str(problem))
    return found, wrong


def info(folder: Path) -> RunInfo:
    """What one run's folder tells."""
    try:
        asked = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        whole = all(isinstance(asked[name], kind) for name, kind in TOLD.items())
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise LudusError(f"{folder} holds no run, or a damaged one; a run's folder has a file run.json") from problem
    if not whole:
        raise LudusError(f"{folder / 'run.json'} is damaged; remove the folder or name another")
    rows = read_rows(folder)
    state = "finished" if finished(folder) else ("begun" if rows else "waiting")
    checkpoint = folder / "checkpoint.safetensors"
    seconds = peek(checkpoint)["seconds"] if checkpoint.exists() else 0.0
    return RunInfo(folder, asked, state, len(rows), seconds, rows[-1] if rows else {})


def read_rows(folder: Path) -> list[dict[str, float]]:
    """The rows of figures of a run; of a run under way, those up to its last checkpoint."""
    file = folder / "metrics.csv"
    if not file.exists():
        return []
    try:
        with open(file, newline="", encoding="utf-8") as text:
            return [
                {name: float(value) for name, value in row.items()} for row in csv.DictReader(text) if all(row.values())
            ]
    except (OSError, ValueError, TypeError, csv.Error) as problem:
        raise LudusError(f"{file} is damaged; remove the run's folder or name another") from problem
