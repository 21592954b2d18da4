"""Players that err as weaker players do, and the levels that are made of them."""

from collections import Counter

import numpy as np
import pytest

import ludus
from ludus.compile.rng import stream
from ludus.players.explanations import explanation
from ludus.players.levels import levels, ratings
from tests.effort import nightly


@pytest.mark.parametrize("judge", ["mobility", *nightly("alphabeta:depth=2")])
def test_a_move_is_the_likelier_the_less_it_loses(judge: str) -> None:
    game = "othello6"
    position = ludus.game(game).start()
    for move in ("c2", "d2", "e2"):
        position = position.play(move)
    player = ludus.player(f"softmax:3,{judge}", game)
    values = {each.move: each.value for each in explanation(ludus.player(judge, game), position).moves}
    assert len(set(values.values())) > 1
    weights = {move: np.exp((value - max(values.values())) / 3) for move, value in values.items()}
    seat, seen = player.seat(), Counter[int]()
    for i in range(2000):
        seen[seat.choose(position, stream(i, "test"))] += 1
    for move, weight in weights.items():
        expected = 2000 * weight / sum(weights.values())
        assert abs(seen[position.legal[move]] - expected) < 5 * np.sqrt(expected) + 5


def test_simulations_count_by_how_often_a_move_was_tried() -> None:
    """And a proven win outweighs them all, however hot the player is."""
    hot, start = ludus.player("softmax:1000,mcts:simulations=200", "othello4").seat(), ludus.game("othello4").start()
    assert len({hot.choose(start, stream(i, "test")) for i in range(40)}) == len(start.legal)
    position = start
    for move in ["b1", "a3", "a4", "a1", "d3", "b4", "c4", "d1", "a2"]:
        position = position.play(move)
    assert list(position.legal) == ["c1", "d4"]  # by two discs won, by six lost
    assert {hot.choose(position, stream(i, "test")) for i in range(40)} == {position.legal["c1"]}


def test_a_proven_draw_counts_by_how_often_it_was_tried() -> None:
    cold = ludus.player("softmax:0.01,mcts:simulations=60", "othello4").seat()
    position = ludus.game("othello4").position("--O-XXO-XXOXX--O X")  # d1 draws, and the others lose
    assert {cold.choose(position, stream(i, "test")) for i in range(20)} == {position.legal["d1"]}


def test_levels_rise_and_are_named_by_number() -> None:
    boards = {each.board for each in ratings()}
    assert {"othello8", "checkers", "go9"} <= boards
    for board in boards:
        elos = [each.elo for each in levels(board)]
        assert [each.level for each in levels(board)] == list(range(1, len(elos) + 1))
        assert elos == sorted(elos)
        for each in levels(board):
            assert each.low <= each.elo <= each.high
    assert ludus.player("level:1", "othello6").name == "level:1"


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("softmax", "othello6", "write softmax:0.5,PLAYER"),
        ("softmax:0,mobility", "othello6", "temperature from 1e-6"),
        ("softmax:1,random", "othello6", "random does not judge every move"),
        ("softmax:1,mcts:seconds=1", "othello6", "without seconds="),
        ("level:0", "othello6", "write level:1 to level:7"),
        ("level:x", "othello6", "write level:1 to level:7"),
        ("level:1", "go3", "go3 has no levels; there are levels for checkers, go5"),
    ],
)
def test_what_is_wrong_is_told(text: str, game: str, words: str) -> None:
    with pytest.raises(ludus.LudusError, match=words):
        ludus.player(text, game)
