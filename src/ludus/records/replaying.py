"""Whole games replayed in kernels.

A kernel makes moves for as long as each can only be one legal move, known by where it begins and ends. What it can't
settle (an illegal move, one that may mean several, play after the end) is left to Python, which knows the notation of
the game and has the words for errors; after that the kernel goes on.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.errors import LudusError
from ludus.games import protocol
from ludus.games.game import Game, GameType, Position, as_kernel_value
from ludus.records.record import BadRecord, Move, Record, Setups, without_move_list

Places = NDArray[np.int64]

Code = tuple[int, int, int]
"""Where a move begins and ends, and its number or -1."""

NOWHERE = -1
"""Where a move begins and ends whose text names no squares."""

MOST_BRANCHES = 64
"""How many meanings of ambiguous moves are tried in one game, so that no file can keep us busy for ever."""

Resume = Callable[[Position, Move], Position | None]
"""The position in which a game goes on with a move after its end, or nothing if it can't."""


class Replay(NamedTuple):
    """A game as it was replayed."""

    moves: tuple[str, ...]
    """In Ludus's notation, passes included."""
    sides: tuple[int, ...]
    """Who made each."""
    last: Position
    setups: Setups = ()


class Wanted(NamedTuple):
    """The moves of a game as kernels know them."""

    starts: Places  # [moves + 1]: behind the last is a pass
    ends: Places
    exact: Places  # the number of the move, where its text leaves no other; else -1
    sides: Places  # who makes it; -1 if the file does not say


@kernel
def follow(game: Any, start: Any, wanted: Wanted, first: int, end: int, made: Places, sides: Places) -> Any:
    """Make the moves from `first` on and before `end` for as long as each can be only one.

    Passes that a file leaves out are made too: where the side to move can do nothing else, or where the other side
    moves. Passes after the end of the game are left out. Returns the last state, the first move that was not made, and
    how many were.

    made, sides  [2 * (end - first)] at least: the moves that were made, and who made them
    """
    moves, n_made, passing = empty(protocol.max_legal_moves(game), np.int64), 0, wanted.ends[len(wanted.ends) - 1]
    state = protocol.copy_state(game, start)
    for i in range(first, end):
        n = protocol.legal_moves(game, state, moves)
        player = protocol.current_player(game, state)
        is_pass = wanted.ends[i] == passing
        if n > 0 and (wanted.sides[i] == 1 - player or (wanted.sides[i] < 0 and n == 1 and not is_pass)):
            for k in range(n):
                if protocol.move_squares(game, moves[k])[1] == passing:
                    made[n_made], sides[n_made] = moves[k], player
                    n_made += 1
                    state = protocol.play(game, state, moves[k])
                    n = protocol.legal_moves(game, state, moves)
                    player = protocol.current_player(game, state)
                    break
        if n == 0 and is_pass:
            continue
        found = 0
        for k in range(n):
            begins, ends = protocol.move_squares(game, moves[k])
            exact = wanted.exact[i] < 0 or wanted.exact[i] == moves[k]
            if exact and begins == wanted.starts[i] and ends == wanted.ends[i]:
                found += 1
                made[n_made] = moves[k]
        if found != 1 or wanted.sides[i] == 1 - player:
            return state, i, n_made
        sides[n_made] = player
        state = protocol.play(game, state, made[n_made])
        n_made += 1
    return state, end, n_made


@kernel
def follow_all(game: Any, start: Any, wanted: Wanted, lengths: Places, made: NDArray[np.int64], ends: Any) -> None:
    """Replay many games from one position.

    The moves of game i are the first `lengths[i]` of as many as a row of `made` has room for passes and moves; of what
    came of it, `ends[i]` has the first move that was not made, how many were, whether the game is over, and the lead of
    the first player.

    lengths  [games]        made  [games, 2 * moves]        ends  [games, 4]
    """
    moves, sides = empty(protocol.max_legal_moves(game), np.int64), empty(made.shape[1], np.int64)
    room = made.shape[1] // 2
    for i in range(len(lengths)):
        state, at, n = follow(game, start, wanted, i * room, i * room + lengths[i], made[i], sides)
        ends[i, 0], ends[i, 1] = at - i * room, n
        ends[i, 2] = 1 if protocol.legal_moves(game, state, moves) == 0 else 0
        ends[i, 3] = protocol.margin(game, state)


def replay(
    start: Position, moves: Sequence[Move], resume: Resume = lambda position, move: None, before: int = 0
) -> Replay:
    """The moves in our notation, who made them, and the last position. Raises BadRecord at one that can't be made.

    Many files leave out passes: one is added where the side to move can do nothing else, or where the other side
    moves. Passes after the end of the game are left out. A move that may mean several is the one with which the rest of
    the game is legal. `before` is how many moves of the game were made before.
    """
    return _replay(start, moves, resume, before, [MOST_BRANCHES])


def wanted_moves(game: Game, moves: Sequence[Move]) -> Wanted:
    """The moves as kernels know them."""
    known = _codes(game.type, game.size)
    codes = [known.get(text) or _code(game, text) for text, _, _ in moves]
    starts, ends, exact = np.array([*codes, (game.squares, game.squares, -1)], np.int64).T.copy()
    sides = np.array([-1 if side is None else side for _, side, _ in moves] + [-1], np.int64)
    return Wanted(starts, ends, exact, sides)


