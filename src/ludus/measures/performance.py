"""How good a player is, in percent of all points: the three measures of jaskowski2014, and means over runs.

Against random piece counters (generalization), against the game's standard player (heuristic), and one set of players
against another (head to head). A win is a point, a draw half of one, and everybody plays both colours. Game i has the
random stream of index i, so results don't depend on the number of workers. Every `Estimate` here is in percent.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import Rng, key, seek, uniform
from ludus.errors import InvalidSetting, WrongGame
from ludus.evaluators.piece_counter import PieceCounter
from ludus.games import protocol
from ludus.play.games import GameResults, Schedule, play_games, play_through
from ludus.play.intervals import Estimate, Summary, summary
from ludus.play.matches import MOST_GAMES, match, summary_of_games
from ludus.play.parallel import in_parallel
from ludus.play.tables import html_table
from ludus.players.base import CompiledPlayer, Player
from ludus.players.greedy import Greedy
from ludus.players.names import player
from ludus.players.noisy import Noisy

BLOCK = 512
"""How many games a thread plays before it takes the next ones."""

NOISE = 0.1
"""The chance of a random move there, since two players without any would play the same two games again and again."""


@dataclass(frozen=True)
class Measures:
    """The two measures of a single player, in percent of all points."""

    generalization: Estimate
    """Against piece counters with random weights."""
    heuristic: Estimate
    """Against the game's standard player, with some random moves on both sides."""

    def to_json(self) -> dict[str, Any]:
        return {
            name: {"percent": each.value, "interval": each.interval}
            for name, each in (("generalization", self.generalization), ("heuristic", self.heuristic))
        }

    def _repr_html_(self) -> str:
        rows = [("generalization", self.generalization), ("heuristic", self.heuristic)]
        return html_table(["measure", "percent of points (95% interval)"], rows)


def measure(
    measured: CompiledPlayer,
    games: int = 50_000,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[float], None] = lambda done: None,
) -> Measures:
    """Both measures, each by so many games; `progress` is called with the share of them that is played."""
    check_amount(games, workers)
    first = random_opponent_scores(measured, games, seed, workers, lambda played: progress(played / games / 2))
    second = _standard_opponent_scores(
        measured, games, seed, workers, lambda scores: progress(0.5 + len(scores) / games / 2)
    )
    return Measures(percent_of_games(first), percent_of_games(second))


def generalization(measured: CompiledPlayer, games: int = 50_000, seed: int = 1, workers: int = 1) -> Estimate:
    """The points against piece counters with weights drawn from -1 to 1, a new one for each pair of games."""
    return percent_of_games(random_opponent_scores(measured, games, seed, workers))


def random_opponent_scores(
    measured: CompiledPlayer,
    games: int,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] = lambda played: None,
) -> NDArray[np.float64]:
    """The score of each game against random piece counters; games 2k and 2k+1 are against the same one."""
    check_amount(games, workers)
    game, scores = measured.game, np.empty(games)
    keys = np.array([key(seed, "random opponent"), key(seed, "generalization")], np.uint64)

    def play(begin: int, end: int) -> None:
        meet_random(game.rules, measured.parts, game.squares, keys, begin, scores[begin:end])

    in_parallel(play, games, BLOCK, workers, progress)
    return scores


def heuristic(measured: CompiledPlayer, games: int = 50_000, seed: int = 1, workers: int = 1) -> Estimate:
    """The points against the standard player of the game, both sides now and then making a random move."""
    check_amount(games, workers)
    return percent_of_games(_standard_opponent_scores(measured, games, seed, workers))


def _standard_opponent_scores(
    measured: CompiledPlayer,
    games: int,
    seed: int,
    workers: int,
    progress: Callable[[NDArray[np.float64]], None] = lambda scores: None,
) -> NDArray[np.float64]:
    game = measured.game
    standard = compiled(player(game.defaults.opponent, game))
    ours, theirs = (CompiledPlayer(each.name, game, Noisy(NOISE, each.parts)) for each in (measured, standard))
    return match(ours, theirs, games, seed=seed, workers=workers, opening="none", progress=progress).scores


