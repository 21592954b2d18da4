"""`ludus ladder`: the rungs, a climb as text and as JSON, and games without a ladder."""

import json
from pathlib import Path

import pytest

from tests.measures.test_ladder import ABSENT, RUNGS, short_ladder


def test_a_climb_is_told(say, refuses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short_ladder(tmp_path, monkeypatch)
    code, out, _ = say("ladder", "random", "--game", "othello4", "--games", "40", "--json")
    told = json.loads(out)
    assert (code, told["games"], told["missing"]) == (0, 40, [ABSENT])
    assert told["elo"] < 300
    lines = say("ladder", "random", "--game", "othello4", "--games", "40")[1].splitlines()
    assert lines[0].startswith(f"random has {told['elo']:.0f} Elo (95% interval ")
    assert lines[1].split(", ")[1].split()[1] in ("µs", "ms")
    assert lines[-1] == f"left out, since it is not installed here or failed: {ABSENT}"
    rungs = say("ladder", "--game", "othello4")[1].splitlines()
    assert (rungs[1].endswith(ABSENT), rungs[-1].split()) == (True, ["0", rungs[-1].split()[1], "100", "random"])
    told = json.loads(say("ladder", "--game", "othello4", "--json")[1])
    assert [each["player"] for each in told["rungs"]] == [ABSENT, *RUNGS[-2::-1]]
    assert (told["rungs"][-1]["elo"], told["rungs"][-1]["games"]) == (0, 100)
    refuses(["ladder", "random", "--game", "go3"], "go3 has no ladder; there are ladders for othello4")
