"""`ludus explain` and `ludus adapt` as a person uses them."""

import itertools
import json
from pathlib import Path

import pytest

import ludus
from ludus.players.files import read_player


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_each_move_is_weighed_and_shown(say) -> None:
    code, out, _ = say("explain", "alphabeta:depth=2", "--moves", "d3 c3")
    assert code == 0
    assert "It expects" in out
    assert "120" in out  # of the weights it looks through
    told = json.loads(say("explain", "heuristic", "--moves", "d3 c3", "--json")[1])
    position = ludus.game("othello8").start().play("d3").play("c3")
    assert {each["move"] for each in told["moves"]} == set(position.legal_moves)
    assert told["position"] == position.text
    assert "gives no reasons" in say("explain", "random")[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["heuristic", "--moves", "a1"], "'a1' is not legal"),
        (["heuristic", "--picture", "x.svg"], "can't be drawn; leave out --picture"),
        (["heuristic", "--position", "nonsense"], "is not a position"),
    ],
)
def test_what_can_not_be_explained_is_told(arguments: list[str], sentence: str, refuses) -> None:
    refuses(["explain", *arguments], sentence)


def test_a_social_player_changes_its_strategy_when_it_loses(say, refuses) -> None:
    small = ["generations=6", "population=4", "opponents=1", "depth=1", "hidden=2", "individual=1", "social=2"]
    chosen = [part for each in small for part in ("--set", each)]
    assert say("train", "social", "--game", "checkers:moves=20", *chosen, "--out", "run")[0] == 0
    code, out, _ = say("adapt", "run", "alphabeta:depth=3", "--game", "checkers", "--games", "8", "--json")
    games = json.loads(out)["games"]
    assert (code, len(games)) == (0, 8)
    assert any(game["score"] == 0 for game in games)
    for game, following in itertools.pairwise(games):
        assert following["strategy"] == game["next_strategy"]
        assert (game["strategy"] != game["next_strategy"]) == (game["score"] == 0)
    header, arrays = read_player(Path("run/player.safetensors"))
    assert (arrays["record"].sum(), header.settings["current"]) == (8, games[-1]["next_strategy"])
    assert say("train", "blondie24", "--game", "checkers", *chosen[:-4], "--out", "other")[0] == 0
    refuses(["adapt", "other", "random"], "which does not learn from its games")
    refuses(["adapt", "other", "random", "--save", "mine"], "which does not learn from its games")
    refuses(["adapt", "run", "nobody", "--save", "mine"], "unknown player 'nobody'")
    refuses(["adapt", "run", "random", "--game", "othello8", "--save", "mine"], "not othello8")
    kept = Path("run/player.safetensors").read_bytes()
    code, out, _ = say("adapt", "run", "random", "--games", "2", "--save", "mine", "--json")
    assert (code, json.loads(out)["game"]) == (0, "checkers:moves=20")
    assert (Path("run/player.safetensors").read_bytes(), read_player(Path("mine"))[1]["record"].sum()) == (kept, 10)
    refuses(["adapt", "run", "random", "--save", "mine"], "mine exists already")


def test_rules_learn_from_their_games(say, refuses) -> None:
    small = ["--set", "games=40", "--set", "rules=300", "--set", "colours=both"]
    assert say("train", "xcs", "--game", "othello6", *small, "--out", "run")[0] == 0
    code, out, _ = say("adapt", "run", "discs", "--games", "6", "--save", "mine", "--json")
    told = json.loads(out)
    assert (code, told["game"], len(told["games"])) == (0, "othello6", 6)
    assert sum(game["added"] for game in told["games"]) > 0
    header, arrays = read_player(Path("mine"))
    assert (header.settings["games"], len(arrays["stamp"])) == (46, told["games"][-1]["rules"])
    assert header.provenance == read_player(Path("run/player.safetensors"))[0].provenance
    assert "won so far" in say("adapt", "mine", "random", "--games", "1")[1]
    stopped = ludus.adapt("mine", "random", games=1000)
    for _ in range(3):
        next(stopped)
    stopped.close()
    assert read_player(Path("mine"))[0].settings["games"] == 50
    refuses(["adapt", "xcs:othello6", "random"], "stays as it is")
    refuses(["adapt", "mine", "alphabeta:seconds=1", "--save", "copy"], "too slow to learn against")
    assert not Path("copy").exists()
    assert say("match", "mine", "random", "--game", "othello6", "--games", "2")[0] == 0