def replay_record(record: Record) -> tuple[Replay, Position]:
    """A record replayed, and the position it begins in. Raises a MoveError naming the first illegal move."""
    first = record.game.position(record.start) if record.start else record.game.start()
    stages = [(0, first), *((ply, record.game.position(text)) for ply, text in record.setups)]
    moves, sides, last = list[str](), list[int](), first
    for number, (ply, position) in enumerate(stages):
        end = stages[number + 1][0] if number + 1 < len(stages) else len(record.moves)
        try:
            part = replay(position, [Move(text, None, "") for text in record.moves[ply:end]])
        except BadRecord:
            part = None
        if part is None or len(part.moves) != end - ply:
            record.positions()  # which says what is wrong
            raise AssertionError("what can't be replayed in a kernel can't be replayed at all")
        moves += part.moves
        sides += part.sides
        last = part.last
    return Replay(tuple(moves), tuple(sides), last, record.setups), first


def move_texts(game: Game, moves: Sequence[int]) -> list[str]:
    """The moves as players write them, for games whose moves are written alike in all positions."""
    known = _texts(game.type, game.size)
    found = [known.get(move) for move in moves]
    if None not in found:
        return found  # type: ignore[return-value]
    for move in moves:
        known[move] = game.type.move_text(game.rules, None, move)
    return [known[move] for move in moves]


def move_numbers(game: Game) -> dict[str, int]:
    """The numbers of all moves that were replayed so far, by their texts in Ludus's notation."""
    return {text: number for number, text in _texts(game.type, game.size).items()}


def _replay(start: Position, moves: Sequence[Move], resume: Resume, before: int, branches: list[int]) -> Replay:
    """As `replay`, after so many moves before, and with a budget of branches left."""
    game, wanted = start.game, wanted_moves(start.game, moves)
    made, sides = np.empty(2 * len(moves) + 1, np.int64), np.empty(2 * len(moves) + 1, np.int64)
    found, who, setups = list[str](), list[int](), list[tuple[int, str]]()
    position, i = start, 0
    while i < len(moves):
        state, i, n = follow(game.rules, position.state, wanted, i, len(moves), made, sides)
        position = Position(game, as_kernel_value(state))
        found += move_texts(game, made[:n].tolist())
        who += sides[:n].tolist()
        if i == len(moves):
            break
        number, (text, side, where) = before + len(found) + 1, moves[i]
        if position.over and (resumed := resume(position, moves[i])):
            position = resumed
            setups.append((before + len(found), position.text))
            continue
        if side == 1 - position.current_player and not position.over:
            raise BadRecord(f"move {number}, {text}, is by the wrong side: it is {position.side}'s turn", where)
        meant = game.type.find(text, position.legal) if _is_move(game, text) else []
        if len(meant) > 1:
            rest = _settled(position, meant, moves[i:], resume, number, branches)
            return Replay((*found, *rest.moves), (*who, *rest.sides), rest.last, (*setups, *rest.setups))
        try:
            move = position.move(text)
        except LudusError as problem:
            raise BadRecord(f"move {number}: {without_move_list(problem)}", where) from None
        found += move_texts(game, [move])
        who.append(position.current_player)
        if text == found[-1]:  # next time the kernel knows it
            _codes(game.type, game.size)[text] = (*_ends(game, text), move)
        position, i = position.play(move), i + 1
    return Replay(tuple(found), tuple(who), position, tuple(setups))


def _settled(
    position: Position, meant: list[str], moves: Sequence[Move], resume: Resume, number: int, branches: list[int]
) -> Replay:
    """The rest of a game whose next move may mean several: with the one after which the rest is legal."""
    after = {position.play(each): each for each in reversed(meant)}
    good, errors = list[Replay](), list[BadRecord]()
    for there, text in reversed(after.items()):
        branches[0] -= 1
        if branches[0] < 0:
            break
        try:
            rest = _replay(there, moves[1:], resume, number, branches)
            made = move_texts(position.game, [position.legal[text]])  # so that `move_numbers` knows it
            good.append(Replay((*made, *rest.moves), (position.current_player, *rest.sides), rest.last, rest.setups))
        except BadRecord as bad:
            errors.append(bad)
    if len(good) == 1 and branches[0] >= 0:
        return good[0]
    if good or branches[0] < 0:
        problem = f"move {number}: {moves[0].text!r} is ambiguous; write one of {', '.join(meant)}"
        raise BadRecord(problem, moves[0].where)
    raise max(errors, key=lambda bad: int(re.findall(r"\d+", bad.problem)[0]))  # the one that got furthest


def _is_move(game: Game, text: str) -> bool:
    return bool(re.fullmatch(game.type.move_pattern, text, re.IGNORECASE | re.ASCII))


def _code(game: Game, text: str) -> Code:
    """The code of a move that is not known yet. One that names more squares than two is left to Python."""
    start, end = _ends(game, text)
    if NOWHERE in (start, end) or len(re.findall("[-x]", text)) > 1:
        return NOWHERE, NOWHERE, -1
    return _codes(game.type, game.size).setdefault(text, (start, end, -1))


def _ends(game: Game, text: str) -> tuple[int, int]:
    """Where the move begins and ends, by the names of squares."""
    if text.lower() == "pass":
        return game.squares, game.squares
    names = _square_names(game.type, game.size)
    squares = [names.get(part.lstrip("0").lower(), NOWHERE) for part in re.split("[-x]", text)]
    return squares[0], squares[-1]


@cache
def _codes(game_type: GameType, size: int) -> dict[str, Code]:
    """By the text of a move where it begins and ends, and its number where that leaves a choice; filled on the way."""
    return {}


@cache
def _texts(game_type: GameType, size: int) -> dict[int, str]:
    """The texts of moves, filled on the way."""
    return {}


@cache
def _square_names(game_type: GameType, size: int) -> dict[str, int]:
    game = Game(game_type, size)
    return {game_type.square_name(game.rules, square).lower(): square for square in range(game.squares)}
