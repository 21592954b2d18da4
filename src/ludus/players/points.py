"""A weight for what a move makes of the board, without regard to the position: the linear baseline of abramson2001.

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

from ludus import vocabulary as words
from ludus.dice import below
from ludus.games.game import Game, Position
from ludus.kernels import kernel
from ludus.players.explanations import Board, Explanation, explains, ranked
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.shipped import shipped_player
from ludus.vocabulary import says

OURS, THEIRS, EMPTY = 0, 1, 2


class Points(NamedTuple):
    weights: NDArray[np.float64]  # [ours, theirs or empty; squares + 1]; the last is for a pass
    whole: bool  # whether a move is judged by the whole board after it
    seen: NDArray[np.int64]  # [mover, squares + 1]: which square of the weights a square of the board is


def points(game: Game, weights: NDArray[np.float64], whole: bool) -> Points:
    """The player with these weights. Where a symmetry exchanges the sides, the second looks at the board through it."""
    plain = [*range(game.squares), game.squares]
    swapping = [[*goes, game.squares] for i, goes in enumerate(game.symmetries) if game.family.swaps(i)]
    return Points(weights, whole, np.array([plain, (swapping or [plain])[0]], np.int64))


@kernel
def features(player, game, state, move, out):
    """Write what `move` makes of each square: an index of the weights' first axis, or -1 where it does not count."""
    mover, squares = words.mover(game, state), player.weights.shape[1] - 1
    if player.whole:
        cells = np.empty(squares, np.int64)
        words.cells(game, words.play(game, state, move), cells)
        for square in range(squares):
            piece = cells[square] * (1 - 2 * mover)
            out[player.seen[mover, square]] = OURS if piece > 0 else (THEIRS if piece < 0 else EMPTY)
        out[squares] = -1
    else:
        out[:] = -1
        out[player.seen[mover, words.ends(game, move)[1]]] = OURS


@kernel
def judged(player, marks):
    """The mean of the weights that these features have."""
    total, count = 0.0, 0
    for square in range(len(marks)):
        if marks[square] >= 0:
            total += player.weights[marks[square], square]
            count += 1
    return total / count


@kernel
def judge_all(player, game, state, moves, n, marks, out):
    """Write the worth of each of the legal moves."""
    for i in range(n):
        features(player, game, state, moves[i], marks)
        out[i] = judged(player, marks)


@kernel
def greatest(values, n, dice):
    """The index of the greatest value, one by lot if there are several."""
    best, ties = 0, 1
    for i in range(1, n):
        if values[i] > values[best]:
            best, ties = i, 1
        elif values[i] == values[best]:
            ties += 1
            if below(dice, ties) == 0:
                best = i
    return best


@says(words.choose, Points)
def _(player, game, state, moves, n, dice):
    marks, values = np.empty(player.weights.shape[1], np.int64), np.empty(n)
    judge_all(player, game, state, moves, n, marks, values)
    return moves[greatest(values, n, dice)]


@kernel
def _judged_detached(player, game, state, moves, marks, out):
    judge_all(player, game, words.detached(game, state), moves, len(moves), marks, out)


@explains(Points)
def _explained(player: Points, position: Position) -> Explanation:
    moves, values = np.array(list(position.legal.values()), np.int64), np.empty(len(position.legal))
    marks = np.empty(player.weights.shape[1], np.int64)
    _judged_detached(player, position.game.rules, position.state, moves, marks, values)
    names = {OURS: "ours", THEIRS: "theirs", EMPTY: "empty"} if player.whole else {OURS: "ours"}
    squares = player.seen[position.mover, :-1]
    return Explanation(
        "It makes the move with the greatest weight.",
        "the mean of the weights of what is on the board after it" if player.whole else "the weight of where it ends",
        ranked(dict(zip(position.legal, values.tolist(), strict=True))),
        boards=tuple(
            Board(f"weights: {name}", tuple(player.weights[mark, squares].tolist())) for mark, name in names.items()
        ),
    )


def loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Points:
    """The player that a player file holds."""
    weights, whole = arrays["weights"], chosen["whole"]
    if weights.shape != (3, game.squares + 1) or weights.dtype != np.float64:
        raise ValueError(f"it needs an array 'weights' of float64, 3 x {game.squares + 1}")
    if not isinstance(whole, bool):
        raise ValueError("its setting 'whole' is neither true nor false")
    return points(game, np.ascontiguousarray(weights), whole)


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


PLAYERS = (
    PlayerKind(
        "sarsa-linear", "the move with the greatest weight, trained as abramson2001's baseline",
        "sarsa-linear:go5", _make, loaded,
    ),
)  # fmt: skip
