"""Rankings: the first legal move of a list, named in a string, a file or an explanation."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.players.explanations import explanation
from ludus.players.files import save_player
from ludus.players.names import player


def test_the_first_legal_move_is_made() -> None:
    position = ludus.game("othello8").start()
    for text, move in (("ranking:a1,e6,d3", "e6"), ("ranking:d3,e6", "d3"), ("ranking:a1", "d3")):
        one = player(text, position.game)
        assert one.seat().choose(position, stream(1, "test")) == position.legal[move]
        assert explanation(one, position).moves[0].move == move


def test_the_second_player_of_checkers_is_turned_round() -> None:
    start = ludus.game("checkers").start()
    one = player("ranking:11 down-left", start.game)
    for position, move in ((start, "11-15"), (start.play("9-13"), "22-18")):
        assert one.seat().choose(position, stream(1, "test")) == position.legal[move]


@pytest.mark.parametrize(("text", "problem"), [("ranking:a1,z9", "'z9' is none"), ("ranking:a1,a1", "named twice")])
def test_what_is_no_ranking_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ludus.LudusError, match=problem):
        player(text, ludus.game("othello8"))


def test_a_file_of_another_size_is_refused(tmp_path: Path) -> None:
    game = ludus.game("othello6")
    save_player(tmp_path / "list.safetensors", "ranking", game, {"values": np.zeros(64)})
    with pytest.raises(ludus.LudusError, match="of 36 float64"):
        player(str(tmp_path / "list.safetensors"), game)
