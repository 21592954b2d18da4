"""What a codebook begins with: the moves of games that others have played.

Games come with the package for some boards (`src/ludus/shipped/games-BOARD.*`): for Go, Wally against GNU Go, made by

    ludus match wally "gtp:gnugo --mode gtp --level 10 --chinese-rules --positional-superko --capture-all-dead
        --never-resign --seed 1" --game go5:komi=0 --games 27 --workers 1 --opening none --save games-go5.sgf

and likewise 42 games on go7, and 24 on go9 at level 5. Any file of games that Ludus reads serves as well.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.players.codebook import UNIT, Codebook, seen, sight
from ludus.players.shipped import FOLDER
from ludus.records.files import read_games


class Seeds(NamedTuple):
    """Positions in which someone moved, as vectors of a codebook, and the moves."""

    vectors: NDArray[np.float64]  # [positions, 2 * squares]: memberships
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


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
    for number, record in enumerate(read_games(file) if file else [], 1):
        if record.game.board != game.board:
            raise LudusError(
                f"{file}, game {number}, is of {record.game.name}, which teaches nothing about {game.board}"
            )
        if record.outcome is None or record.outcome == 0.5:
            continue
        winner = 0 if record.outcome == 1 else 1
        for position, move in zip(record.positions(), record.moves, strict=False):
            if position.mover != winner or move == "pass":
                continue
            view = np.empty(2 * game.squares, np.int32)
            made = np.array([position.legal[move]], np.int64)
            ends = _looked(book, position.game.rules, position.state, made, view)
            found.setdefault(view.tobytes() + str(ends).encode(), (view, *ends))
    return Seeds(
        np.array([view for view, _, _ in found.values()]).reshape(-1, 2 * game.squares) / UNIT,
        np.array([start for _, start, _ in found.values()], np.int64),
        np.array([end for _, _, end in found.values()], np.int64),
    )


@kernel
def _looked(book, game, state, moves, view):
    """Write the position as a vector, and return where its move begins and ends there."""
    room = sight(book, 1)
    seen(book, game, state, moves, 1, room)
    for k in range(len(view)):
        view[k] = room.shapes[0, k]
    start, end = words.ends(game, moves[0])
    mover = words.mover(game, state)
    return placed(book, mover, 0, start), placed(book, mover, 0, end)


@kernel
def placed(book, mover, way, square):
    """Which square of a vector lies on this square of the board, when it is turned that way."""
    for i in range(book.ways.shape[2]):
        if book.ways[mover, way, i] == square:
            return i
    return -1
