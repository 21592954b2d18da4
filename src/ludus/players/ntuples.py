"""N-tuple networks: small sets of squares, each with a table of what every way to fill them is worth.

Lucas (2007), "Learning to play Othello with n-tuple systems"; Szubert, Jaśkowski and Krawiec (2013), "On scalability,
generalization, and hybridization of coevolutionary learning: a case study for Othello", section III.

A square is empty, the mover's or the opponent's (kings count as pieces), so n squares address a table of 3**n weights.
The tuples are snakes: random walks over neighbouring squares that never cross themselves. With symmetric sampling each
table is looked up once for every symmetry of the board, so all of them share what is learned.

Where a game has a symmetry that exchanges the sides (checkers), the second player sees the board turned round by it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import Dice, below, stream, uniform
from ludus.games.game import Game, Option
from ludus.kernels import inlined, kernel
from ludus.players.greedy import Greedy
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import settings
from ludus.vocabulary import says

U = np.uint64

MOST_TUPLES, LONGEST = 200, 10


class NTuples(NamedTuple):
    """A table for each tuple, and where on the board it is looked up."""

    weights: NDArray[np.float64]  # [tuples, 3**length]
    views: NDArray[np.uint64]  # [mover, tuples, views, length]
    squares: int


def ntuples(game: Game, places: NDArray[np.int64], weights: NDArray[np.float64], symmetric: bool) -> NTuples:
    """The network whose tuples lie on these `places` [tuples, length]."""
    plain, swapping = (
        [goes for i, goes in enumerate(game.symmetries) if game.family.swaps(i) is swaps] for swaps in (False, True)
    )
    ways = np.array([plain, swapping or plain])[:, : None if symmetric else 1]
    views = np.moveaxis(ways[:, :, places], 1, 2)  # ways are [mover, views, squares]
    return NTuples(weights, np.ascontiguousarray(views, U), game.squares)


def snakes(game: Game, tuples: int, length: int, dice: Dice) -> NDArray[np.int64]:
    """Random places [tuples, length] for tuples, each a walk over neighbouring squares without a square twice."""
    near = neighbours(game)
    found: list[list[int]] = []
    while len(found) < tuples:
        snake = [below(dice, game.squares)]
        while len(snake) < length and (free := [each for each in near[snake[-1]] if each not in snake]):
            snake.append(free[below(dice, len(free))])
        if len(snake) == length:  # else it has run into a dead end
            found.append(snake)
    return np.array(found, np.int64)


def neighbours(game: Game) -> list[list[int]]:
    """For each square those that touch it, also by a corner."""
    return [
        [i for i, there in enumerate(game.spots) if max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1]
        for here in game.spots
    ]


@inlined
def _seen(evaluator, game, state):
    """What the mover sees on each square: 0 nothing, 1 its own piece, 2 the opponent's."""
    seen, own = np.empty(evaluator.squares, np.int64), 1 - 2 * words.mover(game, state)
    words.cells(game, state, seen)
    for square in range(evaluator.squares):
        piece = seen[square] * own
        seen[square] = (piece > 0) + 2 * (piece < 0)
    return seen.view(np.uint64)


@inlined
def _entry(seen, places):
    """Where the table of a tuple on these places is to be looked up."""
    entry = U(0)  # words, since numba asks of every index that may be negative whether it is
    for i in range(len(places)):
        entry = U(3) * entry + seen[places[i]]
    return entry


@kernel
def _worth(evaluator, game, state):
    seen, views = _seen(evaluator, game, state), evaluator.views[words.mover(game, state)]
    total = 0.0
    for i in range(len(views)):
        for j in range(len(views[i])):
            total += evaluator.weights[i, _entry(seen, views[i, j])]
    return total


@kernel
def _nudge(evaluator, game, state, amount):
    seen, views = _seen(evaluator, game, state), evaluator.views[words.mover(game, state)]
    for i in range(len(views)):
        for j in range(len(views[i])):
            evaluator.weights[i, _entry(seen, views[i, j])] += amount


# so much work that a call costs nothing beside it, while compiling it into each caller would take long


@says(words.value, NTuples)
def _(evaluator, game, state):
    return _worth(evaluator, game, state)


@says(words.nudge, NTuples)
def _(evaluator, game, state, amount):
    _nudge(evaluator, game, state, amount)


OPTIONS = (
    Option("seed", 1, "which tuples and weights", low=0, high=2**53),
    Option("tuples", 12, "how many tuples", low=1, high=MOST_TUPLES),
    Option("length", 6, "squares in each", low=1, high=LONGEST),
)


def _random(text: str, game: Game, arguments: str) -> CompiledPlayer:
    chosen = settings("ntuples", arguments, OPTIONS)
    dice = stream(chosen["seed"], "random n-tuples")
    places = snakes(game, chosen["tuples"], min(chosen["length"], game.squares), dice)
    weights = np.array([[2 * uniform(dice) - 1 for _ in range(3 ** places.shape[1])] for _ in places])
    return CompiledPlayer(text, game, Greedy(ntuples(game, places, weights, symmetric=True)))


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Greedy:
    places, weights, symmetric = arrays["places"], arrays["weights"], chosen["symmetric"]
    if places.ndim != 2 or places.dtype != np.int64 or not 1 <= places.shape[1] <= LONGEST or not len(places):
        raise ValueError(f"it needs an array 'places' of int64, [tuples, up to {LONGEST} squares]")
    if places.min() < 0 or places.max() >= game.squares:
        raise ValueError(f"its places are not all squares from 0 to {game.squares - 1}")
    if weights.shape != (len(places), 3 ** places.shape[1]) or weights.dtype != np.float64:
        raise ValueError(f"it needs an array 'weights' of float64, {len(places)} x {3 ** places.shape[1]}")
    if not isinstance(symmetric, bool):
        raise ValueError("its setting 'symmetric' is neither true nor false")
    return Greedy(ntuples(game, places, np.ascontiguousarray(weights), symmetric))


PLAYERS = (
    PlayerKind(
        "ntuples", "one move ahead by a random n-tuple network", "ntuples:seed=7,tuples=12", _random, _loaded, OPTIONS
    ),
)
