"""A slow, obvious twin of temporal difference learning by self-play of a weighted piece counter."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.dice import below, key, throw, uniform
from ludus.games.game import Game, Position


def features(position: Position) -> NDArray[np.float64]:
    """What stands on each square, as the mover sees it: 1 its own, -1 the opponent's, kings twice."""
    return position.cells * (1.0 if position.mover == 0 else -1.0)


def learn(
    game: Game, weights: NDArray[np.float64], seed: int, games: int, alpha: float, epsilon: float, decay: float
) -> NDArray[np.float64]:
    """The weights after so many games."""
    weights, dice = weights.copy(), np.empty(4, np.uint64)
    for index in range(games):
        throw(dice, key(seed, "tdl"), index)
        position, past = game.start(), list[tuple[float, Any]]()
        while not position.over:
            moves = list(position.legal.values())
            if uniform(dice) < epsilon:
                past.clear()
                position = position.play(moves[below(dice, len(moves))])
                continue
            after = position.play(_greedy(position, moves, weights, dice))
            sign = 1.0 if position.mover == 0 else -1.0
            before = np.tanh(weights @ features(position))
            if after.over:
                assert after.outcome is not None
                target = 2 * after.outcome - 1
            else:
                target = np.tanh(weights @ features(after)) * (1 if after.mover == 0 else -1)
            past.append((sign * (1 - before * before), features(position)))
            surprise = target - sign * before
            for age, (slope, seen) in enumerate(reversed(past)):
                weights += alpha * surprise * decay**age * slope * seen
            position = after
    return weights


def _greedy(position: Position, moves: list[int], weights: NDArray[np.float64], dice: Any) -> int:
    best, pick, ties = -np.inf, moves[0], 1
    for move in moves:
        after = position.play(move)
        # kept to ten digits, since sums in another order may break a tie that exists
        worth = round(float(weights @ features(after)) * (1 if after.mover == position.mover else -1), 10)
        if worth > best:
            best, pick, ties = worth, move, 1
        elif worth == best:
            ties += 1
            if below(dice, ties) == 0:
                pick = move
    return pick
