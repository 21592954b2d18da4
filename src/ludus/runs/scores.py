"""What runs score: a measure of their players, or a column of their metrics, at the end or on the way.

A measure is taken of the finished player, and of the players on the way if a run has kept snapshots. What was measured
is stored, by the content of the player file, so that nothing is measured twice; but anew by another version of Ludus.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ludus import __version__
from ludus.errors import InvalidSetting, UnknownName
from ludus.games.game import Game
from ludus.games.names import game as find_game
from ludus.measures import performance
from ludus.measures.ladder import climb, ladder
from ludus.measures.regret import regret
from ludus.measures.territory import territory_lost
from ludus.players.base import Player
from ludus.players.files import load_player
from ludus.players.names import player as player_named
from ludus.players.search.solver import check_solvable
from ludus.progress import number
from ludus.runs.curve import POINTS
from ludus.runs.run import Run
from ludus.storage import write_whole
from ludus.suggestions import did_you_mean

AT = ("end", "games", "seconds")

PERCENT = (0.0, 100.0)


@dataclass(frozen=True)
class Measure:
    """One way to give a player a score."""

    name: str
    title: str
    """What it is, with its unit, as an axis has it."""
    games: int
    """How many are played unless another number is asked for."""
    take: Callable[[Player, int, int, int], float]
    """The score of a player by so many games, with this seed and so many workers."""
    lower_is_better: bool = False
    within: tuple[float, float] = (-math.inf, math.inf)
    """The least and the greatest score."""
    dear: bool = False
    """Whether it takes long, so that it is taken on the way only if somebody asks for it."""
    fits: Callable[[Game], object] = lambda game: None
    """Raises LudusError if players of this game can't be measured so."""


def _generalization(player: Player, games: int, seed: int, workers: int) -> float:
    return performance.generalization(performance.compiled(player), games, seed, workers).value


def _heuristic(player: Player, games: int, seed: int, workers: int) -> float:
    return performance.heuristic(performance.compiled(player), games, seed, workers).value


def _ladder(player: Player, games: int, seed: int, workers: int) -> float:
    return climb(player, games=games, precision=1.0, seed=seed, workers=workers).elo.value


def _territory(player: Player, games: int, seed: int, workers: int) -> float:
    opponent = player_named(f"noisy:{performance.NOISE},{player.game.defaults.opponent}", player.game)
    ours, theirs = performance.compiled(player), performance.compiled(opponent)
    return 100 * float(territory_lost(ours, theirs, games, side="both", seed=seed).mean())


def _regret(player: Player, games: int, seed: int, workers: int) -> float:
    return regret(player, games, seed=seed, workers=workers).per_game.value


MEASURES = {
    each.name: each
    for each in (
        Measure(
            "generalization", "points against opponents with random weights (%)", 2000, _generalization, within=PERCENT
        ),
        Measure("heuristic", "points against the standard player (%)", 2000, _heuristic, within=PERCENT),
        Measure("ladder", "Elo on the ladder", 400, _ladder, dear=True, fits=ladder),
        Measure(
            "territory",
            "board lost to the standard player (%)",
            400,
            _territory,
            lower_is_better=True,
            within=(-100.0, 100.0),
        ),
        Measure(
            "regret",
            "discs or points lost to perfect play in endings",
            40,
            _regret,
            lower_is_better=True,
            within=(0.0, math.inf),
            dear=True,
            fits=check_solvable,
        ),
    )
}


@dataclass(frozen=True)
class Moment:
    """A moment of a run at which it can be scored."""

    step: int
    games: float | None
    """Played until then; None if the learner doesn't count them."""
    seconds: float | None
    """Spent until then; None for runs of an older Ludus."""

    def at(self, axis: str) -> float | None:
        return self.games if axis == "games" else self.seconds


@dataclass(frozen=True)
class Point(Moment):
    """What a run scored at one moment."""

    score: float


