"""Seed games: games that others have played, whose moves a codebook begins with.

Games come with the package for some boards (`src/ludus/shipped/games-BOARD.*`): for Go, Wally against GNU Go, made by

    ludus match wally:source=abramson2001 "gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko
        --capture-all-dead --never-resign --seed 1" --game go5:komi=0 --games 27 --workers 1 --opening none
        --save games-go5.sgf

and likewise 42 games on go7, and 24 on go9 at level 5. Any file of games that Ludus reads serves as well.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel
from ludus.errors import WrongGame
from ludus.games import protocol
from ludus.games.game import Game
from ludus.games.protocol import Moves
from ludus.players.sarsa_lvq import UNIT, Codebook, comparison_buffers, encode_position
from ludus.players.shipped import FOLDER
from ludus.records.files import read_games


class Seeds(NamedTuple):
    """Positions of seed games as vectors of a codebook, and the moves that were made there."""

    vectors: NDArray[np.float64]  # [positions, 2 * squares]: memberships
    starts: NDArray[np.int64]  # [positions]: where the moves begin
    ends: NDArray[np.int64]  # [positions]: where they end


def seed_file(name: str, game: Game) -> Path | None:
    """The file of games that `seeds=name` means: none, the shipped one of this board (if there is one), or a path."""
    if name == "none":
        return None
    if name == "shipped":
        return next(iter(sorted(FOLDER.glob(f"games-{game.board}.*"))), None)
    return Path(name)


def read_seeds(name: str, game: Game, book: Codebook) -> Seeds:
    """The winner's moves in the games that `seeds=name` means, one for each different pair of a position and a move."""
    file = seed_file(name, game)
    found: dict[bytes, tuple[NDArray[np.int32], int, int]] = {}
    for number, record in enumerate(read_games(file, strict=True) if file else [], 1):
        if record.game.board != game.board:
            raise WrongGame(f"{file}, game {number}, is a game of {record.game.name}, not of {game.board}")
        if record.outcome is None or record.outcome == 0.5:
            continue
        winner = 0 if record.outcome == 1 else 1
        for position, move in zip(record.positions(), record.moves, strict=False):
            if position.current_player != winner or move == "pass":
                continue
            view = np.empty(2 * game.squares, np.int32)
            made = np.array([position.legal[move]], np.int64)
            ends = _as_vector(book, position.game.rules, position.state, made, view)
            found.setdefault(view.tobytes() + str(ends).encode(), (view, *ends))
    return Seeds(
        np.array([view for view, _, _ in found.values()]).reshape(-1, 2 * game.squares) / UNIT,
        np.array([start for _, start, _ in found.values()], np.int64),
        np.array([end for _, _, end in found.values()], np.int64),
    )


@kernel
def _as_vector(book: Codebook, game: Any, state: Any, moves: Moves, view: NDArray[np.int32]) -> tuple[int, int]:
    """Write the position into `view` as a vector: [2 * squares]; return where its only move begins and ends there."""
    buffers = comparison_buffers(book, 1)
    encode_position(book, game, state, moves, 1, buffers)
    for k in range(len(view)):
        view[k] = buffers.memberships[0, k]
    start, end = protocol.move_squares(game, moves[0])
    mover = protocol.current_player(game, state)
    return square_of_vector(book, mover, 0, start), square_of_vector(book, mover, 0, end)


@kernel
def square_of_vector(book: Codebook, mover: int, symmetry: int, square: int) -> int:
    """Which square of a vector lies on this square of the board under a symmetry; -1 if none does."""
    for i in range(book.symmetries.shape[2]):
        if book.symmetries[mover, symmetry, i] == square:
            return i
    return -1
