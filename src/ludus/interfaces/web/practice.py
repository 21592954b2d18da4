"""Puzzles on the page: those that come with Ludus and those of the visitor's own mistakes, with progress."""

from dataclasses import fields
from typing import Any

from ludus.errors import LudusError
from ludus.games.words import sentence
from ludus.interfaces.web import payloads
from ludus.interfaces.web.limits import Refused
from ludus.interfaces.web.reviews import line_frames
from ludus.measures.puzzles import DIFFICULTIES, Puzzle, shipped_puzzles
from ludus.records.training import Attempt, Training

SOURCES = ("shipped", "mine")
NEVER = Attempt(0, False)


class Practice:
    def __init__(self, training: Training) -> None:
        self._training = training

    def _puzzles(self, visitor: str, source: str) -> list[Puzzle]:
        if source == "shipped":
            return list(shipped_puzzles())
        return [_puzzle(each) for each in self._training.mistakes(visitor)]

    def overview(self, visitor: str) -> dict[str, Any]:
        """How many puzzles there are of each kind, and how many of them the visitor has solved."""
        attempts, rows = self._training.attempts(visitor), dict[tuple[str, str, str], list[int]]()
        for source in SOURCES:
            for each in self._puzzles(visitor, source):
                row = rows.setdefault((source, each.game, each.difficulty), [0, 0, 0])
                made = attempts.get(each.id, NEVER)
                row[0] += 1
                row[1] += made.solved
                row[2] += made.tries > 0
        names = ("source", "game", "difficulty", "count", "solved", "tried")
        return {
            "difficulties": list(DIFFICULTIES),
            "rows": [dict(zip(names, (*key, *counts), strict=True)) for key, counts in rows.items()],
        }

    def next(self, visitor: str, source: str, game: str, difficulty: str, after: str = "") -> dict[str, Any]:
        """The next unsolved puzzle of that kind behind one, else the next of all, as a position to play in."""
        chosen = [
            each
            for each in self._puzzles(visitor, source)
            if (not game or each.game == game) and (not difficulty or each.difficulty == difficulty)
        ]
        if not chosen:
            raise Refused(404, "there is no such puzzle yet; choose another game or difficulty")
        attempts = self._training.attempts(visitor)
        begin = next((i + 1 for i, each in enumerate(chosen) if each.id == after), 0)
        turned = chosen[begin:] + chosen[:begin]
        found = next((each for each in turned if not attempts.get(each.id, NEVER).solved), turned[0])
        return _shown(found, attempts.get(found.id, NEVER))

    def answer(self, visitor: str, id: str, move: str) -> dict[str, Any]:
        """Whether a move solves a puzzle, and the proof."""
        found = next((each for source in SOURCES for each in self._puzzles(visitor, source) if each.id == id), None)
        if found is None:
            raise Refused(404, "there is no such puzzle; choose another")
        position = found.start()
        number = position.move(move[:60])
        spelled = next(text for text, each in position.legal.items() if each == number)
        right = spelled == found.move
        attempt = self._training.attempt(visitor, id, right)
        answer = {"right": right, "move": spelled, "tries": attempt.tries, "solved": attempt.solved}
        said = sentence(position, spelled, spelled)
        return answer | {"sentence": said, "proof": _proof(found) if right else None}

    def solution(self, visitor: str, id: str) -> dict[str, Any]:
        """The proof of a puzzle, for somebody who gives up; that counts as a try."""
        found = next((each for source in SOURCES for each in self._puzzles(visitor, source) if each.id == id), None)
        if found is None:
            raise Refused(404, "there is no such puzzle; choose another")
        attempt = self._training.attempt(visitor, id, False)
        return {"tries": attempt.tries, "solved": attempt.solved, "proof": _proof(found)}


def _puzzle(stored: dict[str, Any]) -> Puzzle:
    names = {each.name for each in fields(Puzzle)}
    known: dict[str, Any] = {key: value for key, value in stored.items() if key in names}
    return Puzzle(**known | {"line": tuple(stored["line"])})


def _shown(found: Puzzle, attempt: Attempt) -> dict[str, Any]:
    """A puzzle without its solution."""
    position = found.start()
    return {
        "id": found.id,
        "game": found.game,
        "difficulty": found.difficulty,
        "source": found.source,
        "exact": found.exact,
        "sides": list(position.game.type.sides),
        "layout": payloads.layout(position.game),
        "cells": payloads.cells(position),
        "now": payloads.now(position),
        "tries": attempt.tries,
        "solved": attempt.solved,
    }


def _proof(found: Puzzle) -> dict[str, Any]:
    """The best move, why it is best, and the boards of best play."""
    position = found.start()
    return {
        "move": found.move,
        "line": list(found.line),
        "frames": line_frames(position, found.line),
        "sentence": sentence(position, found.move, found.move),
        "value": found.value,
        "second": found.second,
        "unit": found.unit,
        "exact": found.exact,
    }


def check_kind(source: str, difficulty: str) -> None:
    """Raise LudusError unless such puzzles can be asked for."""
    if source not in SOURCES:
        raise LudusError(f"invalid source {source!r:.20}: must be {' or '.join(SOURCES)}")
    if difficulty and difficulty not in DIFFICULTIES:
        raise LudusError(f"invalid difficulty {difficulty!r:.20}: must be one of {', '.join(DIFFICULTIES)}")
