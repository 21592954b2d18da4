"""Our games as environments of PettingZoo and Gymnasium."""

import os
import random
import shlex
import sys
import warnings

import numpy as np
import pytest

import ludus
from ludus.play.matches import match
from ludus.players.names import player
from tests.players import misbehaving_engine

pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from ludus.interfaces.gymnasium import OpponentEnv
from ludus.interfaces.pettingzoo import checkers_v0, game_v0, go_v0, othello_v0

ENVIRONMENTS = {
    "othello6": lambda: othello_v0.env(size=6),
    "checkers": lambda: checkers_v0.env(moves=30),
    "go4": lambda: go_v0.env(size=4, komi=0.5),
    "by name": lambda: game_v0.env(game="othello4"),
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_pettingzoos_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ENVIRONMENTS[name](), num_cycles=300)
        seed_test(ENVIRONMENTS[name], num_cycles=100)


@pytest.mark.parametrize("name", ["othello4", "othello8", "checkers", "go5"])
def test_actions_are_the_moves_of_the_game(name: str) -> None:
    """Recorded games, replayed action by action, reach the same positions."""
    game = ludus.game(name)
    anybody = player("random", game)
    for record in match(anybody, anybody, 6, record=True).records():
        size = {"size": game.size} if game.size else {}
        env = {"othello": othello_v0, "checkers": checkers_v0, "go": go_v0}[game.type.name].raw_env(**size)
        env.reset(seed=1)
        position = game.start()
        for move in record.moves:
            number = position.legal[move]
            steps = 0
            while env.position == position and not env.position.over:
                mask = env.observe(env.agent_selection)["action_mask"]
                assert not env.observe("player_1" if env.agent_selection == "player_0" else "player_0")[
                    "action_mask"
                ].any()
                legal = env.legal()
                assert mask.nonzero()[0].tolist() == sorted(legal)
                reaching = [action for action in legal if leads(env, action, number)]
                env.step(reaching[0])
                steps += 1
            position = position.play(move)
            assert env.position == position
            assert steps == max(1, move.count("x"))
        assert env.rewards["player_0"] == 2 * position.outcome - 1


def test_games_by_name_are_those_with_a_square_for_each_move() -> None:
    with pytest.raises(ludus.LudusError, match="moves of checkers go from square to square"):
        game_v0.raw_env("checkers")


def leads(env, action: int, number: int) -> bool:
    """Whether the action begins, goes on with or completes this move."""
    move = env.legal()[action]
    if move is not None:
        return move == number
    begun = env.actions.after(action, env._begun)
    return env.actions._continues(number, begun)


def test_observations_show_the_agents_own_pieces_first() -> None:
    env = checkers_v0.raw_env()
    env.reset()
    black, white = (env.observe(agent)["observation"] for agent in ("player_0", "player_1"))
    assert black.shape == (8, 8, 5)
    assert black[:3, :, 0].sum() == white[5:, :, 0].sum() == 12
    assert (black[..., 2] == white[..., 0]).all()
    with pytest.raises(ValueError, match="action 0 is not legal for player_0; legal actions: "):
        env.step(0)


@pytest.mark.parametrize("side", [0, 1, None])
def test_our_players_are_opponents_in_gymnasium(side: int | None) -> None:
    env = OpponentEnv(othello_v0.raw_env(size=6), "alphabeta:depth=2", side)
    if side == 0:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_env(env, skip_render_check=True)
    choice, scores, sides = random.Random(1), [], set()
    for number in range(20):
        seen, _ = env.reset(seed=5 if number == 0 else None)
        sides.add(env.agent)
        over, reward = False, 0.0
        while not over:
            assert reward == 0
            action = choice.choice(seen["action_mask"].nonzero()[0].tolist())
            seen, reward, over, _, _ = env.step(action)
        scores.append(reward)
    assert sides == ({"player_0", "player_1"} if side is None else {f"player_{side}"})
    assert np.mean(scores) < -0.3  # a random player loses to a search
    env.close()


@pytest.mark.parametrize(
    ("command", "steps", "reason"),
    [
        ("false", 1, "did not start"),
        (shlex.join([sys.executable, "-I", "-S", misbehaving_engine.__file__, "resigns", os.devnull]), 2, "resigned"),
    ],
)
def test_an_engine_that_fails_loses_to_the_agent_in_gymnasium(command: str, steps: int, reason: str) -> None:
    env = OpponentEnv(go_v0.raw_env(size=5), f"gtp:{command}")
    for _ in range(2):  # the next game is another chance
        env.reset()
        for i in range(steps):
            _, reward, over, _, info = env.step(24 - i)
            assert (reward, over) == ((1.0, True) if i == steps - 1 else (0.0, False))
        assert info == {"forfeit": reason}
    env.close()
