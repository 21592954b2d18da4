"""Boards, games and explanations as the page wants them: JSON of plain lists and words."""

import math
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from ludus.errors import LudusError
from ludus.evaluators.pictures import Board
from ludus.games.game import Game, Position
from ludus.games.style import star_points
from ludus.interfaces.web.catalog import REMEMBERED, sides_of
from ludus.interfaces.web.positions import Positions
from ludus.players.explanations import Explanation
from ludus.records import ggf, pdn, sgf
from ludus.records.arena import PERSON, StoredGame
from ludus.records.record import Record

PIECES = {0: ".", 1: "x", 2: "X", -1: "o", -2: "O"}
WRITERS = {"sgf": sgf.write, "ggf": ggf.write, "pdn": pdn.write}
"""The formats that are text, and so can be downloaded."""


@lru_cache(REMEMBERED)
def layout(game: Game) -> dict[str, Any]:
    """Where the squares are on the screen, row 0 on top, and what they are called."""
    game_type, (rows, columns) = game.type, game.shape
    return {
        "rows": rows,
        "columns": columns,
        "squares": [
            {"name": game_type.square_name(game.rules, square), "row": row, "column": column}
            for square, (row, column) in enumerate(game.coordinates_from_above)
        ],
        "pieces": list(game_type.pieces),
        "unit": game_type.unit,
        "falls": game_type.pieces_fall,
        "counts_captures": game_type.counts_captures,
        "numbers_pairs": game_type.numbers_pairs,
        "style": _style(game),
    }


def _style(game: Game) -> dict[str, Any]:
    """How the board looks, with the numbers of the squares that are star points."""
    style = game.type.board_style
    stars = star_points(*game.shape) if style.star_points else set()
    squares = [square for square, place in enumerate(game.coordinates_from_above) if place in stars]
    return asdict(style) | {"star_points": squares}


def path(position: Position, move: str) -> list[int]:
    """The squares that a legal move goes over, from where it begins; none for a pass."""
    return position.game.type.path(position.game.rules, position.legal[move])


def cells(position: Position) -> str:
    """A letter for each square: x and o the pieces of the first and second player, X and O their kings."""
    return "".join(PIECES[int(cell)] for cell in position.cells)


def now(position: Position) -> dict[str, Any]:
    """What there is to know of the position in which a game stands."""
    return {
        "mover": position.current_player,
        "legal": [{"move": move, "path": path(position, move)} for move in position.legal_moves],
        "margin": position.margin,
        "text": position.text,
    }


def frames(game: StoredGame, positions: Positions, since: int) -> list[dict[str, Any]]:
    """The boards after so many moves and later, each with the move that led there."""
    shown, first, put = [], max(since, 0), _pieces_put(game, positions)
    for ply, position in enumerate(positions.since(first), first):
        frame: dict[str, Any] = {"ply": ply, "cells": cells(position), "captured": _captured(position, put[ply])}
        if ply:
            made, number = game.moves[ply - 1], positions.numbers[ply - 1]
            frame |= {
                "move": made.move,
                "mover": positions.movers[ply - 1],
                "path": position.game.type.path(position.game.rules, number),
                "seconds": round(made.seconds, 3),
                "by_lot": made.by_lot,
            }
        shown.append(frame)
    return shown


def _pieces_put(game: StoredGame, positions: Positions) -> list[tuple[int, int]]:
    """How many pieces each side has put on the board by each position."""
    put = [(0, 0)]
    for made, mover in zip(game.moves, positions.movers, strict=True):
        one, other = put[-1]
        put.append((one, other) if made.move == "pass" else (one + (mover == 0), other + (mover == 1)))
    return put


def _captured(position: Position, put: tuple[int, int]) -> list[int]:
    """How many pieces each side has captured: those that the other has put there and are gone."""
    if not position.game.type.counts_captures:
        return []
    standing = position.cells
    return [put[1] - int((standing == -1).sum()), put[0] - int((standing == 1).sum())]


def summary(game: StoredGame, titles: tuple[str, str], plies: int) -> dict[str, Any]:
    """A game in the list of games."""
    return {
        "id": game.id,
        "game": game.game,
        "players": list(game.players),
        "titles": list(titles),
        "sides": list(sides_of(game.game)),
        "skill": game.skill,
        "opening": game.opening,
        "handicap": game.handicap,
        "clock": game.clock,
        "begun": game.begun,
        "touched": game.touched,
        "undone": game.undone,
        "hints": game.hints,
        "outcome": game.outcome,
        "reason": game.reason,
        "lesson": game.lesson,
        "plies": plies,
    }


def explanation(found: Explanation, position: Position, picture: bool) -> dict[str, Any]:
    """An explanation of what to do in a position, as the page draws it."""
    return {
        "description": found.description,
        "unit": found.unit,
        "moves": [
            {
                "move": each.move,
                "path": path(position, each.move),
                "value": finite(each.value),
                "description": each.description,
                "sentence": each.sentence,
                "chance": each.chance,
                "boards": [_board(board) for board in each.boards],
            }
            for each in found.moves
        ],
        "line": list(found.line),
        "boards": [_board(board) for board in found.boards],
        "picture": picture,
    }


def _board(board: Board) -> dict[str, Any]:
    squares = [each if isinstance(each, str) else finite(each) for each in board.squares]
    return {"title": board.title, "description": board.description, "squares": squares}


def finite(value: float) -> float | None:
    """JSON has no infinities."""
    return float(value) if math.isfinite(value) else None


def download(kept: StoredGame, game: Game, titles: tuple[str, str], form: str) -> str:
    """The game as a file of that format."""
    if form not in (fitting := formats(game)):
        choices = f"choose {' or '.join(fitting)}" if fitting else "there is no format for them"
        raise LudusError(f"games of {game.name} can't be downloaded as {form!r:.20}; {choices}")
    moves, start, tags = tuple(made.move for made in kept.moves), "", [("event", "Ludus arena")]
    if kept.stones:  # as other programs have it: stones that are there, instead of moves and passes
        begun = game.start()
        for move in moves[: kept.opening]:
            begun = begun.play(move)
        state = game.type.state_from_cells(game.rules, begun.cells, begun.current_player)
        start, moves = Position(game, state).text, moves[kept.opening :]
        tags.append(("HA", str(kept.stones)))
    record = Record(game, start, moves, titles, kept.outcome, kept.reason, tuple(tags))
    return WRITERS[form]([record])


def formats(game: Game) -> list[str]:
    """The formats in which games of this kind can be downloaded."""
    return [form for form in game.record_formats if form in WRITERS]


def persons(game: StoredGame) -> list[int]:
    """Which sides people play."""
    return [side for side, player in enumerate(game.players) if player == PERSON]
