"""Behaviour: the averages of a match equal those of its records, replayed by hand."""

from collections import defaultdict

import numpy as np
import pytest

import ludus
from ludus.measures.behaviour import Behaviour, behaviour, parse_windows
from ludus.play.matches import match
from ludus.players.names import player


@pytest.mark.parametrize("won", [False, True])
@pytest.mark.parametrize(("name", "a", "b"), [("othello6", "discs", "random"), ("checkers", "pieces", "random")])
def test_averages_equal_a_replay_by_hand(name: str, a: str, b: str, won: bool) -> None:
    game = ludus.game(name)
    played = match(player(a, game), player(b, game), 41, seed=2, record=True)
    pieces: dict[tuple[int, int], list[int]] = defaultdict(list)
    choices: dict[tuple[int, int], list[int]] = defaultdict(list)
    games = 0
    for index, record in enumerate(played.records()):
        if won and played.scores[index] != 1:
            continue
        games += 1
        ply, signs = 0, (1, -1) if index % 2 == 0 else (-1, 1)
        for position in record.positions():
            for side, sign in enumerate(signs):
                pieces[ply, side].append(int(np.sum(np.sign(position.cells) == sign)))
            if position.over:
                break
            passing = position.legal_moves == ["pass"]
            choices[ply, (position.current_player + index) % 2].append(0 if passing else len(position.legal_moves))
            if passing:  # the position after a forced pass is not counted again
                for side in (0, 1):
                    pieces[ply, side].pop()
            else:
                ply += 1
    found = behaviour(played, won)
    assert found.games == games
    assert found.reached[0] == games
    for side in (0, 1):
        for ply in range(len(found.reached)):
            assert found.reached[ply] == len(pieces[ply, side])
            assert found.pieces[ply, side] == pytest.approx(np.mean(pieces[ply, side]))
            assert found.turns[ply, side] == len(choices[ply, side])
            if choices[ply, side]:
                assert found.choices[ply, side] == pytest.approx(np.mean(choices[ply, side]))
            else:
                assert np.isnan(found.choices[ply, side])


def test_a_greedy_player_shows_in_its_curve() -> None:
    game = ludus.game("othello8")
    found = behaviour(match(player("discs", game), player("mobility", game), 200, record=True))
    assert found.pieces[30, 0] > found.pieces[30, 1] + 5
    assert found.choices[30, 1] > found.choices[30, 0]


def seen(pieces: list[tuple[int, int]], reached: list[int]) -> Behaviour:
    turns = np.array([(2, 0), (0, 4)] * len(pieces))[: len(pieces)]
    choices = np.array([(3.0, np.nan), (np.nan, 1.0)] * len(pieces))[: len(pieces)]
    return Behaviour(reached[0], np.array(reached), np.array(pieces, float), turns, choices)


@pytest.mark.parametrize(
    ("pieces", "reached", "turning", "overtaking"),
    [
        ([(2, 2), (2, 3), (3, 4), (5, 3), (7, 2)], [9] * 5, 2, 3),
        ([(2, 2), (2, 3), (3, 4), (5, 3), (3, 9)], [9, 9, 9, 9, 1], 2, 3),  # few games get so far
        ([(2, 2), (3, 2), (4, 3), (4, 4), (4, 5)], [9] * 5, None, None),
        ([(2, 1), (3, 2), (5, 1)], [9] * 3, 1, 0),
        ([(3, 3), (3, 3), (3, 3)], [9] * 3, None, None),  # nobody loses a piece
    ],
)
def test_where_a_game_turns(pieces, reached, turning, overtaking) -> None:
    found = seen(pieces, reached)
    assert (found.turning_point, found.overtaking) == (turning, overtaking)


def test_freedom_is_over_turns() -> None:
    found = seen([(2, 2)] * 6, [9] * 6)
    assert found.freedom(0, 6) == (3.0, 1.0)
    assert found.freedom(1, 2) == (pytest.approx(np.nan, nan_ok=True), 1.0)  # a was not to move


def test_mobility_by_windows_and_by_thirds() -> None:
    found = seen([(2, 2)] * 7, [9] * 6 + [1])
    assert [(each.begin, each.end) for each in found.mobility()] == [(0, 2), (2, 3), (3, 5)]  # 5 moves are usual
    both, nobody = found.mobility(parse_windows("0-6, 1-2"))
    assert (both.a, both.b, both.ratio) == (3.0, 1.0, 3.0)
    assert nobody._replace(a=1.0, b=0.0).to_json()["ratio"] is None
    assert (str(nobody), nobody.to_json()["a"]) == ("1-2: A -, B 1.00, ratio -", None)
    with pytest.raises(ludus.LudusError, match="windows of moves as 0-20"):
        parse_windows("20-10")


def test_what_cannot_be_watched_is_refused() -> None:
    game = ludus.game("othello6")
    with pytest.raises(ludus.LudusError, match="were not recorded"):
        behaviour(match(player("random", game), player("random", game), 2))
    lost = match(player("random", game), player("alphabeta:depth=4", game), 4, record=True)
    with pytest.raises(ludus.LudusError, match="has won no game of 4"):
        behaviour(lost, won=True)
