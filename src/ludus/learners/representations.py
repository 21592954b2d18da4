"""What learners of evaluators have in common: a budget of games, and the representation that they learn.

That is a weighted piece counter or an n-tuple network.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.rng import stream
from ludus.errors import InvalidSetting
from ludus.evaluators.ntuples import MAX_LENGTH, MAX_TUPLES, ntuples, snakes
from ludus.evaluators.piece_counter import PieceCounter
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, Settings

Weights = NDArray[np.float64]
"""[squares] of a piece counter, [tuples, 3**length] of an n-tuple network; a population has one more axis in front."""
Places = NDArray[np.int64]
"""[tuples, length]: the squares of each tuple; [0, 0] for a piece counter."""


class Budget(Settings):
    games: int = Field(
        2_000_000, ge=1, le=10**10, description="games in all (section 5); coevolution rounds to whole generations"
    )


class RepresentationSettings(Settings):
    """Settings of learners that can learn either representation."""

    representation: Literal["weights", "ntuples"] = Field(
        "weights", description="what is learned: a weight for each square (section 2.2), or an n-tuple network"
    )
    tuples: int = Field(12, ge=1, le=MAX_TUPLES, description="n-tuple networks: number of tuples (szubert2013: 12)")
    length: int = Field(6, ge=1, le=MAX_LENGTH, description="n-tuple networks: squares in each tuple (szubert2013: 6)")
    symmetric: bool = Field(True, description="n-tuple networks: look each table up for all symmetries of the board")


def zero_weights(settings: RepresentationSettings, game: Game, seed: int) -> tuple[Weights, Places]:
    """Weights that are all zero, and the places of the tuples, if any."""
    if settings.representation == "weights":
        return np.zeros(game.squares), np.empty((0, 0), np.int64)
    if settings.length > game.squares:
        raise InvalidSetting(f"invalid length={settings.length} for {game.name}: it has only {game.squares} squares")
    places = snakes(game, settings.tuples, settings.length, stream(seed, "tuples"))
    return np.zeros((settings.tuples, 3**settings.length)), places


def evaluator(settings: RepresentationSettings, game: Game, weights: Weights, places: Places) -> Any:
    """The evaluator with these weights, or a population of them if the weights have one more axis in front."""
    if settings.representation == "weights":
        return PieceCounter(weights)
    return ntuples(game, places, weights, settings.symmetric)


def player_spec(settings: RepresentationSettings, weights: Weights, places: Places) -> PlayerSpec:
    """The player who evaluates by these weights, for a player file."""
    if settings.representation == "weights":
        return PlayerSpec("weights", {"weights": weights})
    return PlayerSpec("ntuples", {"weights": weights, "places": places}, {"symmetric": settings.symmetric})