@dataclass(frozen=True)
class Scoring:
    """How runs are scored: by a measure of their players, or by a column of their metrics."""

    name: str
    games: int | None = None
    """How many games a measure plays; None for the usual number."""
    seed: int = 1
    workers: int = 1
    store: Path | None = None
    """A file that keeps what was measured."""

    @property
    def measure(self) -> Measure | None:
        """None if the score is a column."""
        return MEASURES.get(self.name)

    @property
    def title(self) -> str:
        return self.measure.title if self.measure else self.name.replace("_", " ")

    @property
    def within(self) -> tuple[float, float]:
        """The least and the greatest score, as far as they are known."""
        if self.measure:
            return self.measure.within
        return PERCENT if self.name == POINTS else (-math.inf, math.inf)

    @property
    def dear(self) -> bool:
        """Whether scoring a run takes long."""
        return self.measure is not None and self.measure.dear

    @property
    def played(self) -> int:
        """How many games the measure plays."""
        return (self.games or self.measure.games) if self.measure else 0

    def check(self, runs: Iterable[Run]) -> None:
        """Raise UnknownName if there is no such measure, and not all of these finished runs have such a column."""
        if self.measure:
            return
        columns: set[str] | None = None
        for run in runs:
            names = set(run.metrics[-1]) if run.metrics else set()
            columns = names if columns is None else columns & names
        if self.name not in (columns or ()):
            known = f"{', '.join(MEASURES)}; columns of all these runs: {', '.join(sorted(columns or ())) or 'none'}"
            raise UnknownName(f"unknown measure {self.name!r}; measures: {known}")

    def check_before(self, game: str, finished: Sequence[Run]) -> None:
        """Raise LudusError now, not when all runs are trained, if this game can't be scored so."""
        if self.measure:
            self.measure.fits(find_game(game))
            if self.games is not None and (self.games < 4 or self.games % 2):
                raise InvalidSetting(f"invalid games={self.games}: must be an even number of at least 4")
        elif finished:
            self.check(finished)
        elif near := did_you_mean(self.name, MEASURES):
            raise UnknownName(f"unknown measure {self.name!r}{near}; measures: {', '.join(MEASURES)}")

    def moments(self, run: Run) -> list[Moment]:
        """When a finished run can be scored, the last at its end: whenever it kept a player, or a row of metrics."""
        rows, times = run.metrics, run.times
        if not rows:
            raise InvalidSetting(f"{run.folder} has no metrics; train it anew in another folder")
        if self.measure:
            steps = [*(step for step in run.snapshot_files if step < len(rows)), len(rows)]
        else:
            steps = [step for step, row in enumerate(rows, 1) if self.name in row]
        return [Moment(step, rows[step - 1].get("games"), times.get(step)) for step in steps]

    def points(self, run: Run, moments: Sequence[Moment]) -> list[Point]:
        """What a run scored at these moments."""
        rows, snapshots = run.metrics, run.snapshot_files

        def score(step: int) -> float:
            if not self.measure:
                return rows[step - 1][self.name]
            return self.score(run.folder / "player.safetensors" if step == len(rows) else snapshots[step], run)

        return [Point(each.step, each.games, each.seconds, score(each.step)) for each in moments]

    def score(self, file: Path, run: Run) -> float:
        """The measure of the player in that file, taken now or stored before."""
        assert self.measure
        digest = hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
        key = f"{self.name} {self.played} games seed {self.seed} {digest} ludus {__version__}"
        stored = self._stored()
        if key not in stored:
            player = load_player(file, find_game(run.spec.game), str(run.folder))
            stored[key] = self.measure.take(player, self.played, self.seed, self.workers)
            if self.store:
                write_whole(self.store, json.dumps(stored, indent=0).encode())
        return stored[key]

    def _stored(self) -> dict[str, float]:
        if self.store:
            with suppress(OSError, ValueError, TypeError, AttributeError):
                found = json.loads(self.store.read_text())
                return {str(key): float(value) for key, value in found.items()}
        return {}


def chosen_moments(runs: Sequence[tuple[Run, Sequence[Moment]]], at: str) -> tuple[list[Moment], str]:
    """The moment of each run at which all are compared, and which that is, in words: where not the end, the nearest.

    `at` is `end`, or `games` or `seconds` for the most that all runs have reached, or a number of them (`games=5000`).
    """
    axis, limit = parse_at(at)
    if axis == "end":
        return [moments[-1] for _, moments in runs], "at the end of their training"
    ends = [moments[-1].at(axis) for _, moments in runs]
    for (run, _), end in zip(runs, ends, strict=True):
        if end is None:
            raise InvalidSetting(f"{run.folder} doesn't know its {axis}; compare at the end, or other runs")
        if limit is not None and end < limit:
            raise InvalidSetting(f"{run.folder} ended before {number(limit)} {axis}; ask for fewer")
    most = limit if limit is not None else min(end for end in ends if end is not None)
    chosen = []
    for run, moments in runs:
        if (moments[0].at(axis) or 0) > most:
            raise InvalidSetting(
                f"{run.folder} has no player of {number(most)} {axis} or fewer; "
                "train with more snapshots, or ask for more"
            )
        chosen.append(min(moments, key=lambda each: abs((each.at(axis) or 0) - most)))
    return chosen, f"at {number(most)} {axis}, or as near as there are players"


def parse_at(at: str) -> tuple[str, float | None]:
    """When runs are compared: `end`, `games` or `seconds`, and how many of them if that is said."""
    axis, equals, number = at.partition("=")
    limit = None
    if equals:
        try:
            limit = float(number)
        except ValueError:
            limit = math.nan
    if axis not in AT or (equals and (axis == "end" or not 0 < (limit or 0) < math.inf)):
        raise InvalidSetting(f"invalid --at {at}: must be end, games, seconds, or a number of them such as games=5000")
    return axis, limit
