"""N-tuple networks: small sets of squares, each with a lookup table of weights for all that may stand on them.

Lucas (2007), "Learning to play Othello with n-tuple systems"; Szubert, Jaśkowski and Krawiec (2013), "On scalability,
generalization, and hybridization of coevolutionary learning: a case study for Othello", section III.

A square is empty, the current player's or the opponent's (kings count as pieces), so n squares index a table of 3**n
weights. The tuples are snakes: self-avoiding random walks over neighbouring squares. With symmetric sampling each table
is looked up once for every symmetry of the board, so that all of them share its weights.

Where a game has a symmetry that exchanges the sides (checkers), the second player sees the board transformed by it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import Rng, randint
from ludus.evaluators.protocol import evaluate, gradient_step, member
from ludus.games import protocol
from ludus.games.game import Game

U = np.uint64

MAX_TUPLES, MAX_LENGTH = 200, 10


class NTuples(NamedTuple):
    """A table for each tuple, and the squares by which it is looked up."""

    weights: NDArray[np.float64]  # [tuples, 3**length]
    views: NDArray[np.uint64]  # [player, tuples, views, length]: squares
    squares: int


def ntuples(game: Game, places: NDArray[np.int64], weights: NDArray[np.float64], symmetric: bool) -> NTuples:
    """The network with its tuples on these squares, `places` [tuples, length]."""
    plain, swapping = (
        [goes for i, goes in enumerate(game.symmetries) if game.type.swaps_sides(i) is swaps] for swaps in (False, True)
    )
    ways = np.array([plain, swapping or plain])[:, : None if symmetric else 1]
    views = np.moveaxis(ways[:, :, places], 1, 2)  # ways are [player, views, squares]
    return NTuples(weights, np.ascontiguousarray(views, U), game.squares)


def snakes(game: Game, tuples: int, length: int, rng: Rng) -> NDArray[np.int64]:
    """Random tuples [tuples, length], each a self-avoiding walk over neighbouring squares."""
    near = neighbours(game)
    found: list[list[int]] = []
    while len(found) < tuples:
        snake = [randint(rng, game.squares)]
        while len(snake) < length and (free := [each for each in near[snake[-1]] if each not in snake]):
            snake.append(free[randint(rng, len(free))])
        if len(snake) == length:  # else it ran into a dead end
            found.append(snake)
    return np.array(found, np.int64)


def neighbours(game: Game) -> list[list[int]]:
    """For each square its neighbours, diagonals included."""
    return [
        [i for i, there in enumerate(game.coordinates) if max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1]
        for here in game.coordinates
    ]


@inlined
def _seen(evaluator, game, state):
    """What the current player sees on each square [squares]: 0 nothing, 1 its own piece, 2 the opponent's."""
    seen, own = empty(evaluator.squares, np.int64), 1 - 2 * protocol.current_player(game, state)
    protocol.cells(game, state, seen)
    for square in range(evaluator.squares):
        piece = seen[square] * own
        seen[square] = (piece > 0) + 2 * (piece < 0)
    return seen.view(np.uint64)


@inlined
def _index(seen, places):
    """The index into the table of a tuple on these squares: their contents as digits in base 3."""
    index = U(0)  # unsigned, which spares numba the check for negative indices
    for i in range(len(places)):
        index = U(3) * index + seen[places[i]]
    return index


@kernel
def _value(evaluator, game, state):
    seen, views = _seen(evaluator, game, state), evaluator.views[protocol.current_player(game, state)]
    total = 0.0
    for i in range(len(views)):
        for j in range(len(views[i])):
            total += evaluator.weights[i, _index(seen, views[i, j])]
    return total


@kernel
def _update(evaluator, game, state, amount):
    seen, views = _seen(evaluator, game, state), evaluator.views[protocol.current_player(game, state)]
    for i in range(len(views)):
        for j in range(len(views[i])):
            evaluator.weights[i, _index(seen, views[i, j])] += amount


# kernels, not inlined: a call costs nothing beside their work, while compiling them into each caller would take long


@implements(evaluate, NTuples)
def _(evaluator, game, state):
    return _value(evaluator, game, state)


@implements(gradient_step, NTuples)
def _(evaluator, game, state, amount):
    _update(evaluator, game, state, amount)


@implements(member, NTuples)
def _(population, i):
    return NTuples(population.weights[i], population.views, population.squares)
