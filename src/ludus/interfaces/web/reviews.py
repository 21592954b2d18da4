"""Reviews of games on the page: a judge goes through a game in the background, and the page asks how far it is.

What a judge has said is stored with the game, so it is said once. A mistake of the visitor's own that leaves a position
with one clearly best move becomes a puzzle (`ludus.measures.puzzles`).
"""

import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from ludus.errors import LudusError
from ludus.games.game import Game, Position
from ludus.games.opening_names import opening_name
from ludus.interfaces.web import payloads
from ludus.interfaces.web.catalog import REMEMBERED
from ludus.interfaces.web.clients import Client, asking
from ludus.interfaces.web.limits import REVIEWS, REVIEWS_OF_ONE, AddressLimits, AtOnce
from ludus.interfaces.web.tables import Table, Tables
from ludus.measures.judges import Judge, judge
from ludus.measures.puzzles import MISTAKE, puzzle
from ludus.measures.review import GRADES, final_value, reviewed_move
from ludus.records.arena import PERSON

OTHER_JUDGES = ("alphabeta:depth=6", "mcts:simulations=2000")
"""Who may judge beside the game's usual judge."""


@lru_cache(REMEMBERED)
def judges(game: Game) -> tuple[str, ...]:
    """The player strings of those who may judge a game, the usual one first."""
    found = [game.defaults.judge]
    for text in OTHER_JUDGES:
        try:
            judge(game, text)
        except LudusError:
            continue
        found.append(text)
    return tuple(dict.fromkeys(found))


@lru_cache(REMEMBERED)
def _judge(game: Game, text: str) -> Judge:
    return judge(game, text)


def _title(title: str) -> str:
    """How the page calls a judge that has no name of its own."""
    if found := re.match(r"alphabeta:depth=(\d+)", title):
        return f"Search, {found[1]} moves ahead"
    if found := re.match(r"mcts:simulations=(\d+)", title):
        return f"Monte Carlo, {int(found[1]):,} simulations"
    return title


class Reviews:
    def __init__(self, tables: Tables, of_address: AddressLimits) -> None:
        self._tables, self._training = tables, tables.training
        self._at_once = AtOnce(REVIEWS, of_address.reviews, REVIEWS_OF_ONE, "reviews")
        self._worker, self._closing = ThreadPoolExecutor(1, "reviewer"), threading.Event()
        self._lock, self._running = threading.Lock(), set[tuple[str, str]]()
        self._problems = dict[tuple[str, str], str]()

    def start(self, visitor: str, id: str, by: str) -> dict[str, Any]:
        """Have a game reviewed, or what is new of it; the state of the review."""
        table, by = self._found(visitor, id, by)
        with self._lock:
            if (id, by) not in self._running:
                self._at_once.enter(asking.get())
                self._running.add((id, by))
                self._problems.pop((id, by), None)
                self._worker.submit(self._review, table, by, asking.get())
        with table.lock:
            if not table.over:  # who has a game reviewed that goes on is helped
                table.kept = self._tables.games.add_hint(table.kept)
        return self.show(visitor, id, by)

    def _found(self, visitor: str, id: str, by: str) -> tuple[Table, str]:
        table = self._tables.table(visitor, id)
        table.check_unaided()
        if by and by not in judges(table.game):
            raise LudusError(f"{by!r:.60} is no judge here; choose one of {', '.join(judges(table.game))}")
        return table, by or judges(table.game)[0]

    def _review(self, table: Table, by: str, who: Client) -> None:
        key = table.kept.id, by
        try:
            judging = _judge(table.game, by)
            with table.lock:
                positions, made = list(table.positions), [each.move for each in table.kept.moves]
            for ply in range(len(self._training.reviewed(table.kept.id, by, tuple(made))), len(made)):
                if self._closing.is_set():
                    return
                self._judge_move(table, judging, positions[ply], made[ply], ply, by)
        except Exception as problem:
            self._problems[key] = str(problem)[:300]
            if not isinstance(problem, LudusError):
                raise
        finally:
            with self._lock:
                self._running.discard(key)
            self._at_once.leave(who)

    def _judge_move(self, table: Table, judging: Judge, position: Position, move: str, ply: int, by: str) -> None:
        found, kept = reviewed_move(judging, position, move, ply), table.kept
        judged = asdict(found) | {"grade_name": GRADES[found.grade]}
        judged["paths"] = {each: payloads.path(position, each) for each in {found.best, found.move}}
        judged["frames"] = line_frames(position, found.line) if found.grade else []
        self._training.add_reviewed(kept.id, by, ply, move, judged)
        own = kept.players[found.side] == PERSON and (bool(kept.rival) or not self._training.names(kept.id))
        if own and found.grade >= MISTAKE and (left := puzzle(judging, position, f"your game, move {ply + 1}")):
            self._training.add_mistake(kept.visitor_at(found.side), left.to_json(), kept.id, ply)

    def show(self, visitor: str, id: str, by: str = "") -> dict[str, Any]:
        """How far the review of a game is, and what was found so far."""
        table, by = self._found(visitor, id, by)
        with table.lock:
            positions, made = list(table.positions), tuple(each.move for each in table.kept.moves)
        moves = self._training.reviewed(id, by, made)
        with self._lock:
            running, problem = (id, by) in self._running, self._problems.get((id, by), "")
        judging = _judge(table.game, by)
        done = bool(made) and len(moves) == len(made)
        return {
            "judge": by,
            "judges": [
                {"player": each, "title": f"{_title(self._tables.catalog.title(each))}{' (usual)' if not i else ''}"}
                for i, each in enumerate(judges(table.game))
            ],
            "unit": judging.unit,
            "most": judging.most,
            "thresholds": dict(zip(GRADES[1:], judging.grades, strict=True)),
            "opening": opening_name(positions),
            "of": len(made),
            "running": running,
            "problem": problem,
            "moves": moves,
            "final": final_value(judging, positions[-1]) if done and not running else None,
        }

    def close(self) -> None:
        self._closing.set()
        self._worker.shutdown(wait=True, cancel_futures=True)


def line_frames(position: Position, line: Sequence[str]) -> list[dict[str, Any]]:
    """The boards along a line of play, each with the move that leads there."""
    found = []
    for ply, move in enumerate(line, 1):
        after = position.play(move)
        found.append(
            {
                "ply": ply,
                "cells": payloads.cells(after),
                "move": move,
                "mover": position.current_player,
                "path": payloads.path(position, move),
            }
        )
        position = after
    return found
