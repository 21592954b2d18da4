"""`ludus players`, `ludus match` and `ludus league` as a person uses them."""

import json
import shutil
from pathlib import Path

import pytest

import ludus
from ludus.registry import player_kinds


def test_players_are_listed_with_examples_that_work(say) -> None:
    code, out, _ = say("players")
    assert code == 0
    assert all(kind.example in out for kind in player_kinds().values())
    assert {row["name"] for row in json.loads(say("players", "--json")[1])["players"]} == set(player_kinds())


def test_match_tells_score_elo_and_likelihood(say) -> None:
    code, out, _ = say("match", "heuristic", "random", "--games", "100", "--seed", "3", "--workers", "2")
    assert code == 0
    assert out.splitlines()[0].startswith("othello8, 100 games, openings four-ply, seed 3")
    assert "likelihood that A is better 100.0%" in out
    told = json.loads(say("match", "heuristic", "random", "--games", "100", "--seed", "3", "--json")[1])
    assert told["wins"] + told["draws"] + told["losses"] == 100
    assert told["score"] == (told["wins"] + told["draws"] / 2) / 100
    assert told["score_interval"][0] < told["score"] < told["score_interval"][1]
    assert f"{told['wins']} wins, {told['draws']} draws, {told['losses']} losses" in out


def test_a_perfect_score_is_still_json(say) -> None:
    told = json.loads(say("match", "alphabeta:depth=4", "random", "--game", "checkers", "--games", "10", "--json")[1])
    assert (told["wins"], told["elo"]) == (10, None)


@pytest.mark.parametrize(
    ("game", "name"),
    [("othello8", "g.sgf"), ("othello8", "g.ggf"), ("checkers", "g.pdn"), ("go5", "g.sgf"), ("othello8", "g.wtb")],
)
def test_saved_games_replay(say, tmp_path: Path, game: str, name: str) -> None:
    file = str(tmp_path / name)
    assert say("match", "random", "noisy:0.5,random", "--game", game, "--games", "4", "--save", file)[0] == 0
    code, _, err = say("replay", file)
    assert (code, err.count("\n")) == (0, 1 if name == "g.pdn" else 0)  # what 1-0 means there
    assert json.loads(say("replay", file, "--json")[1])["games"][3]


def test_a_sequential_test_stops_early(say) -> None:
    told = json.loads(say("match", "heuristic", "random", "--games", "4000", "--sprt", "0:50", "--json")[1])
    assert told["verdict"] == "better"
    assert told["games"] < 1000


def test_league_rates_and_resumes(say, tmp_path: Path) -> None:
    arguments = [
        "league",
        "random",
        "discs",
        "jain2018",
        "--game",
        "othello6",
        "--games",
        "40",
        "--out",
        str(tmp_path / "l"),
    ]
    assert say(*arguments)[0] == 0
    told = json.loads(say(*arguments, "--json")[1])
    assert {row["name"] for row in told["ratings"]} == {"random", "discs", "jain2018"}
    assert say("rate", str(tmp_path / "l" / "results.csv"), "--json")[1] == json.dumps(told, indent=2) + "\n"


def test_a_league_knows_players_by_their_files(say, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in (1, 2):
        ludus.train("tdl", "othello6", games=10, seed=seed, folder=f"run-{seed}", progress=False)
    arguments = ["league", "random", "noisy:0.1,run-1", "--game", "othello6", "--games", "2"]
    assert say(*arguments)[0] == 0
    assert say(*arguments)[0] == 0
    shutil.copy("run-2/player.safetensors", "run-1/player.safetensors")
    code, _, err = say(*arguments)
    assert code == 2
    assert "league holds a league with an earlier noisy:0.1,run-1, whose file has changed since" in err
    assert "name another folder with --out to play all matches anew" in err
    told = json.loads(Path("league/league.json").read_text())
    del told["files"]
    Path("league/league.json").write_text(json.dumps(told))  # as an older Ludus has begun it
    assert say(*arguments)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["match", "heuristic", "nobody"], "unknown player 'nobody'"),
        (["match", "random", "random", "--game", "chess"], "unknown game 'chess'"),
        (["match", "random", "random", "--games", "0"], "--games"),
        (["match", "random", "random", "--opening", "queen"], "unknown openings 'queen'"),
        (["match", "random", "random", "--opening", "ballots"], "ballots are openings of checkers"),
        (["match", "random", "random", "--sprt", "5"], "write LOW:HIGH"),
        (["match", "random", "random", "--sprt", "5:5"], "invalid test of 5 against 5 Elo"),
        (["match", "random", "random", "--save", "games.txt"], "games.txt"),
        (["match", "random", "random", "--game", "go9", "--save", "games.pdn"], "games.pdn"),
        (["league", "random", "--out", "/dev/null/x"], "two or more different players"),
        (["rate", "/no/such/file.csv"], "/no/such/file.csv"),
        (["replay", "/no/such/file.sgf"], "/no/such/file.sgf"),
    ],
)
def test_bad_input(refuses, arguments: list[str], sentence: str) -> None:
    refuses(arguments, sentence)
