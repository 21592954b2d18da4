"""How good a player is, in percent of all points: the three measures of jaskowski2014, and averages over runs.

Against random piece counters (generalization), against the standard heuristic (heuristic), and one set of players
against another (head to head). A win is a point, a draw half of one, and everybody plays both colours. Game i throws
the dice of index i, so nothing depends on the number of workers.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import key, throw, uniform
from ludus.errors import LudusError
from ludus.kernels import inlined, kernel
from ludus.measures.intervals import summary
from ludus.measures.matches import MOST_GAMES, match, pair_scores
from ludus.players.evaluators import PieceCounter
from ludus.players.greedy import Greedy
from ludus.players.noisy import Noisy
from ludus.players.player import CompiledPlayer, Player, play_through
from ludus.players.playouts import NO_OPENINGS, UNRECORDED, play_games
from ludus.players.strings import only, player

BLOCK = 512
"""How many games a thread plays before it takes the next ones."""

STANDARD = {
    "othello8": "heuristic",
    "othello6": "jain2018",
    "othello4": "discs",
    "checkers": "pieces",
    "go": "greedy:value=area",
    "any": "greedy",
}
"""The opponent of `heuristic`, by game."""

NOISE = 0.1
"""The chance of a random move there, since two players without any would play the same two games again and again."""


@dataclass(frozen=True)
class Performance:
    """Points in percent of all that could be had, with a 95% interval."""

    percent: float
    interval: tuple[float, float]


def generalization(measured: CompiledPlayer, games: int = 50_000, seed: int = 1, workers: int = 1) -> Performance:
    """The points against piece counters with weights drawn from -1 to 1, a new one for each pair of games."""
    return performance(pair_scores(random_opponent_scores(measured, games, seed, workers)))


def random_opponent_scores(measured: CompiledPlayer, games: int, seed: int, workers: int = 1) -> NDArray[np.float64]:
    """The score of each game against random piece counters; games 2k and 2k+1 are against the same one."""
    check_amount(games, workers)
    game, scores = measured.game, np.empty(games)
    keys = np.array([key(seed, "random opponent"), key(seed, "generalization")], np.uint64)

    def play(begin: int, end: int) -> None:
        meet_random(game.rules, measured.parts, game.squares, keys, begin, scores[begin:end])

    spread(play, games, BLOCK, workers)
    return scores


def heuristic(measured: CompiledPlayer, games: int = 50_000, seed: int = 1, workers: int = 1) -> Performance:
    """The points against the standard player of the game, both sides now and then making a random move."""
    check_amount(games, workers)
    game = measured.game
    standard = compiled(player(only("heuristic performance", game, STANDARD), game))
    ours, theirs = (CompiledPlayer(each.name, game, Noisy(NOISE, each.parts)) for each in (measured, standard))
    return performance(pair_scores(match(ours, theirs, games, seed=seed, workers=workers, opening="none").scores))


def head_to_head(
    first: Sequence[CompiledPlayer],
    second: Sequence[CompiledPlayer],
    seed: int = 1,
    games_each: int = 2,
    workers: int = 1,
) -> Performance:
    """The points of the first set of players, each of whom plays each of the second set.

    The interval takes every meeting of two players for an observation of its own. It is about these players, and
    doesn't say how others from the same learners would fare.
    """
    everybody = [*first, *second]
    if not first or not second or len({each.game for each in everybody}) != 1:
        raise LudusError("head to head needs players on both sides, all of one game")
    if games_each < 2 or games_each % 2:
        raise LudusError(f"{games_each} games each are not fair; both play both colours, so write an even number")
    meetings = len(first) * len(second)
    check_amount(meetings * games_each, workers)
    scores, rules = np.empty((meetings, games_each)), everybody[0].game.rules
    keys = np.array([0, key(seed, "head to head")], np.uint64)

    def play(begin: int, end: int) -> None:
        lengths = np.empty(games_each, np.int64)
        for index in range(begin, end):
            one, other = first[index // len(second)].parts, second[index % len(second)].parts
            begun = index * games_each
            play_games(rules, one, other, True, NO_OPENINGS, 0, keys, begun, scores[index], lengths, UNRECORDED)

    spread(play, meetings, max(1, BLOCK // games_each), workers)
    return performance(scores.mean(axis=1))


def over_runs(values: Sequence[float]) -> Performance:
    """The mean of one figure over independent runs, with Student's 95% interval."""
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    if len(values) < 2:
        raise LudusError(f"{len(values)} runs don't tell how runs differ; an interval needs two or more")
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(len(values))
    half = float(stdtrit(len(values) - 1, 0.975)) * error
    return Performance(mean, (mean - half, mean + half))


def performance(observed: NDArray[np.float64]) -> Performance:
    """What these scores, each an observation of its own, come to."""
    found = summary(observed)
    return Performance(100 * found.score, (100 * found.interval[0], 100 * found.interval[1]))


def compiled(given: Player) -> CompiledPlayer:
    """The same player, if it can play tens of thousands of games inside a kernel."""
    if not isinstance(given, CompiledPlayer):
        raise LudusError(f"{given.name} is too slow to be measured; `ludus match` plays a few games with it")
    return given


def check_amount(games: int, workers: int) -> None:
    if not 1 <= games <= MOST_GAMES or workers < 1:
        raise LudusError(f"{games} games by {workers} workers can't be played; both are 1 or more")


def spread(work: Callable[[int, int], None], total: int, size: int, workers: int) -> None:
    """Let `workers` threads do the work from 0 to `total`, in pieces of that size."""
    with ThreadPoolExecutor(workers) as pool:
        try:
            for piece in [pool.submit(work, begin, min(begin + size, total)) for begin in range(0, total, size)]:
                piece.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@inlined
def draw(weights, dice):
    """Random weights from -1 to 1."""
    for square in range(len(weights)):
        weights[square] = 2.0 * uniform(dice) - 1.0


@kernel
def meet_random(game, player, squares, keys, begin, scores):
    """Play the games from number `begin` on, as many as `scores` has room for, a new opponent for each pair.

    keys  of the random streams for opponents and for games
    """
    moves, dice, weights = np.empty(words.width(game), np.int64), np.empty(4, np.uint64), np.empty(squares)
    opponent = Greedy(PieceCounter(weights), True)
    for i in range(len(scores)):
        index = begin + i
        if i == 0 or index % 2 == 0:
            throw(dice, keys[0], index // 2)
            draw(weights, dice)
        throw(dice, keys[1], index)
        scores[i] = play_through(game, player, opponent, index % 2, moves, dice)
