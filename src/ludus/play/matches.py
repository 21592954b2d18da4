"""Matches: many games between two players, in parallel, the same for any number of workers.

Game i has the random stream of index i. Games 2k and 2k + 1 share an opening, and the players swap colours between
them. Two compiled players play inside one kernel; others are asked move by move.

After two passes in Go there may be dead stones on the board, which kernels count as they stand. Engines that can tell
(GTP's `final_status_list dead`) are asked: the stones that all who were asked call dead are taken off, and the rest is
counted. Stones that two engines disagree on stay.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import Rng, key, randint, seek, shuffle, stream
from ludus.errors import InvalidSetting, WrongGame
from ludus.games.game import Game, Position
from ludus.games.openings import Openings, openings
from ludus.play.games import NO_MOVES, GameResults, Schedule, play_games
from ludus.play.intervals import SequentialTest, Summary, summary
from ludus.play.tables import html_table
from ludus.players.base import CompiledPlayer, Player, Seat
from ludus.players.engines.process import ILLEGAL_MOVE, Forfeit
from ludus.players.learning import learns
from ludus.records.record import Record

MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class Block:
    """Some consecutive games."""

    begin: int
    scores: NDArray[np.float64]
    lengths: NDArray[np.int64]
    moves: NDArray[np.int64]
    """[games, most moves], or empty where they were not asked for."""
    reasons: dict[int, str]
    """Why a game was lost other than by the rules, such as an engine's crash, by its number."""
    leads: dict[int, float] = field(default_factory=dict)
    """The first player's lead without dead stones, where engines have named some, by the game's number."""


