"""Players of the Othello League: n-tuple networks in the text files that its players were published in.

Lucas and Runarsson's league collected one-ply players of 8x8 Othello. A file has the number of tuples, and for each of
them its length and its number of copies, the squares of each copy (0 to 63, row by row), and a table of 3**length
weights that all copies share, in which the digits 0, 1 and 2 mean white, empty and black and the first square has the
highest place. Braces, commas and semicolons are ignored.

These players look at the position after their own move. The sum of all weights is its value for Black. For White, some
took the same sum with the other sign (`white=negate`), and others inverted the colours of the board first
(`white=invert`); a file doesn't say which.

In our networks a square is empty, of the player to move or of the one who has just moved: the same tables in another
order. Where White negates, each player has tables of its own.
"""

import math
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import DamagedFile, InvalidSetting, StorageError, WrongGame
from ludus.evaluators.ntuples import NTuples, network
from ludus.evaluators.placements import MAX_LENGTH, MAX_TUPLES
from ludus.games.game import Game, Option
from ludus.players.base import CompiledPlayer, Player, PlayerKind
from ludus.players.greedy import Greedy
from ludus.players.names import settings
from ludus.storage import write_whole

SQUARES, MAX_COPIES, MAX_BYTES, MAX_WEIGHT = 64, 64, 100 << 20, 1e100
WHITE = ("negate", "invert")

OPTIONS = (
    Option("file", "", "the text file"),
    Option("white", "", "how it values a position for White: the negated sum, or the sum on the inverted board"),
)


class LeagueTuple(NamedTuple):
    """A tuple with its copies, and the table that they share."""

    copies: list[list[int]]
    weights: list[float]
    """By the digits of the League: 0 white, 1 empty, 2 black."""


def parse(text: str) -> list[LeagueTuple]:
    """The tuples of a file. Raises ValueError, which says what is wrong."""
    tokens = iter(re.findall(r"[^\s{},;]+", text))
    found = []
    for number in range(1, _integer(tokens, "the number of tuples", 1, MAX_TUPLES) + 1):
        of = f"of tuple {number}"
        length = _integer(tokens, f"the length {of}", 1, MAX_LENGTH)
        copies = _integer(tokens, f"the number of copies {of}", 1, MAX_COPIES)
        squares = [[_integer(tokens, f"a square {of}", 0, SQUARES - 1) for _ in range(length)] for _ in range(copies)]
        if any(len(set(each)) < length for each in squares):
            raise ValueError(f"a copy {of} has a square twice")
        found.append(LeagueTuple(squares, [_weight(tokens, f"a weight {of}") for _ in range(3**length)]))
    if (more := next(tokens, None)) is not None:
        raise ValueError(f"{more!r} follows the last weight")
    return found


def _integer(tokens: Iterator[str], what: str, low: int, high: int) -> int:
    token = next(tokens, "")
    if not re.fullmatch(r"[0-9]{1,6}", token) or not low <= int(token) <= high:
        raise ValueError(f"{what} must be from {low} to {high}, not {token!r}" if token else f"{what} is missing")
    return int(token)


def _weight(tokens: Iterator[str], what: str) -> float:
    token = next(tokens, "")
    try:
        weight = float(token)
    except ValueError:
        weight = math.nan
    if not abs(weight) < MAX_WEIGHT:
        raise ValueError(
            f"{what} must be a number below {MAX_WEIGHT:g}, not {token!r}" if token else f"{what} is missing"
        )
    return weight


def league_network(game: Game, tuples: list[LeagueTuple], white: str) -> NTuples:
    """The network of such tuples, for players who look at positions after their own move."""
    # the player to move is given minus what the other, who has just moved, sees in it
    other_is_black = [-each.weights[i] for each in tuples for i in _reordered(each, (1, 0, 2))]
    own_is_black = [each.weights[i] for each in tuples for i in _reordered(each, (1, 2, 0))]
    sizes = np.array([len(each.weights) for each in tuples])
    begins = np.repeat(np.cumsum(sizes) - sizes, [len(each.copies) for each in tuples])
    weights = np.array([own_is_black + other_is_black if white == "negate" else other_is_black])
    lookups = [squares for each in tuples for squares in each.copies]
    of_white = begins + sizes.sum() if white == "negate" else begins
    return network(game, [lookups, lookups], np.array([begins, of_white]), weights)