def head_to_head(
    first: Sequence[CompiledPlayer],
    second: Sequence[CompiledPlayer],
    seed: int = 1,
    games_each: int = 2,
    workers: int = 1,
) -> Estimate:
    """The points of the first set of players, each of whom plays each of the second set.

    Every pairing of two players is one observation. So the interval is about these players; it doesn't say how others
    from the same learners would fare.
    """
    everybody = [*first, *second]
    if not first or not second or len({each.game for each in everybody}) != 1:
        raise WrongGame("head to head needs players on both sides, all of one game")
    check_even(games_each)
    pairings = len(first) * len(second)
    check_amount(pairings * games_each, workers)
    scores, rules = np.empty((pairings, games_each)), everybody[0].game.rules
    keys = np.array([0, key(seed, "head to head")], np.uint64)

    def play(begin: int, end: int) -> None:
        lengths = np.empty(games_each, np.int64)
        for index in range(begin, end):
            one, other = first[index // len(second)].parts, second[index % len(second)].parts
            play_games(rules, one, other, Schedule(index * games_each, keys), GameResults(scores[index], lengths))

    in_parallel(play, pairings, max(1, BLOCK // games_each), workers)
    return percent(scores.mean(axis=1))


def over_runs(values: Sequence[float], within: tuple[float, float] = (-math.inf, math.inf)) -> Estimate:
    """The mean of one figure over independent runs with Student's 95% interval, in the unit of the figure.

    `within` are the least and the greatest value that the figure can have: the interval ends there.
    """
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    if len(values) < 2:
        raise InvalidSetting(f"an interval over runs takes two or more runs, not {len(values)}")
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(len(values))
    half = float(stdtrit(len(values) - 1, 0.975)) * error
    return Estimate(mean, (max(within[0], mean - half), min(within[1], mean + half)), len(values))


def share_over_runs(percents: Sequence[float]) -> Estimate:
    """The mean of a share in percent over independent runs; its interval keeps within 0 to 100."""
    return over_runs(percents, (0.0, 100.0))


def jackknife(
    figure: Callable[[Sequence[int]], float], runs: int, within: tuple[float, float] = (-math.inf, math.inf)
) -> Estimate:
    """A figure that is no mean over independent runs, such as where two mean curves cross, with its 95% interval.

    `figure` computes it from the runs of these numbers. How much it changes as each of them is left out in turn makes
    the interval (Tukey 1958), which ends at the least and the greatest value that the figure can have.
    """
    everyone = range(runs)
    whole = figure(everyone)
    without = [figure([each for each in everyone if each != left_out]) for left_out in everyone]
    found = over_runs([runs * whole - (runs - 1) * each for each in without])
    half = found.interval[1] - found.value
    return Estimate(whole, (max(within[0], whole - half), min(within[1], whole + half)), runs)


def percent(observed: NDArray[np.float64]) -> Estimate:
    """The mean of these scores from 0 to 1 in percent; each is an observation of its own."""
    return _in_percent(summary(observed))


def percent_of_games(scores: NDArray[np.float64]) -> Estimate:
    """The mean of the scores of games in percent; two of them that share an opening, or an opponent, are a pair."""
    return _in_percent(summary_of_games(scores))


def _in_percent(found: Summary) -> Estimate:
    return Estimate(100 * found.score, (100 * found.interval[0], 100 * found.interval[1]))


def compiled(given: Player) -> CompiledPlayer:
    """The same player, if it can play tens of thousands of games inside a kernel."""
    if not isinstance(given, CompiledPlayer):
        raise InvalidSetting(f"{given.label} is too slow to be measured; `ludus match` plays a few games with it")
    return given


def check_even(games: int) -> None:
    """Raise InvalidSetting unless two players can have each colour in half of so many games."""
    if games < 2 or games % 2:
        raise InvalidSetting(f"{games} games each can't be fair: both sides play both colours, so write an even number")


def check_amount(games: int, workers: int) -> None:
    """Raise InvalidSetting unless so many games can be played by so many workers."""
    if not 1 <= games <= MOST_GAMES:
        raise InvalidSetting(f"invalid games={games}: must be from 1 to {MOST_GAMES:,}")
    if workers < 1:
        raise InvalidSetting(f"invalid workers={workers}: must be 1 or more")


@inlined
def draw(weights: NDArray[np.float64], rng: Rng) -> None:
    """Fill `weights` [squares] with random numbers from -1 to 1."""
    for square in range(len(weights)):
        weights[square] = 2.0 * uniform(rng) - 1.0


@kernel
def meet_random(
    game: Any, player: Any, squares: int, keys: NDArray[np.uint64], begin: int, scores: NDArray[np.float64]
) -> None:
    """Play the games from number `begin` on, as many as `scores` has room for, a new opponent for each pair.

    keys    [2] of the random streams for opponents and for games
    scores  [games] of the player: 1.0, 0.5, 0.0
    """
    moves, rng, weights = (
        empty(protocol.max_legal_moves(game), np.int64),
        empty(4, np.uint64),
        empty(squares, np.float64),
    )
    opponent = Greedy(PieceCounter(weights), True)
    for i in range(len(scores)):
        index = begin + i
        if i == 0 or index % 2 == 0:
            seek(rng, keys[0], index // 2)
            draw(weights, rng)
        seek(rng, keys[1], index)
        scores[i] = play_through(game, player, opponent, index % 2, moves, rng)
