"""metrics.csv: a row of figures for each step of a run; and times.csv, which says when each was reached.

Times are in a file of their own because no two runs have the same: metrics.csv is fixed by the seed to the byte.
"""

import csv
import io
import os
from pathlib import Path

from ludus.errors import DamagedFile, StorageError
from ludus.learners.base import Row
from ludus.storage import write_whole


class MetricsWriter:
    """Adds rows to metrics.csv. Those that came after the last checkpoint of a killed run are forgotten."""

    def __init__(self, file: Path, length: int) -> None:
        self._file, self._length, self._waiting = file, length, list[Row]()
        try:
            if file.exists():
                os.truncate(file, length)
        except OSError as problem:
            raise StorageError(f"{file} can't be used ({problem.strerror}); name another folder") from problem

    def add(self, row: Row) -> None:
        self._waiting.append(row)

    def flush(self) -> int:
        """Write the rows that wait, and return how long the file is then."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        if self._waiting and not self._length:
            table.writerow(self._waiting[0])
        for row in self._waiting:
            table.writerow(repr(float(value)) if isinstance(value, float) else value for value in row.values())
        try:
            with open(self._file, "ab") as file:
                self._length += file.write(text.getvalue().encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise StorageError(
                f"{self._file} can't be written ({problem.strerror}); repeat the command later to resume the run"
            ) from problem
        self._waiting.clear()
        return self._length


class TimesWriter:
    """Adds to times.csv at how many seconds each step was done. Steps after the first `steps` are forgotten."""

    def __init__(self, file: Path, steps: int) -> None:
        self._file, self._waiting = file, list[str]()
        known = {step: seconds for step, seconds in read_times(file).items() if step <= steps}
        lines = ["step,seconds", *(f"{step},{seconds:.3f}" for step, seconds in known.items())]
        write_whole(file, "".join(f"{line}\n" for line in lines).encode())

    def add(self, step: int, seconds: float) -> None:
        self._waiting.append(f"{step},{seconds:.3f}\n")

    def flush(self) -> None:
        try:
            with open(self._file, "a", encoding="utf-8") as file:
                file.writelines(self._waiting)
        except OSError as problem:
            raise StorageError(
                f"{self._file} can't be written ({problem.strerror}); repeat the command later to resume the run"
            ) from problem
        self._waiting.clear()


def read_times(file: Path) -> dict[int, float]:
    """The seconds that were spent until each step, by its number from 1 on; a run of an older Ludus has none."""
    if not file.exists():
        return {}
    try:
        with open(file, newline="", encoding="utf-8") as text:
            rows = [row for row in csv.DictReader(text) if all(row.values())]
            return {int(row["step"]): float(row["seconds"]) for row in rows}
    except (OSError, ValueError, TypeError, KeyError, csv.Error) as problem:
        raise DamagedFile(f"{file} is damaged; remove it, and the run's times are not known") from problem


def read_metrics(file: Path) -> list[dict[str, float]]:
    """The rows of figures of a run; of a run under way, those up to its last checkpoint."""
    if not file.exists():
        return []
    try:
        with open(file, newline="", encoding="utf-8") as text:
            return [
                {name: float(value) for name, value in row.items()} for row in csv.DictReader(text) if all(row.values())
            ]
    except (OSError, ValueError, TypeError, csv.Error) as problem:
        raise DamagedFile(f"{file} is damaged; remove the run's folder or name another") from problem
