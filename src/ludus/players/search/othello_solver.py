"""The exact solver of Othello endgames.

The score is found by null-window searches, each of which raises a lower bound or lowers an upper one until they meet
(MTD(f)); the first asks who wins. So a search that is stopped early still knows bounds that hold.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ludus.errors import InvalidSetting
from ludus.evaluators.ntuples import NTuples, ntuples
from ludus.games.game import Game, Position
from ludus.games.othello import Othello
from ludus.players.search.endgame import Endgame, new_endgame, search_root
from ludus.players.search.solutions import Solution, Solver, Stopped, empty_squares, solves
from ludus.players.shipped import shipped_player

SCORINGS = ("tournament", "discs")
"""How the final score is counted: whether the winner is given the empty squares, or nobody."""

MOST_EMPTY = 24
"""With more empty squares than this on 8x8, a solution may take hours: a limit must be given. 6x6 takes minutes."""

LARGEST_TABLE = 21
"""The table has two to this power of entries at most, of 32 bytes each: 64 MB. At 24 empty squares,
four times as many saved one node in 200."""

NETWORKS = {6: ("ntuples:othello6", 400.0), 8: ("ntuples:othello8", 100.0)}
"""For each size of board the network that orders moves, and how far it is trusted: of 10 to 1,000 what took the fewest
nodes. One learned by how far games are won, the other by who wins them, so their values differ."""


@dataclass(frozen=True, repr=False)
class OthelloSolution(Solution):
    """The same for Othello, where a line is played to the end of the game."""

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

    @property
    def notes(self) -> tuple[str, ...]:
        if not (ends := self.final_scores):
            return ()
        left = abs(ends["tournament"]) - abs(ends["discs"])
        whose = f", since the winner is given {left} empty square{'s' if left > 1 else ''}" if left else ""
        return (f"Final score: {ends['tournament']:+} in tournaments, {ends['discs']:+} by discs{whose}",)


@solves(Othello, "othello4, othello6 and othello8")
class OthelloSolver(Solver):
    """Solves a position of Othello."""

    scorings = SCORINGS

    @classmethod
    def check(cls, position: Position, limited: bool) -> None:
        empty = empty_squares(position)
        if empty > MOST_EMPTY and position.game.rules.size > 6 and not limited:
            raise InvalidSetting(
                f"{empty} squares are empty there, which may take hours to solve; give a limit of nodes or seconds, "
                f"or a position with at most {MOST_EMPTY}"
            )

    @classmethod
    def final_score(cls, position: Position) -> int:
        lead = int(position.game.type.final_margin(position))
        return lead if position.current_player == 0 else -lead

    def prepare(self) -> None:
        entries = 1 << min(empty_squares(self.position) + 3, LARGEST_TABLE)
        game = self.position.game
        self._endgame: Endgame = new_endgame(game.rules, self.scoring == "tournament", entries, *_network(game))
        self.counters = self._endgame.counters
        state = self.position.state
        search_root(self._endgame, state.own, state.opp, 0)  # no node is allowed yet: compiles

    def find(self) -> Solution:
        position, passes = self.position, list[str]()
        if position.legal_moves == ["pass"]:
            position, passes = position.play("pass"), ["pass"]
        line, guess = list[str](), 0
        try:
            while self.low < self.high:
                alpha = guess if guess == self.low else guess - 1
                guess, move = self._search(position, alpha)
                if guess > alpha:
                    self.low, line = guess, [move]
                else:
                    self.high, line = guess, line or ([move] if guess == self.low else [])
            here, score = position.play(line[0]), -self.low
            while not here.over:
                move = "pass" if here.legal_moves == ["pass"] else self._search(here, score - 1)[1]
                line.append(move)
                here, score = here.play(move), -score
        except Stopped:
            pass
        low, high = self.low, self.high
        if passes:
            low, high, line = -high, -low, passes + line
        return OthelloSolution(
            position=self.position,
            low=low,
            high=high,
            move=line[0] if line else "",
            line=tuple(line),
            nodes=self.nodes,
            scoring=self.scoring,
            seconds=self.seconds,
        )

    def _search(self, position: Position, alpha: int) -> tuple[int, str]:
        """A bound of the position's score, and the move that it is of."""
        state = position.state
        score, move = self.run(search_root, self._endgame, state.own, state.opp, alpha)
        return score, position.game.type.move_text(position.game.rules, state, int(move))


@cache
def _network(game: Game) -> tuple[NTuples, float]:
    """The network that orders moves on this board, and how far it is trusted; on 4x4 nobody asks it."""
    if game.rules.size not in NETWORKS:
        return ntuples(game, np.zeros((1, 1), np.int64), np.zeros((1, 3)), symmetric=False), 0.0
    name, trust = NETWORKS[game.rules.size]
    return shipped_player(name, game).parts.evaluator, trust
