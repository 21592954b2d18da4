"""Where the tuples of an n-tuple network lie.

A placement is written as parts joined by `+`, each of which adds its tuples:

    snakes:12x6         12 random snakes of 6 squares: self-avoiding walks over neighbouring squares
    lines:4             all straight lines of 4 squares, in the four directions
    full:4              all lines from one edge of the board to another, of 4 squares or more
    rectangles:2x3      all rectangles of 2 by 3 squares, lying and standing
    corners:3x3         the same in the corners only
    edges               the edges, each with the two squares diagonal to its ends
    list:a1 b1 c1/a2 b2    just these, each a list of squares

Jaśkowski (2014), "Systematic n-tuple networks for Othello position evaluation", found that systematic placements, all
lines of a length, do better than snakes. Full lines, corners and edges are those of Buro's Othello program Logistello
(1999), "From simple features to sophisticated evaluation functions". Of tuples that a symmetry of the board takes to
each other, a network with symmetric sampling needs only one, and a placement has only one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import Rng, randint
from ludus.errors import InvalidSetting
from ludus.games.game import Game

Places = NDArray[np.int64]
"""[tuples, most squares]: the squares of each tuple, and NO_SQUARE behind those of a shorter one."""

NO_SQUARE = -1

MAX_TUPLES, MAX_LENGTH = 1000, 10

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

FORMS = "snakes:12x6, lines:4, full:4, rectangles:2x3, corners:3x3, edges, list:a1 b1 c1/a2 b2, or several joined by +"


def place_tuples(game: Game, placement: str, symmetric: bool, rng: Rng) -> Places:
    """The tuples of a placement. Raises InvalidSetting if it can't be read or has none on this board."""
    found: list[Sequence[int]] = []
    for part in placement.split("+"):
        kind, _, of = part.strip().partition(":")
        match = re.fullmatch(r"(\d{1,3})(?:x(\d{1,3}))?", of.strip())
        numbers = [int(each) for each in match.groups() if each and int(each) > 0] if match else []
        if kind == "snakes" and len(numbers) == 2 and numbers[1] <= MAX_LENGTH:
            found += snakes(game, numbers[0], numbers[1], rng)
        elif kind == "lines" and len(numbers) == 1:
            found += representatives(game, lines(game, numbers[0]), symmetric)
        elif kind == "full" and len(numbers) == 1:
            found += representatives(game, full_lines(game, numbers[0]), symmetric)
        elif kind in ("rectangles", "corners") and len(numbers) == 2:
            anywhere = rectangles(game, numbers[0], numbers[1])
            chosen = anywhere if kind == "rectangles" else [each for each in anywhere if _in_corner(game, each)]
            found += representatives(game, chosen, symmetric)
        elif part.strip() == "edges":
            found += representatives(game, edges(game), symmetric)
        elif kind == "list":
            found += [_squares(game, each) for each in of.split("/")]
        else:
            raise InvalidSetting(
                f"invalid part {part.strip()!r} of a placement: write {FORMS}; tuples have up to {MAX_LENGTH} squares"
            )
    if not found:
        raise InvalidSetting(f"invalid placement={placement} for {game.name}: there is no such tuple on its board")
    if len(found) > MAX_TUPLES or max(map(len, found)) > MAX_LENGTH:
        raise InvalidSetting(
            f"invalid placement={placement} for {game.name}: it has {len(found)} tuples of up to "
            f"{max(map(len, found))} squares; there may be {MAX_TUPLES} of up to {MAX_LENGTH}"
        )
    return padded(found)


def padded(tuples: Sequence[Sequence[int]]) -> Places:
    """Tuples of several lengths as one array."""
    places = np.full((len(tuples), max(map(len, tuples))), NO_SQUARE, np.int64)
    for row, squares in zip(places, tuples, strict=True):
        row[: len(squares)] = squares
    return places


