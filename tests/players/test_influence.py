"""The influence field against a slow solution and the paper's figure, and the player that plays for it."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import ludus
from ludus.compile.jit import kernel
from ludus.compile.rng import stream
from ludus.games import protocol
from ludus.games.influence import influence_of as field
from ludus.play.games import play_out
from ludus.players.influence import Influence, influence_sums
from ludus.players.protocol import choose
from ludus.players.random import Random
from tests.effort import EFFORT, nightly


def slow_field(position: ludus.Position) -> NDArray[np.float64]:
    """Every equation as it is said: a stone is its colour, an empty point the mean of its up to eight neighbours."""
    size, cells = position.game.size, position.cells
    if not cells.any():
        return np.zeros(size * size)
    matrix = np.eye(size * size)
    for point in np.flatnonzero(cells == 0):
        row, column = divmod(int(point), size)
        around = [
            i * size + j
            for i in range(row - 1, row + 2)
            for j in range(column - 1, column + 2)
            if 0 <= i < size and 0 <= j < size and (i, j) != (row, column)
        ]
        matrix[point, around] = -1 / len(around)
    return np.linalg.solve(matrix, cells.astype(float))


def slow_prospects(position: ludus.Position) -> list[float]:
    return [
        (1 - 2 * position.current_player) * float(slow_field(position.play(move)).sum())
        for move in position.legal_moves
    ]


def fast_prospects(position: ludus.Position) -> NDArray[np.float64]:
    moves = np.array(list(position.legal.values()), np.int64)
    out = np.empty(len(moves))
    influence_sums(position.game.rules, position.state, moves, len(moves), out)
    return out


@kernel
def choice(player, game, state, moves, rng):
    return choose(player, game, state, moves, protocol.legal_moves(game, state, moves), rng)


def chosen(position: ludus.Position, seed: int = 1) -> int:
    room = np.empty(position.game.max_legal_moves, np.int64)
    return int(choice(Influence(), position.game.rules, position.state, room, stream(seed, "test")))


def positions(name: str, games: int) -> Iterator[ludus.Position]:
    """Those of random games in which some move is legal."""
    rng = random.Random(name)
    for _ in range(games * EFFORT):
        position = ludus.game(name).start()
        while not position.over:
            yield position
            position = position.play(rng.choice(position.legal_moves))


FIGURE_3 = "...O./..OX./..OX./.OXX./..... X"


def test_figure_3() -> None:
    printed = [
        [-0.72, -0.73, -0.49, -1.00, 0.13],
        [-0.70, -0.74, -1.00, 1.00, 0.40],
        [-0.73, -0.60, -1.00, 1.00, 0.87],
        [-0.62, -1.00, 1.00, 1.00, 0.93],
        [-0.59, -0.17, 0.34, 0.84, 0.92],
    ]
    found = field(ludus.game("go5").position(FIGURE_3))
    # the authors stopped rippling before the second digit was right
    assert np.abs(found.reshape(5, 5)[::-1] - printed).max() < 0.0175
    assert found.sum() == pytest.approx(-1.790, abs=5e-4)


@pytest.mark.parametrize(
    ("size", "games", "every"), [(3, 10, 1), (5, 5, 1), (7, 3, 2), (9, 2, 3), *nightly((13, 1, 10))]
)
def test_same_field_as_the_slow_solution(size: int, games: int, every: int) -> None:
    for i, position in enumerate(positions(f"go{size}", games)):
        if i % every == 0 or i < 4:
            assert np.abs(field(position) - slow_field(position)).max() < 1e-11, position.text


def test_no_influence_without_stones() -> None:
    assert not field(ludus.game("go9").start()).any()


def test_a_lone_stone_rules_the_board() -> None:
    assert field(ludus.game("go13").start().play("A1")) == pytest.approx(np.ones(169), abs=1e-11)


@pytest.mark.parametrize(
    ("name", "games", "every"),
    [("go2", 5, 1), ("go3", 5, 1), ("go5", 3, 1), ("go5:rules=abramson2001", 3, 1), ("go7", 1, 2), ("go9", 1, 20)],
)
def test_plays_for_the_greatest_sum(name: str, games: int, every: int) -> None:
    captures = 0
    for position in list(positions(name, games))[::every]:
        sums = slow_prospects(position)
        assert np.abs(fast_prospects(position) - sums).max() < 1e-10, position.text
        stones = [point for point in position.legal.values() if point < position.game.squares]
        best = [point for point, total in zip(stones, sums, strict=False) if total > max(sums[: len(stones)]) - 1e-8]
        assert chosen(position) == (best[0] if best else position.game.squares), position.text
        captures += any(np.any((position.cells != 0) & (position.play(point).cells == 0)) for point in stones)
    assert captures


@pytest.mark.parametrize("name", ["go3", "go5", "go9"])
def test_sees_no_difference_between_symmetric_positions(name: str) -> None:
    unique = 0
    for position in list(positions(name, 2))[::3]:
        sums = np.sort(fast_prospects(position))
        if len(sums) < 3 or sums[-1] - sums[-2] < 1e-6:
            continue
        unique += 1
        for symmetry, goes in enumerate(position.game.symmetries):
            assert chosen(position.mirrored(symmetry)) == goes[chosen(position)], position.text
    assert unique


def test_has_no_use_for_dice() -> None:
    for position in list(positions("go7", 1))[::5]:
        assert len({chosen(position, seed) for seed in range(5)}) == 1


def test_begins_at_the_lowest_of_equal_points() -> None:
    assert chosen(ludus.game("go9").start()) == 0


def test_beats_the_random_player() -> None:
    game = ludus.game("go7:komi=0,rules=abramson2001")
    assert play_out(game, Influence(), Random(), 100).wins > 80
    assert play_out(game, Random(), Influence(), 100).losses > 80
