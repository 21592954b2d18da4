"""Words that games answer for players: the squares that name a move, and whether a game is over."""

import numpy as np
import pytest

import ludus
from ludus.compile.jit import kernel
from ludus.games import protocol
from ludus.games.game import Position
from ludus.games.go import point_name
from ludus.games.othello import square_name
from ludus.testing import random_positions


@kernel
def named(game, move):
    return protocol.move_squares(game, move)


@kernel
def finished(game, state, work):
    return protocol.over(game, state, work)


def written(position: Position, squares: tuple[int, int]) -> str:
    """The move that has these squares, as players write it."""
    game_type, size = position.game.type.name, position.game.size
    if squares[1] >= position.game.squares:
        return "pass"
    if game_type == "checkers":
        return f"{squares[0] + 1} to {squares[1] + 1}"
    assert squares[0] == squares[1]
    return (square_name if game_type == "othello" else point_name)(size, squares[1])


@pytest.mark.parametrize("name", ["othello6", "checkers", "go5"])
def test_squares_of_moves_and_ends_of_games(name: str) -> None:
    game = ludus.game(name)
    work = np.empty(game.max_legal_moves, np.int64)
    for position in random_positions(game, 6):
        assert finished(game.rules, position.state, work) == position.over
        for text, move in position.legal.items():
            parts = text.replace("x", "-").split("-")
            wanted = f"{parts[0]} to {parts[-1]}" if name == "checkers" else text
            assert written(position, named(game.rules, np.int64(move))) == wanted
