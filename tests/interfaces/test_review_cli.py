"""`ludus review` as a person uses it."""

import json
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_game_in_a_file_is_reviewed(say, refuses) -> None:
    assert say("match", "random", "discs", "--game", "othello4", "--games", "2", "--save", "games.ggf")[0] == 0
    code, out, _ = say("review", "games.ggf", "--game", "2", "--graph", "game.svg")
    lines = out.splitlines()
    assert (code, lines[0].split(",")[0]) == (0, "othello4: Black (discs) against White (random)")
    assert "a loss of: inaccuracy 4, mistake 8, blunder 16." in lines[1]
    assert lines[-1] == "drawn in game.svg"
    assert Path("game.svg").read_text().startswith("<svg ")
    told = json.loads(say("review", "games.ggf", "--game", "2", "--json")[1])
    graded = [each for each in told["moves"] if each["grade"]]
    assert len([line for line in lines if "exactly" in line]) == len([each for each in graded if each["loss"]])
    assert sum(side["blunders"] for side in told["sides"]) == sum(each["grade"] == "blunder" for each in graded)
    every = say("review", "games.ggf", "--game", "2", "--every")[1].splitlines()
    numbered = [line.split() for line in every if line[:3].strip().isdigit()]
    assert [(cells[0], cells[2]) for cells in numbered] == [(str(i), m["move"]) for i, m in enumerate(told["moves"], 1)]
    refuses(["review", "games.ggf", "--game", "3"], "there is no game 3 in games.ggf; it holds 2")
    refuses(["review", "games.ggf", "--judge", "random"], "random can't judge, since")
    refuses(["review", "games.txt"], "is not a file of games")
    refuses(["review", "nothing.ggf"], "can't be read")
    Path("empty.ggf").touch()
    refuses(["review", "empty.ggf"], "empty.ggf is empty; a game in .ggf looks like")
    refuses(["review", "games.ggf", "--graph", "game.png"], "the graph is SVG")
    refuses(["review", "games.ggf", "--graph", "games.ggf/game.svg"], "can't be written")


def test_games_of_a_file_keep_their_numbers(say, refuses) -> None:
    Path("games.pdn").write_text('1. 11-11 *\n[Black "Ann"]\n1. 11-15 *\n')
    code, out, err = say("review", "games.pdn", "--game", "2", "--judge", "alphabeta:depth=2")
    assert (code, out.split(" against")[0]) == (0, "checkers: Black (Ann)")
    assert err.startswith("ludus: games.pdn: games that can't be read: 1; the first: games.pdn, game 1, line 1")
    assert err.count("\n") == 1
    refuses(["review", "games.pdn", "--game", "1"], "games.pdn, game 1, line 1: move 1: '11-11' is not legal")
