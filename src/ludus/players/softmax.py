"""Players that err as weaker players do: the less a move loses in the eyes of another player, the likelier it is.

`softmax:0.5,alphabeta:depth=2` makes a move whose value is v with a chance proportional to exp(v / 0.5), so it rarely
throws away what it sees, unlike a `noisy` player, whose random moves are all alike. A search judges by the value of
each move. Monte Carlo tree search judges by the logarithm of a move's simulations: with temperature 1, chances are
proportional to how often it tried the moves, as in AlphaZero's self-play. Certain wins and losses outweigh all values.
"""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.generic import generic, implements
from ludus.compile.rng import Rng, uniform
from ludus.errors import InvalidSetting
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.endings import WIN, one_ply_value
from ludus.players.explanations import Explanation, explain_parts, explains
from ludus.players.greedy import Greedy
from ludus.players.names import player
from ludus.players.protocol import Moves, choose, with_fresh_memory
from ludus.players.search.alphabeta import Search, best_move, full_depth, unlimited_budget
from ludus.players.search.uct import MCTS, new_tree_of, simulate, standing

JUDGES = (Greedy, Search, MCTS)
"""Who can judge moves."""


class Softmax(NamedTuple):
    temperature: float
    player: Any


@generic
def judge_moves(player: Any, game: Any, state: Any, moves: Moves, n: int, rng: Rng, out: NDArray[np.float64]) -> Any:
    """Write what each of the legal moves `moves[:n]` is worth in the player's eyes, to who makes it."""


@implements(judge_moves, Greedy)
def _(player, game, state, moves, n, rng, out):
    for i in range(n):
        out[i] = one_ply_value(player.evaluator, game, state, moves[i])


@implements(judge_moves, Search)
def _(player, game, state, moves, n, rng, out):
    depth = full_depth(player, game, state)
    for i in range(n):
        out[i] = best_move(player, game, state, moves[i : i + 1], depth, unlimited_budget(), True)[1]


@implements(judge_moves, MCTS)
def _(player, game, state, moves, n, rng, out):
    out[:n] = -np.inf  # of moves that were never tried
    tree = new_tree_of(player, game, state, moves[:n], rng)
    simulate(player, game, state, tree, player.simulations, rng)
    child = int(tree.children[0])
    while child > 0:
        certain, visits, _ = standing(tree, child)
        for i in range(n):
            if moves[i] == tree.moves[child]:
                out[i] = certain * WIN if certain != 0.0 else math.log(visits)
        child = int(tree.siblings[child])


@implements(choose, Softmax)
def _(player, game, state, moves, n, rng):
    if n == 1:
        return moves[0]
    values = empty(n, np.float64)
    judge_moves(player.player, game, state, moves, n, rng, values)
    best, total = values[0], 0.0
    for i in range(n):
        best = max(best, values[i])
    for i in range(n):
        values[i] = math.exp((values[i] - best) / player.temperature)
        total += values[i]
    left = uniform(rng) * total
    for i in range(n):
        left -= values[i]
        if left < 0.0:
            return moves[i]
    return moves[n - 1]


@implements(with_fresh_memory, Softmax)
def _(player, game):
    return Softmax(player.temperature, with_fresh_memory(player.player, game))


@explains(Softmax)
def _explained(player: Softmax, position: Position) -> Explanation:
    inner = explain_parts(player.player, position)
    errs = "It does not always play the best move: the less a move loses, the likelier it is played."
    return replace(inner, description=f"{inner.description} {errs}")


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    written, comma, rest = arguments.partition(",")
    try:
        temperature = float(written)
    except ValueError:
        temperature = -1.0
    if not (1e-6 <= temperature <= 1e6 and comma):
        raise InvalidSetting(
            f"invalid softmax player {text!r}: write softmax:0.5,PLAYER with a temperature from 1e-6 to 1e6"
        )
    inner = player(rest, game)
    if not isinstance(inner, CompiledPlayer) or not isinstance(inner.parts, JUDGES):
        raise InvalidSetting(
            f"{rest} does not judge every move; softmax needs a greedy player, an n-tuple network, alphabeta, minimax "
            "or mcts, without seconds="
        )
    return CompiledPlayer(text, game, Softmax(temperature, inner.parts))


PLAYERS = (
    PlayerKind(
        "softmax",
        "errs as weaker players do: the less a move loses in another player's eyes, the likelier it is",
        "softmax:0.5,alphabeta:depth=2",
        _make,
    ),
)
