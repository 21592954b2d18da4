"""Calling the command line without starting a process for each command."""

import sys
from collections.abc import Callable

import pytest

from ludus.interfaces.cli import main

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run `ludus` with these arguments: exit code, standard output, standard error without news of the compiler."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ludus", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        errors = [line for line in err.splitlines(keepends=True) if not line.startswith("ludus: compiling")]
        return int(stop.value.code or 0), out, "".join(errors)

    return run


@pytest.fixture
def refuses(say: Say) -> Callable[[list[str], str], None]:
    """Check that `ludus` refuses these arguments with exit code 2 and one sentence that has these words."""

    def check(arguments: list[str], sentence: str) -> None:
        code, out, err = say(*arguments)
        assert (code, out) == (2, "")
        assert sentence in err
        assert err.startswith("ludus: ")
        assert err.count("\n") == 1

    return check
