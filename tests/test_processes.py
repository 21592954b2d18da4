"""Processes end with everything that they have started, in time, and gently if they can."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ludus.processes import end_trees, own_group

PARENT = """
import subprocess, sys, time
child = "import signal, time; {child}; print('ready', flush=True); time.sleep(60)"
process = subprocess.Popen([sys.executable, "-S", "-c", child], stdout=subprocess.PIPE, start_new_session={leaves})
process.stdout.readline()
print(process.pid, flush=True)
{then}
"""
IGNORES = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def started(
    child: str = "pass", leaves: bool = False, then: str = "time.sleep(60)"
) -> tuple["subprocess.Popen[bytes]", int]:
    """A process that has a child, and the child's number."""
    code = PARENT.format(child=child, leaves=leaves, then=then)
    process = subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, **own_group())
    assert process.stdout
    with process.stdout as lines:
        return process, int(lines.readline())


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def ends(pid: int) -> bool:
    patience = time.monotonic() + 10
    while runs(pid) and time.monotonic() < patience:
        time.sleep(0.01)
    return not runs(pid)


@pytest.mark.parametrize("patience", [0.0, 10.0])
@pytest.mark.parametrize("leaves", [False, True])
def test_children_end_too(patience: float, leaves: bool) -> None:
    process, child = started(leaves=leaves)
    began = time.monotonic()
    end_trees([process], patience)
    assert process.returncode is not None
    assert time.monotonic() - began < 5
    assert ends(child)


def test_a_child_that_does_not_listen_is_killed() -> None:
    process, child = started(IGNORES)
    end_trees([process], 0.3)
    assert ends(child)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell")
def test_what_an_ended_process_has_left_behind_ends() -> None:
    process, child = started(then="")
    process.wait()
    assert runs(child)
    end_trees([process])
    assert ends(child)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has nothing gentler than killing")
def test_processes_may_clean_up(tmp_path: Path) -> None:
    """All are asked once, at the same time: each ends when the others have been asked, too."""
    code = """
import pathlib, signal, sys, time
def clean(*_):
    place = pathlib.Path(sys.argv[1])
    with place.open("a") as file:
        file.write("asked ")
    while len(list(place.parent.iterdir())) < 4:
        time.sleep(0.01)
    sys.exit(3)
signal.signal(signal.SIGTERM, clean)
print("ready", flush=True)
time.sleep(60)
"""
    processes = [
        subprocess.Popen([sys.executable, "-c", code, tmp_path / str(i)], stdout=subprocess.PIPE, **own_group())
        for i in range(4)
    ]
    for process in processes:
        assert process.stdout
        with process.stdout as lines:
            lines.readline()
    end_trees(processes, 10)
    assert [process.returncode for process in processes] == [3] * 4
    assert [(tmp_path / str(i)).read_text() for i in range(4)] == ["asked "] * 4
