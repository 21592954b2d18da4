"""Players that search: alpha-beta and plain minimax to a fixed depth, or against the clock.

The root's moves are put into random order before the search, and only a better one replaces the best; so among equally
good moves each is as likely, though alpha-beta learns the exact value of none but the best. Finished games count by
their result, beyond all that an evaluator says, then by the margin, then by how soon they are won.
"""

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludus import vocabulary as words
from ludus.dice import Dice, shuffle
from ludus.games.game import Game, Option, Position
from ludus.kernels import borrowed, inlined, kernel
from ludus.players.endings import WIN, result
from ludus.players.explanations import Explanation, boards, explains, ranked
from ludus.players.greedy import TIES, VALUE, chosen_evaluator
from ludus.players.player import CompiledPlayer, Player, PlayerKind, Seat
from ludus.players.strings import settings
from ludus.vocabulary import says, word

EXTENSIONS = ("no", "captures", "pairs")
"""How a search looks further than its depth where moves are forced.

`captures`: on, move by move, as long as the next move is forced. `pairs`: as Blondie24's authors describe it, by one
move for each forced one on the line, in steps of two, and by two more while a forced move is pending; with 4 moves
ahead that is some hundred times the work.
"""
BY_PAIRS = 2


class Search(NamedTuple):
    evaluator: Any
    depth: int
    exact: int  # with this many moves left or fewer, search to the end
    prunes: bool
    ties_by_lot: bool
    extension: int = 0  # how to look further where moves are forced: see EXTENSIONS


@word
def recalled(evaluator, game, state, left):
    """Between which bounds the worth of a state is known to lie, searched `left` moves further and by captures."""


@word
def noted(evaluator, game, state, left, low, high):
    """Take note of such bounds, if the evaluator remembers."""


@says(recalled)
def _(evaluator, game, state, left):
    return -np.inf, np.inf


@says(noted)
def _(evaluator, game, state, left, low, high):
    pass


@inlined
def farther(extension, horizon, depth, forced, compelled):
    """How far to look, having arrived at the horizon of a search of that depth."""
    if extension == BY_PAIRS:
        wanted = depth + (forced + 1) // 2 * 2
        if horizon < wanted:
            return wanted
        return horizon + 2 if compelled else horizon
    return horizon + 1 if compelled else horizon


@inlined
def leaf(evaluator, game, state, basis, move, ply, row, budget):
    """What a move is worth to who makes it where the search ends, `ply` moves deep. `row` is room for moves."""
    budget[0] -= 1
    after = words.play(game, state, move)
    if words.over(game, after, row):
        worth = result(game, after, ply)
        return worth if words.mover(game, after) == words.mover(game, state) else -worth
    return float(words.foreseen(evaluator, game, state, basis, move, after))


@kernel
def worth(player, game, state, ply, horizon, forced, alpha, beta, work, budget):
    """What the state is worth to the player to move: exact between alpha and beta, else a bound.

    The search is `ply` moves deep, goes to `horizon`, and has met `forced` forced moves on its way. `budget[0]` counts
    the positions that may still be looked at; once it is spent, what is returned means nothing.
    """
    budget[0] -= 1
    left, remembers = horizon - ply, player.extension != BY_PAIRS  # by pairs, how far to look depends on the line
    if remembers:
        low, high = recalled(player.evaluator, game, state, left)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
    row = work[ply]
    n = words.moves(game, state, row)
    if n == 0:
        return result(game, state, ply)
    compelled = player.extension > 0 and words.compelled(game, row[0])
    if ply >= horizon and player.extension > 0:
        horizon = farther(player.extension, horizon, player.depth, forced, compelled)
    if ply >= horizon or ply == len(work) - 1 or budget[0] < 0:
        value = float(words.value(player.evaluator, game, state))
        if remembers and budget[0] >= 0:
            noted(player.evaluator, game, state, left, value, value)
        return value
    forced += compelled
    best, least, last = -np.inf, alpha, len(row) - 1
    if player.prunes:  # what refuted a sister of this position may refute it too, so it is tried first
        for i in range(1, n):
            if row[i] == row[last]:
                row[0], row[i] = row[i], row[0]
                break
    # most positions are leaves, and calling costs about as much as judging one
    ends = ply + 1 == horizon and player.extension == 0
    basis = words.basis(player.evaluator, game, state) if ends else 0.0
    below = work[ply + 1]
    for i in range(n):
        if ends:
            found = leaf(player.evaluator, game, state, basis, row[i], ply + 1, below, budget)
        else:
            after = words.play(game, state, row[i])
            if words.mover(game, after) == words.mover(game, state):
                found = worth(player, game, after, ply + 1, horizon, forced, alpha, beta, work, budget)
            else:
                found = -worth(player, game, after, ply + 1, horizon, forced, -beta, -alpha, work, budget)
        if found > best:
            best = found
            if player.prunes:
                alpha = max(alpha, best)
                if alpha >= beta:
                    row[last] = row[i]
                    break
    if remembers and budget[0] >= 0:
        low, high = best if best > least else -np.inf, best if best < beta else np.inf
        noted(player.evaluator, game, state, left, low, high)
    return best


