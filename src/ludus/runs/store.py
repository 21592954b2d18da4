"""What runs there are in a folder: the one place that looks for them."""

import json
from pathlib import Path

from ludus.errors import DamagedFile, LudusError, StorageError
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from ludus.storage import why

ASKED = {"learner": str, "game": str, "settings": dict, "seed": int}
"""What run.json has of every run."""


def run_folders(folder: Path) -> list[Path]:
    """The folder of every run in a folder or below it, by name."""
    try:
        return sorted(file.parent for file in folder.rglob("run.json"))
    except (OSError, ValueError) as problem:
        raise StorageError(f"{folder} can't be searched ({why(problem)}); name a folder of runs") from problem


def find_runs(folder: Path) -> tuple[list[Run], list[str]]:
    """Every run in the folder or below it, by name, and what is wrong with those that can't be read."""
    found, wrong = list[Run](), list[str]()
    for each in run_folders(folder):
        try:
            run = read_run(each)
            run.to_json()  # whatever is damaged shows now
            found.append(run)
        except LudusError as problem:
            wrong.append(str(problem))
    return found, wrong


def read_run(folder: Path) -> Run:
    """The run in that folder."""
    try:
        asked = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        whole = all(isinstance(asked[name], kind) for name, kind in ASKED.items())
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise DamagedFile(f"{folder} holds no run, or a damaged one; a run's folder has a file run.json") from problem
    if not whole:
        raise DamagedFile(f"{folder / 'run.json'} is damaged; remove the folder or name another")
    return Run(RunSpec(*(asked[name] for name in ASKED)), folder)
