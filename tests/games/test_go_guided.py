"""Guided playouts of Go, move by move against the rules, and what they know of a board against a slow look at it."""

from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, stream
from ludus.games.game import Position
from ludus.games.go_guided import (
    EMPTY,
    MOST_CANDIDATES,
    cell_of,
    in_atari,
    is_eye,
    last_liberty,
    lead,
    matches_pattern,
    play_out_guided,
    put,
    sensible_move,
    stone_board,
)
from ludus.games.protocol import Moves

U = np.uint64


@kernel
def playout_moves(game: Any, state: Any, last: int, rng: Rng, moves: Moves) -> Any:
    """The moves of a playout, as `play_out_guided` makes them; how many there are, and by how much Black leads."""
    board, n = stone_board(game, state)
    candidates, points, count, passes = empty(MOST_CANDIDATES, np.uint64), game.size * game.size, 0, 0
    mover, before, ko = state.current_player, U(0), U(0)
    if last >= 0:
        before = cell_of(game, last)
    while passes < 2:
        cell = sensible_move(board, mover, n, before, ko, candidates, rng)
        passes, moves[count] = passes + 1, points
        if cell != U(0):
            n, ko = put(board, cell, mover, n)
            passes, moves[count] = 0, board.points[cell]
        else:
            ko = U(0)
        count, before, mover = count + 1, cell, 1 - mover
    return count, lead(board, n)


@kernel
def seen(game: Any, state: Any, atari: Moves, eyes: Moves, patterns: Moves) -> None:
    """Write what the board knows: the last liberty of stones in atari, eyes by colour, matching patterns. [points]"""
    board, _ = stone_board(game, state)
    for point in range(game.size * game.size):
        cell = cell_of(game, point)
        word = board.liberties[board.heads[cell]]
        atari[point] = eyes[point] = patterns[point] = -1
        if board.colours[cell] != EMPTY:
            if in_atari(word):
                atari[point] = board.points[last_liberty(word)]
        else:
            patterns[point] = matches_pattern(board, cell)
            for colour in range(2):
                if is_eye(board, cell, colour):
                    eyes[point] = colour


def neighbours(size: int, point: int, corners: bool = False) -> list[int]:
    row, column = divmod(point, size)
    steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if abs(i) + abs(j) == 1 + corners]
    return [size * (row + i) + column + j for i, j in steps if 0 <= row + i < size and 0 <= column + j < size]


def liberties(position: Position, point: int) -> set[int]:
    """The liberties of the group of a stone."""
    cells, size, group, found = position.cells, position.game.size, {point}, set[int]()
    left = [point]
    while left:
        for beside in neighbours(size, left.pop()):
            if cells[beside] == 0:
                found.add(beside)
            elif cells[beside] == cells[point] and beside not in group:
                group.add(beside)
                left.append(beside)
    return found


def owner_of_eye(position: Position, point: int) -> int:
    """The colour whose eye an empty point is, or -1."""
    cells, size = position.cells, position.game.size
    colours = {int(cells[beside]) for beside in neighbours(size, point)}
    if len(colours) > 1 or 0 in colours:
        return -1
    (colour,), corners = colours, neighbours(size, point, corners=True)
    hostile = sum(cells[corner] == -colour for corner in corners)
    return (0 if colour == 1 else 1) if hostile + (len(corners) < 4) < 2 else -1


