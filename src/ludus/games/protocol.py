"""The generic functions that a game answers.

A game is a NamedTuple of its rules, and a state is a NamedTuple too. States are immutable: playing a move makes a new
one. Where a state holds an array (Go's history), successive states share it like a stack, which is right for playing on
and for depth-first search; `copy_state` gives a state that shares nothing. A move is an int64 that only its game
understands.

A game must implement `initial`, `legal_moves`, `max_legal_moves`, `play`, `current_player`, `outcome`, `margin` and
`cells`. The others have default bodies made from these; a game implements them where it can do better.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.generic import generic, implements

Moves = NDArray[np.int64]
Squares = NDArray[np.int64]
Planes = NDArray[np.uint64]
Field = NDArray[np.float64]


@generic
def initial(game: Any) -> Any:
    """The state in which the game begins."""


@generic
def legal_moves(game: Any, state: Any, out: Moves) -> Any:
    """Write the legal moves into `out` and return how many there are: 0 exactly when the game is over.

    The rest of `out` is left undefined.

    out  [max_legal_moves]
    """


@generic
def max_legal_moves(game: Any) -> Any:
    """How much room `legal_moves` needs: at least as many moves as a state can have."""


@generic
def over(game: Any, state: Any, work: Moves) -> Any:
    """Whether the game is over.

    work  [max_legal_moves]: scratch space
    """


@generic
def mobility(game: Any, state: Any, work: Moves) -> Any:
    """How many moves the current player can choose from: 0 if it must pass or the game is over.

    work  [max_legal_moves]: scratch space
    """


@generic
def play(game: Any, state: Any, move: Any) -> Any:
    """The state after `move`, from the next player's side. Doesn't check that the move is legal."""


@generic
def current_player(game: Any, state: Any) -> Any:
    """Who moves: 0 for the first player, 1 for the second."""


@generic
def outcome(game: Any, state: Any) -> Any:
    """The result of a finished game for the first player: 1.0 a win, 0.5 a draw, 0.0 a loss."""


@generic
def margin(game: Any, state: Any) -> Any:
    """By how much the first player leads, in discs, pieces or points, at any time of the game."""


@generic
def cells(game: Any, state: Any, out: NDArray[Any]) -> Any:
    """Write what stands on each square: 0 nothing, 1 the first player's piece, 2 its king, -1 and -2 the second's.

    out  [squares], of any type of numbers
    """


@generic
def occupied(game: Any, state: Any, squares: Squares, pieces: Squares) -> Any:
    """Write the squares that hold a piece, in ascending order, and what stands there; return how many there are.

    A piece is counted as in `cells`, but from the current player's side: 1 its own, 2 its king, -1 and -2 the
    opponent's. The rest of the arrays is left undefined.

    squares, pieces  [squares]: as long as the board has squares
    """


@generic
def piece_kinds(game: Any) -> Any:
    """How many kinds of pieces a side has: 1 by default, 2 where there are kings. A constant."""


@generic
def piece_sets(game: Any, state: Any, out: Planes) -> Any:
    """Write which squares hold a piece of the current player, and which one of the opponent; of each kind by itself.

    out  [kinds * 2 * words]: a word for every 64 squares, the current player's first, then the opponent's; after those
         of the first kind those of the next, kings. Square s is bit s % 64 of its word
    """


@generic
def influence(game: Any, state: Any, out: Field) -> Any:
    """Write the influence of the sides on each square, from 1 (the first player's) to -1 (the second's).

    By default a piece has influence on its own square only.

    out  [squares]
    """


@generic
def move_squares(game: Any, move: Any) -> Any:
    """The squares where a move begins and ends; the same twice where a piece is placed.

    Both are the number of squares for a pass. By default a move is the number of its square.
    """


@generic
def copy_state(game: Any, state: Any) -> Any:
    """The same state, sharing no array with any other."""


@generic
def is_forced(game: Any, move: Any) -> Any:
    """Whether the rules force such a move, as captures in checkers: if one legal move is forced, all are.

    Quiescence search goes on after forced moves. By default none is.
    """


@generic
def remaining(game: Any, state: Any) -> Any:
    """An upper bound of the moves, without passes, until the end of the game; a large number by default."""


@generic
def fingerprint(game: Any, state: Any, plies: int) -> Any:
    """Two words that tell states apart which differ in the next `plies` moves, or in forced moves behind these.

    States with the same fingerprint have the same future, which a search need look at only once. Both words are 0 if a
    state has none, as by default.
    """


@generic
def can_end_suddenly(game: Any) -> Any:
    """Whether a single move can end the game whatever the position was worth, as four in a row do.

    Players that look one move ahead then also look for the end of the game. By default it can't, and the check is
    compiled away.
    """


@generic
def planes(game: Any, state: Any, out: Planes) -> Any:
    """Write the board with two bits a square, from the current player's side.

    Square s has its first bit in `out[s // 64 * 2]` and its second in the word behind that, both at bit s % 64. The
    game type names the four `symbols` that 00, 01, 10 and 11 stand for; by default mine, theirs, empty, and empty with
    a legal move that ends there. Where a symmetry exchanges the sides, the second player sees the board transformed by
    it; the default body does not.

    out  [2 * words]: two words for every 64 squares
    """


@generic
def action(game: Any, state: Any, move: Any) -> Any:
    """The action, from 0 on, that `move` is for the player who makes it; -1 for a forced pass.

    By default it is the square where the move ends. The game type says how many `actions` there are.
    """


@implements(over)
def _(game, state, work):
    return legal_moves(game, state, work) == 0


@implements(mobility)
def _(game, state, work):
    return legal_moves(game, state, work)


@implements(move_squares)
def _(game, move):
    return move, move


@implements(occupied)
def _(game, state, squares, pieces):
    n, own = 0, 1 - 2 * current_player(game, state)
    cells(game, state, pieces)
    for square in range(len(pieces)):
        if pieces[square]:
            squares[n], pieces[n] = square, own * pieces[square]
            n += 1
    return n


@implements(influence)
def _(game, state, out):
    cells(game, state, out)
    for square in range(len(out)):
        out[square] = np.sign(out[square])


@implements(can_end_suddenly)
def _(game):
    return False


@implements(fingerprint)
def _(game, state, plies):
    return np.uint64(0), np.uint64(0)


NO_SQUARE = 9
"""What stands where `cells` writes nothing, in an array with room for more squares than the board has."""


@implements(piece_kinds)
def _(game):
    return 1


@implements(piece_sets)
def _(game, state, out):
    words = len(out) // (2 * piece_kinds(game))
    board, own = zeros(64 * words, np.int64), 1 - 2 * current_player(game, state)
    cells(game, state, board)
    out[:] = 0
    for square in range(len(board)):
        if board[square] != 0:
            kind, side = abs(board[square]) - 1, 0 if board[square] * own > 0 else 1
            out[(2 * kind + side) * words + square // 64] |= np.uint64(1) << np.uint64(square % 64)


@implements(planes)
def _(game, state, out):
    board, legal = np.full(32 * len(out), NO_SQUARE), empty(max_legal_moves(game), np.int64)
    own = 1 - 2 * current_player(game, state)
    cells(game, state, board)
    out[:] = 0
    for square in range(len(board)):
        word, bit = 2 * (square // 64), np.uint64(1) << np.uint64(square % 64)
        if board[square] == 0:
            out[word] |= bit
        elif board[square] != NO_SQUARE and board[square] * own < 0:
            out[word + 1] |= bit
    for i in range(legal_moves(game, state, legal)):
        end = move_squares(game, legal[i])[1]
        if end < len(board) and board[end] == 0:
            out[2 * (end // 64) + 1] |= np.uint64(1) << np.uint64(end % 64)


@implements(action)
def _(game, state, move):
    return move_squares(game, move)[1]


@implements(copy_state)
def _(game, state):
    return state


@implements(is_forced)
def _(game, move):
    return False


@implements(remaining)
def _(game, state):
    return 1 << 30
