"""The compiled games against their slow, obvious twins: legal moves, successor and result at each ply."""

import random
from typing import Any

import pytest

import ludus
from tests.effort import EFFORT, nightly
from tests.naive.checkers import NaiveCheckers
from tests.naive.go import NaiveGo
from tests.naive.othello import NaiveOthello

TWINS = [
    ("othello4", NaiveOthello(4), 50),
    ("othello6", NaiveOthello(6), 50),
    ("othello8", NaiveOthello(8), 60),
    ("checkers", NaiveCheckers(), 100),
    ("checkers:moves=20", NaiveCheckers(20), 50),
    ("go2", NaiveGo(2), 100),
    ("go3:komi=0.5", NaiveGo(3, 0.5), 100),
    ("go4:ko=simple", NaiveGo(4, ko="simple"), 100),
    ("go5", NaiveGo(5), 40),
    ("go5:komi=0,rules=abramson2001", NaiveGo(5, 0, restricted=True), 40),
    ("go7:plies=60", NaiveGo(7, plies=60), 8),
    ("go9", NaiveGo(9), 4),
    *nightly(("go13:plies=200", NaiveGo(13, plies=200), 1)),
]


@pytest.mark.parametrize(("name", "twin", "games"), TWINS, ids=[name for name, _, _ in TWINS])
def test_same_game_as_the_twin(name: str, twin: Any, games: int) -> None:
    compare(name, twin, games)


def compare(name: str, twin: Any, games: int) -> None:
    """Play random games with both."""
    choice = random.Random(name)
    for _ in range(games * EFFORT):
        ours, theirs = ludus.game(name).start(), twin.start()
        while True:
            moves = twin.legal_moves(theirs)
            assert sorted(ours.legal_moves) == sorted(moves), ours.text
            assert (ours.current_player, ours.cells.tolist()) == (twin.current_player(theirs), twin.cells(theirs))
            assert ours.margin == twin.margin(theirs), ours.text
            if not moves:
                break
            move = choice.choice(moves)
            ours, theirs = ours.play(move), twin.play(theirs, move)
        assert ours.outcome == twin.outcome(theirs), ours.text
