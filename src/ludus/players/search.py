"""Players that search: alpha-beta and plain minimax to a fixed depth, or against the clock.

The root's moves are put into random order before the search, and only a better one replaces the best; so among equally
good moves each is as likely, though alpha-beta learns the exact value of none but the best. Finished games count by
their result, beyond all that an evaluator says, then by the margin.
"""

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludus import vocabulary as words
from ludus.dice import Dice, shuffle
from ludus.games.game import Game, Option, Position
from ludus.kernels import kernel
from ludus.players.explanations import Explanation, boards, explains, ranked
from ludus.players.greedy import TIES, VALUE, chosen_evaluator
from ludus.players.player import CompiledPlayer, Player, PlayerKind, Seat
from ludus.players.strings import settings
from ludus.vocabulary import says

WIN = 1e9
"""What a finished game is worth to its winner, before the margin is added."""


class Search(NamedTuple):
    evaluator: Any
    depth: int
    exact: int  # with this many moves left or fewer, search to the end
    prunes: bool
    ties_by_lot: bool


@kernel
def result(game, state):
    """What a finished game is worth to the player who would be next."""
    worth = WIN * (2.0 * words.outcome(game, state) - 1.0) + words.margin(game, state)
    return worth if words.mover(game, state) == 0 else -worth


@kernel
def worth(evaluator, game, state, depth, alpha, beta, prunes, work, budget):
    """What the state is worth to the player to move: exact between alpha and beta, else a bound.

    `budget[0]` counts the positions that may still be looked at; once it is spent, what is returned means nothing.
    """
    budget[0] -= 1
    row = work[depth]
    n = words.moves(game, state, row)
    if n == 0:
        return result(game, state)
    if depth == 0 or budget[0] < 0:
        return float(words.value(evaluator, game, state))
    best = -np.inf
    for i in range(n):
        after = words.play(game, state, row[i])
        if words.mover(game, after) == words.mover(game, state):
            found = worth(evaluator, game, after, depth - 1, alpha, beta, prunes, work, budget)
        else:
            found = -worth(evaluator, game, after, depth - 1, -beta, -alpha, prunes, work, budget)
        if found > best:
            best = found
            if prunes:
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
    return best


@kernel
def best_move(player, game, state, moves, n, depth, budget):
    """The first of `moves[:n]` that no other beats, and what it is worth."""
    work = np.empty((depth, words.width(game)), np.int64)
    best, pick = -np.inf, moves[0]
    for i in range(n):
        after = words.play(game, state, moves[i])
        alpha = best if player.prunes else -np.inf
        if words.mover(game, after) == words.mover(game, state):
            found = worth(player.evaluator, game, after, depth - 1, alpha, np.inf, player.prunes, work, budget)
        else:
            found = -worth(player.evaluator, game, after, depth - 1, -np.inf, -alpha, player.prunes, work, budget)
        if found > best:
            best, pick = found, moves[i]
    return pick, best


@kernel
def unlimited():
    """A budget of positions that is never spent."""
    return np.full(1, 1 << 62, np.int64)


@says(words.choose, Search)
def _(player, game, state, moves, n, dice):
    if player.ties_by_lot:
        shuffle(dice, moves, n)
    depth = player.depth
    if words.remaining(game, state) <= player.exact:
        depth = 2 * player.exact  # each move may be followed by a pass
    return best_move(player, game, state, moves, n, depth, unlimited())[0]


@explains(Search)
def _explained(player: Search, position: Position) -> Explanation:
    depth = player.depth
    values, line, here = {}, [], position
    for move, number in position.legal.items():
        values[move] = float(
            _searched(player, position.game.rules, position.state, np.array([number]), depth, unlimited())[1]
        )
    while depth > 0 and not here.over:
        legal = {number: move for move, number in here.legal.items()}
        chosen = int(_searched(player, here.game.rules, here.state, np.array(list(legal)), depth, unlimited())[0])
        line.append(legal[chosen])
        here, depth = here.play(chosen), depth - 1
    return Explanation(
        f"It looks {player.depth} moves ahead and expects the best reply to each.",
        "what the position will be worth; a won game counts a billion",
        ranked(values),
        tuple(line),
        boards(player.evaluator, position),
    )


@dataclass(frozen=True)
class TimedSearch(Player):
    """Deepens the search until its time for the move is over. How far it gets depends on the machine."""

    parts: Search
    seconds: float

    def seat(self) -> Seat:
        return _TimedSeat(self)


class _TimedSeat(Seat):
    def __init__(self, player: TimedSearch) -> None:
        self._player, self._speed = player, 100_000.0

    def choose(self, position: Position, dice: Dice) -> int:
        """The best move of the deepest search that was finished in time."""
        begin, limit = time.perf_counter(), self._player.seconds
        parts, game = self._player.parts, position.game
        moves = np.array(list(position.legal.values()), np.int64)
        if parts.ties_by_lot:
            shuffle(dice, moves, len(moves))
        pick = int(moves[0])
        for depth in range(1, parts.depth + 1):
            started = time.perf_counter()
            allowed = int((limit - (started - begin)) * self._speed)
            if allowed <= 0 or len(moves) == 1:
                break
            budget = np.full(1, allowed, np.int64)
            found, value = _searched(parts, game.rules, position.state, moves, depth, budget)
            spent, taken = allowed - int(budget[0]), time.perf_counter() - started
            if spent > 1000:  # fewer tell nothing about the speed
                self._speed = spent / max(taken, 1e-9)
            if budget[0] < 0:
                break
            pick = int(found)
            moves = np.concatenate([moves[moves == pick], moves[moves != pick]])  # look at the best first
            if abs(value) >= WIN / 2:
                break
        return pick


@kernel
def _searched(player, game, state, moves, depth, budget):
    return best_move(player, game, words.detached(game, state), moves, len(moves), depth, budget)


OPTIONS = (
    Option("depth", 3, "moves to look ahead; with seconds, at most so many", low=1, high=60),
    VALUE,
    TIES,
    Option("exact", 0, "Othello: search to the end when this many squares are free", low=0, high=30),
    Option("seconds", 0.0, "time for each move; 0 is no limit", low=0, high=3600),
)


def _make(text: str, game: Game, arguments: str) -> Player:
    kind = text.partition(":")[0]
    chosen = settings(kind, arguments, OPTIONS)
    parts = Search(
        chosen_evaluator(kind, chosen["value"], game),
        60 if chosen["seconds"] and "depth=" not in arguments else chosen["depth"],
        chosen["exact"],
        kind == "alphabeta",
        chosen["ties"] == "random",
    )
    if chosen["seconds"]:
        return TimedSearch(text, game, parts, chosen["seconds"])
    return CompiledPlayer(text, game, parts)


PLAYERS = (
    PlayerKind("alphabeta", "searches to a depth, or against the clock", "alphabeta:depth=4,value=positional", _make),
    PlayerKind("minimax", "the same moves without pruning, slower", "minimax:depth=2", _make),
)
