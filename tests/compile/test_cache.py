"""The compiled code kept on disk: never stale, never crossed, never in the way. Each test runs fresh processes."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.compile.cache import FOLDER
from ludus.games import game as border

SOURCES, TESTS = Path(ludus.__file__).parent, Path(__file__).parents[1]


def run(
    code: str, cache: Path, sources: Path = SOURCES, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LUDUS_CACHE": str(cache), "PYTHONPATH": f"{sources.parent}:{TESTS.parent}"}
    command, place = [sys.executable, "-c", code], folder or cache.parent
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=place)


def printed(code: str, cache: Path, sources: Path = SOURCES, folder: Path | None = None) -> str:
    done = run(code, cache, sources, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


PERFT = 'import ludus; print(ludus.perft(ludus.game("{}").start(), 3))'
MOVES = 'import ludus; print(len(ludus.game("{}").start().legal_moves))'
SMALL = 'import ludus; print(ludus.game("othello6").start().text[-1])'


def test_processes_that_start_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Each compiles the same generic kernels for another game, and all save at about the same time."""
    counts = {"othello8": "4", "checkers": "7", "go3": "10", "othello6": "4"}
    environment = os.environ | {"LUDUS_CACHE": str(tmp_path)}
    for _ in range(2):  # with an empty cache, and with what the first round left there
        running = {
            name: subprocess.Popen(
                [sys.executable, "-c", MOVES.format(name)], env=environment, stdout=subprocess.PIPE, text=True
            )
            for name in counts
        }
        assert {name: process.communicate()[0].strip() for name, process in running.items()} == counts


def test_an_edited_callee_is_compiled_anew(tmp_path: Path) -> None:
    sources = shutil.copytree(SOURCES, tmp_path / "src" / "ludus")
    assert printed(PERFT.format("checkers"), tmp_path / "cache", sources) == "302\n"
    rules = sources / "games" / "checkers.py"
    crowned_at_once = rules.read_text().replace("place if is_king else", "place if True else")
    assert crowned_at_once != rules.read_text()
    rules.write_text(crowned_at_once)
    assert printed(PERFT.format("checkers"), tmp_path / "cache", sources) != "302\n"


EDITED_MEANWHILE = """
from pathlib import Path
import ludus
checkers, rules = ludus.game("checkers"), Path({!r})
rules.write_text(rules.read_text().replace("place if is_king else", "place if True else"))
print(ludus.perft(checkers.start(), 3))
"""


def test_a_process_whose_sources_are_edited_keeps_nothing_of_them(tmp_path: Path) -> None:
    """It knows the old ones, and would keep their code under the name of the new."""
    sources = shutil.copytree(SOURCES, tmp_path / "src" / "ludus")
    meanwhile = EDITED_MEANWHILE.format(str(sources / "games" / "checkers.py"))
    assert printed(meanwhile, tmp_path / "cache", sources) == "302\n"
    assert printed(PERFT.format("checkers"), tmp_path / "cache", sources) != "302\n"


ADD = """
from ludus.compile.jit import kernel
@kernel
def add(x):
    return x + {}
"""


def test_code_without_a_source_file_is_not_kept(tmp_path: Path) -> None:
    """Whoever changes a cell of a notebook and starts again would be given the code of before."""
    for number in (1, 2):
        assert printed(ADD.format(number) + "print(add(10))", tmp_path) == f"{10 + number}\n"


def test_kernels_made_by_one_function_are_not_taken_for_each_other(tmp_path: Path) -> None:
    made = ADD.format("number").replace("\n", "\n    ")
    (tmp_path / "made.py").write_text(f"def adding(number):{made}return add\n")
    code = "from made import adding; print(adding(1)(10), adding(2)(10))"
    assert printed(code, tmp_path, folder=tmp_path) == "11 12\n"


def test_an_installed_package_that_ludus_does_not_know_is_watched_too(tmp_path: Path) -> None:
    module = tmp_path / "site-packages" / "laboratory.py"
    module.parent.mkdir()
    for number in (1, 2):
        module.write_text(ADD.format(number))
        os.utime(module, (number, number))  # long before the process begins
        code = f"import sys; sys.path.append({str(module.parent)!r}); import laboratory; print(laboratory.add(10))"
        assert printed(code, tmp_path) == f"{10 + number}\n"
    assert list(tmp_path.rglob("add-*.nbc"))


RELOADED = """
import importlib, pathlib, adding
print(adding.add(10))
source = pathlib.Path(adding.__file__)
source.write_text(source.read_text().replace("x + 1", "x + 2"))
print(importlib.reload(adding).add(10))
"""


