"""The keys that docs/how-to/other-programs.md promises to scripts."""

import json
import re
from pathlib import Path

import pytest

import ludus
from tests.docs.follower import ROOT
from tests.interfaces.conftest import say  # noqa: F401 - a fixture

PAGE = (ROOT / "docs" / "how-to" / "other-programs.md").read_text().partition("## JSON for scripts")[2]
PROMISED = dict(re.findall(r"^\| (`[^|]+`) \| (.+) \|$", PAGE.partition("\n## ")[0], re.MULTILINE))
RESULTS = "a,b,wins,draws,losses\nrandom,discs,1,0,1\n"

COMMANDS = {
    "`match`": ["match", "random", "discs", "--game", "othello4", "--games", "2", "--save", "games.ggf"],
    "`measure`": ["measure", "discs", "--game", "othello4", "--games", "20"],
    "`measure --regret`": ["measure", "discs", "--game", "othello4", "--games", "4", "--empty", "6", "--regret"],
    "`league`, `rate`": ["rate", "results.csv"],
    "`explain`": ["explain", "discs", "--game", "othello4"],
    "`review`": ["review", "games.ggf"],
    "`solve`": ["solve", "othello4"],
    "`perft`": ["perft", "othello4", "--depth", "2"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_json_has_the_promised_keys(say, command: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("results.csv").write_text(RESULTS)
    ludus.match("random", "discs", "othello4", games=2, save="games.ggf", progress=False)
    told = json.loads(say(*COMMANDS[command], "--json")[1])
    assert set(told) == set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", PROMISED[command])))
    for name, described in re.findall(r"`(\w+)` \(each ([^)]*)\)", PROMISED[command]):
        each = told[name][0] if isinstance(told[name], list) else told[name]
        keys = set(re.findall(r"`(\w+)`", described))
        assert keys < set(each) if described.endswith("...") else keys == set(each)
