"""Performance profiles: how a player fares against opponents of each strength, from the weakest to the strongest.

Jaśkowski, Liskowski, Szubert and Krawiec (2013), "Improving coevolution by random sampling"; jaskowski2014, section
6.2.

A database holds piece counters in bins by their own generalization. Most are drawn at random. Very weak and very strong
ones don't turn up that way, so evolution breeds them, towards losing or towards winning against random opponents. First
a few games tell who may be wanted; then fresh games decide the bin, since those that chose a candidate flatter it.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ludus.dice import key, throw, uniform
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import cache_home, kernel
from ludus.measures.performance import check_amount, draw, meet_random, over_runs, performance, spread
from ludus.players.evaluators import PieceCounter
from ludus.players.greedy import Greedy
from ludus.players.player import CompiledPlayer, play_through
from ludus.storage import write_whole
from ludus.vocabulary import width as move_room

Table = NDArray[np.float64]

FORMAT = 1
BATCH = 1000
"""How many random candidates are looked at together."""
SCREENING_GAMES = 100
"""For a first impression of a random candidate."""
GENERATIONS = 150
CHILD_GAMES = 100
"""What a child's fitness is measured by; all children of a generation meet the same opponents."""
RUNS = (8, 20)
"""The least and the most runs of evolution, half of them in each direction."""


@dataclass(frozen=True)
class Database:
    """Opponents of known strength."""

    game: str
    width: float
    """Of a bin, in percent."""
    per_bin: int
    weights: Table
    """[opponents, squares]"""
    percent: Table
    """[opponents] the generalization of each."""

    @property
    def bins(self) -> NDArray[np.int64]:
        """[opponents] the bin of each."""
        return bins_of(self.percent, self.width)

    def __str__(self) -> str:
        held = np.bincount(self.bins, minlength=bin_count(self.width))
        low, high = self.percent.min(), self.percent.max()
        return (
            f"{len(self.percent)} opponents of {self.game} from {low:.1f}% to {high:.1f}%; "
            f"of {len(held)} bins {np.sum(held > 0)} have opponents and {np.sum(held == self.per_bin)} are full"
        )


@dataclass(frozen=True)
class Profile:
    """Points against the opponents of each bin that has any."""

    strength: Table
    """[bins] the mean generalization of its opponents, in percent."""
    percent: Table
    """[bins] the points against them, in percent."""
    interval: Table
    """[bins, 2] its 95% interval, each opponent being one observation."""
    opponents: NDArray[np.int64]
    """[bins]"""


def profile(measured: CompiledPlayer, database: Database, games: int = 2, seed: int = 1, workers: int = 1) -> Profile:
    """Let the player meet every opponent in so many games, half of them with each colour."""
    if measured.game.name != database.game:
        raise LudusError(f"{measured.name} plays {measured.game}, but the opponents play {database.game}")
    if games < 2 or games % 2:
        raise LudusError(f"{games} games each are not fair; both play both colours, so write an even number")
    check_amount(len(database.percent) * games, workers)
    scores, rules, word = np.empty(len(database.percent)), measured.game.rules, key(seed, "profile")

    def play(begin: int, end: int) -> None:
        meet_each(rules, measured.parts, database.weights[begin:end], word, begin, games, scores[begin:end])

    spread(play, len(scores), 64, workers)
    bins = database.bins
    held, opponents = np.unique(bins, return_counts=True)
    found = [performance(scores[bins == each]) for each in held]
    return Profile(
        np.array([database.percent[bins == each].mean() for each in held]),
        np.array([each.percent for each in found]),
        np.array([each.interval for each in found]),
        opponents,
    )


def over_players(profiles: Sequence[Profile]) -> Profile:
    """The mean profile of several players against one database, with intervals over the players."""
    found = [over_runs(column.tolist()) for column in np.array([each.percent for each in profiles]).T]
    return Profile(
        profiles[0].strength,
        np.array([each.percent for each in found]),
        np.array([each.interval for each in found]),
        profiles[0].opponents,
    )


def usual_path(game: Game, per_bin: int, width: float, seed: int = 1) -> Path:
    """Where a database is kept unless told otherwise."""
    return cache_home() / "profiles" / f"{game.name}-{per_bin}-per-{width:g}-percent-seed{seed}.safetensors"


def usual_games(per_bin: int, width: float) -> int:
    """How many games are enough for a database of Othello with most bins full."""
    return 6_000_000 + 18_000 * per_bin * bin_count(width)


def bin_count(width: float) -> int:
    return math.ceil(100 / width)


