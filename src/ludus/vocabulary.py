"""The words that every game, player and evaluator speaks.

A word is a function without a body of its own. A game or a player gives it a body for its own class with
`@says`; numba picks the body at compile time from the types of the arguments. Code written in words
(a match, a search, a learner) is therefore compiled to straight machine code for each game and player,
with nothing looked up at run time.

Games, states, players and evaluators are NamedTuples of numbers, tuples of numbers and arrays. A state is a
value: playing a move makes a new one. Where a state holds an array (Go's history), states that follow one
another share it like a stack, which is right for playing on and for depth-first search; `detached` gives a
state that shares nothing.

A move is an int64 that only its game understands.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from ludus.kernels import INTERPRETED

Function = TypeVar("Function", bound=Callable[..., Any])

_bodies: dict[Callable[..., Any], dict[tuple[type, ...], Callable[..., Any]]] = {}
_classes: dict[str, type] = {}


def word(function: Function) -> Function:
    """Make `function`, which only documents, a word that `says` can give bodies to."""
    bodies = _bodies[function] = {}

    def fitting(classes: Sequence[type]) -> Callable[..., Any] | None:
        """The body for arguments of these classes: the one that names the most of them."""
        found = [wanted for wanted in bodies if tuple(classes[: len(wanted)]) == wanted]
        return bodies[max(found, key=len)] if found else None

    if INTERPRETED:

        @wraps(function)
        def spoken(*arguments: Any) -> Any:
            body = fitting([type(each) for each in arguments])
            if body is None:
                raise TypingError(f"{function.__name__} has no body for {type(arguments[0]).__name__}")
            return body(*arguments)

        _bodies[spoken] = bodies
        return spoken  # type: ignore[return-value]

    def pick(*arguments: Any) -> Callable[..., Any] | None:
        return fitting([a.instance_class if isinstance(a, types.BaseNamedTuple) else type(None) for a in arguments])

    # numba wants the picker to have the very parameter names of the bodies
    names = ", ".join(inspect.signature(function).parameters)
    picker = eval(f"lambda {names}: pick({names})", {"pick": pick})
    # compiled into each caller: passing a game and a state costs more than most bodies' work
    overload(function, strict=True, jit_options={"forceinline": True})(picker)
    return function


def says(spoken: Callable[..., Any], *classes: type) -> Callable[[Function], Function]:
    """Give the word `spoken` its body where its first arguments are of these `classes`.

    With no class, the body serves every class that has none of its own.
    """
    for each in classes:
        # numba tells classes apart by name alone, so two of one name would silently share machine code
        if _classes.setdefault(each.__name__, each) is not each:
            known = _classes[each.__name__]
            raise TypeError(
                f"two classes are named {each.__name__} (in {known.__module__} and {each.__module__}); rename one"
            )

    def register(body: Function) -> Function:
        wanted, given = (list(inspect.signature(f).parameters) for f in (spoken, body))
        if wanted != given:
            raise TypeError(f"{spoken.__name__} takes {wanted}, but its body for {classes} takes {given}")
        if classes in _bodies[spoken]:
            raise TypeError(f"{spoken.__name__} has a body for {classes} already")
        # a name of its own: numba also tells functions apart by name, across processes
        body.__name__ = body.__qualname__ = "_".join([spoken.__name__, *(c.__name__ for c in classes)])
        _bodies[spoken][classes] = body
        return body

    return register


@word
def initial(game: Any) -> Any:
    """The state in which the game begins."""


@word
def moves(game: Any, state: Any, out: Any) -> Any:
    """Write the legal moves into `out` and return how many. 0 exactly when the game is over.

    `out` has room for `width(game)` moves. What is in it behind the legal moves means nothing.
    """


@word
def width(game: Any) -> Any:
    """How much room `moves` wants: at least the most moves that a state can have."""


@word
def over(game: Any, state: Any, work: Any) -> Any:
    """Whether the game is over. `work` is room for `width(game)` moves."""


@word
def mobility(game: Any, state: Any, work: Any) -> Any:
    """How many moves the player to move can choose from: 0 if it must pass or the game is over.

    `work` is room for `width(game)` moves.
    """


@word
def play(game: Any, state: Any, move: Any) -> Any:
    """The state after `move`, seen by whoever moves next. Doesn't check that the move is legal."""


@word
def mover(game: Any, state: Any) -> Any:
    """Who moves: 0 for the first player, 1 for the second."""


@word
def outcome(game: Any, state: Any) -> Any:
    """Of a finished game, for the first player: 1.0 a win, 0.5 a draw, 0.0 a loss."""


@word
def margin(game: Any, state: Any) -> Any:
    """By how much the first player leads: discs, pieces or points, as the game counts."""


@word
def cells(game: Any, state: Any, out: Any) -> Any:
    """Write what stands on each square: 0 nothing, 1 the first player's piece, 2 its king, -1 and -2 the second's."""


