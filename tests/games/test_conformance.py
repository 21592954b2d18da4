"""What every game must hold to, in every variant that the registry knows; and that broken games are found out."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.game import Game, Position
from ludus.games.othello import OthelloFamily
from ludus.lab.conformance import GAME_CHECKS, Broken, check_game, check_text
from tests.effort import EFFORT

VARIANTS = [game for game in ludus.variants() if game.family.name != "go" or game.size in (2, 3, 5, 9, 19)]
VARIANTS += [ludus.game("go5:ko=simple"), ludus.game("go7:komi=0,rules=abramson2001"), ludus.game("checkers:moves=30")]

every_game = pytest.mark.parametrize("game", VARIANTS, ids=str)


@every_game
@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__)
def test_every_game_conforms(game: Game, check: Callable[[Game, int], None]) -> None:
    check(game, EFFORT)


@every_game
@settings(max_examples=100 * EFFORT, deadline=None)
@given(text=st.text())
@example("X")
@example("B:W:B")
@example("W:W1:B32")
def test_any_text_is_a_position_or_an_error(game: Game, text: str) -> None:
    check_text(game, text)


class Forgetful(OthelloFamily):
    """Writes whose move it is wrong."""

    def position_text(self, position: Position) -> str:
        return super().position_text(position)[:-1] + "X"


class Lopsided(OthelloFamily):
    """Claims a symmetry that it does not have."""

    def symmetries(self, rules: Any) -> Any:
        table = super().symmetries(rules).copy()
        table[1, :2] = table[1, 1::-1]
        return table


class Careless(OthelloFamily):
    """Takes any text for the beginning."""

    def parse(self, rules: Any, text: str) -> Any:
        try:
            return super().parse(rules, text)
        except ludus.LudusError:
            return self.arranged(rules, ludus.game("othello4").start().cells * 0, 0)


@pytest.mark.parametrize("family", [Forgetful, Lopsided, Careless])
def test_broken_games_are_found_out(family: type[OthelloFamily]) -> None:
    broken = replace(ludus.game("othello4"), family=family())
    assert [wrong for _, wrong in check_game(broken) if wrong]
    assert not [wrong for _, wrong in check_game(ludus.game("othello4")) if wrong]


def test_a_broken_promise_is_one_sentence() -> None:
    with pytest.raises(Broken, match="another game"):
        GAME_CHECKS[0](replace(ludus.game("othello4"), family=Forgetful()), 1)
