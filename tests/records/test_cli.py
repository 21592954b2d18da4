"""`ludus replay` as a person uses it."""

import json
import os
import sys
from pathlib import Path

import pytest

from ludus.interfaces.cli import main
from ludus.records.files import write_games
from tests.records.games import random_record


@pytest.fixture
def say(capsys, monkeypatch):
    def said(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ludus", "replay", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        errors = [line for line in err.splitlines(keepends=True) if not line.startswith("ludus: compiling")]
        return int(stop.value.code or 0), out, "".join(errors)

    return said


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    write_games(path, [random_record("go5", 1), random_record("othello6", 2), random_record("othello6", 3, longest=4)])
    return path


def test_games_are_listed(say, file: Path) -> None:
    code, out, err = say(file)
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["game", "Black", "White", "moves", "result"]
    assert [row[:5] for row in rows[1:]] == [
        ["1", "go5", "Ann", "1", "Bob"],
        ["2", "othello6", "Ann", "2", "Bob"],
        ["3", "othello6", "Ann", "3", "Bob"],
    ]
    assert rows[3][5:] == ["4", "no", "result"]


def test_one_game_is_shown_move_by_move(say, file: Path) -> None:
    code, out, _ = say(file, "--game", 3)
    record = random_record("othello6", 3, longest=4)
    first, second, third, fourth = record.moves
    assert code == 0
    assert out.startswith("othello6: Ann 3 (Black) against Bob (White), no result\n")
    assert f"   1. {first:<12}{second}\n   2. {third:<12}{fourth}\n\n{record.positions()[-1]}\n" in out


def test_a_game_that_white_begins(say, tmp_path: Path) -> None:
    path = tmp_path / "x.pdn"
    path.write_text('[FEN "W:WK32:BK1"] 1. 32-28 1-5 2. 28-32 *')
    out = say(path, "--game", 1)[1]
    assert "   1. ..          32-28\n   2. 1-5         28-32\n" in out
    assert out.count("to move") == 2


def test_json(say, file: Path) -> None:
    report = json.loads(say(file, "--json")[1])
    assert [game["game"] for game in report["games"]] == ["go5", "othello6", "othello6"]
    (game,) = json.loads(say(file, "--json", "--game", 3)[1])["games"]
    record = random_record("othello6", 3, longest=4)
    assert (game["moves"], game["players"], game["outcome"]) == (list(record.moves), ["Ann 3", "Bob"], None)
    assert game["last"] == record.positions()[-1].text


def test_of_a_bad_file_the_good_games_are_listed(say, tmp_path: Path) -> None:
    path = tmp_path / "x.pdn"
    path.write_text('[Black "[red]A"]\n1. 11-15 1-0\n\n1. 11-15\n11-16 1-0\n1. 9-13 0-1')
    bad = f"ludus: {path}, game 2, line 5: move 2: '11-16' is not legal for White here\n"
    code, out, err = say(path, "--pdn-result", "white")
    assert (code, err) == (1, bad)
    assert [line.split() for line in out.splitlines()[1:]] == [
        ["1", "checkers", "[red]A", "?", "1", "White", "won"],
        ["3", "checkers", "?", "?", "1", "Black", "won"],
    ]
    code, out, err = say(path, "--pdn-result", "white", "--strict")
    assert (code, err, len(out.splitlines())) == (2, bad, 2)
    code, out, _ = say(path, "--json", "--pdn-result", "first-mover")
    report = json.loads(out)
    assert (code, [(game["number"], game["outcome"]) for game in report["games"]]) == (1, [(1, 1.0), (3, 0.0)])
    assert [(bad["number"], bad["where"]) for bad in report["problems"]] == [(2, "line 5")]
    assert [say(path, "--pdn-result", "white", "--game", number)[0] for number in (1, 2, 3, 4)] == [0, 2, 0, 2]
    assert say(path, "--pdn-result", "white", "--game", 2)[1:] == ("", bad)


def test_the_meaning_of_results_is_asked_for(say, tmp_path: Path) -> None:
    path = tmp_path / "x.pdn"
    path.write_text("1. 11-15 1-0")
    code, out, err = say(path)
    assert (code, out) == (2, "")
    assert err.startswith(
        f"ludus: {path}: it is not clear whether 1-0 is a win for Black, who moves first, or for White"
    )
    path.write_text("1. 11-15 {black wins} 1-0")
    code, out, err = say(path)
    assert (code, out.splitlines()[1].split()[-2:]) == (0, ["Black", "won"])
    assert err == (
        f"ludus: {path}: 1-0 is read as a win for Black, who moves first, as in 1 of 1 games whose winner is known\n"
    )


def test_pipes_devices_and_endless_files(say, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sgf")
    (tmp_path / "zero.pdn").symlink_to("/dev/zero")
    with open(tmp_path / "sparse.wtb", "wb") as file:
        file.truncate(1 << 40)
    for name, why in (
        ("pipe.sgf", "it is a pipe or a device; name a file of games"),
        ("zero.pdn", "it is a pipe or a device; name a file of games"),
        ("sparse.wtb", "it is larger than 256 MB; name a file of games"),
    ):
        assert say(tmp_path / name) == (2, "", f"ludus: {tmp_path / name} can't be read: {why}\n")


def test_bad_input(say, file: Path) -> None:
    assert say(file, "--game", 4) == (2, "", f"ludus: there is no game 4 in {file}; it holds 3\n")
    code, out, err = say("absent.sgf")
    assert (code, out, err) == (2, "", "ludus: absent.sgf can't be read: No such file or directory\n")
    assert say(file, "--game", -1)[0] == 2
    file.with_name("empty.sgf").touch()
    code, out, err = say(file.with_name("empty.sgf"))
    assert (code, out, err.partition(" is ")[2]) == (2, "", "empty; a game in .sgf looks like (;GM[1]SZ[9];B[ee])\n")


def test_help_has_an_example(say) -> None:
    assert "Example: ludus replay" in " ".join(say("--help")[1].split())
