"""Coevolution whose members learn."""

import numpy as np

import ludus
from ludus.compile.rng import key
from ludus.evaluators.piece_counter import PieceCounter
from ludus.learners.base import Episodes, parse_settings
from ludus.learners.names import learner
from ludus.learners.td import train_by_self_play
from tests.learners.learning import generalization, trained


def test_members_learn_before_they_are_evaluated() -> None:
    game, method = ludus.game("othello6"), learner("ctdl")
    settings = parse_settings(method, {"population": 3, "sample": 5, "lesson_games": 20})
    start = method.start(settings, game, 1)
    state, row = method.step(settings, game, 1, start)
    expected = start.population.copy()
    for i in range(3):
        episodes = Episodes(key(1, "ctdl lessons"), 20 * (3 + i), 20)
        train_by_self_play(settings, game, PieceCounter(expected[i]), episodes)
    assert np.array_equal(state.population, expected)
    assert row["games"] == 3 * 20 + 3 * 2 + 3 * 5 * 2


def test_it_learns_sooner_than_coevolution() -> None:
    small = {"games": 12_000, "population": 6, "sample": 20}
    hybrid = generalization(trained("ctdl", "othello8", **small, lesson_games=500))  # type: ignore[arg-type]
    assert hybrid > 0.7
    assert hybrid > generalization(trained("cel", "othello8", **small)) + 0.05  # type: ignore[arg-type]
