"""What exact solvers have in common: solutions, limits, and kernels that can be stopped.

The file of a solver registers it with `@solves(Rules, "the games it solves")`; `ludus.players.search.solver` is the
front door to all of them.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting, WrongGame
from ludus.games.game import Game, Position

UNLIMITED = 1 << 62

POLL_SECONDS = 0.2
"""How often to look whether the user wants to stop."""

Report = Callable[[float, str], None]
"""Takes the share of the limit that is used up, 0 if there is none, and a few words."""


@dataclass(frozen=True, repr=False)
class Solution:
    """What is known of a position, from the side of the player to move."""

    position: Position
    low: int
    """The score is at least this: a number of discs or points."""
    high: int
    """The score is at most this."""
    move: str
    """A move that makes sure of `low`; empty if the search was stopped before it found one."""
    line: tuple[str, ...]
    """Best play of both sides until the score is certain; only its beginning, or nothing, if the search was stopped."""
    nodes: int
    """How many positions were looked at."""
    scoring: str
    """How the score is counted."""
    seconds: float = field(compare=False)
    """How long the search took, without compiling."""

    unfinished: ClassVar[str] = "Stopped early"

    @property
    def score(self) -> int | None:
        """The final score with best play; None if the search was stopped before it was known."""
        return self.low if self.low == self.high else None

    @property
    def final_scores(self) -> dict[str, int] | None:
        """The score at the end of `line` in each way of counting; None if there is one way, or no end."""
        return None

    @property
    def verdict(self) -> str:
        """What was found out, in a sentence."""
        side = self.position.side
        if self.score is None:
            ensured = f"; {self.move} makes sure of {self.low:+}" if self.move else ""
            return f"{self.unfinished}: {side}'s score is between {self.low:+} and {self.high:+}{ensured}."
        if self.score == 0:
            return f"{self.move} is best: a draw."
        return f"{self.move} is best: {side} {'wins' if self.score > 0 else 'loses'} by {abs(self.score)}."

    @property
    def notes(self) -> tuple[str, ...]:
        """What else there is to know, a sentence each."""
        return ()

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.position.game.name,
            "position": self.position.text,
            "scoring": self.scoring,
            "score": self.score,
            "final_scores": self.final_scores,
            "low": self.low,
            "high": self.high,
            "move": self.move or None,
            "line": list(self.line),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }

    def __repr__(self) -> str:
        known = f"{self.low:+}" if self.score is not None else f"{self.low:+} to {self.high:+}"
        return f"Solution({known}, {self.move or 'no move yet'}, {self.nodes:,} nodes)"


class Stopped(Exception):
    """The nodes or the time are used up."""


class Solver(ABC):
    """One solution in the making; kernels run in the worker's thread, so that Ctrl-C is heard meanwhile."""

    scorings: ClassVar[tuple[str, ...]]
    """How it can count the score; the first is the default."""
    counters: NDArray[np.int64]
    """Of its kernels, [2] or more: how many nodes may still be searched; not 0 to stop at once."""

    def __init__(self, position: Position, scoring: str, worker: ThreadPoolExecutor, report: Report) -> None:
        self.position, self.scoring, self._worker, self._report = position, scoring, worker, report
        self.counters = np.zeros(2, np.int64)
        self.low, self.high = -position.game.squares, position.game.squares

    @classmethod
    @abstractmethod
    def check(cls, position: Position, limited: bool) -> None:
        """Raise a LudusError if it can't solve this position, or not without a limit."""

    @classmethod
    @abstractmethod
    def final_score(cls, position: Position) -> int | None:
        """The score of a finished game by `scorings[0]`, to the player who would move; None if it is not proved so."""

    @abstractmethod
    def prepare(self) -> None:
        """Make `counters` and whatever else kernels need, and compile them."""

    @abstractmethod
    def find(self) -> Solution:
        """Solve the position, as far as the limits go."""

    def solve(self, nodes: int | None, seconds: float | None) -> Solution:
        """The same, once all is prepared."""
        self.prepare()
        self._limit = UNLIMITED if nodes is None else nodes
        self.counters[0] = self._limit
        self._begin = time.monotonic()
        self._seconds = math.inf if seconds is None else seconds
        return self.find()

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return self._limit - int(self.counters[0])

    @property
    def seconds(self) -> float:
        """How long it took so far."""
        return time.monotonic() - self._begin

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """What the kernel returns. Raises Stopped if it came to a limit."""
        search: Future[Any] = self._worker.submit(kernel, *arguments)
        try:
            while not search.done():
                left = self._seconds - self.seconds
                if left < 0:
                    self.counters[1] = 1
                wait([search], min(POLL_SECONDS, max(left, 0.01)))
                used = max(self.nodes / self._limit, self.seconds / self._seconds)
                self._report(min(used, 1.0), f"{self.nodes:,} positions, score {self.low:+} to {self.high:+}")
        except BaseException:
            self.counters[1] = 1
            raise
        if self.counters[0] < 0 or self.counters[1]:
            raise Stopped
        return search.result()


AnySolver = TypeVar("AnySolver", bound=type[Solver])

_solvers: dict[type, tuple[type[Solver], str]] = {}


def solves(rules: type, games: str) -> Callable[[AnySolver], AnySolver]:
    """Make the decorated class solve games whose rules are of this class; which these are, in words."""

    def register(solver: AnySolver) -> AnySolver:
        _solvers[rules] = solver, games
        return solver

    return register


def solver_of_game(game: Game) -> type[Solver]:
    """Who solves positions of a game. Raises WrongGame if nobody does."""
    found = _solvers.get(type(game.rules))
    if found is None:
        games = " and ".join(games for _, games in _solvers.values())
        raise WrongGame(f"the solver does not play {game.name}; it plays {games}")
    return found[0]


def solver_of(position: Position, scoring: str, nodes: int | None, seconds: float | None) -> type[Solver]:
    """Who solves a position. Raises LudusError if nobody does, or not like that."""
    solver = solver_of_game(position.game)
    if scoring and scoring not in solver.scorings:
        raise InvalidSetting(f"invalid scoring {scoring!r}: must be {' or '.join(solver.scorings)}")
    if nodes is not None and not 1 <= nodes <= UNLIMITED:
        raise InvalidSetting(f"invalid nodes={nodes}: must be a whole number of at least 1")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise InvalidSetting(f"invalid seconds={seconds}: must be a number above 0")
    if position.over:
        raise InvalidSetting("the game is over there, so there is nothing to solve; give fewer moves")
    solver.check(position, nodes is not None or seconds is not None)
    return solver


def empty_squares(position: Position) -> int:
    """How many squares are empty."""
    return int((position.cells == 0).sum())
