"""What learners of evaluators have in common: a budget of games, and what their weights belong to.

That is a weighted piece counter or an n-tuple network.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.dice import stream
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.learners.learner import Learned, Settings
from ludus.players.evaluators import PieceCounter
from ludus.players.ntuples import LONGEST, MOST_TUPLES, NTuples, ntuples, snakes
from ludus.vocabulary import says, word

Weights = NDArray[np.float64]
Places = NDArray[np.int64]


class Budget(Settings):
    games: int = Field(
        2_000_000, ge=1, le=10**10, description="games in all (section 5); coevolution rounds to whole generations"
    )


class Represented(Settings):
    """Settings of learners that can learn either."""

    representation: Literal["weights", "ntuples"] = Field(
        "weights", description="what is learned: a weight for each square (section 2.2), or an n-tuple network"
    )
    tuples: int = Field(12, ge=1, le=MOST_TUPLES, description="n-tuple networks: how many tuples (szubert2013: 12)")
    length: int = Field(6, ge=1, le=LONGEST, description="n-tuple networks: squares in each tuple (szubert2013: 6)")
    symmetric: bool = Field(True, description="n-tuple networks: look each table up for all symmetries of the board")


def blank(settings: Represented, game: Game, seed: int) -> tuple[Weights, Places]:
    """Weights that are all zero, and the places of the tuples, if any."""
    if settings.representation == "weights":
        return np.zeros(game.squares), np.empty((0, 0), np.int64)
    if settings.length > game.squares:
        raise LudusError(f"length={settings.length} does not suit {game.name}, which has {game.squares} squares")
    places = snakes(game, settings.tuples, settings.length, stream(seed, "tuples"))
    return np.zeros((settings.tuples, 3**settings.length)), places


def evaluator(settings: Represented, game: Game, weights: Weights, places: Places) -> Any:
    """Whoever judges by these weights; or a crowd of them, if the weights have one more axis in front."""
    if settings.representation == "weights":
        return PieceCounter(weights)
    return ntuples(game, places, weights, settings.symmetric)


def learned(settings: Represented, weights: Weights, places: Places) -> Learned:
    """The player who judges by these weights, for a player file."""
    if settings.representation == "weights":
        return Learned("weights", {"weights": weights})
    return Learned("ntuples", {"weights": weights, "places": places}, {"symmetric": settings.symmetric})


@word
def member(crowd: Any, i: Any) -> Any:
    """The evaluator number `i` of a crowd."""


@says(member, PieceCounter)
def _(crowd, i):
    return PieceCounter(crowd.weights[i])


@says(member, NTuples)
def _(crowd, i):
    return NTuples(crowd.weights[i], crowd.views, crowd.squares)