MOST_FORCED = 72
"""A line of checkers has 24 captures at most; each adds one move, or two at the horizon."""


@kernel
def best_move(player, game, state, moves, n, depth, budget):
    """The first of `moves[:n]` that no other beats at that depth, and what it is worth."""
    player = Search(player.evaluator, depth, player.exact, player.prunes, player.ties_by_lot, player.extension)
    # for each ply room for its moves, and for the one that last refuted a position there
    work = np.empty((depth + 1 + (MOST_FORCED if player.extension > 0 else 0), words.width(game) + 1), np.int64)
    work[:, words.width(game)] = -1
    return first_best(player, game, state, moves, n, depth, work, budget)


@kernel
def first_best(player, game, state, moves, n, depth, work, budget):
    """The same with room for the search."""
    player, work, budget = borrowed(player), borrowed(work), borrowed(budget)
    ply = np.int64(1)  # as a literal it would make a type of its own, whose recursion numba does not keep on disk
    forced = ply if player.extension > 0 and words.compelled(game, moves[0]) else ply - 1
    best, pick = -np.inf, moves[0]
    for i in range(n):
        after = words.play(game, state, moves[i])
        alpha = best if player.prunes else -np.inf
        if words.mover(game, after) == words.mover(game, state):
            found = worth(player, game, after, ply, depth, forced, alpha, np.inf, work, budget)
        else:
            found = -worth(player, game, after, ply, depth, forced, -np.inf, -alpha, work, budget)
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


EXPLAINED = 1_000_000
"""How many positions an explanation may look at for each depth: without pruning between moves it takes far more of
them than the search itself, and whoever asks does not want to wait."""


@explains(Search)
def _explained(player: Search, position: Position) -> Explanation:
    values, depth = dict.fromkeys(position.legal, 0.0), 0
    for deeper in range(1, player.depth + 1):
        budget, found = np.full(1, EXPLAINED, np.int64), {}
        for move, number in position.legal.items():
            found[move] = float(
                searched(player, position.game.rules, position.state, np.array([number]), deeper, budget)[1]
            )
            if budget[0] < 0:
                break
        if budget[0] < 0:
            break
        values, depth = found, deeper
    line, here = [], position
    for left in range(depth, 0, -1):
        if here.over:
            break
        legal = {number: move for move, number in here.legal.items()}
        chosen = int(searched(player, here.game.rules, here.state, np.array(list(legal)), left, unlimited())[0])
        line.append(legal[chosen])
        here = here.play(chosen)
    short = f" The values are those of {depth}, which are quicker to find." if depth < player.depth else ""
    return Explanation(
        f"It looks {player.depth} moves ahead and expects the best reply to each.{short}",
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
            found, value = searched(parts, game.rules, position.state, moves, depth, budget)
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
def searched(player, game, state, moves, depth, budget):
    """The same for Python, whose positions keep their history."""
    return best_move(player, game, words.detached(game, state), moves, len(moves), depth, budget)


OPTIONS = (
    Option("depth", 3, "moves to look ahead; with seconds, at most so many", low=1, high=60),
    VALUE,
    TIES,
    Option("exact", 0, "Othello: search to the end when this many squares are free", low=0, high=30),
    Option("extend", "no", "checkers: look further where captures are forced", EXTENSIONS),
    Option("seconds", 0.0, "time for each move; 0 is no limit", low=0, high=3600),
)


def _make(text: str, game: Game, arguments: str) -> Player:
    kind = text.partition(":")[0]
    chosen = settings(kind, arguments, OPTIONS)
    parts = Search(
        chosen_evaluator(chosen["value"], game),
        60 if chosen["seconds"] and "depth=" not in arguments else chosen["depth"],
        chosen["exact"],
        kind == "alphabeta",
        chosen["ties"] == "random",
        EXTENSIONS.index(chosen["extend"]),
    )
    if chosen["seconds"]:
        return TimedSearch(text, game, parts, chosen["seconds"])
    return CompiledPlayer(text, game, parts)


PLAYERS = (
    PlayerKind(
        "alphabeta",
        "searches to a depth, or against the clock",
        "alphabeta:depth=4,value=positional",
        _make,
        options=OPTIONS,
    ),
    PlayerKind("minimax", "the same moves without pruning, slower", "minimax:depth=2", _make, options=OPTIONS),
)
