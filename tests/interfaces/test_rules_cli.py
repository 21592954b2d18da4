"""`ludus rules`, and `ludus explain` for a player that goes by rules."""

import csv
import json
import re
from pathlib import Path

import pytest

from ludus.players.files import read_player
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A player that has learned a little."""
    folder = tmp_path_factory.mktemp("xcs")
    asked = {"games": 1500, "rules": 2000, "symmetric": True}
    Run(RunSpec.create("xcs", "othello6", asked), folder).complete()
    return str(folder)


def test_rules_are_listed_in_order(say, run: str) -> None:
    listed = json.loads(say("rules", run, "--sort", "numerosity", "--top", "30", "--json")[1])["listed"]
    assert len(listed) == 30
    assert [row["numerosity"] for row in listed] == sorted((row["numerosity"] for row in listed), reverse=True)
    least = json.loads(say("rules", run, "--sort=-error", "--top", "5", "--json")[1])["listed"]
    assert [row["error"] for row in least] == sorted(row["error"] for row in least)
    code, out, _ = say("rules", run, "--action", "a1", "--boards", "2", "--top", "3")
    assert code == 0
    assert "rules for a1" in out
    assert out.count(" for a1: predicts ") == 2


def test_all_rules_are_written_as_csv(say, run: str, tmp_path: Path) -> None:
    code, _, _ = say("rules", run, "--csv", str(tmp_path / "rules.csv"))
    assert code == 0
    with open(tmp_path / "rules.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == json.loads(say("rules", run, "--json")[1])["rules"]
    for row in rows:
        assert len(row["condition"]) == 72
        assert 72 - row["condition"].count("#") == int(row["specific"])


def test_fewer_rules_play_as_well(say, run: str, tmp_path: Path) -> None:
    file = tmp_path / "compact.safetensors"
    arguments = ["rules", run, "--compact", str(file), "--games", "200", "--loss", "3", "--json"]
    told = json.loads(say(*arguments)[1])["compact"]
    assert 0 < told["kept"] < told["rules"]
    assert told["loss"] < 15  # in other games, a hundred pairs
    header, arrays = read_player(file)
    assert len(arrays["prediction"]) == told["kept"]
    assert header.provenance["learner"] == "xcs"
    assert header.provenance["compaction"] == told
    code, out, _ = say("explain", str(file), "--game", "othello6", "--top", "4")
    assert code == 0
    assert "predicts" in out
    board = out.partition("rule 1 of ")[2]
    assert {"mine", "theirs", "empty", "legal"} <= set(re.findall("[a-z]+", board))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rules", "random"], "random has no rules"),
        (["rules", "RUN", "--sort", "beauty"], "rules can't be sorted by beauty"),
        (["rules", "RUN", "--action", "z9"], "there is no rule for z9"),
        (["rules", "xcs:nobody"], "unknown player 'xcs:nobody'"),
    ],
)
def test_what_cannot_be(refuses, run: str, arguments: list[str], sentence: str) -> None:
    refuses([run if each == "RUN" else each for each in arguments], sentence)
