"""The influence of the stones over a Go board, and the player that plays for the most of it.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 2 and, as the
player "Heuristic", section 5. A black stone has influence 1, a white one -1, and every empty point the mean of the
points around it, diagonals included.

Where we decided: the paper lets the influence ripple until no changes occur; here the equations are solved exactly.
Sums that differ by less than `SAME` are a tie, so that rounding decides nothing; of those the lowest point is played.
A lone colour has the same influence all over the board, so on an empty board the player begins at A1.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import any_set, difference, first_square, intersection, single
from ludus.compile.generic import implements
from ludus.compile.jit import kernel
from ludus.evaluators.pictures import Board
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.games.go_rules import Go, captured, neighbours
from ludus.games.influence import any_nonzero, influence_of, invert, solve, solve_influence
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.names import settings
from ludus.players.protocol import Moves, choose

SAME = 1e-9


@kernel
def influence_sums(game: Any, state: Any, moves: Moves, n: int, out: NDArray[np.float64]) -> None:
    """Write the sum of the influence after each of the legal moves `moves[:n]`, the mover's own being positive."""
    points, colour = game.size * game.size, 1.0 - 2.0 * state.current_player
    stones, after, field, shift = empty((4, points), np.float64)
    matrix, inverse = empty((points, points), np.float64), empty((points, points), np.float64)
    protocol.cells(game, state, stones)
    if not any_nonzero(stones):
        for i in range(n):
            out[i] = points if moves[i] < points else 0.0
        return

    solve_influence(game.size, stones, matrix, field)
    invert(game.size, matrix, inverse)
    for point in range(points):
        shift[point] = 1.0 if stones[point] == 0.0 else 0.0
    solve(game.size, matrix, shift)  # the sums of the inverse's columns
    total = field.sum()
    for i in range(n):
        out[i] = colour * total
        if moves[i] < points:
            out[i] += (1.0 - colour * field[moves[i]]) * shift[moves[i]] / inverse[moves[i], moves[i]]

    # a capture frees points, which no column of the inverse knows of
    taking = neighbours(game, intersection(state.opp, state.atari))
    for i in range(n):
        if moves[i] < points and any_set(intersection(single(taking, moves[i]), taking)):
            for point in range(points):
                after[point] = stones[point]
            after[moves[i]] = colour
            taken = captured(game, state, single(taking, moves[i]))
            while any_set(taken):
                after[first_square(taken)] = 0.0
                taken = difference(taken, single(taken, first_square(taken)))
            solve_influence(game.size, after, matrix, field)
            out[i] = colour * field.sum()


class Influence(NamedTuple):
    nothing: int = 0  # numba wants a field


@implements(choose, Influence, Go)
def _(player, game, state, moves, n, rng):
    sums = empty(n, np.float64)
    influence_sums(game, state, moves, n, sums)
    best = 0
    for i in range(1, n):
        # a pass comes last, so it is made only where nothing else is legal
        if moves[i] < game.size * game.size and sums[i] > sums[best] + SAME:
            best = i
    return moves[best]


@explains(Influence)
def _explained(player: Influence, position: Position) -> Explanation:
    moves = np.array(list(position.legal.values()), np.int64)
    sums, field = np.empty(len(moves)), influence_of(position)
    influence_sums(position.game.rules, position.state, moves, len(moves), sums)
    own = 1.0 - 2.0 * position.current_player
    return Explanation(
        "It makes the move that leaves it the most influence over the board, and passes only if it must.",
        "the sum of the influence over all points after the move, its own being positive",
        ranked(dict(zip(position.legal, sums.tolist(), strict=True))),
        boards=(Board("influence", tuple((own * field).tolist()), "before the move; above 0 is its own"),),
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    settings("influence", arguments, ())
    return CompiledPlayer(text, game, game.choice("influence", {"go": Influence})())


PLAYERS = (
    PlayerKind("influence", "Go: the move that leaves it the most influence over the board", "influence", _make),
)