def snakes(game: Game, tuples: int, length: int, rng: Rng) -> list[list[int]]:
    """Random tuples, each a self-avoiding walk over neighbouring squares."""
    if length > game.squares:
        raise InvalidSetting(f"invalid length={length} for {game.name}: it has only {game.squares} squares")
    near = neighbours(game)
    found: list[list[int]] = []
    while len(found) < tuples:
        snake = [randint(rng, game.squares)]
        while len(snake) < length and (free := [each for each in near[snake[-1]] if each not in snake]):
            snake.append(free[randint(rng, len(free))])
        if len(snake) == length:  # else it ran into a dead end
            found.append(snake)
    return found


def neighbours(game: Game) -> list[list[int]]:
    """For each square its neighbours, diagonals included."""
    return [
        [i for i, there in enumerate(game.coordinates) if max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1]
        for here in game.coordinates
    ]


def lines(game: Game, length: int) -> list[list[int]]:
    """All straight lines of so many squares."""
    steps = DIRECTIONS if length > 1 else DIRECTIONS[:1]
    return _everywhere(game, [[(i * down, i * across) for i in range(length)] for down, across in steps])


def full_lines(game: Game, least: int) -> list[list[int]]:
    """All lines from one edge of the board to another that have so many squares."""
    at, found = _squares_at(game), []
    for down, across in DIRECTIONS:
        for row, column in at:
            if (row - down, column - across) not in at:
                line = []
                while (row, column) in at:
                    line.append(at[row, column])
                    row, column = row + down, column + across
                found += [line] if len(line) >= least else []
    return found


def edges(game: Game) -> list[list[int]]:
    """Each edge of the board with the two squares that are diagonal to its ends (edge + 2X)."""
    at, (rows, columns) = _squares_at(game), game.shape
    found = []
    for row, inner in ((0, 1), (rows - 1, rows - 2)):
        found.append([*((row, i) for i in range(columns)), (inner, 1), (inner, columns - 2)])
    for column, inner in ((0, 1), (columns - 1, columns - 2)):
        found.append([*((i, column) for i in range(rows)), (1, inner), (rows - 2, inner)])
    return [[at[place] for place in each] for each in found if all(place in at for place in each)]


def _in_corner(game: Game, squares: Sequence[int]) -> bool:
    rows, columns = game.shape
    corners = {(row, column) for row in (0, rows - 1) for column in (0, columns - 1)}
    return any(tuple(map(int, game.coordinates[square])) in corners for square in squares)


def rectangles(game: Game, rows: int, columns: int) -> list[list[int]]:
    """All rectangles of so many rows and columns, or of so many columns and rows."""
    sides = {(rows, columns), (columns, rows)}
    return _everywhere(game, [[(i, j) for i in range(down) for j in range(across)] for down, across in sorted(sides)])


def _squares_at(game: Game) -> dict[tuple[int, int], int]:
    """The square at each row and column."""
    return {(int(row), int(column)): square for square, (row, column) in enumerate(game.coordinates)}


def _everywhere(game: Game, shapes: Iterable[Sequence[tuple[int, int]]]) -> list[list[int]]:
    """The shapes wherever on the board all of their squares are."""
    at, found = _squares_at(game), []
    for shape in shapes:
        for row, column in at:
            squares = [at.get((row + down, column + across)) for down, across in shape]
            if None not in squares:
                found.append([square for square in squares if square is not None])
    return found


def representatives(game: Game, tuples: Iterable[Sequence[int]], symmetric: bool) -> list[Sequence[int]]:
    """Of tuples that symmetries of the board take to each other only the first, unless each is looked up by itself."""
    if not symmetric:
        return list(tuples)
    symmetries = [goes for i, goes in enumerate(game.symmetries) if not game.type.swaps_sides(i)]
    found: dict[Any, Sequence[int]] = {}
    for squares in tuples:
        orbit = min(tuple(sorted(int(goes[square]) for square in squares)) for goes in symmetries)
        found.setdefault(orbit, squares)
    return list(found.values())


def _squares(game: Game, text: str) -> list[int]:
    names = {game.type.square_name(game.rules, square): square for square in range(game.squares)}
    squares = [names.get(each, NO_SQUARE) for each in text.split()]
    if not squares or NO_SQUARE in squares or len(set(squares)) < len(squares):
        raise InvalidSetting(
            f"invalid tuple {text.strip()!r} for {game.name}: name squares, each once, as {' '.join(list(names)[:3])}"
        )
    return squares
