"""Search against the clock by iterative deepening: one move ahead, then two, and so on until the time is over."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.compile.rng import Rng, shuffle
from ludus.games.game import Position
from ludus.players.base import Player, Seat, with_memory_of_its_own
from ludus.players.endings import WIN
from ludus.players.search.alphabeta import Search, full_depth, search_deeper, unlimited_budget

FIRST_SPEED = 100_000.0
"""Positions a second, until it is known better."""
TELLING = 1000
"""A search of fewer positions says nothing about the speed."""


@dataclass(frozen=True, repr=False, eq=False)
class TimedSearch(Player):
    """Deepens the search until its time for the move is over. How far it gets depends on the machine."""

    parts: Search
    seconds: float

    def seat(self) -> Seat:
        return _TimedSeat(self)


class _TimedSeat(Seat):
    def __init__(self, player: TimedSearch) -> None:
        self._player, self._speed = player, FIRST_SPEED
        self._parts = with_memory_of_its_own(player.parts, player.game.rules)

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        self._parts = with_memory_of_its_own(self._parts, self._player.game.rules)

    def choose(self, position: Position, rng: Rng) -> int:
        """The best move of the deepest search that was finished in time; one move ahead it looks in any case."""
        parts, rules, state = self._parts, position.game.rules, position.state
        moves = np.array(list(position.legal.values()), np.int64)
        if parts.random_ties:
            shuffle(rng, moves, len(moves))
        if len(moves) == 1:
            return int(moves[0])
        found, value = search_deeper(parts, rules, state, moves, 1, unlimited_budget())  # compiles
        pick, begin = int(found), time.perf_counter()
        depth, deepest = 1, full_depth(parts, rules, state)
        exactly = full_depth(parts._replace(depth=0), rules, state) > 0
        while depth < deepest:
            decided, started = abs(value) >= WIN / 2, time.perf_counter()
            allowed = int((self._player.seconds - (started - begin)) * self._speed)
            if allowed <= 0 or (decided and not exactly):
                break
            depth = deepest if decided else depth + 1  # by how much it is won or lost, only the end tells
            if parts.random_ties:  # look at the best first; it will be made if others are as good
                moves = np.concatenate([moves[moves == pick], moves[moves != pick]])
            budget = np.full(1, allowed, np.int64)
            found, value = search_deeper(parts, rules, state, moves, depth, budget)
            spent, taken = allowed - int(budget[0]), time.perf_counter() - started
            if spent > TELLING:
                self._speed = spent / max(taken, 1e-9)
            if budget[0] < 0:
                break
            pick = int(found)
        return pick