def test_a_module_that_is_loaded_again_is_compiled_anew(tmp_path: Path) -> None:
    module = tmp_path / "adding.py"
    module.write_text(ADD.format(1))
    os.utime(module, (1, 1))  # long before the process begins
    assert printed("import sys; sys.dont_write_bytecode = True" + RELOADED, tmp_path, folder=tmp_path) == "11\n12\n"


def test_an_edit_that_no_kernel_can_reach_compiles_nothing_anew(tmp_path: Path) -> None:
    """Papers, interfaces, docstrings and annotations: whatever decides no machine code."""
    sources = shutil.copytree(SOURCES, tmp_path / "src" / "ludus")
    printed(PERFT.format("checkers"), tmp_path / "cache", sources)
    kept = sorted((tmp_path / "cache").rglob("*.nbc"))
    for name in ("papers/base.py", "interfaces/pettingzoo/environment.py", "measures/figures.py"):
        file = sources / name
        file.write_text(file.read_text() + "\n\nUNHEARD_OF = 1\n")
    rules = sources / "games" / "checkers.py"
    reworded = rules.read_text().replace('"""English checkers', '"""Checkers, the English kind', 1)
    assert reworded != rules.read_text()
    rules.write_text("# another line\n" + reworded)
    done = run(PERFT.format("checkers"), tmp_path / "cache", sources)
    assert (done.stdout, "compiling" in done.stderr) == ("302\n", False)
    assert sorted((tmp_path / "cache").rglob("*.nbc")) == kept


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run(SMALL, tmp_path / "file")
    assert done.stdout == "X\n"
    line, compiling = done.stderr.splitlines()
    assert line.startswith("ludus: compiled code can't be kept in")
    assert "set LUDUS_CACHE to a writable folder" in line
    assert compiling.startswith("ludus: compiling for first use")


HOMELESS = """
import os, pwd
for name in ("LUDUS_CACHE", "XDG_CACHE_HOME", "HOME"):
    os.environ.pop(name, None)
pwd.getpwuid = {}.__getitem__  # as for some users of containers
"""


def test_a_user_without_a_home_reads_one_line(tmp_path: Path) -> None:
    done = run(HOMELESS + SMALL, tmp_path)
    assert done.stdout == "X\n"
    assert done.stderr.splitlines()[0] == (
        "ludus: compiled code can't be kept, so every start compiles again: no home folder is known for this user; "
        "set LUDUS_CACHE to a writable folder"
    )


def test_damaged_files_are_compiled_anew(tmp_path: Path) -> None:
    assert printed(SMALL, tmp_path) == "X\n"
    kept = [path for path in tmp_path.rglob("*") if path.suffix in (".nbc", ".bc")]
    assert {path.suffix for path in kept} == {".nbc", ".bc"}
    for path in kept:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert printed(SMALL, tmp_path) == "X\n"


COMPILED = """
from numba.core import event
from ludus.compile.parts import Part
with event.install_recorder("numba:compile") as recorder:
    import ludus
    print(ludus.perft(ludus.game("othello6").start(), 3))
compiled = [each.data["dispatcher"] for _, each in recorder.buffer if each.is_start]
print(len(compiled), sum(isinstance(each, Part) for each in compiled))
"""


def test_a_new_kernel_is_made_of_parts_on_disk(tmp_path: Path) -> None:
    result, counts = printed(COMPILED, tmp_path).splitlines()
    kernels, parts = map(int, counts.split())
    assert (result, kernels > parts > 0) == ("56", True)
    for path in tmp_path.rglob("*.nbc"):
        path.unlink()
    assert printed(COMPILED, tmp_path).splitlines() == ["56", f"{kernels - parts} 0"]


def test_the_folder_is_private() -> None:
    """Its files are unpickled, so nobody else may write there."""
    assert stat.S_IMODE(FOLDER.stat().st_mode) == 0o700


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    printed(SMALL, tmp_path)
    (folder,) = (tmp_path / "kernels").iterdir()
    os.chown(folder, 12345, 12345)
    done = run(SMALL, tmp_path)
    assert done.stdout == "X\n"
    assert "belongs to another user" in done.stderr


def test_states_keep_their_types_across_the_border() -> None:
    """Were a word of bits to come back as a Python integer, kernels would be compiled for each mixture of types."""
    position = ludus.game("othello8").start()
    while not position.over:
        position = position.play(position.legal_moves[-1])
    assert len(border._survey.entry.overloads) == len({signature[0] for signature in border._survey.entry.overloads})
