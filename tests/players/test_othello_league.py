"""Players of the Othello League: what their files mean, both ways of playing White, and files that are none."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.errors import DamagedFile, InvalidSetting, LudusError, WrongGame
from ludus.games.game import Position
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.players.othello_league import league_text, parse
from ludus.testing import random_positions
from tests.learners.test_ntuples import value

CORNERS = "{ 1 { 1 4 {0} {7} {56} {63} {-1.5 0.25 2.0} } }"
"""A corner is worth -1.5 with a white disc, 0.25 empty and 2.0 with a black one."""
GAME = ludus.game("othello8")


def published(tmp_path: Path, text: str, white: str) -> CompiledPlayer:
    (tmp_path / "player.txt").write_text(text)
    found = player(f"othello-league:file={tmp_path / 'player.txt'},white={white}", GAME)
    assert isinstance(found, CompiledPlayer)
    return found


def naive_value(text: str, after: Position, white: str) -> float:
    """The value of a position to the player who has just moved."""
    mover = 1 - after.current_player
    colours = -after.cells if mover == 1 and white == "invert" else after.cells
    total = 0.0
    for copies, weights in parse(text):
        for squares in copies:
            index = int("".join("012"[int(colours[square]) + 1] for square in squares), 3)
            total += weights[index]
    return -total if mover == 1 and white == "negate" else total


@pytest.mark.parametrize("white", ["negate", "invert"])
def test_values(tmp_path: Path, white: str) -> None:
    rng = np.random.default_rng(1)
    weights = " ".join(map(str, rng.normal(size=27).round(3).tolist()))
    text = f"2\n1 4\n0 7 56 63\n-1.5, 0.25, 2.0\n3 2\n0 1 2\n63 62 61\n{weights}\n"
    evaluator = published(tmp_path, text, white).parts.evaluator
    for position in random_positions(GAME, 1, games=2):
        ours = value(evaluator, GAME.rules, position.state)
        assert ours == pytest.approx(-naive_value(text, position, white), abs=1e-12)


def test_it_takes_the_corner(tmp_path: Path) -> None:
    """Rather than the other move, beside another corner."""
    corner = GAME.position("-OX-----" + "-" * 45 + "XO" + "-" * 9 + " X")
    for white in ("negate", "invert"):
        one = published(tmp_path, CORNERS, white)
        assert ludus.explain(one, corner).moves[0].move == "a1"
        as_white = GAME.position("-XO-----" + "-" * 45 + "OX" + "-" * 9 + " O")
        assert ludus.explain(one, as_white).moves[0].move == "a1"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    ours = player("ntuples:seed=5,tuples=3,length=4", GAME)
    ludus.convert(ours, tmp_path / "ours.txt")
    again = published(tmp_path, (tmp_path / "ours.txt").read_text(), "invert")
    assert isinstance(ours, CompiledPlayer)
    for position in random_positions(GAME, 3, games=1):
        one, other = (value(each.parts.evaluator, GAME.rules, position.state) for each in (ours, again))
        assert one == pytest.approx(other, abs=1e-12)
    assert league_text(again) == (tmp_path / "ours.txt").read_text()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the number of tuples is missing"),
        ("0", "the number of tuples must be from 1 to 1000, not '0'"),
        ("one", "not 'one'"),
        ("1 11 1", "the length of tuple 1 must be from 1 to 10"),
        ("1 1 1 64 1 2 3", "a square of tuple 1 must be from 0 to 63, not '64'"),
        ("1 2 1 5 5 " + "0 " * 9, "has a square twice"),
        ("1 1 1 0 1 2", "a weight of tuple 1 is missing"),
        ("1 1 1 0 1 2 nan", "a weight of tuple 1 must be a number below 1e.100, not 'nan'"),
        ("1 1 1 0 1 2 1e308", "a weight of tuple 1 must be a number below 1e.100, not '1e308'"),
        ("1 1 1 0 1 2 3 4", "'4' follows the last weight"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(DamagedFile, match=wrong):
        published(tmp_path, text, "negate")


def test_player_strings_and_players_that_do_not_fit(tmp_path: Path) -> None:
    (tmp_path / "player.txt").write_text(CORNERS)
    file = f"othello-league:file={tmp_path / 'player.txt'}"
    for text in (file, "othello-league", f"{file},white=upside-down"):
        with pytest.raises(InvalidSetting):
            player(text, GAME)
    with pytest.raises(WrongGame):
        player(f"{file},white=negate", ludus.game("othello6"))
    for name in ("nowhere", "."):
        with pytest.raises(LudusError, match="no such file"):
            player(f"othello-league:file={tmp_path / name},white=negate", GAME)
    (tmp_path / "binary").write_bytes(b"\xff\xfe1 1")
    with pytest.raises(DamagedFile, match="no text"):
        player(f"othello-league:file={tmp_path / 'binary'},white=negate", GAME)
    with pytest.raises(WrongGame, match="no n-tuple network"):
        ludus.convert("heuristic", tmp_path / "out.txt")
    with pytest.raises(InvalidSetting, match="stages or colours"):
        ludus.convert(f"{file},white=negate", tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()
