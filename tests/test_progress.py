"""How far work is, and for how long it will go on."""

from pathlib import Path

import pytest

from ludus import progress
from ludus.compile.progress import CompileTimes


def test_time_left_does_not_count_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    now, clock = [100.0], progress.WorkingClock()
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress, "CLOCK", clock)
    pace = progress.Pace()
    clock.stop()
    now[0] += 50
    assert pace.left(0.0) == ""
    clock.go_on()
    now[0] += 10
    assert pace.left(0.25) == ", 30 s left"
    assert pace.left(1.0) == ""
    now[0] += 7190
    assert pace.left(0.5) == ", 2 h left"


def test_compile_times_are_remembered(tmp_path: Path) -> None:
    times = CompileTimes(tmp_path / "times.json")
    assert times.expected("play_games for Othello, Greedy") is None
    times.remember("play_games for Othello, Greedy", 12.34)
    times.remember("play_games for Othello, Search", 40.0)
    times.remember("shuffle", 0.1)  # not worth it
    again = CompileTimes(tmp_path / "times.json")
    assert again.expected("play_games for Othello, Greedy") == 12.3
    assert again.expected("play_games for Go, Wally") == 40.0
    assert again.expected("shuffle") is None
    (tmp_path / "times.json").write_text("[")
    assert again.expected("play_games for Othello, Greedy") is None
