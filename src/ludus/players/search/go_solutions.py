"""The exact solver of small Go boards: 2x2 to 4x4 from the start, 5x5 as far as a limit goes.

Four questions are asked in turns, each a ply deeper every time: can the player to move prove more than the lower bound,
or all of the upper one; can the opponent prove less than the upper bound, or no more than the lower one. What is proved
moves a bound until they meet. The question that has taken the fewest positions so far is next, so that a hopeless one
can't take more than its share.

A score is proved for the rules of the game: with `ko=superko` for positional superko and the game so far, with
`ko=simple` for play that may go on for ever, which then proves nothing for either side. Only the limit on the length of
a game is left out.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.errors import InvalidSetting, WrongGame
from ludus.games.game import Position
from ludus.games.go_life import safe_points
from ludus.games.go_rules import Go
from ludus.players.search.go_solver import prove_after
from ludus.players.search.go_table import LARGEST, MOST_PLIES, NO_MOVE, GoSearch, new_search
from ludus.players.search.solutions import Solution, Solver, Stopped, empty_squares, solves

MOST_EMPTY = 16
"""With more empty points than this, a solution may take hours: a limit must be given."""

LARGEST_TABLE = 22
"""The table has two to this power of entries at most, of 32 bytes each: 128 MB."""

THOROUGH = 3
"""On boards of this size or less, what could not be proved in one line is searched again in others, where superko may
bar more: it costs little there."""

ALL_OR_NOTHING = 8
"""On boards with a centre, how much more is spent on whether one side can take the whole board: often it can."""


@dataclass(frozen=True, repr=False)
class GoSolution(Solution):
    """The same for Go, in points on the board: komi is not counted."""

    stopped: bool = field(default=False, kw_only=True)
    """Whether a limit ended the search; else it has looked as far ahead as it can."""

    @property
    def unfinished(self) -> str:  # type: ignore[override]
        return "Stopped early" if self.stopped else f"Undecided after looking {MOST_PLIES} moves ahead"

    @property
    def notes(self) -> tuple[str, ...]:
        rules = self.position.game.rules
        proof = (
            "Proved with superko: no position may come back."
            if rules.superko
            else "Proved with simple ko: play that never ends counts for neither side."
        )
        if self.score is None or not rules.komi:
            return (proof,)
        lead = (self.score if self.position.current_player == 0 else -self.score) - rules.komi
        result = f"{'Black' if lead > 0 else 'White'} wins by {abs(lead):g}" if lead else "it is a draw"
        return (f"Komi is not counted: with {rules.komi:g} points {result}.", proof)

    def to_json(self) -> dict[str, object]:
        rules = self.position.game.rules
        return super().to_json() | {"komi": rules.komi, "ko": "superko" if rules.superko else "simple"}


@dataclass
class Question:
    """Whether one side can prove more."""

    proving: bool
    """The player to move, else the opponent."""
    all_or_nothing: bool
    """Whether it would close the gap between the bounds."""
    depth: int = 1
    cost: float = 0.0

    def alpha(self, low: int, high: int) -> int:
        """The player to move is to prove more than that, or the opponent that it is no more."""
        return low if self.proving != self.all_or_nothing else high - 1


@solves(Go, "go2 to go5")
class GoSolver(Solver):
    """Solves a position of Go."""

    scorings = ("area",)

    @classmethod
    def check(cls, position: Position, limited: bool) -> None:
        game, empty = position.game, empty_squares(position)
        if game.size > LARGEST:
            raise WrongGame(f"{game.name} is too large to solve; boards of up to {LARGEST}x{LARGEST} points can be")
        if game.rules.restricted:
            raise WrongGame("rules=abramson2001 can't be solved; leave the option away")
        if empty > MOST_EMPTY and not limited:
            raise InvalidSetting(
                f"{empty} points are empty there, which may take hours to solve; give a limit of nodes or seconds, "
                f"or a position with at most {MOST_EMPTY}"
            )

    @classmethod
    def final_score(cls, position: Position) -> int | None:
        """Points on the board. A game that was cut off at its limit has none: solutions know no limit."""
        return _lead(position) if position.state.passes == 2 else None

    def prepare(self) -> None:
        game, state = self.position.game, self.position.state
        entries = 1 << min(game.squares + 4, LARGEST_TABLE)
        thorough = game.rules.superko and game.size <= THOROUGH
        kind: Any = game.type
        bars = sum([1 << int(point) for point in kind.ko_points(self.position)])
        self._search: GoSearch = new_search(game.rules, state, np.uint64(bars), entries, thorough)
        self.counters = self._search.counters
        prove_after(self._search, state, np.zeros(0, np.int64), 0, 0, True)  # no node is allowed yet: compiles
        self._begin_with_settled()

    def find(self) -> Solution:
        position, move, line, stopped = self.position, "", list[str](), False
        try:
            move = self._bounds()
            if self.low == self.high:
                line = self._line(move or position.legal_moves[0])
        except Stopped:
            stopped = True
            move, line = self._best, [self._best] if self._best else []
        return GoSolution(
            position=position,
            low=self.low,
            high=self.high,
            move=line[0] if line else move,
            line=tuple(line),
            nodes=self.nodes,
            scoring=self.scoring,
            seconds=self.seconds,
            stopped=stopped,
        )

    def _begin_with_settled(self) -> None:
        """Begin with what is certain without any search, and a move for it."""
        position, self._best = self.position, ""
        lead, player = _lead(position), position.current_player
        kept = {
            move: 2 * self._safe(position.play(move), player).bit_count() - position.game.squares
            for move in position.legal_moves
            if move != "pass"
        }
        if kept and max(kept.values()) > self.low:
            self._best = max(kept, key=lambda move: kept[move])
            self.low = kept[self._best]
        if position.state.passes == 1 and lead > self.low:
            self.low, self._best = lead, "pass"

    def _bounds(self) -> str:
        """Move the bounds until they meet, or nobody can look further ahead; the move that makes sure of the lower."""
        dear = ALL_OR_NOTHING if self.position.game.size % 2 else 1 / ALL_OR_NOTHING
        questions = [Question(proving, every) for every in (False, True) for proving in (True, False)]
        while self.low < self.high:
            open_ones = [each for each in questions if each.depth <= MOST_PLIES]
            if self.high - self.low == 1:
                open_ones = [each for each in open_ones if not each.all_or_nothing]
            if not open_ones:
                break
            asked = min(open_ones, key=lambda each: each.cost)
            alpha, before = asked.alpha(self.low, self.high), self.nodes
            score, sure, move = self._ask([], asked.depth, alpha, asked.proving)
            asked.cost += (self.nodes - before) * (1.0 if asked.all_or_nothing else dear)
            if not sure:
                asked.depth += 1
                self._search.history[:] //= 4
            elif score > alpha:
                self.low, self._best = score, self._text(self.position, move, score)
            else:
                self.high = score
        return self._best

    def _line(self, first: str) -> list[str]:
        """Best play from the first move until the score is certain, or only one side has passed last."""
        line, here, score = [first], self.position.play(first), -self.low
        played = [self.position.legal[first]]
        while not here.over and len(line) < MOST_PLIES // 2:
            self.counters[3], depth, sure, move = NO_MOVE, 1, False, NO_MOVE
            while not sure and depth + len(line) <= MOST_PLIES:
                _, sure, move = self._ask(played, depth, score - 1, True)
                depth += 1
            if not sure or (move == NO_MOVE and here.state.passes == 0):
                break
            text = self._text(here, move, score)
            played.append(here.legal[text])
            line.append(text)
            here, score = here.play(text), -score
        return line

    def _ask(self, line: list[int], depth: int, alpha: int, proving: bool) -> tuple[int, bool, int]:
        """A bound of the score after a line, whether it is proved, and the move that it is of."""
        found, move = self.run(
            prove_after, self._search, self.position.state, np.array(line, np.int64), depth, alpha, proving
        )
        return found >> 1, bool(found & 1), int(move)

    def _text(self, position: Position, move: int, score: int) -> str:
        """A move that makes sure of a score, as players write it; who needs none passes.

        But the opponent may pass as well, so nobody does who leads by less on the board: first dead stones are taken.
        """
        game, player = position.game, position.current_player
        text = "pass" if move == NO_MOVE else game.type.move_text(game.rules, position.state, move)
        if text != "pass" or _lead(position) >= score:
            return text
        safe = self._safe(position, player)
        inside = {play: position.play(play) for play, point in position.legal.items() if safe >> point & 1}
        taking = {play: -_lead(after) for play, after in inside.items() if not safe & ~self._safe(after, player)}
        return max(taking, key=lambda play: taking[play], default="pass")

    def _safe(self, position: Position, player: int) -> int:
        """The points that a player makes sure of for ever, as bits."""
        state, side = position.state, int(player != self.position.current_player)
        stones = state.own if player == position.current_player else state.opp
        return int(safe_points(position.game.rules, stones, (self._search.doubtful[side],))[0])


def _lead(position: Position) -> int:
    """The points by which the player to move is ahead on the board as it is, komi not counted."""
    black: int = round(position.margin + position.game.rules.komi)
    return black if position.current_player == 0 else -black
