"""Sarsa-linear players: a linear function of what a move makes of the board, the baseline of abramson2001.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 5, the player
"SLinear". Every point can be ours, theirs or empty, and there is a weight for each of the three.

Where we decided, since the paper's few words have two readings:

- `move`: the player makes the move with the greatest weight, that of its own piece where the move ends, as the text has
  it. The position then matters only in what is legal; so does Monte Carlo Go, which the paper compares it with.
- `board`: a linear function of the whole board after the move, the mean of the weights of what is on every point. It
  can tell what a capture is worth, and is the fairer rival.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.generic import implements
from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, randint
from ludus.evaluators.pictures import Board
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.protocol import Moves, choose
from ludus.players.shipped import shipped_player

OURS, THEIRS, EMPTY = 0, 1, 2

Features = NDArray[np.int64]
"""[squares + 1]: OURS, THEIRS or EMPTY for what is on each square after a move, -1 where it does not count."""

Values = NDArray[np.float64]
"""[moves]: the value of each legal move."""


class LinearPolicy(NamedTuple):
    weights: NDArray[np.float64]  # [ours, theirs or empty; squares + 1]; the last is for a pass
    whole_board: bool  # whether the value of a move depends on the whole board after it
    views: NDArray[np.int64]  # [mover, squares + 1]: which square of the weights a square of the board is


def linear_policy(game: Game, weights: NDArray[np.float64], whole_board: bool) -> LinearPolicy:
    """The player with these weights. Where a symmetry exchanges the sides, the second looks at the board through it."""
    plain = [*range(game.squares), game.squares]
    swapping = [[*goes, game.squares] for i, goes in enumerate(game.symmetries) if game.type.swaps_sides(i)]
    return LinearPolicy(weights, whole_board, np.array([plain, (swapping or [plain])[0]], np.int64))


@kernel
def extract_features(player: LinearPolicy, game: Any, state: Any, move: int, out: Features) -> None:
    """Write what `move` makes of each square: an index of the weights' first axis, or -1 where it does not count."""
    mover, squares = protocol.current_player(game, state), player.weights.shape[1] - 1
    if player.whole_board:
        cells = empty(squares, np.int64)
        protocol.cells(game, protocol.play(game, state, move), cells)
        for square in range(squares):
            piece = cells[square] * (1 - 2 * mover)
            out[player.views[mover, square]] = OURS if piece > 0 else (THEIRS if piece < 0 else EMPTY)
        out[squares] = -1
    else:
        out[:] = -1
        out[player.views[mover, protocol.move_squares(game, move)[1]]] = OURS


@kernel
def linear_value(player: LinearPolicy, features: Features) -> float:
    """The mean of the weights of these features."""
    total, count = 0.0, 0
    for square in range(len(features)):
        if features[square] >= 0:
            total += player.weights[features[square], square]
            count += 1
    return total / count


@kernel
def move_values(player: LinearPolicy, game: Any, state: Any, moves: Moves, n: int, features: Features, out: Values):
    """Write the value of each of the legal moves `moves[:n]`; `features` [squares + 1] is a buffer."""
    for i in range(n):
        extract_features(player, game, state, moves[i], features)
        out[i] = linear_value(player, features)


@kernel
def argmax(values: Values, n: int, rng: Rng):
    """The index of the greatest of `values[:n]`, one by lot if there are several."""
    best, ties = 0, 1
    for i in range(1, n):
        if values[i] > values[best]:
            best, ties = i, 1
        elif values[i] == values[best]:
            ties += 1
            if randint(rng, ties) == 0:
                best = i
    return best


@implements(choose, LinearPolicy)
def _(player, game, state, moves, n, rng):
    features, values = empty(player.weights.shape[1], np.int64), empty(n, np.float64)
    move_values(player, game, state, moves, n, features, values)
    return moves[argmax(values, n, rng)]


@kernel
def _move_values(player: LinearPolicy, game: Any, state: Any, moves: Moves, features: Features, out):
    move_values(player, game, protocol.copy_state(game, state), moves, len(moves), features, out)


@explains(LinearPolicy)
def _explained(player: LinearPolicy, position: Position) -> Explanation:
    moves, values = np.array(list(position.legal.values()), np.int64), np.empty(len(position.legal))
    features = np.empty(player.weights.shape[1], np.int64)
    _move_values(player, position.game.rules, position.state, moves, features, values)
    names = {OURS: "ours", THEIRS: "theirs", EMPTY: "empty"} if player.whole_board else {OURS: "ours"}
    squares = player.views[position.current_player, :-1]
    return Explanation(
        "It makes the move with the greatest weight.",
        "the mean of the weights of what is on the board after it"
        if player.whole_board
        else "the weight of where it ends",
        ranked(dict(zip(position.legal, values.tolist(), strict=True))),
        boards=tuple(
            Board(f"weights: {name}", tuple(player.weights[kind, squares].tolist())) for kind, name in names.items()
        ),
    )


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> LinearPolicy:
    """The player that a player file holds."""
    weights, whole = arrays["weights"], chosen["whole"]
    if weights.shape != (3, game.squares + 1) or weights.dtype != np.float64:
        raise ValueError(f"it needs an array 'weights' of float64, 3 x {game.squares + 1}")
    if not isinstance(whole, bool):
        raise ValueError("its setting 'whole' is neither true nor false")
    return linear_policy(game, np.ascontiguousarray(weights), whole)


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


PLAYERS = (
    PlayerKind(
        "sarsa-linear", "the move with the greatest weight, trained as abramson2001's baseline",
        "sarsa-linear:go5", _make, _loaded,
    ),
)  # fmt: skip
