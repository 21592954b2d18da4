"""The checks that every game must pass, in every variant that the registry knows; and that they find broken games."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.game import Game, Position
from ludus.games.othello import OthelloType
from ludus.registry import learners
from ludus.runs.run import Run
from ludus.testing import GAME_CHECKS, CheckError, check_any_text, check_game, run_checks, run_learner_checks
from tests.effort import EFFORT, nightly

GO_SIZES = (2, 3, 5, 9, *nightly(13, 16, 17, 19))  # one or two words of bits, and more
VARIANTS = [game for game in ludus.variants() if game.type.name != "go" or game.size in GO_SIZES]
VARIANTS += [ludus.game("go5:ko=simple"), ludus.game("go7:komi=0,rules=abramson2001"), ludus.game("checkers:moves=30")]

every_game = pytest.mark.parametrize("game", VARIANTS, ids=str)


@every_game
@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__)
def test_every_game_passes(game: Game, check: Callable[[Game, int], None]) -> None:
    check(game, EFFORT)


@every_game
@settings(max_examples=100 * EFFORT, deadline=None)
@given(text=st.text())
@example("X")
@example("B:W:B")
@example("W:W1:B32")
def test_any_text_is_a_position_or_an_error(game: Game, text: str) -> None:
    check_any_text(game, text)


class Forgetful(OthelloType):
    """Writes whose move it is wrong."""

    def position_text(self, position: Position) -> str:
        return super().position_text(position)[:-1] + "X"


class Lopsided(OthelloType):
    """Claims a symmetry that it does not have."""

    def symmetries(self, rules: Any) -> Any:
        table = super().symmetries(rules).copy()
        table[1, :2] = table[1, 1::-1]
        return table


class Careless(OthelloType):
    """Takes any text for the beginning."""

    def parse(self, rules: Any, text: str) -> Any:
        try:
            return super().parse(rules, text)
        except ludus.LudusError:
            return self.state_from_cells(rules, ludus.game("othello4").start().cells * 0, 0)


class Unregistered(OthelloType):
    """A game that is not installed."""

    name = "unregistered"


@pytest.mark.parametrize("game_type", [Forgetful, Lopsided, Careless])
def test_broken_games_are_found_out(game_type: type[OthelloType]) -> None:
    broken = replace(ludus.game("othello4"), type=game_type())
    assert [result.problem for result in run_checks(broken) if result.problem]
    with pytest.raises(CheckError):
        check_game(broken)
    assert not [result.problem for result in run_checks(ludus.game("othello4")) if result.problem]


def test_a_game_type_is_checked_before_it_is_installed() -> None:
    check_game(Unregistered())


def test_a_learner_that_can_not_learn_a_game_does_not_end_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(run: Run) -> Any:
        raise TypeError(f"nothing for {run.spec.learner}")

    monkeypatch.setattr(Run, "steps", broken)
    found = list(run_learner_checks(ludus.game("othello4")))
    assert [each.problem for each in found] == [f"TypeError: nothing for {name}" for name in learners()]


def test_a_broken_promise_is_one_sentence() -> None:
    with pytest.raises(CheckError, match="another game"):
        GAME_CHECKS[0](replace(ludus.game("othello4"), type=Forgetful()), 1)
