"""Matches: many games between two players, in parallel, the same for any number of workers.

Game i throws the dice of index i. Games 2k and 2k+1 share an opening, and the players swap colours between them. Two
compiled players play inside one kernel; others are asked move by move.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from ludus.dice import Dice, below, key, shuffle, stream, throw
from ludus.errors import LudusError
from ludus.games.game import Game, Position
from ludus.games.openings import Openings, openings
from ludus.measures.intervals import SequentialTest, Summary, summary
from ludus.players.engines import ILLEGAL_MOVE, Forfeit
from ludus.players.player import CompiledPlayer, Player, Seat
from ludus.players.playouts import UNRECORDED, play_games
from ludus.records.record import Record

MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class Block:
    """Some games in succession."""

    begin: int
    scores: NDArray[np.float64]
    lengths: NDArray[np.int64]
    moves: NDArray[np.int64]
    """[games, most moves], or empty where they were not asked for."""
    reasons: dict[int, str]
    """Why a game was lost other than by the rules, by its number."""


@dataclass(frozen=True)
class Match:
    """What came of a match, for player `a`."""

    a: Player
    b: Player
    openings: Openings
    seed: int
    scores: NDArray[np.float64]
    """For each game 1.0, 0.5 or 0.0."""
    blocks: tuple[Block, ...]
    verdict: str = ""
    """What the sequential test found, if one was asked for."""

    @property
    def wins(self) -> int:
        return int(np.sum(self.scores == 1))

    @property
    def draws(self) -> int:
        return int(np.sum(self.scores == 0.5))

    @property
    def losses(self) -> int:
        return int(np.sum(self.scores == 0))

    @property
    def reasons(self) -> dict[int, str]:
        return {index: reason for block in self.blocks for index, reason in block.reasons.items()}

    @cached_property
    def summary(self) -> Summary:
        return summary(pair_scores(self.scores))

    def records(self) -> Iterator[Record]:
        """Every game, if the moves were asked for."""
        game = self.a.game
        for block in self.blocks:
            for i, moves in enumerate(block.moves):
                index, position, texts = block.begin + i, game.start(), []
                for move in moves[: block.lengths[i]]:
                    texts.append(game.family.move_text(game.rules, position.state, int(move)))
                    position = position.play(int(move))
                swapped = index % 2 == 1
                players = (self.b.name, self.a.name) if swapped else (self.a.name, self.b.name)
                outcome = float(1 - block.scores[i] if swapped else block.scores[i])
                yield Record(game, "", tuple(texts), players, outcome, block.reasons.get(index, ""))


def pair_scores(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean score of each pair of games; a last game without a partner stands alone."""
    whole = scores[: len(scores) // 2 * 2].reshape(-1, 2).mean(axis=1)
    return np.concatenate([whole, scores[len(whole) * 2 :]])


def match(
    a: Player,
    b: Player,
    games: int,
    *,
    seed: int = 1,
    workers: int = 1,
    opening: str = "usual",
    record: bool = False,
    test: SequentialTest | None = None,
    progress: Callable[[NDArray[np.float64]], None] = lambda scores: None,
) -> Match:
    """Play `games` games between `a` and `b`; `progress` is told the scores so far.

    With a sequential `test` the match ends as soon as it is decided, at the same game for any number of workers.
    """
    if a.game != b.game:
        raise LudusError(f"{a.name} plays {a.game} and {b.name} plays {b.game}; a match needs one game")
    if not 1 <= games <= MOST_GAMES or workers < 1:
        raise LudusError(f"{games} games by {workers} workers can't be played; both are 1 or more")
    compiled = isinstance(a, CompiledPlayer) and isinstance(b, CompiledPlayer)
    # of a size that does not depend on the workers, since the test looks at whole blocks
    size = 2 * max(1, min(2048, games // 400)) if compiled else 2
    table = _Table(a, b, openings(a.game, opening), seed, record)
    scores, blocks, played, verdict = np.empty(games), [], 0, ""
    try:
        for block in _in_order(table.played, _spans(games, size), workers):
            blocks.append(block)
            scores[played : played + len(block.scores)] = block.scores
            played += len(block.scores)
            progress(scores[:played])
            verdict = test.verdict(pair_scores(scores[:played])) if test else ""
            if verdict:
                break
    finally:
        table.close()
    return Match(a, b, table.openings, seed, scores[:played], tuple(blocks), verdict)


def _spans(games: int, size: int) -> Iterator[tuple[int, int]]:
    for begin in range(0, games, size):
        yield begin, min(size, games - begin)


def _in_order(work: Callable[[int, int], Block], spans: Iterator[tuple[int, int]], workers: int) -> Iterator[Block]:
    """The blocks in order, with a few more under way than there are workers."""
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[Block]] = deque()
        try:
            for span in spans:
                waiting.append(pool.submit(work, *span))
                if len(waiting) > 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class _Table:
    """Where two players meet. Any number of threads can play here at once."""

    def __init__(self, a: Player, b: Player, chosen: Openings, seed: int, record: bool) -> None:
        self.a, self.b, self.openings, self.record = a, b, chosen, record
        self.game: Game = a.game
        self.keys = np.array([key(seed, "opening"), key(seed, "match")], np.uint64)
        self.order = np.arange(len(chosen.table))
        shuffle(stream(seed, "order of openings"), self.order, len(self.order))
        self.rows = chosen.table[self.order]
        self._free: SimpleQueue[tuple[Seat, Seat]] = SimpleQueue()

    def played(self, begin: int, games: int) -> Block:
        if isinstance(self.a, CompiledPlayer) and isinstance(self.b, CompiledPlayer):
            return self._by_kernel(begin, games, self.a, self.b)
        seats = (self.a.seat(), self.b.seat()) if self._free.empty() else self._free.get()
        try:
            return self._by_hand(begin, games, seats)
        finally:
            self._free.put(seats)

    def _by_kernel(self, begin: int, games: int, a: CompiledPlayer, b: CompiledPlayer) -> Block:
        scores, lengths, moves = np.empty(games), np.empty(games, np.int64), UNRECORDED
        if self.record:
            moves = np.zeros((games, self.game.longest), np.int64)
        chosen = (self.rows, self.openings.plies, self.keys)
        play_games(self.game.rules, a.parts, b.parts, True, *chosen, begin, scores, lengths, moves)
        return Block(begin, scores, lengths, moves[:, : int(lengths.max())].copy(), {})

    def _by_hand(self, begin: int, games: int, seats: tuple[Seat, Seat]) -> Block:
        """The same games, asking for each move: what `play_games` does, for players that are no kernels."""
        scores, reasons, moves = np.empty(games), {}, []
        for i in range(games):
            index = begin + i
            order = seats if index % 2 == 0 else seats[::-1]
            made, outcome, reason = self._one_game(index, order)
            moves.append(made)
            scores[i] = outcome if index % 2 == 0 else 1 - outcome
            if reason:
                reasons[index] = reason
        lengths = np.array([len(made) for made in moves], np.int64)
        table = UNRECORDED
        if self.record:
            table = np.zeros((games, max(lengths)), np.int64)
            for row, made in zip(table, moves, strict=True):
                row[: len(made)] = made
        return Block(begin, scores, lengths, table, reasons)

    def _one_game(self, index: int, seats: tuple[Seat, Seat]) -> tuple[list[int], float, str]:
        """The moves, the outcome for whoever moves first, and why it was lost if not by the rules."""
        dice = np.empty(4, np.uint64)
        position, moves, texts = self._opened(index // 2, dice)
        throw(dice, self.keys[1], index)
        acting = position.mover  # who is to blame if something fails
        try:
            for acting in (1 - position.mover, position.mover):
                seats[acting].begin(position, texts)
            while not position.over:
                acting = position.mover
                move = seats[acting].choose(position, dice)
                if move not in position.legal.values():
                    raise Forfeit(ILLEGAL_MOVE)
                moves.append(move)
                text = self.game.family.move_text(self.game.rules, position.state, move)
                mover, position = acting, position.play(move)
                acting = 1 - mover
                seats[acting].see(text, mover)
        except Forfeit as failure:
            return moves, float(acting), failure.reason
        return moves, float(position.outcome or 0.0), ""

    def _opened(self, pair: int, dice: Dice) -> tuple[Position, list[int], list[str]]:
        """The position after the opening of this pair, and the moves that led there."""
        throw(dice, self.keys[0], pair)
        moves: list[int] = []
        texts: list[str] = []
        position = self.game.start()
        plies = self.rows.shape[1] if len(self.rows) else self.openings.plies
        while len(moves) < plies and not position.over:
            legal = list(position.legal.values())
            move = (
                int(self.rows[pair % len(self.rows), len(moves)]) if len(self.rows) else legal[below(dice, len(legal))]
            )
            texts.append(self.game.family.move_text(self.game.rules, position.state, move))
            moves.append(move)
            position = position.play(move)
        return position, moves, texts

    def close(self) -> None:
        while not self._free.empty():
            for seat in self._free.get():
                seat.close()
