"""What Go players do after two passes: agree on dead stones and count; and before the first move: handicap stones.

Whether a stone is dead is guessed by random games from the final position, in which nobody fills an eye of their own: a
chain that is mostly the opponent's at their end is dead. So two eyes live, and stones within the other's wall die; a
seki may be judged wrongly, which is why people have the last word.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.bitboards import any_set, difference, first_square, intersection, single
from ludus.compile.jit import kernel
from ludus.compile.rng import key, randint, seek
from ludus.games import protocol
from ludus.games.game import Count, Position
from ludus.games.go_rules import Go, GoState, group, neighbours
from ludus.games.style import star_points

PLAYOUTS = 200
DEAD = 0.35
"""A chain whose points end up with its own side less often than this is dead."""
KEY = key(1, "go dead stones")


@kernel
def is_eye(game: Go, state: GoState, point: int) -> Any:
    """Whether an empty point has only stones of the player to move around it."""
    around = neighbours(game, single(state.own, point))
    return not any_set(difference(around, state.own))


@kernel
def write_ownership(game: Go, start: GoState, playouts: int, out: NDArray[np.float64]) -> None:
    """Write how often each point ends up as Black's less how often as White's, from 1 to -1. [points]"""
    points = game.size * game.size
    moves, cells, rng = empty(protocol.max_legal_moves(game), np.int64), empty(points, np.int8), empty(4, np.uint64)
    out[:] = 0.0
    for i in range(playouts):
        seek(rng, KEY, i)
        state, passes = protocol.copy_state(game, start), 0
        for _ in range(3 * points):
            n = protocol.legal_moves(game, state, moves)
            if n == 0 or passes == 2:
                break
            pick = np.int64(points)  # a pass
            while n > 0:
                j = randint(rng, n)
                if moves[j] < points and not is_eye(game, state, moves[j]):
                    pick = moves[j]
                    break
                n -= 1
                moves[j] = moves[n]
            passes = passes + 1 if pick == points else 0
            state = protocol.play(game, state, pick)
        protocol.cells(game, state, cells)
        for point in range(points):
            owner = cells[point]
            if owner == 0:  # an eye, since all else is filled
                for beside in range(points):
                    if cells[beside] != 0 and adjacent(game, point, beside):
                        owner = cells[beside]
                        break
            out[point] += owner / playouts


@kernel
def adjacent(game: Go, a: int, b: int) -> bool:
    down, across = abs(a // game.size - b // game.size), abs(a % game.size - b % game.size)
    return down + across == 1


@kernel
def chain_of(game: Go, state: GoState, point: int, out: NDArray[np.int8]) -> None:
    """Mark the points of the chain that has a stone on `point`. [points]"""
    stone = single(state.own, point)
    chain = group(game, stone, state.own if any_set(intersection(stone, state.own)) else state.opp)
    out[:] = 0
    while any_set(chain):
        out[first_square(chain)] = 1
        chain = difference(chain, single(chain, first_square(chain)))


def dead_stones(position: Position) -> list[int]:
    """The points of the stones that are probably dead."""
    game, type = position.game, position.game.type
    live = type.state_from_cells(game.rules, position.cells, position.current_player)
    owners = np.empty(game.squares)
    write_ownership(game.rules, live, PLAYOUTS, owners)
    found, seen = list[int](), set[int]()
    for point in np.flatnonzero(position.cells):
        if point not in seen:
            chain = chain_at(position, int(point))
            seen.update(chain)
            own = np.mean(owners[chain]) * position.cells[point]  # from 1, always its own, to -1
            if (own + 1) / 2 < DEAD:
                found += chain
    return sorted(found)


def chain_at(position: Position, point: int) -> list[int]:
    """The points of the chain that has a stone there."""
    marked = np.empty(position.game.squares, np.int8)
    chain_of(position.game.rules, position.state, point, marked)
    return [int(each) for each in np.flatnonzero(marked)]


def count(position: Position, dead: Collection[int] = ()) -> Count:
    """The area of both sides, without the dead stones."""
    size, cells = position.game.size, position.cells.astype(int)
    cells[list(dead)] = 0
    owners, left = cells.copy(), {int(point) for point in np.flatnonzero(cells == 0)}
    while left:
        region, border, frontier = set[int](), set[int](), [left.pop()]
        while frontier:
            point = frontier.pop()
            region.add(point)
            for near in _beside(size, point):
                if cells[near]:
                    border.add(int(cells[near]))
                elif near in left:
                    left.remove(near)
                    frontier.append(near)
        if len(border) == 1:
            owners[list(region)] = border.pop()
    pieces, areas = ((int(np.sum(board == 1)), int(np.sum(board == -1))) for board in (cells, owners))
    territory = (areas[0] - pieces[0], areas[1] - pieces[1])
    return Count(tuple(owners.tolist()), pieces, territory, (0.0, float(position.game.rules.komi)))


def _beside(size: int, point: int) -> list[int]:
    row, column = divmod(point, size)
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]


def handicap_points(size: int, stones: int) -> list[int]:
    """The star points on which so many handicap stones are placed by custom: opposite corners first."""
    lines = sorted({row for row, _ in star_points(size, size)})
    if len(lines) < 2 or stones < 2:
        return []
    low, high, middle = lines[0], lines[-1], size // 2
    corners = [(high, high), (low, low), (low, high), (high, low)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)] if size >= 13 and size % 2 else []
    centre = [(middle, middle)] if size % 2 else []
    most = len(corners) + len(sides) + len(centre)
    stones = min(stones, most)
    with_centre = centre if stones % 2 and stones >= 5 else []
    chosen = [*corners, *sides][: stones - len(with_centre)] + with_centre
    return [row * size + column for row, column in chosen]
