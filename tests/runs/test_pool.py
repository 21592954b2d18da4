"""Runs by several processes of one machine."""

import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import current_process
from pathlib import Path
from typing import Any

from ludus import progress
from ludus.progress import announce
from ludus.runs.pool import complete_all


class Compiling:
    """Stands for a run of which a worker says that it is being compiled."""

    def steps(self, curve: bool) -> Iterator[Any]:
        assert announce("compiling for first use")
        yield from ()


def test_workers_say_what_they_compile_in_the_bar_of_their_parent(monkeypatch) -> None:
    words: list[str] = []
    monkeypatch.setattr(progress._Screen, "announce", words.append)
    assert len(list(complete_all([Compiling(), Compiling()], workers=2))) == 2  # type: ignore[list-item]
    assert words == ["compiling for first use"] * 2


class Counting:
    """Stands for a run that says where it is done."""

    def steps(self, curve: bool) -> Iterator[Any]:
        print(current_process().name)
        yield from ()


def test_a_process_that_may_start_none_does_its_runs_itself(monkeypatch, capsys) -> None:
    monkeypatch.setitem(current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    assert len(list(complete_all([Counting(), Counting()], workers=2))) == 2  # type: ignore[list-item]
    assert capsys.readouterr().out == f"{current_process().name}\n" * 2


def test_a_script_that_processes_can_not_import_is_told_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import ludus\nludus.train('tdl', 'othello4', games=2, seeds=[1, 2], workers=2, progress=False)\n"
    )
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'must do so below `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
