"""Rules that go on learning after their training."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.compile.rng import key
from ludus.errors import LudusError
from ludus.learners.base import copy_arrays, parse_settings
from ludus.learners.names import learner
from ludus.learners.xcs.learner import XCSState
from ludus.learners.xcs.playing import LearnedRules, play_on, read_rules, repeated
from ludus.learners.xcs.training import train, training_setup
from ludus.play.games import GameResults
from ludus.players.base import CompiledPlayer
from ludus.players.files import read_player, save_player
from ludus.players.names import player

GAME = ludus.game("othello6")
SMALL = {"games": 120, "step_games": 120, "rules": 500, "any_chance": 0.9, "ga_time": 5}


def trained(**given: object) -> LearnedRules:
    method = learner("xcs")
    settings = parse_settings(method, SMALL | given)
    state, _ = method.step(settings, GAME, 1, method.start(settings, GAME, 1))
    return LearnedRules(GAME, settings, state)


def stored(rules: LearnedRules, file: Path, *without: str) -> Path:
    """A player file as runs write it, or as they did before."""
    made = rules.player
    arrays = {name: each for name, each in made.arrays.items() if name not in without}
    settings = {name: each for name, each in made.settings.items() if name not in without}
    provenance = {"learner": "xcs", "settings": rules.settings.model_dump()}
    save_player(file, "xcs", GAME, arrays, settings, {} if "provenance" in without else provenance)
    return file


def compiled(name: str) -> CompiledPlayer:
    found = player(name, GAME)
    assert isinstance(found, CompiledPlayer)
    return found


def same(a: XCSState, b: XCSState) -> bool:
    """Whether the rules are the same, whatever their ids."""
    parameters = ("action", "prediction", "error", "fitness", "experience", "numerosity", "stamp", "niche", "weights")
    mine, theirs = (each.ids[: each.starts[-1]] for each in (a, b))
    size = a.starts[-1]
    return (
        np.array_equal(a.starts, b.starts)
        and np.array_equal(a.conditions[:, :size], b.conditions[:, :size])
        and all(np.array_equal(getattr(a, name)[mine], getattr(b, name)[theirs]) for name in parameters)
        and np.array_equal(a.counts[2:], b.counts[2:])
    )


@pytest.mark.parametrize(
    "given", [{}, {"ga": "step", "prediction": "linear", "symmetric": True, "after": True, "colours": "second"}]
)
def test_a_file_goes_on_as_the_training_would(tmp_path: Path, given: dict[str, object]) -> None:
    """With the same games, though ids differ; the genetic algorithm included."""
    rules = trained(**given)
    found = read_rules(stored(rules, tmp_path / "player"), GAME)
    assert same(found.state, rules.state)
    side = 1 if given else 0
    after = play_on(found, compiled("random"), 30, exploit=0.7, side=side, seed=5)
    longer, results = copy_arrays(rules.state), GameResults(np.empty(30), np.empty(30, np.int64))
    constant = rules.settings.model_copy(update={"schedule": "constant", "exploit": 0.7})
    setup = training_setup(constant, GAME, key(5, "play on"))
    train(GAME.rules, compiled("random").parts, longer.population, setup, 120, results)
    assert same(after.rules.state, longer)
    assert np.array_equal(after.scores, results.scores)
    assert after.rules.state.games == 150
    assert longer.stamp.max() > rules.state.stamp.max()
    assert same(found.state, rules.state)  # what was read stays


def test_moves_are_those_of_whole_games() -> None:
    rules = trained()
    for learns in (True, False):
        for side in (0, 1):
            played = play_on(rules, compiled("random"), 5, side=side, learns=learns)
            assert same(played.rules.state, rules.state) != learns
            for score, moves in zip(played.scores, played.moves, strict=True):
                position = GAME.start()
                for move in moves[moves >= 0]:
                    position = position.play(int(move))
                assert position.over
                assert score == (position.outcome if side == 0 else 1 - position.outcome)


def test_a_played_game_teaches_what_it_would_have_taught_then() -> None:
    """Conditions without #, no breeding and no deletion, so that nothing is left to chance."""
    rules = trained(any_chance=0, ga_time=10**9, rules=50_000)
    played = play_on(rules, compiled("random"), 1)
    again = rules.after_game(played.moves[0][played.moves[0] >= 0], 0)
    assert same(again.state, played.rules.state)
    assert not same(again.state, rules.state)
    assert again.state.games == 121


def test_it_learns_a_line_by_heart() -> None:
    """An opponent that always answers alike is beaten in the end, and in the same way again and again."""
    rules, rival = trained(any_chance=0.4, rules=5000), compiled("minimax:depth=1,value=jain2018,ties=first")
    frozen, learning = (play_on(rules, rival, 200, learns=learns) for learns in (False, True))
    assert learning.scores[100:].mean() > max(0.8, frozen.scores.mean())
    assert repeated(learning.moves) > 0.5


def test_games_that_repeat() -> None:
    assert repeated(np.array([[1, 2, -1], [1, 2, 3], [1, 2, -1], [1, 2, -1]])) == 0.5
    assert repeated(np.empty((0, 3), np.int64)) == 0


def test_files_of_older_versions(tmp_path: Path) -> None:
    rules = trained()
    file = stored(rules, tmp_path / "old", "stamp", "niche", "games", "steps")
    found = read_rules(file, GAME)
    count = found.state.starts[-1]
    assert (found.state.games, found.settings) == (120, rules.settings)
    assert np.all(found.state.stamp[:count] == 120)
    assert np.all(found.state.niche[:count] == 1)
    play_on(found, compiled("random"), 10)
    file = stored(rules, tmp_path / "made by hand", "provenance")
    assert read_rules(file, GAME).settings.any_chance == 0.4
    header, arrays = read_player(file)
    wrong = [(arrays | {"stamp": arrays["niche"]}, header.settings), (arrays, header.settings | {"games": -1})]
    for damaged, settings in wrong:
        save_player(file, "xcs", GAME, damaged, settings)
        with pytest.raises(LudusError, match="can't go on learning"):
            read_rules(file, GAME)
