"""Playouts that say which moves were made, and prior knowledge of moves: what RAVE and its like build on.

By default playouts are as random as those of `ludus.games.playouts`. A game that knows which moves are sensible makes
those (`is_guided`), and says of the moves of a position how good they look.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.generic import generic, implements
from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, randint
from ludus.games import protocol
from ludus.games.go_guided import play_out_guided, write_go_priors
from ludus.games.go_rules import Go
from ludus.games.protocol import Moves

Firsts = NDArray[np.int64]
Field = NDArray[np.float64]


@generic
def guided_playout(game: Any, state: Any, last: int, moves: Moves, firsts: Firsts, rng: Rng) -> Any:
    """The outcome of a game that goes on from `state` by moves that the game thinks sensible, and their number.

    The outcome is exact if there is no move to make. What lies beyond the state in a history is overwritten.

    last    the move that led to `state`, or -1 if it is unknown
    moves   [max_legal_moves]: scratch space
    firsts  [actions + 1]: -1, where who is the first to take an action is written
    """


@generic
def is_guided(game: Any) -> Any:
    """Whether the game has guided playouts of its own. By default it hasn't."""


@generic
def write_priors(game: Any, state: Any, last: int, moves: Moves, n: int, visits: Field, totals: Field) -> Any:
    """Write what is known of the legal moves `moves[:n]` beforehand, as if they had been tried so often.

    last    the move that led to `state`, or -1 if it is unknown
    visits  [n]: how many simulations the knowledge is worth
    totals  [n]: the sum of their values for who moves, from 1 for a win to -1
    """


@kernel
def play_out_recorded(game: Any, state: Any, moves: Moves, firsts: Firsts, rng: Rng):
    """The same by random moves, for every game."""
    plies = 0
    while True:
        n = protocol.legal_moves(game, state, moves)
        if n == 0:
            return protocol.outcome(game, state), plies
        move = moves[randint(rng, n)]
        action = protocol.action(game, state, move)
        if firsts[action] < 0:
            firsts[action] = protocol.current_player(game, state)
        state = protocol.play(game, state, move)
        plies += 1


@kernel
def guides(game: Any):
    """The same as `is_guided`, for Python."""
    return is_guided(game)


@implements(is_guided)
def _(game):
    return False


@implements(is_guided, Go)
def _(game):
    return not game.restricted


@implements(guided_playout)
def _(game, state, last, moves, firsts, rng):
    return play_out_recorded(game, state, moves, firsts, rng)


@implements(guided_playout, Go)
def _(game, state, last, moves, firsts, rng):
    if game.restricted:
        return play_out_recorded(game, state, moves, firsts, rng)
    if state.passes == 2 or state.ply >= game.plies:
        return protocol.outcome(game, state), 0
    return play_out_guided(game, state, last, firsts, rng)


@implements(write_priors)
def _(game, state, last, moves, n, visits, totals):
    for i in range(n):
        visits[i] = totals[i] = 0.0


@implements(write_priors, Go)
def _(game, state, last, moves, n, visits, totals):
    write_go_priors(game, state, last, moves, n, visits, totals)
