"""What the tests of learners share: small trainings, and how well what was learned plays."""

from collections.abc import Mapping
from typing import Any

import ludus
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, parse_settings
from ludus.learners.names import learner
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer, Player
from ludus.players.names import player
from ludus.registry import player_kinds

GAMES = ["othello6", "othello8", "checkers", "go5"]

SMALL: Mapping[str, Mapping[str, Any]] = {
    "tdl": {"games": 60, "step_games": 10},
    "cel": {"games": 500, "population": 4, "sample": 10},
    "ctdl": {"games": 600, "population": 4, "sample": 10, "lesson_games": 5},
    "cma-es": {"games": 240, "population": 4, "step_games": 40, "covariance": "diagonal"},
    "fit": {"records": "random:60", "epochs": 6, "step_positions": 54},
}
"""Settings with which a learner has about six steps of a few milliseconds."""


def trained(name: str, game: str, seed: int = 1, **given: Any) -> Player:
    """The player that comes of a whole training."""
    plays, method = ludus.game(game), learner(name)
    settings = parse_settings(method, given)
    state = method.start(settings, plays, seed)
    while method.done(settings, state) < 1:
        state, _ = method.step(settings, plays, seed, state)
    return as_player(method.player(settings, plays, state), plays)


def as_player(learned: PlayerSpec, game: Game) -> Player:
    load = player_kinds()[learned.kind].load
    assert load is not None
    return CompiledPlayer(learned.kind, game, load(game, learned.arrays, learned.settings))


def score(a: Player, b: str, games: int = 1000) -> float:
    """The share of points that `a` makes against the player named `b`."""
    return float(match(a, player(b, a.game), games, seed=3).scores.mean())


def generalization(a: Player, opponents: int = 100) -> float:
    """The share of points against random weights, ten games with each opponent."""
    return sum(score(a, f"weights:seed={seed}", games=10) for seed in range(opponents)) / opponents
