"""The generic functions that a compiled player answers. `choose` must be implemented."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.generic import generic, implements
from ludus.compile.rng import Rng

Moves = NDArray[np.int64]
"""Moves of a game, or a buffer with room for them."""


@generic
def choose(player: Any, game: Any, state: Any, moves: Moves, n: int, rng: Rng) -> Any:
    """The move that `player` makes, one of the legal moves `moves[:n]`. `rng` is a random stream."""


@generic
def with_fresh_memory(player: Any, game: Any) -> Any:
    """The player as it begins a new game: one that remembers gets a memory of its own, as fresh as ever."""


@implements(with_fresh_memory)
def _(player, game):
    return player
