"""Judges: strong players who say what a position and each move in it is worth, in a unit that people understand.

Every game has a usual judge (`Defaults.judge`). Others can judge too, if they search and it is known what their values
count: Monte Carlo tree search, whose values are results, and alpha-beta with an evaluator that counts pieces, that is
the game's usual one, or that was calibrated (`ludus.players.calibration`). Where a calibration knows no margin, only
the result, the judge counts percent of winning. One that counts discs leaves the end of an Othello game to the exact
solver.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ludus.errors import InvalidSetting
from ludus.games.game import Defaults, Game, Position
from ludus.games.othello import Othello
from ludus.players.base import CompiledPlayer, Player
from ludus.players.calibration import calibration, whose_values
from ludus.players.endings import WIN
from ludus.players.explanations import Explanation, MoveValue
from ludus.players.names import player as named
from ludus.players.search.alphabeta import Search, search, unlimited_budget
from ludus.players.search.iterative_deepening import TimedSearch
from ludus.players.search.mcts import TimedMCTS, explained_by
from ludus.players.search.players import principal_variation
from ludus.players.search.solver import empty_squares, solve
from ludus.players.search.uct import MCTS

EXACT = 18
"""With so many empty squares or fewer, the exact solver judges Othello: it takes a third of a second at the most. A
judge with `exact=` may ask for more."""

RIVALS = 8
"""So many other moves a judge that simulates looks at before it calls one the best."""

PERCENT = "percent"

MATERIAL = ("discs", "pieces", "area", "lead")
"""Evaluators that count what the margin of the game counts."""

SHARES = (0.03, 0.06, 0.12)
"""What an inaccuracy, a mistake and a blunder lose at the least, as shares of the largest margin, where the game states
its own thresholds in another unit than the judge's."""


@dataclass(frozen=True)
class Judgement:
    """What a judge says of a position, or of some of the moves in it."""

    move: str
    """The best move."""
    value: float
    """To the side to move, in the judge's unit."""
    exact: bool
    """Whether the value is the result of best play to the end of the game."""


class Judge(ABC):
    """Somebody who judges the positions of one game."""

    unit: str
    """What its values count: discs, pieces, percent (the chance of winning, above or below an even game)."""

    def __init__(self, player: Player) -> None:
        self.name, self.game, self._solved_from = player.label, player.game, EXACT

    def judge(self, position: Position, moves: Collection[str] = ()) -> Judgement:
        """The best of these moves, by default of all legal ones."""
        wanted = [move for move in position.legal if not moves or move in moves]
        if self._can_solve(position):
            return max(_solved(position, wanted), key=lambda each: each.value)
        return self._judge(position, wanted)

    def line(self, position: Position, move: str) -> tuple[str, ...]:
        """Best play after a move, which comes first, as far as the judge looks."""
        after = position.play(move)
        if after.over:
            return (move,)
        return (move, *(solve(after).line if self._can_solve(position) else self._line(after)))

    def second(self, position: Position, best: str) -> Judgement:
        """The best of all moves but one, of which there is at least one more."""
        return self.judge(position, [move for move in position.legal if move != best])

    def loss(self, best: Judgement, made: Judgement) -> float:
        """What a move loses against the best one, or any other that is better."""
        return best.value - made.value

    @abstractmethod
    def _judge(self, position: Position, moves: list[str]) -> Judgement:
        """The best of these legal moves."""

    @abstractmethod
    def _line(self, position: Position) -> tuple[str, ...]:
        """Best play in a position of an unfinished game."""

    def chance(self, found: Judgement) -> float | None:
        """The chance of winning, from 0 to 1; None if it is not known what values mean."""
        if found.exact:
            return (1 + (found.value > 0) - (found.value < 0)) / 2
        return self._chance(found.value)

    @abstractmethod
    def _chance(self, value: float) -> float | None:
        """The same by a value that is no result."""

    @property
    def grades(self) -> tuple[float, float, float]:
        """What an inaccuracy, a mistake and a blunder lose at the least, in the judge's unit."""
        if self.unit == _usual_unit(self.game):
            return self.game.defaults.grades
        if self.unit == PERCENT:
            return Defaults.grades
        low, middle, high = (round(self.most * share, 1) for share in SHARES)
        return low, middle, high

    def _can_solve(self, position: Position) -> bool:
        is_othello = isinstance(position.game.rules, Othello) and self.unit == "discs"
        return is_othello and empty_squares(position) <= self._solved_from

    @property
    def most(self) -> float:
        """What a certain win counts."""
        return 50.0 if self.unit == PERCENT else self.game.type.max_margin(self.game.rules)


def _solved(position: Position, moves: list[str]) -> Iterator[Judgement]:
    """Moves by the exact solver, in discs as tournaments count them: only the best of all, or each of some."""
    if len(moves) == len(position.legal):
        found = solve(position)
        assert found.score is not None  # nothing stops it
        yield Judgement(found.move, float(found.score), True)
        return
    for move in moves:
        after = position.play(move)
        if after.over:
            lead = after.game.type.final_margin(after)
            yield Judgement(move, lead if position.current_player == 0 else -lead, True)
        else:
            score = solve(after).score
            assert score is not None
            yield Judgement(move, -float(score), True)


