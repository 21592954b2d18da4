"""Temporal difference learning: what it computes, and that it learns."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.errors import InvalidSetting
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.players.files import MOST_BYTES, save_player
from tests.effort import nightly
from tests.learners.learning import GAMES, generalization, score, trained
from tests.naive import td

COHERENT = {"rates": "coherent", "schedule": "linear", "openings": 3}
TWINS = [(game, chosen) for game in GAMES for chosen in ({}, {"decay": 0.7})] + [("othello6", COHERENT)]
TWINS += [("othello6", {"target": "margin"}), ("checkers", {"extend": "captures"})]
TWINS += [("othello6", {"random_moves": "learn", "decay": 0.7})]
TWINS += nightly(*((game, COHERENT) for game in GAMES if game != "othello6"))


@pytest.mark.parametrize(("game", "chosen"), TWINS, ids=str)
def test_it_learns_what_its_naive_twin_learns(game: str, chosen: dict[str, Any]) -> None:
    plays, method = ludus.game(game), learner("tdl")
    settings = parse_settings(method, {"games": 4, "epsilon": 0.2, **chosen})
    begin = method.start(settings, plays, 5)._replace(weights=np.linspace(-0.1, 0.13, plays.squares) ** 3)
    state, _ = method.step(settings, plays, 5, begin)
    expected = td.learn(plays, begin.weights, 5, settings)
    assert np.max(np.abs(expected - begin.weights)) > 1e-3
    np.testing.assert_allclose(state.weights, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", ["othello6", "othello8"])
def test_it_learns_othello(game: str) -> None:
    assert generalization(trained("tdl", game, games=20_000)) > 0.7


def test_it_beats_the_random_mover_that_it_was() -> None:
    learned = trained("tdl", "othello8", games=20_000)
    assert score(learned, "random") > 0.75
    assert score(learned, "discs") > 0.65


def test_coherent_rates_learn_fast() -> None:
    """N-tuple networks with a learning rate far too large for one rate."""
    learned = trained("tdl", "othello6", games=5_000, representation="ntuples", alpha=0.1, rates="coherent", stages=2)
    assert generalization(learned) > 0.85


def test_players_that_learned_from_quiet_boards_play_captures_out() -> None:
    learned = trained("tdl", "checkers", games=2_000, extend="captures")
    assert score(learned, "random", games=200) > 0.9
    assert score(learned, "pieces", games=200) > 0.8


def test_depth_is_how_far_self_play_looks() -> None:
    learned = trained("tdl", "othello6", games=2_000, representation="ntuples", alpha=0.1, rates="coherent", depth=2)
    assert generalization(learned) > 0.8


def test_optimism_is_the_value_of_every_position() -> None:
    game, method = ludus.game("othello6"), learner("tdl")
    settings = parse_settings(method, {"representation": "ntuples", "tuples": 5, "optimism": 0.5})
    assert np.allclose(method.start(settings, game, 1).weights, 0.5 / (5 * 8))


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"optimism": 1.0}, "only n-tuple networks"),
        ({"rates": "coherent", "decay": 0.5}, "needs decay=0"),
        ({"representation": "ntuples", "placement": "circles:3"}, "part 'circles:3' of a placement: write snakes"),
        ({"representation": "ntuples", "placement": "snakes:200x10", "stages": 60}, "allow at most 2;"),
    ],
)
def test_settings_that_do_not_go_together(asked: dict[str, Any], wrong: str) -> None:
    method = learner("tdl")
    with pytest.raises(InvalidSetting, match=wrong):
        method.start(parse_settings(method, asked), ludus.game("othello8"), 1)


def test_the_largest_network_fits_a_player_file(tmp_path: Path) -> None:
    game, method = ludus.game("othello4"), learner("tdl")
    asked = {"representation": "ntuples", "placement": "snakes:187x10", "symmetric": False}
    settings = parse_settings(method, asked | {"stages": 3})
    state = method.start(settings, game, 1)
    made = method.player(settings, game, state)
    bare = {name: array[..., :1] for name, array in made.arrays.items()}
    save_player(tmp_path / "bare.safetensors", made.kind, game, bare, made.settings, settings.model_dump())
    room = (tmp_path / "bare.safetensors").stat().st_size + state.places.nbytes
    assert state.weights.nbytes + room < MOST_BYTES
    with pytest.raises(InvalidSetting, match="allow at most 3;"):
        method.start(settings.model_copy(update={"stages": 4}), game, 1)
    with pytest.raises(InvalidSetting, match="39,062,500 weights, and a player file holds at most 33,292,288; ask for"):
        method.start(settings.model_copy(update={"placement": "snakes:4x10"}), ludus.game("checkers"), 1)


def test_it_learns_with_decay() -> None:
    assert generalization(trained("tdl", "othello8", games=20_000, decay=0.7, alpha=0.02)) > 0.7


def test_it_learns_other_games() -> None:
    assert score(trained("tdl", "checkers", games=5_000), "random", games=200) > 0.6
    # piece counters can't express komi: by self-play in Go they learn to pass
    learned = trained("tdl", "go5", games=3_000, representation="ntuples", tuples=6, length=5, alpha=0.01)
    assert score(learned, "random", games=200) > 0.7
