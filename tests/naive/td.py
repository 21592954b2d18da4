"""A slow, obvious twin of temporal difference learning by self-play of a weighted piece counter."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import key, randint, seek, uniform
from ludus.games.game import Game, Position


def features(position: Position) -> NDArray[np.float64]:
    """What stands on each square, as the player to move sees it: 1 its own, -1 the opponent's, kings twice."""
    return position.cells * (1.0 if position.current_player == 0 else -1.0)


def learn(
    game: Game, weights: NDArray[np.float64], seed: int, games: int, alpha: float, epsilon: float, decay: float
) -> NDArray[np.float64]:
    """The weights after so many games."""
    weights, rng = weights.copy(), np.empty(4, np.uint64)
    for index in range(games):
        seek(rng, key(seed, "tdl"), index)
        position, past = game.start(), list[tuple[float, Any]]()
        while not position.over:
            moves = list(position.legal.values())
            if uniform(rng) < epsilon:
                past.clear()
                position = position.play(moves[randint(rng, len(moves))])
                continue
            after = position.play(_greedy(position, moves, weights, rng))
            sign = 1.0 if position.current_player == 0 else -1.0
            before = np.tanh(weights @ features(position))
            if after.over:
                assert after.outcome is not None
                target = 2 * after.outcome - 1
            else:
                target = np.tanh(weights @ features(after)) * (1 if after.current_player == 0 else -1)
            past.append((sign * (1 - before * before), features(position)))
            td_error = target - sign * before
            for age, (slope, seen) in enumerate(reversed(past)):
                weights += alpha * td_error * decay**age * slope * seen
            position = after
    return weights


def _greedy(position: Position, moves: list[int], weights: NDArray[np.float64], rng: Any) -> int:
    best, pick, ties = -np.inf, moves[0], 1
    for move in moves:
        after = position.play(move)
        # rounded to ten digits, since sums in another order may break a tie
        worth = round(
            float(weights @ features(after)) * (1 if after.current_player == position.current_player else -1), 10
        )
        if worth > best:
            best, pick, ties = worth, move, 1
        elif worth == best:
            ties += 1
            if randint(rng, ties) == 0:
                pick = move
    return pick
