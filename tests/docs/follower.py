"""Someone who follows a page to the letter, in an empty folder."""

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer

import ludus
from ludus.interfaces.cli import main
from ludus.interfaces.cli.app import app
from tests.docs.pages import ROOT, Block, Command, commands

SOURCES = Path(ludus.__file__).parents[1]
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHELL = re.compile(r"[|<>&;$*]")

EXACT = "LUDUS_EXACT" in os.environ
"""Whether commands and results in Python must show the very figures of the page. Elsewhere a mathematical library may
round the last bit of a tanh otherwise, and then a learner's games take another course."""

_PROGRESS = re.compile(
    r"^([\d,]+ of [\d,]+ games, |\d+ of \d+ runs finished, \d+%|[\d,]+ games, -?\d+ Elo|\d+%(,|$| \()).*\n",
    re.MULTILINE,
)
_SPEED = re.compile(r"[\d,.]+ (s\b|games/s)")
_FIGURES = re.compile(r"[-+]?\d[\d.]*")
_RESULT = re.compile(r"[A-Z]\w+\(.*\)\n")


class Follower:
    """Runs the blocks of one page. Simple `ludus` commands run in this process, which has the compiler at hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.names = folder, dict[str, Any]()
        self.paths = [str(SOURCES)]
        (folder / "examples").symlink_to(ROOT / "examples")

    def follow(self, block: Block) -> None:
        if block.language == "console":
            for command in commands(block):
                if block.not_run:
                    understood(command.text)
                else:
                    self._run(command)
        elif block.file:
            file = self.folder / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)
        elif block.source:
            assert block.text in (ROOT / block.source).read_text(), (
                f"line {block.line}: {block.source} has it otherwise"
            )
        elif block.language == "python" and not block.not_run:
            self._execute(block)

    def _run(self, command: Command) -> None:
        words = shlex.split(command.text, comments=True)
        if words[:2] == ["pip", "install"]:
            self._install(words[-1])
            return
        alone = words[0] == "ludus" and not SHELL.search(command.text) and len(self.paths) == 1
        code, out, err = self._in_process(words) if alone else self._in_shell(command.text)
        assert code == 0, f"line {command.line}: {command.text}\nends with exit code {code}\n{out}{err}"
        if command.shown and EXACT and not alike(command.shown, out):
            raise AssertionError(f"line {command.line}: {command.text}\nshows\n{command.shown}\nbut prints\n{out}")

    def _in_process(self, words: list[str]) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", words)
            with pytest.raises(SystemExit) as stop:
                main()
        return int(stop.value.code or 0), out.getvalue(), err.getvalue()

    def _in_shell(self, text: str) -> tuple[int, str, str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        env = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(self.paths)}
        done = subprocess.run(["bash", "-c", text], cwd=self.folder, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def _install(self, package: str) -> None:
        """What pip does, but out of everybody's way and without the network."""
        options = "--quiet --no-deps --no-index --no-build-isolation --disable-pip-version-check"
        code, out, err = self._in_shell(f"python -m pip install {options} --target installed ./{package}")
        assert code == 0, f"{package} can't be installed\n{out}{err}"
        self.paths.append(str(self.folder / "installed"))

    def _execute(self, block: Block) -> None:
        if ">>> " not in block.text:
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)
            return
        test = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, block.line - 1)
        told = io.StringIO()
        runner = doctest.DocTestRunner(_Results(), optionflags=doctest.ELLIPSIS)
        runner.run(test, out=told.write, clear_globs=False)
        self.names.update(test.globs)
        assert not told.getvalue(), told.getvalue()


class _Results(doctest.OutputChecker):
    """Lets the figures of a result, such as `Match(3-0-1, +190 Elo)`, differ unless they must be exact."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if not EXACT and _RESULT.fullmatch(want):
            want, got = _FIGURES.sub("#", want), _FIGURES.sub("#", got)
        return super().check_output(want, got, optionflags)


def understood(text: str) -> None:
    """Fails unless the command exists and takes these options and arguments."""
    words = shlex.split(text, comments=True)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), text
    if words[0] != "ludus":
        return
    group: Any = typer.main.get_command(app)
    context = group.make_context("ludus", words[1:])
    if len(words) > 1:
        name, command, rest = group.resolve_command(context, words[1:])
        command.make_context(name, rest, parent=context)


def alike(shown: str, printed: str) -> bool:
    """Whether a page may show this for what was printed: times differ, and `...` stands for anything."""
    wanted, got = (_SPEED.sub(r"# \1", _PROGRESS.sub("", text)) for text in (shown, printed))
    return doctest.OutputChecker().check_output(wanted, got, LOOSELY)
