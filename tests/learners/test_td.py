"""Temporal difference learning: what it computes, and that it learns."""

import numpy as np
import pytest

import ludus
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from tests.learners.learning import GAMES, generalization, score, trained
from tests.naive import td


@pytest.mark.parametrize("decay", [0.0, 0.7])
@pytest.mark.parametrize("game", GAMES)
def test_it_learns_what_its_naive_twin_learns(game: str, decay: float) -> None:
    plays, method = ludus.game(game), learner("tdl")
    settings = parse_settings(method, {"games": 4, "epsilon": 0.2, "decay": decay})
    begin = method.start(settings, plays, 5)._replace(weights=np.linspace(-0.1, 0.13, plays.squares) ** 3)
    state, _ = method.step(settings, plays, 5, begin)
    expected = td.learn(plays, begin.weights, 5, 4, settings.alpha, settings.epsilon, decay)
    assert np.max(np.abs(expected - begin.weights)) > 1e-3
    np.testing.assert_allclose(state.weights, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", ["othello6", "othello8"])
def test_it_learns_othello(game: str) -> None:
    assert generalization(trained("tdl", game, games=20_000)) > 0.7


def test_it_beats_the_random_mover_that_it_was() -> None:
    learned = trained("tdl", "othello8", games=20_000)
    assert score(learned, "random") > 0.75
    assert score(learned, "discs") > 0.65


def test_it_learns_with_decay() -> None:
    assert generalization(trained("tdl", "othello8", games=20_000, decay=0.7, alpha=0.02)) > 0.7


def test_it_learns_other_games() -> None:
    assert score(trained("tdl", "checkers", games=5_000), "random", games=200) > 0.6
    # piece counters can't express komi: by self-play in Go they learn to pass
    learned = trained("tdl", "go5", games=3_000, representation="ntuples", tuples=6, length=5, alpha=0.01)
    assert score(learned, "random", games=200) > 0.7
