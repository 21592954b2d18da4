"""Performance profiles: how a player fares against opponents of each strength, from the weakest to the strongest.

Jaśkowski, Liskowski, Szubert and Krawiec (2013), "Improving coevolution by random sampling"; jaskowski2014, section
6.2.

A database holds piece counters in bins by their own generalization. Most are drawn at random. Very weak and very strong
ones don't turn up that way, so they are evolved, towards losing or towards winning against random opponents. Evolution
is through the strengths between in a few generations, so bins that still have room there are filled with mixtures of a
weaker and a stronger one. A few games screen the candidates; then fresh games decide the bin, since those that selected
a candidate flatter it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.cache import cache_home
from ludus.compile.jit import kernel
from ludus.compile.rng import key, randint, seek, stream, uniform
from ludus.errors import DamagedFile, InvalidSetting, StorageError, WrongGame
from ludus.evaluators.piece_counter import PieceCounter
from ludus.games import protocol
from ludus.games.game import Game
from ludus.measures.performance import check_amount, check_even, draw, meet_random, percent, share_over_runs
from ludus.play.games import play_through
from ludus.play.intervals import Estimate
from ludus.play.parallel import in_parallel
from ludus.play.tables import html_table
from ludus.players.base import CompiledPlayer
from ludus.players.greedy import Greedy
from ludus.storage import present
from ludus.tensors import read_tensors, write_tensors

Table = NDArray[np.float64]
Keys = NDArray[np.uint64]

FORMAT = 1
MOST_BYTES = 256 << 20
BATCH = 1000
"""How many random candidates are drawn together."""
SCREENING_GAMES = 100
"""For the screening of a candidate."""
GENERATIONS = 150
CHILD_GAMES = 100
"""For the fitness of a child; all children of a generation meet the same opponents."""
RUNS = (8, 80)
"""The least and the most runs of evolution, half of them in each direction."""
QUOTA_RUNS = 20
"""From so many runs on, each may fill the same share of a bin, 15%: opponents of at least seven runs fill it."""
ROUNDS = 20
MIXTURES = 100
"""There are at most so many rounds of mixtures, each with two for every opponent that is missing, or this many."""
REACH = 25.0
"""How far, in percent, those that are mixed are from the strength that is wanted, at the most."""


@dataclass(frozen=True, repr=False)
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

    @property
    def held(self) -> NDArray[np.int64]:
        """[bins] how many opponents each has."""
        return np.bincount(self.bins, minlength=bin_count(self.width))

    def __str__(self) -> str:
        held = self.held
        low, high = self.percent.min(), self.percent.max()
        return (
            f"{len(self.percent)} opponents of {self.game} from {low:.1f}% to {high:.1f}%; "
            f"of {len(held)} bins {np.sum(held > 0)} have opponents and {np.sum(held == self.per_bin)} are full"
        )

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Profile:
    """Points against the opponents of each bin that has any."""

    strength: Table
    """[bins] the mean generalization of its opponents, in percent."""
    percent: Table
    """[bins] the points against them, in percent."""
    interval: Table
    """[bins, 2] its 95% interval, each opponent being one observation."""
    opponents: NDArray[np.int64]
    """[bins] how many there are."""

    def __repr__(self) -> str:
        ends = ", ".join(f"{self.percent[i]:.1f}% against {self.strength[i]:.1f}%" for i in (0, -1))
        return f"Profile({len(self.strength)} bins: {ends})"

    def _repr_html_(self) -> str:
        rows = [
            (f"{row['strength']:.1f}%", Estimate(row["percent"], tuple(row["interval"])), row["opponents"])
            for row in self.to_json()
        ]
        return html_table(["strength", "percent of points (95% interval)", "opponents"], rows)

    def to_json(self) -> list[dict[str, Any]]:
        """A row for each bin."""
        columns = (self.strength, self.percent, self.interval, self.opponents)
        names = ("strength", "percent", "interval", "opponents")
        return [dict(zip(names, row, strict=True)) for row in zip(*(each.tolist() for each in columns), strict=True)]


def profile(
    measured: CompiledPlayer,
    database: Database,
    games: int = 2,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[float], None] = lambda done: None,
) -> Profile:
    """Let the player meet every opponent in so many games, half of them with each colour.

    `progress` is called with the share of the opponents that it has met.
    """
    if measured.game.name != database.game:
        raise WrongGame(f"{measured.label} plays {measured.game}, but the opponents play {database.game}")
    check_even(games)
    check_amount(len(database.percent) * games, workers)
    scores, rules, word = np.empty((len(database.percent), games)), measured.game.rules, key(seed, "profile")

    def play(begin: int, end: int) -> None:
        meet_each(rules, measured.parts, database.weights[begin:end], word, begin, scores[begin:end])

    in_parallel(play, len(scores), 64, workers, lambda met: progress(met / len(scores)))
    means, bins = scores.mean(axis=1), database.bins
    held, opponents = np.unique(bins, return_counts=True)
    found = [percent(means[bins == each]) for each in held]
    return Profile(
        np.array([database.percent[bins == each].mean() for each in held]),
        np.array([each.value for each in found]),
        np.array([each.interval for each in found]),
        opponents,
    )


def over_players(profiles: Sequence[Profile]) -> Profile:
    """The mean profile of several players against one database, with intervals over the players."""
    found = [share_over_runs(column.tolist()) for column in np.array([each.percent for each in profiles]).T]
    return Profile(
        profiles[0].strength,
        np.array([each.value for each in found]),
        np.array([each.interval for each in found]),
        profiles[0].opponents,
    )


def usual_path(game: Game, per_bin: int, width: float, seed: int = 1) -> Path:
    """Where a database is stored by default."""
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
    if not present(path):
        raise StorageError(f"there are no opponents in {path} yet; build them (`ludus profile --build`)")
    metadata, arrays = read_tensors(path, "database of opponents", MOST_BYTES)
    try:
        weights, percent = arrays["weights"], arrays["percent"]
        found = Database(metadata["game"], float(metadata["width"]), int(metadata["per_bin"]), weights, percent)
        whole = weights.shape == (len(percent), game.squares) and percent.size > 0 and metadata["format"] == FORMAT
        whole &= weights.dtype == percent.dtype == np.float64 and bool(np.all(np.isfinite(weights)))
        whole &= bool(np.all((percent >= 0) & (percent <= 100))) and 0.1 <= found.width <= 100
        version = metadata["game_version"]
    except (ValueError, KeyError, TypeError, OverflowError) as problem:
        raise DamagedFile(
            f"{path} is damaged or holds no opponents ({type(problem).__name__}); build it anew"
        ) from problem
    if not whole or (found.game, version) != (game.name, game.type.version):
        raise WrongGame(f"{path} holds opponents of another game or version than {game.name}; build them anew")
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

    `progress` gets the share that is done, and what is being done. The same seed and settings give the same file.
    """
    for name, value, fits, bounds in (
        ("per_bin", per_bin, per_bin >= 1, "1 or more"),
        ("width", width, 0.5 <= width <= 20, "from 0.5 to 20 percent"),
        ("games", games, games is None or games >= 500_000, "500000 or more"),
        ("workers", workers, workers >= 1, "1 or more"),
    ):
        if not fits:
            raise InvalidSetting(f"invalid {name}={value:g} for a database of opponents: must be {bounds}")
    games = usual_games(per_bin, width) if games is None else games
    builder = _Builder(game, per_bin, width, seed, workers)
    while builder.games < games / 3 and builder.any_room():
        builder.add_random()
        progress(builder.games / games, "random opponents")
    runs = min(max(RUNS[0], per_bin // 5 * 2), RUNS[1])
    # so that the opponents in a bin differ, a run may fill no more than half again its share of it
    quota = math.ceil(1.5 * per_bin / (min(runs, QUOTA_RUNS) / 2))
    children = max(4, int(games * 2 / 3 / runs / (GENERATIONS * (CHILD_GAMES + 1))))
    # large bins take more than the parent and one child of each generation
    kept = 1 + min(children, max(1, per_bin // 50))
    for first in range(0, runs, 4):
        builder.add_evolved(range(first, min(first + 4, runs)), children, kept, quota)
        progress(min(builder.games / games, 1.0), "evolved opponents")
    progress(1.0, "mixtures")
    builder.add_mixtures()
    found = builder.database()
    metadata = {
        "format": FORMAT, "game": game.name, "game_version": game.type.version,
        "width": width, "per_bin": per_bin, "seed": seed, "games": builder.games,
    }  # fmt: skip
    write_tensors(path, {"weights": found.weights, "percent": found.percent}, metadata)
    return found


class _Builder:
    """Adds opponents until every bin is full."""

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
        self.mixing = stream(seed, "profile mixture")
        mixing = ("mixture opponent", "mixture rating")
        self.mixing_keys = np.array([key(seed, f"profile {name}") for name in mixing], np.uint64)

    def any_room(self) -> bool:
        return bool(self.room.any())

    def add_random(self) -> None:
        table = np.empty((BATCH, self.game.squares))
        draw_table(table, self.keys[0], self.seen)
        screened = self._screened(table)
        # shrinkage: few games exaggerate how far someone is from the average
        spread = float(np.var(screened))
        truth = max(0.0, 1 - 2500 / SCREENING_GAMES / spread) if spread else 0.0
        self._admit(table, 50 + (screened - 50) * truth, self.per_bin)

    def add_evolved(self, runs: range, children: int, kept: int, quota: int) -> None:
        game = self.game
        turns = [turn for i, turn in enumerate(game.symmetries) if not game.type.swaps_sides(i)]
        alike, alone = np.min(turns, axis=0), np.arange(game.squares)
        archives = np.empty((len(runs), GENERATIONS, kept, game.squares))

        def run(begin: int, end: int) -> None:
            number = runs[begin]
            # every second run down is for symmetric boards, which can be weaker still; runs up are better without
            squares, sign = alike if number % 4 == 3 else alone, 1.0 if number % 2 == 0 else -1.0
            strategy = EvolutionStrategy(number, sign, children, CHILD_GAMES)
            evolve(game.rules, squares, self.breeding_keys, strategy, archives[begin])

        in_parallel(run, len(runs), 1, self.workers)
        self.games += len(runs) * GENERATIONS * children * CHILD_GAMES
        for archive in archives.reshape(len(runs), -1, game.squares):
            self._admit(archive, self._screened(archive), quota)

    def add_mixtures(self) -> None:
        """Fill bins that have a whole bin's opponents on either side, as far as some rounds go."""
        before = self.database()  # in an order that does not depend on how they were found
        unit = before.weights / np.linalg.norm(before.weights, axis=1, keepdims=True)  # only ratios of weights matter
        strength, made = before.percent, 0
        for _ in range(ROUNDS):
            mixtures = []
            for place in np.flatnonzero(self.room):
                low, high = place * self.width, (place + 1) * self.width
                weaker = np.flatnonzero((strength < low) & (strength >= low - REACH))
                stronger = np.flatnonzero((strength >= high) & (strength < high + REACH))
                if min(len(weaker), len(stronger)) >= self.per_bin:
                    for _ in range(max(2 * self.room[place], MIXTURES)):
                        one, other = (each[randint(self.mixing, len(each))] for each in (weaker, stronger))
                        part = uniform(self.mixing)
                        mixtures.append((1 - part) * unit[one] + part * unit[other])
            if not mixtures:
                return
            table = np.array(mixtures)
            percent = self._strength(table, self.rating_games, self.mixing_keys, made)
            self._keep(table, percent, self.room.copy())
            made += len(table)

    def _screened(self, table: Table) -> Table:
        found = self._strength(table, SCREENING_GAMES, self.keys[1:3], self.seen)
        self.seen += len(table)
        return found

    def _admit(self, table: Table, expected: Table, quota: int) -> None:
        """Rate those expected to fall into a bin with room, and add those that do: at most `quota` to each bin."""
        left = np.minimum(self.room, quota)
        hoped, chosen = bins_of(expected, self.width), []
        for place in np.flatnonzero(left):
            chosen.extend(np.flatnonzero(hoped == place)[: 2 * left[place]].tolist())
        candidates = table[sorted(chosen)]
        percent = self._strength(candidates, self.rating_games, self.keys[3:5], self.rated)
        self.rated += len(candidates)
        self._keep(candidates, percent, left)

    def _keep(self, candidates: Table, percent: Table, left: NDArray[np.int64]) -> None:
        """Add those that fall into a bin that takes more, of which `left` says how many."""
        for weights, each, place in zip(candidates, percent, bins_of(percent, self.width), strict=True):
            if left[place]:
                left[place] -= 1
                self.room[place] -= 1
                self.weights.append(weights)
                self.percent.append(float(each))

    def _strength(self, table: Table, games: int, keys: Keys, begin: int) -> Table:
        """The generalization of each row of weights, in percent."""
        found, rules = np.empty(len(table)), self.game.rules

        def work(first: int, last: int) -> None:
            rate_table(rules, table[first:last], keys, begin + first, games, found[first:last])

        in_parallel(work, len(table), max(1, 4000 // games), self.workers)
        self.games += len(table) * games
        return found

    def database(self) -> Database:
        order = np.argsort(self.percent, kind="stable")
        weights, percent = np.array(self.weights)[order], np.array(self.percent)[order]
        return Database(self.game.name, self.width, self.per_bin, weights, percent)


class EvolutionStrategy(NamedTuple):
    """One run of evolution."""

    run: int  # its number
    sign: float  # 1.0 to win against random opponents, -1.0 to lose
    children: int  # in each generation
    games: int  # for the fitness of each


@kernel
def draw_table(table: Table, word: np.uint64, begin: int) -> None:
    """Fill each row of `table` [candidates, squares] with random weights, by its own random stream."""
    rng = empty(4, np.uint64)
    for i in range(len(table)):
        seek(rng, word, begin + i)
        draw(table[i], rng)


@kernel
def rate_table(game: Any, table: Table, keys: Keys, begin: int, games: int, out: Table) -> None:
    """Write the generalization in percent of each row of `table` [candidates, squares] into `out` [candidates].

    Row i plays the games of number begin + i.
    """
    scores = empty(games, np.float64)
    for i in range(len(table)):
        player = Greedy(PieceCounter(table[i]), True)
        meet_random(game, player, table.shape[1], keys, (begin + i) * games, scores)
        out[i] = 100.0 * scores.mean()


@kernel
def meet_each(game: Any, player: Any, table: Table, word: np.uint64, begin: int, scores: Table) -> None:
    """Play against each row of `table` [opponents, squares]; write the scores [opponents, games]."""
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    for i in range(len(table)):
        opponent, games = Greedy(PieceCounter(table[i]), True), scores.shape[1]
        for k in range(games):
            index = (begin + i) * games + k
            seek(rng, word, index)
            scores[i, k] = play_through(game, player, opponent, index % 2, moves, rng)


@kernel
def evolve(game: Any, alike: NDArray[np.int64], keys: Keys, strategy: EvolutionStrategy, archive: Table) -> None:
    """One run of a (mu, lambda) evolution strategy from zero weights, the parent being the mean of the best quarter.

    Writes the mean of each generation and some of its children into `archive`. The children of a generation are its
    mean with noise. Only the ratios of weights matter and the mean grows, so the same noise changes less and less.

    alike    [squares] for each square the first one that has the same weight by symmetry, or itself
    keys     [3] of the random streams for opponents, games and mutation
    archive  [generations, 1 + children kept, squares]
    """
    run, sign, children, games = strategy
    squares, rng = archive.shape[2], empty(4, np.uint64)
    mean, noise, scores = zeros(squares, np.float64), empty(squares, np.float64), empty(games, np.float64)
    offspring, fitness = empty((children, squares), np.float64), empty(children, np.float64)
    best = max(1, children // 4)
    seek(rng, keys[2], run)
    for generation in range(len(archive)):
        for child in range(children):
            for square in range(squares):
                radius, angle = math.sqrt(-2.0 * math.log(1.0 - uniform(rng))), 2.0 * math.pi * uniform(rng)
                noise[square] = radius * math.cos(angle)
            for square in range(squares):
                offspring[child, square] = mean[square] + noise[alike[square]]
            player = Greedy(PieceCounter(offspring[child]), True)
            meet_random(game, player, squares, keys, (2 * run * len(archive) + generation) * games, scores)
            fitness[child] = sign * scores.mean()
        mean[:] = 0.0
        for child in np.argsort(-fitness)[:best]:
            mean += offspring[child] / best
        archive[generation, 0] = mean
        for i in range(archive.shape[1] - 1):
            archive[generation, 1 + i] = offspring[i]
