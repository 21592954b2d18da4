"""Playouts: games that go on by random moves to the end, as Monte Carlo tree search plays them by the thousand."""

from typing import Any

from ludus.compile.generic import generic, implements
from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, randint
from ludus.games import protocol
from ludus.games.go_playouts import play_out_chains
from ludus.games.go_rules import Go
from ludus.games.protocol import Moves


@generic
def playout(game: Any, state: Any, moves: Moves, rng: Rng) -> Any:
    """The outcome of a game that goes on from `state` by random moves, each legal one as likely, and their number.

    A game implements it where it can do without a list of the legal moves. What lies beyond the state in a history is
    overwritten.

    moves  [max_legal_moves]: scratch space
    """


@kernel
def play_out_states(game: Any, state: Any, moves: Moves, rng: Rng):
    """The same for every game."""
    plies = 0
    while True:
        n = protocol.legal_moves(game, state, moves)
        if n == 0:
            return protocol.outcome(game, state), plies
        state = protocol.play(game, state, moves[randint(rng, n)])
        plies += 1


@implements(playout)
def _(game, state, moves, rng):
    return play_out_states(game, state, moves, rng)


@implements(playout, Go)
def _(game, state, moves, rng):
    if game.restricted:
        return play_out_states(game, state, moves, rng)
    return play_out_chains(game, state, rng)