def bins_of(percent: Table, width: float) -> NDArray[np.int64]:
    return np.minimum(percent // width, bin_count(width) - 1).astype(np.int64)


def load(path: Path, game: Game) -> Database:
    """The database in that file, if it is of this game."""
    try:
        with safe_open(path, "np") as file:
            told = json.loads(file.metadata()["ludus"])
            weights, percent = file.get_tensor("weights"), file.get_tensor("percent")
        found = Database(told["game"], float(told["width"]), int(told["per_bin"]), weights, percent)
        whole = weights.shape == (len(percent), game.squares) and percent.size > 0 and told["format"] == FORMAT
        whole &= weights.dtype == percent.dtype == np.float64 and bool(np.all(np.isfinite(weights)))
        whole &= bool(np.all((percent >= 0) & (percent <= 100))) and 0.1 <= found.width <= 100
        version = told["game_version"]
    except FileNotFoundError as problem:
        raise LudusError(f"there are no opponents in {path} yet; build them (`ludus profile --build`)") from problem
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as problem:
        raise LudusError(
            f"{path} is damaged or holds no opponents ({type(problem).__name__}); build it anew"
        ) from problem
    if not whole or (found.game, version) != (game.name, game.family.version):
        raise LudusError(f"{path} holds opponents of another game or version than {game.name}; build them anew")
    return found


def build(
    game: Game,
    path: Path,
    per_bin: int = 50,
    *,
    width: float = 1.0,
    games: int | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[float, str], None] = lambda done, what: None,
) -> Database:
    """Make a database with up to `per_bin` opponents in each bin and save it; about `games` games are played for it.

    `progress` is told what part is done, and what is being done. The same seed and settings give the same file.
    """
    games = usual_games(per_bin, width) if games is None else games
    if not (per_bin >= 1 and 0.5 <= width <= 20 and games >= 500_000 and workers >= 1):
        raise LudusError(
            f"{per_bin} opponents in bins of {width:g}% by {games} games can't be had; "
            "it takes 1 or more, bins of 0.5 to 20% and 500000 games or more"
        )
    hall = _Hall(game, per_bin, width, seed, workers)
    while hall.games < games / 3 and hall.any_room():
        hall.invite_random()
        progress(hall.games / games, "random opponents")
    runs = min(max(RUNS[0], per_bin // 5 * 2), RUNS[1])
    # so that the opponents in a bin differ, a run may fill no more than half again its share of it
    quota = math.ceil(1.5 * per_bin / (runs / 2))
    children = max(4, int(games * 2 / 3 / runs / (GENERATIONS * (CHILD_GAMES + 1))))
    for first in range(0, runs, 4):
        hall.invite_bred(range(first, min(first + 4, runs)), children, quota)
        progress(min(hall.games / games, 1.0), "bred opponents")
    found = hall.database()
    told = {
        "format": FORMAT, "game": game.name, "game_version": game.family.version,
        "width": width, "per_bin": per_bin, "seed": seed, "games": hall.games,
    }  # fmt: skip
    arrays = {"weights": found.weights, "percent": found.percent}
    write_whole(path, save(arrays, {"ludus": json.dumps(told)}))
    return found


class _Hall:
    """Where opponents gather until every bin is full."""

    def __init__(self, game: Game, per_bin: int, width: float, seed: int, workers: int) -> None:
        self.game, self.per_bin, self.width, self.workers = game, per_bin, width, workers
        self.room = np.full(bin_count(width), per_bin)
        self.weights: list[Table] = []
        self.percent: list[float] = []
        self.games = 0
        # wide bins need less exact figures
        self.rating_games = 2 * max(200, int(1000 / width))
        self.seen = self.rated = 0
        names = ("candidate", "screening opponent", "screening", "rating opponent", "rating")
        self.keys = np.array([key(seed, f"profile {name}") for name in names], np.uint64)
        breeding = ("breeding opponent", "breeding", "mutation")
        self.breeding_keys = np.array([key(seed, f"profile {name}") for name in breeding], np.uint64)

    def any_room(self) -> bool:
        return bool(self.room.any())

    def invite_random(self) -> None:
        table = np.empty((BATCH, self.game.squares))
        draw_table(table, self.keys[0], self.seen)
        screened = self._screened(table)
        # few games exaggerate how far someone is from the average
        truth = max(0.0, 1 - 2500 / SCREENING_GAMES / float(np.var(screened)))
        self._admit(table, 50 + (screened - 50) * truth, self.per_bin)

    def invite_bred(self, runs: range, children: int, quota: int) -> None:
        game = self.game
        turns = [turn for i, turn in enumerate(game.symmetries) if not game.family.swaps(i)]
        alike, alone = np.min(turns, axis=0), np.arange(game.squares)
        archives = np.empty((len(runs), 2 * GENERATIONS, game.squares))

        def run(begin: int, end: int) -> None:
            number = runs[begin]
            # every second run down is for symmetric boards, which can be weaker still; runs up are better without
            squares, sign = alike if number % 4 == 3 else alone, 1.0 if number % 2 == 0 else -1.0
            breed(game.rules, squares, self.breeding_keys, number, sign, children, CHILD_GAMES, archives[begin])

        spread(run, len(runs), 1, self.workers)
        self.games += len(runs) * GENERATIONS * children * CHILD_GAMES
        for archive in archives:
            self._admit(archive, self._screened(archive), quota)

    def _screened(self, table: Table) -> Table:
        found = self._strength(table, SCREENING_GAMES, self.keys[1:3], self.seen)
        self.seen += len(table)
        return found

    def _admit(self, table: Table, expected: Table, quota: int) -> None:
        """Rate those expected to fall into a bin with room, and keep whoever does: at most `quota` in each bin."""
        left = np.minimum(self.room, quota)
        hoped, chosen = bins_of(expected, self.width), []
        for place in np.flatnonzero(left):
            chosen.extend(np.flatnonzero(hoped == place)[: 2 * left[place]].tolist())
        candidates = table[sorted(chosen)]
        percent = self._strength(candidates, self.rating_games, self.keys[3:5], self.rated)
        self.rated += len(candidates)
        for weights, each, place in zip(candidates, percent, bins_of(percent, self.width), strict=True):
            if left[place]:
                left[place] -= 1
                self.room[place] -= 1
                self.weights.append(weights)
                self.percent.append(float(each))

    def _strength(self, table: Table, games: int, keys: NDArray[np.uint64], begin: int) -> Table:
        """The generalization of each row of weights, in percent."""
        found, rules = np.empty(len(table)), self.game.rules

        def work(first: int, last: int) -> None:
            rate_table(rules, table[first:last], keys, begin + first, games, found[first:last])

        spread(work, len(table), max(1, 4000 // games), self.workers)
        self.games += len(table) * games
        return found

    def database(self) -> Database:
        order = np.argsort(self.percent, kind="stable")
        weights, percent = np.array(self.weights)[order], np.array(self.percent)[order]
        return Database(self.game.name, self.width, self.per_bin, weights, percent)


@kernel
def draw_table(table, word, begin):
    """Fill each row with random weights, by its own dice."""
    dice = np.empty(4, np.uint64)
    for i in range(len(table)):
        throw(dice, word, begin + i)
        draw(table[i], dice)


@kernel
def rate_table(game, table, keys, begin, games, out):
    """The generalization in percent of each row of weights; row i plays the games of number begin + i."""
    scores = np.empty(games)
    for i in range(len(table)):
        player = Greedy(PieceCounter(table[i]), True)
        meet_random(game, player, table.shape[1], keys, (begin + i) * games, scores)
        out[i] = 100.0 * scores.mean()


@kernel
def meet_each(game, player, table, word, begin, games, scores):
    """Play `games` games against each row of weights: the mean score against each."""
    moves, dice = np.empty(move_room(game), np.int64), np.empty(4, np.uint64)
    for i in range(len(table)):
        opponent, total = Greedy(PieceCounter(table[i]), True), 0.0
        for index in range((begin + i) * games, (begin + i + 1) * games):
            throw(dice, word, index)
            total += play_through(game, player, opponent, index % 2, moves, dice)
        scores[i] = total / games


@kernel
def breed(game, alike, keys, run, sign, children, games, archive):
    """One run of evolution from nothing; leaves the mean of each generation and one of its children in `archive`.

    The children of a generation are its mean with noise; the next mean is that of their best quarter. Only the ratios
    of weights matter and the mean grows, so the same noise changes less and less.

    alike    for each square the first one that has the same weight by symmetry, or itself
    sign     1.0 to win against random opponents, -1.0 to lose
    archive  [2 * generations, squares]
    """
    squares, dice = archive.shape[1], np.empty(4, np.uint64)
    mean, noise, scores = np.zeros(squares), np.empty(squares), np.empty(games)
    brood, fitness = np.empty((children, squares)), np.empty(children)
    best = max(1, children // 4)
    throw(dice, keys[2], run)
    for generation in range(len(archive) // 2):
        for child in range(children):
            for square in range(squares):
                radius, angle = math.sqrt(-2.0 * math.log(1.0 - uniform(dice))), 2.0 * math.pi * uniform(dice)
                noise[square] = radius * math.cos(angle)
            for square in range(squares):
                brood[child, square] = mean[square] + noise[alike[square]]
            player = Greedy(PieceCounter(brood[child]), True)
            meet_random(game, player, squares, keys, (run * len(archive) + generation) * games, scores)
            fitness[child] = sign * scores.mean()
        mean[:] = 0.0
        for child in np.argsort(-fitness)[:best]:
            mean += brood[child] / best
        archive[2 * generation], archive[2 * generation + 1] = mean, brood[0]
