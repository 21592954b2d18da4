"""The exact solver of Othello endgames: the final score with best play of both sides, the best move and a line.

The score is found by null-window searches, each of which raises a lower bound or lowers an upper one until they meet
(MTD(f)); the first asks who wins. So a search that is stopped early still knows bounds that hold.
"""

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from ludus.errors import InvalidSetting, WrongGame
from ludus.games.game import Position
from ludus.games.othello import Othello
from ludus.players.search.endgame import Endgame, new_endgame, search_root

SCORINGS = ("tournament", "discs")
"""How the final score is counted: whether the winner is given the empty squares, or nobody."""

MOST_EMPTY = 24
"""With more empty squares than this, a solution may take hours: a limit must be given."""

UNLIMITED = 1 << 62

LARGEST_TABLE = 21
"""The table has two to this power of entries at most, of 32 bytes each: 64 MB. At 24 empty squares,
four times as many saved one node in 200."""

POLL_SECONDS = 0.2
"""How often to look whether the user wants to stop."""


@dataclass(frozen=True, repr=False)
class Solution:
    """What is known of a position, from the side of the player to move."""

    position: Position
    low: int
    """The score is at least this: a number of discs."""
    high: int
    """The score is at most this."""
    move: str
    """A move that makes sure of `low`; empty if the search was stopped before it found one."""
    line: tuple[str, ...]
    """Best play of both sides to the end of the game; only its beginning, or nothing, if the search was stopped."""
    nodes: int
    """How many positions were looked at."""
    scoring: str
    """How the score is counted, one of SCORINGS."""
    seconds: float = field(compare=False)
    """How long the search took, without compiling."""

    @property
    def score(self) -> int | None:
        """The final score with best play; None if the search was stopped before it was known."""
        return self.low if self.low == self.high else None

    @property
    def final_scores(self) -> dict[str, int] | None:
        """The score at the end of `line` in each of SCORINGS; None if the search was stopped before it was known."""
        end = self.position
        for move in self.line:
            end = end.play(move)
        if self.score is None or not end.over:
            return None
        sign = 1 if self.position.current_player == 0 else -1
        return {"tournament": sign * int(end.game.type.final_margin(end)), "discs": sign * int(end.margin)}

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


def solve(
    position: Position, *, scoring: str = "tournament", nodes: int | None = None, seconds: float | None = None
) -> Solution:
    """Solve a position of Othello; with a limit of nodes or seconds, as far as that goes.

    The same position and limit of nodes give the same solution. Ctrl-C stops it within a second.
    """
    _check(position, scoring, nodes, seconds)
    with ThreadPoolExecutor(1) as worker:
        return _Solver(position, scoring, nodes, seconds, worker).solve()


def _check(position: Position, scoring: str, nodes: int | None, seconds: float | None) -> None:
    if not isinstance(position.game.rules, Othello):
        raise WrongGame(f"the solver does not play {position.game.name}; it plays othello4, othello6 and othello8")
    if scoring not in SCORINGS:
        raise InvalidSetting(f"invalid scoring {scoring!r}: must be {' or '.join(SCORINGS)}")
    if nodes is not None and not 1 <= nodes <= UNLIMITED:
        raise InvalidSetting(f"invalid nodes={nodes}: must be a whole number of at least 1")
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise InvalidSetting(f"invalid seconds={seconds}: must be a number above 0")
    if position.over:
        raise InvalidSetting("the game is over there, so there is nothing to solve; give fewer moves")
    empty = empty_squares(position)
    if empty > MOST_EMPTY and nodes is None and seconds is None:
        raise InvalidSetting(
            f"{empty} squares are empty there, which may take hours to solve; give a limit of nodes or seconds, "
            f"or a position with at most {MOST_EMPTY}"
        )


def empty_squares(position: Position) -> int:
    """How many squares are empty."""
    return int((position.cells == 0).sum())


class _Stopped(Exception):
    """The nodes or the time are used up."""


class _Solver:
    """One solution in the making; kernels run in the worker's thread, so that Ctrl-C is heard meanwhile."""

    def __init__(
        self, position: Position, scoring: str, nodes: int | None, seconds: float | None, worker: ThreadPoolExecutor
    ) -> None:
        self._position, self._scoring, self._worker = position, scoring, worker
        self._limit = UNLIMITED if nodes is None else nodes
        entries = 1 << min(empty_squares(position) + 3, LARGEST_TABLE)
        self._endgame: Endgame = new_endgame(position.game.rules, scoring == "tournament", entries)
        search_root(self._endgame, position.state.own, position.state.opp, 0)  # no node is allowed yet: compiles
        self._endgame.counters[0] = self._limit
        self._begin = time.monotonic()
        self._deadline = math.inf if seconds is None else self._begin + seconds

    def solve(self) -> Solution:
        position, passes = self._position, list[str]()
        if position.legal_moves == ["pass"]:
            position, passes = position.play("pass"), ["pass"]
        low, high, line = -position.game.squares, position.game.squares, list[str]()
        guess = 0
        try:
            while low < high:
                alpha = guess if guess == low else guess - 1
                guess, move = self._search(position, alpha)
                if guess > alpha:
                    low, line = guess, [move]
                else:
                    high, line = guess, line or ([move] if guess == low else [])
            here, score = position.play(line[0]), -low
            while not here.over:
                move = "pass" if here.legal_moves == ["pass"] else self._search(here, score - 1)[1]
                line.append(move)
                here, score = here.play(move), -score
        except _Stopped:
            pass
        if passes:
            low, high, line = -high, -low, passes + line
        spent = self._limit - int(self._endgame.counters[0])
        return Solution(
            position=self._position,
            low=low,
            high=high,
            move=line[0] if line else "",
            line=tuple(line),
            nodes=spent,
            scoring=self._scoring,
            seconds=time.monotonic() - self._begin,
        )

    def _search(self, position: Position, alpha: int) -> tuple[int, str]:
        """A bound of the position's score, and the move that it is of."""
        stop, state = self._endgame.counters[1:], position.state
        search: Future[Any] = self._worker.submit(search_root, self._endgame, state.own, state.opp, alpha)
        try:
            while not search.done():
                if time.monotonic() > self._deadline:
                    stop[0] = 1
                wait([search], min(POLL_SECONDS, max(self._deadline - time.monotonic(), 0.01)))
        except BaseException:
            stop[0] = 1
            raise
        score, move = search.result()
        if self._endgame.counters[0] < 0 or stop[0]:
            raise _Stopped
        return score, position.game.type.move_text(position.game.rules, state, int(move))
