"""Players that look one move ahead by an n-tuple network."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import stream, uniform
from ludus.evaluators.ntuples import MAX_LENGTH, MAX_TUPLES, ntuples, snakes
from ludus.games.game import Game, Option
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.greedy import Greedy
from ludus.players.names import settings

OPTIONS = (
    Option("seed", 1, "which tuples and weights", low=0, high=2**53),
    Option("tuples", 12, "how many tuples", low=1, high=MAX_TUPLES),
    Option("length", 6, "squares in each", low=1, high=MAX_LENGTH),
)


def _random(text: str, game: Game, arguments: str) -> CompiledPlayer:
    chosen = settings("ntuples", arguments, OPTIONS)
    rng = stream(chosen["seed"], "random n-tuples")
    places = snakes(game, chosen["tuples"], min(chosen["length"], game.squares), rng)
    weights = np.array([[2 * uniform(rng) - 1 for _ in range(3 ** places.shape[1])] for _ in places])
    return CompiledPlayer(text, game, Greedy(ntuples(game, places, weights, symmetric=True)))


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Greedy:
    places, weights, symmetric = arrays["places"], arrays["weights"], chosen["symmetric"]
    if places.ndim != 2 or places.dtype != np.int64 or not 1 <= places.shape[1] <= MAX_LENGTH or not len(places):
        raise ValueError(f"it needs an array 'places' of int64, [tuples, up to {MAX_LENGTH} squares]")
    if places.min() < 0 or places.max() >= game.squares:
        raise ValueError(f"its places are not all squares from 0 to {game.squares - 1}")
    if weights.shape != (len(places), 3 ** places.shape[1]) or weights.dtype != np.float64:
        raise ValueError(f"it needs an array 'weights' of float64, {len(places)} x {3 ** places.shape[1]}")
    if not isinstance(symmetric, bool):
        raise ValueError("its setting 'symmetric' is neither true nor false")
    return Greedy(ntuples(game, places, np.ascontiguousarray(weights), symmetric))


PLAYERS = (
    PlayerKind(
        "ntuples", "one move ahead by a random n-tuple network", "ntuples:seed=7,tuples=12", _random, _loaded, OPTIONS,
        learned_description="one move ahead by a learned n-tuple network",
    ),
)  # fmt: skip
