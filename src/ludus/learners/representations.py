"""What learners of evaluators have in common: a budget of games, and the representation that they learn.

That is a weighted piece counter or an n-tuple network.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.rng import stream
from ludus.errors import InvalidSetting
from ludus.evaluators.ntuples import MAX_STAGES, ntuples, table_sizes
from ludus.evaluators.piece_counter import PieceCounter
from ludus.evaluators.placements import FORMS, MAX_LENGTH, Places, place_tuples
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, Settings
from ludus.players.files import MOST_BYTES as MOST_FILE_BYTES

Weights = NDArray[np.float64]
"""[squares] of a piece counter, [stages, entries] of an n-tuple network; a population has one more axis in front."""

MOST_BYTES = 1 << 30
"""Of what a learner holds in memory, such as the weights of a population."""

MOST_NETWORK_BYTES = MOST_FILE_BYTES - (2 << 20)
"""Of the weights of one network: with its tuples and its header it must fit into a player file."""

MAX_SNAKES = 200


class Budget(Settings):
    games: int = Field(
        2_000_000, ge=1, le=10**10, description="games in all (section 5); coevolution rounds to whole generations"
    )


class RepresentationSettings(Settings):
    """Settings of learners that can learn either representation."""

    representation: Literal["weights", "ntuples"] = Field(
        "weights", description="what is learned: a weight for each square (section 2.2), or an n-tuple network"
    )
    tuples: int = Field(12, ge=1, le=MAX_SNAKES, description="n-tuple networks: number of tuples (szubert2013: 12)")
    length: int = Field(6, ge=1, le=MAX_LENGTH, description="n-tuple networks: squares in each tuple (szubert2013: 6)")
    placement: str = Field(
        "snakes", max_length=10_000,
        description=f"n-tuple networks: where the tuples lie; `snakes` takes tuples and length, else {FORMS}",
    )  # fmt: skip
    stages: int = Field(
        1, ge=1, le=MAX_STAGES, description="n-tuple networks: parts of the game, by pieces, with tables of their own"
    )
    symmetric: bool = Field(True, description="n-tuple networks: look each table up for all symmetries of the board")


def zero_weights(settings: RepresentationSettings, game: Game, seed: int) -> tuple[Weights, Places]:
    """Weights that are all zero, and the places of the tuples, if any."""
    if settings.representation == "weights":
        return np.zeros(game.squares), np.empty((0, 0), np.int64)
    snakes = f"snakes:{settings.tuples}x{settings.length}"
    placement = snakes if settings.placement == "snakes" else settings.placement
    places = place_tuples(game, placement, settings.symmetric, stream(seed, "tuples"))
    entries = int(table_sizes(game, places).sum())
    most = MOST_NETWORK_BYTES // (8 * entries)
    if most == 0:
        raise InvalidSetting(
            f"invalid placement: these tuples have {entries:,} weights, and a player file holds at most "
            f"{MOST_NETWORK_BYTES // 8:,}; ask for fewer or shorter tuples"
        )
    if settings.stages > most:
        raise InvalidSetting(
            f"invalid stages={settings.stages}: tuples with {entries:,} weights allow at most {most}; ask for fewer "
            "stages, or for fewer or shorter tuples"
        )
    return np.zeros((settings.stages, entries)), places


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
