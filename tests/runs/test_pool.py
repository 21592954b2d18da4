"""Runs by several processes of one machine."""

from collections.abc import Iterator
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