@word
def field(game: Any, state: Any, out: Any) -> Any:
    """Write how much of a hold each side has on each square: from 1 (the first player) over 0 to -1 (the second).

    Unless a game says otherwise, only its pieces hold squares.
    """


@word
def ends(game: Any, move: Any) -> Any:
    """The squares where a move begins and ends: the same twice where a piece is put on one, and a pass has both
    beyond the last square. Unless a game says otherwise, a move is the number of its square."""


@word
def detached(game: Any, state: Any) -> Any:
    """The same state, sharing no array with any other."""


@word
def choose(player: Any, game: Any, state: Any, moves: Any, n: Any, dice: Any) -> Any:
    """The move that `player` makes, one of the legal moves `moves[:n]`. `dice` is a random stream."""


@word
def seated(player: Any, game: Any) -> Any:
    """The player as it sits down to a new game: one that remembers gets a memory of its own, as fresh as ever."""


@word
def value(evaluator: Any, game: Any, state: Any) -> Any:
    """How good the state is for whoever moves next. The game is not over."""


@word
def gain(evaluator: Any, game: Any, state: Any, move: Any) -> Any:
    """How good `move` is for the player who makes it, up to a constant that all moves of one state share."""


@word
def basis(evaluator: Any, game: Any, state: Any) -> Any:
    """What `foreseen` wants to know of a state, found once for all its moves."""


@word
def foreseen(evaluator: Any, game: Any, state: Any, basis: Any, move: Any, after: Any) -> Any:
    """How good the state `after`, to which `move` leads, is for the player who makes the move. The game goes on."""


@word
def nudge(evaluator: Any, game: Any, state: Any, amount: Any) -> Any:
    """Change the evaluator's own arrays so that it likes the state more: by `amount` along the gradient of `value`."""


@word
def compelled(game: Any, move: Any) -> Any:
    """Whether the rules compel the mover to such a move, as to a capture in checkers. If one legal move is, all are."""


@word
def remaining(game: Any, state: Any) -> Any:
    """At most how many moves other than passes the game can still last; a large number where that is not known."""


@word
def sudden(game: Any) -> Any:
    """Whether a single move can end the game against all that the position seemed to be worth, as four in a row do.

    Whoever looks only one move ahead then also looks whether that is the end. For games that don't say so, it is
    compiled away.
    """


@word
def planes(game: Any, state: Any, out: Any) -> Any:
    """Write the board with two bits a square, as whoever moves next sees it.

    Square s has its first bit in `out[s // 64 * 2]` and its second in the word behind that, both at place s % 64. The
    game's family names the four `symbols` that the bits 00, 01, 10 and 11 stand for. Where a symmetry exchanges the
    sides, the second player sees the board turned round by it.

    Unless a game says otherwise, they are mine, theirs, empty, and empty squares where a legal move ends; and nothing
    is turned round.
    """


@word
def action(game: Any, state: Any, move: Any) -> Any:
    """Which kind of move, from 0 on, `move` is to whoever makes it; -1 if the rules leave nothing to decide.

    Unless a game says otherwise, it is the square where the move ends. The game's family says how many `actions` there
    are.
    """


@says(over)
def _(game, state, work):
    return moves(game, state, work) == 0


@says(mobility)
def _(game, state, work):
    return moves(game, state, work)


@says(ends)
def _(game, move):
    return move, move


@says(field)
def _(game, state, out):
    cells(game, state, out)
    for square in range(len(out)):
        out[square] = np.sign(out[square])


@says(sudden)
def _(game):
    return False


NO_SQUARE = 9
"""What stands where `cells` writes nothing, in an array with room for more squares than the board has."""


@says(planes)
def _(game, state, out):
    board, legal, own = np.full(32 * len(out), NO_SQUARE), np.empty(width(game), np.int64), 1 - 2 * mover(game, state)
    cells(game, state, board)
    out[:] = 0
    for square in range(len(board)):
        word, bit = 2 * (square // 64), np.uint64(1) << np.uint64(square % 64)
        if board[square] == 0:
            out[word] |= bit
        elif board[square] != NO_SQUARE and board[square] * own < 0:
            out[word + 1] |= bit
    for i in range(moves(game, state, legal)):
        end = ends(game, legal[i])[1]
        if end < len(board) and board[end] == 0:
            out[2 * (end // 64) + 1] |= np.uint64(1) << np.uint64(end % 64)


@says(action)
def _(game, state, move):
    return ends(game, move)[1]


@says(detached)
def _(game, state):
    return state


@says(seated)
def _(player, game):
    return player


@says(basis)
def _(evaluator, game, state):
    return 0.0


@says(foreseen)
def _(evaluator, game, state, basis, move, after):
    worth = value(evaluator, game, after)
    return worth if mover(game, after) == mover(game, state) else -worth


@says(compelled)
def _(game, move):
    return False


@says(gain)
def _(evaluator, game, state, move):
    return foreseen(evaluator, game, state, basis(evaluator, game, state), move, play(game, state, move))


@says(remaining)
def _(game, state):
    return 1 << 30
