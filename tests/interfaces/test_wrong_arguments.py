"""Every command with wrong arguments: one sentence and exit code 2, or it does what it was asked; never a traceback.

Commands and options are those that the application has. With the compiler off (`python -m` this file) hundreds of
commands take seconds, since none has to be compiled for.
"""

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
import typer

from ludus.interfaces.cli import main
from ludus.interfaces.cli.app import app
from tests.effort import EFFORT

RIGHT = {
    "games": "", "perft": "othello4 --depth 2", "check": "othello5", "bench": "--seconds 0", "players": "",
    "help": "games",
    "match": "random discs --game othello4 --games 2", "league": "random discs --game othello4 --games 2 --out league",
    "rate": "results.csv", "replay": "games.sgf", "runs": "folder",
    "review": "games.sgf --judge mcts:simulations=2", "train": "tdl --game othello4 --set games=2",
    "measure": "discs --game othello4 --games 2", "profile": "discs --game othello4 --games 2",
    "behaviour": "discs random --game othello4 --games 2", "dependence": "discs --game othello4 --games 8",
    "explain": "discs --game othello4", "solve": "othello4 --nodes 50",
    "convert": "ntuples:tuples=1,length=2 out.txt",
    "ladder": "random --game go3",
    "strategies": "weights:seed=1 weights:seed=2 weights:seed=3 --game othello4", "rules": "discs --game othello4",
    "gtp": "random --game go5", "nboard": "random", "adapt": "absent random", "serve": "--host 192.0.2.1", "paper": "",
    "compare": "nobody nobody", "tune": "tdl --vary nothing", "export": "absent new", "import": "absent",
    "demo": "--out folder/x --runs results.csv/x", "reference": "--out reference",
}  # fmt: skip
"""For each command arguments that are right, or wrong where doing it would take long."""

WRONG = (
    "", " ", "[red]", "[/red]", "\udcff", "-1", "0", "9" * 30, "9" * 5000, "1e999", "nan", "a" * 5000, "x\0y", "\n",
    "/", "/dev/null/x", "folder", "folder/absent", "%s{}", "٣", "=", ":", "--", "noise", "results.csv",
    "noisy:0.1," * 400 + "random",
)  # fmt: skip


def cases() -> Iterator[list[str]]:
    """Every argument and every option of every command, wrong in every way."""
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        right = [name, *RIGHT[name].split()]
        yield [*right, "--nonsense"]
        place = 0
        for parameter in command.params:
            if parameter.param_type_name == "argument":
                place += 1
                yield from ([*right[:place], wrong, *right[place + 1 :]] for wrong in WRONG)
            elif parameter.is_flag:
                yield [*right, f"{parameter.opts[0]}=x"]
            elif (name, parameter.name) not in {("demo", "runs"), ("bench", "seconds"), ("serve", "host")}:
                yield [*right, parameter.opts[0]]
                yield from ([*right, parameter.opts[0], wrong] for wrong in WRONG)


def complaint(arguments: list[str]) -> str:
    """What is wrong about how a command takes these arguments, if anything is."""
    sys.argv, sys.stdin = ["ludus", *arguments], io.StringIO()
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as stop:
        code = stop.code or 0
    except BaseException as problem:
        return f"{type(problem).__name__}: {problem}"
    told = err.getvalue()
    if code == 2 and told.startswith("ludus: ") and told.count("\n") == 1:
        return ""
    return "" if code in (0, 1) and not told else f"exit code {code}, {told}"


def test_wrong_arguments_get_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "results.csv").write_text("a,b,wins,draws,losses\nx,y,1,2,3\n")
    (tmp_path / "games.sgf").write_text("(;GM[1]SZ[5]PB[[/red\\]];B[aa])")
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([root, *sys.path])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path, "LUDUS_CACHE": str(tmp_path / "cache")}
    arguments = [sys.executable, "-m", "tests.interfaces.test_wrong_arguments"]
    done = subprocess.run(arguments, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {}


def run(*arguments: str, out: object) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "ludus", *arguments], stdout=out, stderr=subprocess.PIPE, text=True)  # type: ignore[call-overload]
    return done.returncode, done.stderr


def test_output_that_nobody_reads_or_that_is_full() -> None:
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as closed:
        assert run("players", out=closed) == (0, "")
        assert run("players", "--json", out=closed) == (0, "")
    with open("/dev/full", "w") as full:
        assert run("players", out=full) == (2, "ludus: the output can't be used: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="it needs a shell")
def test_a_process_that_has_no_output() -> None:
    command = f"{sys.executable} -m ludus"
    assert subprocess.run(["sh", "-c", f"{command} players --json >&- 2>&-"]).returncode == 0
    assert subprocess.run(["sh", "-c", f"{command} fly >&- 2>&-"]).returncode == 2


if __name__ == "__main__":
    every = list(cases())
    chosen = random.Random(1).sample(every, min(len(every), 150 * EFFORT))
    print(json.dumps({repr(each)[:300]: told for each in chosen if (told := complaint(each))}))
