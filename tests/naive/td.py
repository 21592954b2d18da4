"""A slow, obvious twin of temporal difference learning by self-play of a weighted piece counter."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import key, randint, seek, shuffle, uniform
from ludus.games.game import Game, Position


def features(position: Position) -> NDArray[np.float64]:
    """What stands on each square, as the player to move sees it: 1 its own, -1 the opponent's, kings twice."""
    return position.cells * (1.0 if position.current_player == 0 else -1.0)


def learn(game: Game, weights: NDArray[np.float64], seed: int, settings: Any) -> NDArray[np.float64]:
    """The weights after all games."""
    weights, rng = weights.copy(), np.empty(4, np.uint64)
    errors, sizes = np.zeros((2, len(weights)))
    for index in range(settings.games):
        seek(rng, key(seed, "tdl"), index)
        left = 1 - index / settings.games if settings.schedule == "linear" else 1
        alpha, opening = left * settings.alpha, settings.openings
        position, past = game.start(), list[tuple[float, Any]]()
        while not position.over:
            moves = list(position.legal.values())
            opening -= 1
            explores = opening >= 0 or uniform(rng) < left * settings.epsilon
            if opening >= 0 or (explores and settings.random_moves == "skip"):
                past.clear()
                position = position.play(moves[randint(rng, len(moves))])
                continue
            if explores:
                after = position.play(moves[randint(rng, len(moves))])
            elif settings.extend == "captures":
                after = position.play(_searched(position, moves, weights, rng))
                while not after.over and _captures(after):
                    after = after.play(_searched(after, list(after.legal.values()), weights, rng))
                if _captures(position):
                    position = after
                    continue
            else:
                after = position.play(_greedy(position, moves, weights, rng))
            sign = 1.0 if position.current_player == 0 else -1.0
            before = np.tanh(weights @ features(position))
            if after.over:
                assert after.outcome is not None
                margin = after.margin / game.type.max_margin(game.rules)
                target = margin if settings.target == "margin" else 2 * after.outcome - 1
            else:
                target = np.tanh(weights @ features(after)) * (1 if after.current_player == 0 else -1)
            past.append((sign * (1 - before * before), features(position)))
            td_error = target - sign * before
            if settings.rates == "coherent":
                change = alpha * td_error * past[-1][0] * past[-1][1]
                weights += change * np.where(sizes > 0, np.abs(errors) / np.where(sizes > 0, sizes, 1), 1)
                errors, sizes = errors + change, sizes + np.abs(change)
            else:
                for age, (slope, seen) in enumerate(reversed(past)):
                    weights += alpha * td_error * settings.decay**age * slope * seen
            position = after
    return weights


def _captures(position: Position) -> bool:
    """Whether the player to move must capture."""
    return any("x" in move for move in position.legal_moves)


def _searched(position: Position, moves: list[int], weights: NDArray[np.float64], rng: Any) -> int:
    """The best move by a search one move deep that looks on while captures are forced, ties by lot."""
    order = np.array(moves, np.int64)
    shuffle(rng, order, len(order))
    return max(order.tolist(), key=lambda move: -_settled(position.play(move), weights))


def _settled(position: Position, weights: NDArray[np.float64]) -> float:
    """The value for the player to move, once forced captures are played out."""
    if position.over:
        assert position.outcome is not None
        return (2 * position.outcome - 1) * 1e9 * (1 if position.current_player == 0 else -1)
    if not _captures(position):
        return float(weights @ features(position))
    return max(-_settled(position.play(move), weights) for move in position.legal.values())


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