@dataclass(frozen=True, repr=False)
class Match:
    """The results of a match, for player `a`."""

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
        return summary_of_games(self.scores)

    def __repr__(self) -> str:
        return f"Match({self.wins}-{self.draws}-{self.losses}, {self.summary.elo:+z.0f} Elo)"

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        found = self.summary
        (low, high), (elo_low, elo_high) = found.interval, found.elo_interval
        return html_table(
            ["player", "opponent", "wins", "draws", "losses", "score (95%)", "Elo (95%)"],
            [
                [
                    self.a.label, self.b.label, self.wins, self.draws, self.losses,
                    f"{found.score:.1%} ({low:.1%} to {high:.1%})",
                    f"{found.elo:+z.0f} ({elo_low:+z.0f} to {elo_high:+z.0f})",
                ]
            ],
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """The match as `ludus match --json` prints it, but for the time it took."""
        found, reasons = self.summary, list(self.reasons.values())
        forfeited = [float(self.scores[index]) for index in self.reasons]
        return {
            "game": self.a.game.name,
            "a": self.a.name,
            "b": self.b.name,
            "opening": self.openings.name,
            "seed": self.seed,
            "games": len(self.scores),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": found.score,
            "score_interval": list(found.interval),
            "elo": _finite(found.elo),
            "elo_interval": [_finite(bound) for bound in found.elo_interval],
            "los": found.los,
            "verdict": self.verdict or None,
            "forfeits": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
            "forfeited": {"a": forfeited.count(0.0), "b": forfeited.count(1.0)},
        }

    def records(self) -> Iterator[Record]:
        """Every game, if the moves were asked for."""
        game = self.a.game
        for block in self.blocks:
            for i, moves in enumerate(block.moves):
                index, position, texts = block.begin + i, game.start(), []
                for move in moves[: block.lengths[i]]:
                    texts.append(game.type.move_text(game.rules, position.state, int(move)))
                    position = position.play(int(move))
                swapped = index % 2 == 1
                players = (self.b.name, self.a.name) if swapped else (self.a.name, self.b.name)
                outcome = float(1 - block.scores[i] if swapped else block.scores[i])
                lead = block.leads.get(index)
                tags = () if lead is None else (("score", f"{lead:+g}"),)
                yield Record(game, "", tuple(texts), players, outcome, block.reasons.get(index, ""), tags)


def _finite(value: float) -> float | None:
    """JSON has no infinity: the Elo difference of a perfect score is null."""
    return value if math.isfinite(value) else None


def pair_scores(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean score of each pair of games; a last game without a partner stands alone."""
    whole = scores[: len(scores) // 2 * 2].reshape(-1, 2).mean(axis=1)
    return np.concatenate([whole, scores[len(whole) * 2 :]])


def summary_of_games(scores: NDArray[np.float64]) -> Summary:
    """What the scores of games tell of which 2k and 2k + 1 are a pair: every game counts the same."""
    return summary(pair_scores(scores), float(np.mean(scores)) if len(scores) else None)


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
    """Play `games` games between `a` and `b`; `progress` is called with the scores so far.

    With a sequential `test` the match ends as soon as it is decided, at the same game for any number of workers. A
    player that learns plays its games one after another, whatever `workers` says.
    """
    if a.game != b.game:
        raise WrongGame(f"{a.name} plays {a.game} and {b.name} plays {b.game}; a match needs one game")
    if not 1 <= games <= MOST_GAMES or workers < 1:
        raise InvalidSetting(
            f"invalid match of {games} games by {workers} workers: play 1 to {MOST_GAMES} games by at least 1 worker"
        )
    if learns(a) or learns(b):
        workers = 1  # what is learned in one game is for the next
    compiled = isinstance(a, CompiledPlayer) and isinstance(b, CompiledPlayer)
    # of a size that does not depend on the workers, since the test looks at whole blocks
    size = 2 * max(1, min(2048, games // 400)) if compiled else 2
    table = _Table(a, b, openings(a.game, opening), seed, record)
    scores, blocks, played, verdict = np.empty(games), [], 0, ""
    try:
        for block in _in_order(table.play, _spans(games, size), workers):
            blocks.append(block)
            scores[played : played + len(block.scores)] = block.scores
            played += len(block.scores)
            progress(scores[:played])
            verdict = test.verdict(pair_scores(scores[:played])) if test else ""
            if verdict:
                break
    finally:
        table.close()
    return Match(a, b, table.openings, int(seed), scores[:played], tuple(blocks), verdict)


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


def without_dead(position: Position, seats: Sequence[Seat]) -> Position:
    """The finished game without the stones that everybody who can tell calls dead; itself if there are none."""
    opinions = [dead for seat in seats if (dead := seat.dead(position)) is not None]
    agreed = frozenset.intersection(*opinions) if opinions else frozenset()
    if not agreed:
        return position
    cells, game = position.cells.copy(), position.game
    cells[list(agreed)] = 0
    state = game.type.state_from_cells(game.rules, cells, position.current_player, position.state)
    return Position(game, state)


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

    def play(self, begin: int, games: int) -> Block:
        if isinstance(self.a, CompiledPlayer) and isinstance(self.b, CompiledPlayer):
            return self._play_compiled(begin, games, self.a, self.b)
        try:
            seats = self._free.get_nowait()
        except Empty:
            seats = self.a.seat(), self.b.seat()
        try:
            return self._play_by_moves(begin, games, seats)
        finally:
            self._free.put(seats)

    def _play_compiled(self, begin: int, games: int, a: CompiledPlayer, b: CompiledPlayer) -> Block:
        scores, lengths, moves = np.empty(games), np.empty(games, np.int64), NO_MOVES
        if self.record:
            moves = np.zeros((games, self.game.max_plies), np.int64)
        schedule = Schedule(begin, self.keys, self.rows, self.openings.plies)
        play_games(self.game.rules, a.parts, b.parts, schedule, GameResults(scores, lengths, moves))
        return Block(begin, scores, lengths, moves[:, : int(lengths.max())].copy(), {})

    def _play_by_moves(self, begin: int, games: int, seats: tuple[Seat, Seat]) -> Block:
        """The same games, asking for each move: what `play_games` does, for players that are no kernels."""
        scores, reasons, leads, moves = np.empty(games), {}, {}, []
        for i in range(games):
            index = begin + i
            order = seats if index % 2 == 0 else seats[::-1]
            made, outcome, reason, lead = self._one_game(index, order)
            moves.append(made)
            scores[i] = outcome if index % 2 == 0 else 1 - outcome
            if reason:
                reasons[index] = reason
            if lead is not None:
                leads[index] = lead
        lengths = np.array([len(made) for made in moves], np.int64)
        table = NO_MOVES
        if self.record:
            table = np.zeros((games, max(lengths)), np.int64)
            for row, made in zip(table, moves, strict=True):
                row[: len(made)] = made
        return Block(begin, scores, lengths, table, reasons, leads)

    def _one_game(self, index: int, seats: tuple[Seat, Seat]) -> tuple[list[int], float, str, float | None]:
        """The moves, the outcome for whoever moves first, why it was lost if not by the rules, and the lead without
        dead stones if there are any."""
        rng = np.empty(4, np.uint64)
        position, moves, texts = self._play_opening(index // 2, rng)
        seek(rng, self.keys[1], index)
        acting = position.current_player  # who forfeits if something fails
        try:
            for acting in (1 - position.current_player, position.current_player):
                seats[acting].begin(position, tuple(texts))
            while not position.over:
                acting = position.current_player
                move = seats[acting].choose(position, rng)
                if move not in position.legal.values():
                    raise Forfeit(ILLEGAL_MOVE)
                moves.append(move)
                text = self.game.type.move_text(self.game.rules, position.state, move)
                texts.append(text)
                mover, position = acting, position.play(move)
                acting = 1 - mover
                seats[acting].see(text, mover)
        except Forfeit as failure:
            if not position.over:  # an engine that fails at the news of the last move has played the game
                return moves, float(acting), failure.reason, None
        counted = without_dead(position, seats) if texts[-2:] == ["pass", "pass"] else position
        return moves, float(counted.outcome or 0.0), "", None if counted is position else counted.margin

    def _play_opening(self, pair: int, rng: Rng) -> tuple[Position, list[int], list[str]]:
        """The position after the opening of this pair, and the moves that led there."""
        seek(rng, self.keys[0], pair)
        moves: list[int] = []
        texts: list[str] = []
        position = self.game.start()
        while len(moves) < self.openings.length and not position.over:
            legal = list(position.legal.values())
            move = (
                int(self.rows[pair % len(self.rows), len(moves)]) if len(self.rows) else legal[randint(rng, len(legal))]
            )
            texts.append(self.game.type.move_text(self.game.rules, position.state, move))
            moves.append(move)
            position = position.play(move)
        return position, moves, texts

    def close(self) -> None:
        while not self._free.empty():
            for seat in self._free.get():
                seat.close()