class SearchJudge(Judge):
    """Alpha-beta search, in the unit of the game's margin, or in percent where only the result was calibrated."""

    def __init__(self, player: Player, parts: Search) -> None:
        super().__init__(player)
        self._parts, self._known = parts, calibration(player.name, player.game)
        self._solved_from = max(EXACT, parts.exact)
        self._points = self._known.points if self._known and self._known.points else 1.0
        self.unit = self.game.type.unit or "points"
        evaluator = whose_values(player.name, self.game).partition("value=")[2]
        if self._points == 1.0 and evaluator not in (*MATERIAL, self.game.defaults.evaluator):
            if self._known is None:
                raise _unfit(player)
            self.unit = PERCENT

    def _judge(self, position: Position, moves: list[str]) -> Judgement:
        numbers = np.array([position.legal[move] for move in moves], np.int64)
        rules, depth = position.game.rules, self._parts.depth
        chosen, value = search(self._parts, rules, position.state, numbers, depth, unlimited_budget())
        move = moves[numbers.tolist().index(int(chosen))]
        if abs(value) >= WIN / 2:
            return Judgement(move, self.most if value > 0 else -self.most, True)
        return Judgement(move, self._counted(float(value)), False)

    def loss(self, best: Judgement, made: Judgement) -> float:
        """Nothing in percent where one is certain, and the other seems as good as that: chances are averages, drawn
        games among them, so proofs stand far out; such moves cost no more than others (docs/grades.py)."""
        same = best.value * made.value > 0 and min(abs(best.value), abs(made.value)) >= self.grades[1]
        if self.unit == PERCENT and best.exact != made.exact and same:
            return 0.0
        return super().loss(best, made)

    def _counted(self, value: float) -> float:
        """A value of the search in the judge's unit."""
        if self.unit == PERCENT and self._known:
            return 100 * self._known.chance(value) - self.most
        return max(-self.most, min(self.most, self._points * value))

    def _line(self, position: Position) -> tuple[str, ...]:
        return principal_variation(self._parts, position, self._parts.depth - 1)

    def _chance(self, value: float) -> float | None:
        if self.unit == PERCENT:
            return 0.5 + value / 100
        return self._known.chance(value / self._points) if self._known else None


class SimulationJudge(Judge):
    """Monte Carlo tree search, whose values are mean results, in percent above or below an even game."""

    unit = PERCENT

    def __init__(self, player: Player, parts: MCTS) -> None:
        super().__init__(player)
        self._parts, self._known = parts, calibration(player.name, player.game)

    def _judge(self, position: Position, moves: list[str]) -> Judgement:
        """Simulations try some moves more often than others, so each is judged by simulations of what follows it."""
        move = moves[0] if len(moves) == 1 else self._best(position, moves).move
        after = position.play(move)
        if after.over:
            won = 2 * float(after.outcome or 0.0) - 1
            return Judgement(move, self.most * (won if position.current_player == 0 else -won), True)
        best = self._best(after, after.legal)
        sign = 1 if after.current_player == position.current_player else -1
        return Judgement(move, sign * self.most * best.value, best.proven)

    def second(self, position: Position, best: str) -> Judgement:
        """Those that simulations tried most, each by itself: one of them may be better than it seemed."""
        others = [each.move for each in self._weighed(position).moves if each.move != best]
        return max((self.judge(position, [move]) for move in others[:RIVALS]), key=lambda each: each.value)

    def _best(self, position: Position, moves: Collection[str]) -> MoveValue:
        return next(each for each in self._weighed(position).moves if each.move in moves)

    def _weighed(self, position: Position) -> Explanation:
        """The moves by all its simulations."""
        return explained_by(self._parts, position, self._parts.simulations)

    def _line(self, position: Position) -> tuple[str, ...]:
        found = self._weighed(position)
        return found.line or (found.moves[0].move,)

    def _chance(self, value: float) -> float | None:
        return self._known.chance(value / self.most) if self._known else 0.5 + value / 100


def judge(game: Game, given: str | Player = "") -> Judge:
    """The judge that a player string names, by default the game's usual one. Raises LudusError if it can't judge."""
    player = named(given or game.defaults.judge, game) if isinstance(given, str) else given
    parts: Any = getattr(player, "parts", None)
    if isinstance(player, CompiledPlayer) and isinstance(parts, Search):
        return SearchJudge(player, parts)
    if isinstance(player, CompiledPlayer) and isinstance(parts, MCTS):
        return SimulationJudge(player, parts)
    if isinstance(player, (TimedSearch, TimedMCTS)):
        raise InvalidSetting(f"{player.label}: a judge can't play against the clock; leave out seconds=")
    raise _unfit(player)


@lru_cache(64)  # the arena asks for every komi that visitors think of
def _usual_unit(game: Game) -> str:
    """The unit of the game's usual judge, in which the game states its thresholds."""
    return judge(game).unit


def _unfit(player: Player) -> InvalidSetting:
    return InvalidSetting(
        f"{player.label} can't judge, since it is not known what its values count; "
        f"try {player.game.defaults.judge}, or mcts:simulations=1000"
    )