def some_positions(name: str, count: int) -> list[Position]:
    """Positions along playouts of guided moves, captures and ko included."""
    found, game = list[Position](), ludus.game(name)
    for index in range(count):
        position, moves = game.start(), np.empty(4 * game.max_legal_moves, np.int64)
        n, _ = playout_moves(game.rules, position.state, -1, stream(1, "test", index), moves)
        for move in moves[: n * (index + 1) // count]:
            position = position.play(int(move))
        found.append(position)
    return found


@pytest.mark.parametrize("size", [5, 9, 19])
def test_playouts_are_legal_leave_eyes_alone_and_count_the_area(size: int) -> None:
    game = ludus.game(f"go{size}:ko=simple,komi=0.5")
    moves = np.empty(20 * game.max_legal_moves, np.int64)
    for index in range(12 if size < 19 else 2):
        position = game.start()
        n, black = playout_moves(game.rules, position.state, -1, stream(2, "test", index), moves)
        assert n < 3 * size * size
        for move in moves[:n]:
            if move < size * size:
                assert owner_of_eye(position, int(move)) != position.current_player
            position = position.play(int(move))  # raises if it is not legal
        assert position.over
        assert abs(black - 0.5 - position.margin) <= 2  # points in the middle of larger empty areas don't count
        firsts = np.full(size * size + 2, -1)
        outcome, plies = play_out_guided(game.rules, game.start().state, -1, firsts, stream(2, "test", index))
        assert (outcome, plies) == (float(black > 0.5), n)
        for point in range(size * size):
            made = np.flatnonzero(moves[:n] == point)
            assert firsts[point] == (made[0] % 2 if len(made) else -1)


@pytest.mark.parametrize("size", [5, 9])
def test_the_board_knows_atari_and_eyes(size: int) -> None:
    """Of a position that is set up and of one that was played to, since it is set up stone by stone."""
    atari, eyes, patterns = (np.empty(size * size, np.int64) for _ in range(3))
    in_atari_somewhere = eyes_somewhere = 0
    for position in some_positions(f"go{size}:ko=simple", 24):
        seen(position.game.rules, position.state, atari, eyes, patterns)
        for point in range(size * size):
            if position.cells[point] == 0:
                assert eyes[point] == owner_of_eye(position, point)
                eyes_somewhere += eyes[point] >= 0
            else:
                free = liberties(position, point)
                assert atari[point] == (free.pop() if len(free) == 1 else -1)
                in_atari_somewhere += atari[point] >= 0
    assert min(in_atari_somewhere, eyes_somewhere) > 10


@pytest.mark.parametrize(
    ("rows", "point", "matches"),
    [
        ("...../.XOX./...../...../.....", "C3", True),  # hane that encloses
        ("...../.OXO./...../...../.....", "C3", True),  # the same with exchanged colours
        ("...../.X.../.O.../.X.../.....", "C3", True),  # and turned
        ("...../.XXX./...../...../.....", "C3", False),
        ("...../.XO../.O.../...../.....", "C3", True),  # a cut
        ("...../.XO../.OX../...../.....", "C2", True),
        ("...../...../...../X..../O....", "B1", True),  # chase along the edge
        ("...../...../...../...../.....", "C3", False),
    ],
)
def test_patterns(rows: str, point: str, matches: bool) -> None:
    position = ludus.game("go5").position(f"{rows} X")
    outputs = [np.empty(25, np.int64) for _ in range(3)]
    seen(position.game.rules, position.state, *outputs)
    assert outputs[2][position.legal[point]] == matches


@pytest.mark.parametrize(
    ("rows", "last", "answers"),
    [
        ("...../..O../.OXO./...../.....", "B3", {"C2"}),  # a stone in atari flees
        ("...../..O../XOXO./.X.../.....", "C4", {"C2", "B4"}),  # or captures
        ("...../...../...../OX.../XX...", "A2", {"A3"}),  # a stone that put itself in atari is captured
    ],
)
def test_answers_to_atari(rows: str, last: str, answers: set[str]) -> None:
    position, found = ludus.game("go5").position(f"{rows} X"), set[str]()
    moves = np.empty(1000, np.int64)
    points = {name: number for number, name in enumerate(f"{c}{r + 1}" for r in range(5) for c in "ABCDE")}
    for seed in range(20):
        playout_moves(position.game.rules, position.state, points[last], stream(seed, "test"), moves)
        found.add(list(points)[moves[0]])
    assert found == answers


def test_guided_playouts_judge_better_than_random_ones() -> None:
    """A group with two eyes lives, and a ladder works."""
    alive = ludus.game("go9:komi=0.5").position(
        "........./........./OOOOOOOOO/XXXXXXXXX/........./XXXXXXXXX/X.X.X.X.X/XXXXXXXXX/.X.X.X.X. O"
    )
    firsts, rng = np.full(82 + 1, -1), stream(1, "test")
    results = [play_out_guided(alive.game.rules, alive.state, -1, firsts, rng)[0] for _ in range(100)]
    assert sum(results) == 100