def _reordered(tuple_: LeagueTuple, digits: tuple[int, int, int]) -> Iterator[int]:
    """For every index of ours, in order, that of the League: `digits` are theirs for our empty, own and other."""
    length = len(tuple_.copies[0])
    for ours in product(range(3), repeat=length):
        index = 0
        for digit in ours:
            index = 3 * index + digits[digit]
        yield index


def league_text(player: Player) -> str:
    """A player of ours that looks one move ahead by an n-tuple network, as such a file; for White it is inverted."""
    evaluator = getattr(getattr(player, "parts", None), "evaluator", None)
    if not isinstance(evaluator, NTuples) or player.game.board != "othello8":
        raise WrongGame(f"{player.label} is no n-tuple network for othello8, which is all that the League's files hold")
    if len(evaluator.weights) > 1 or not np.array_equal(evaluator.empty_board[0], evaluator.empty_board[1]):
        raise InvalidSetting(f"{player.label} has tables for stages or colours, which the League's files can't hold")
    lines, begins = [], evaluator.empty_board[0]
    tables = list(dict.fromkeys(begins.tolist()))
    lines.append(str(len(tables)))
    for begin in tables:
        copies = [_squares(evaluator.powers[0, :, i]) for i in np.flatnonzero(begins == begin)]
        ours = evaluator.weights[0, begin : begin + 3 ** len(copies[0])]
        theirs = np.empty(len(ours))
        theirs[list(_reordered(LeagueTuple(copies, []), (1, 0, 2)))] = -ours
        lines.append(f"{len(copies[0])} {len(copies)}")
        lines += [" ".join(map(str, each)) for each in copies]
        lines.append(" ".join(repr(float(each)) for each in theirs))
    return "\n".join(lines) + "\n"


def _squares(powers: NDArray[np.int32]) -> list[int]:
    """The squares of a lookup, the one with the highest place first."""
    order: list[int] = np.argsort(-powers)[: np.count_nonzero(powers)].tolist()
    return order


def write_league_file(player: Player, path: Path) -> None:
    """Write such a file."""
    write_whole(path, league_text(player).encode())


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    chosen: dict[str, Any] = settings("othello-league", arguments, OPTIONS)
    file, white = chosen["file"], chosen["white"]
    if not file or white not in WHITE:
        raise InvalidSetting(
            f"{text} needs a file and how it plays White: othello-league:file=player.txt,white=negate (or invert)"
        )
    if game.board != "othello8":
        raise WrongGame(f"players of the Othello League play othello8, not {game}")
    path = Path(file)
    try:
        if not path.is_file():
            raise StorageError(f"can't read {file}: there is no such file")
        if path.stat().st_size > MAX_BYTES:
            raise DamagedFile(f"{file} is too large for a player of the Othello League")
        content = path.read_text("utf-8")
    except UnicodeDecodeError as problem:
        raise DamagedFile(f"{file} is no text file") from problem
    except (OSError, ValueError) as problem:
        raise StorageError(f"can't read {file}: {getattr(problem, 'strerror', None) or problem}") from problem
    try:
        tuples = parse(content)
    except ValueError as problem:
        raise DamagedFile(f"{file} is no player of the Othello League: {problem}") from problem
    return CompiledPlayer(text, game, Greedy(league_network(game, tuples, white)))


PLAYERS = (
    PlayerKind(
        "othello-league",
        "8x8 Othello: a published n-tuple player",
        "othello-league:file=player.txt,white=negate",
        _make,
        options=OPTIONS,
    ),
)
