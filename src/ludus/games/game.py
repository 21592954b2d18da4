"""A game with its notation, and a position in it, as Python sees them.

Kernels know only NamedTuples and generic functions (see `ludus.games.protocol`). Here is what Python has on top of
them: a `GameType` is what one file of `ludus.games` offers (rules, options, notation), a `Game` is one of its variants,
such as `go9`, and a `Position` is a state with its game, in which moves are text and every input is checked.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel
from ludus.errors import AmbiguousMove, IllegalMove, InvalidMove, InvalidSetting, WrongGame
from ludus.games import protocol
from ludus.games.style import BoardStyle
from ludus.suggestions import did_you_mean

Cells = NDArray[np.int8]


@dataclass(frozen=True)
class Option:
    """An option of a game or a player, written as `name=value` after its name."""

    name: str
    default: int | float | str
    description: str
    choices: tuple[str, ...] = ()
    low: float = -1000
    high: float = 1000
    title: str = ""
    """What people call it; the name by default."""
    labels: tuple[str, ...] = ()
    """The choices in words, in their order."""

    def parse(self, text: str) -> int | float | str:
        """The value that `text` stands for."""
        if self.choices:
            if text not in self.choices:
                raise InvalidSetting(f"invalid {self.name}={text}: must be one of {', '.join(self.choices)}")
            return text
        kind = type(self.default)
        if kind is str:
            return text
        try:
            value = kind(text)
        except ValueError:
            value = self.high + 1
        if not (isinstance(value, int | float) and self.low <= value <= self.high):
            noun = "a whole number" if kind is int else "a number"
            raise InvalidSetting(f"invalid {self.name}={text}: must be {noun} from {self.low} to {self.high}")
        return value


def parse_options(owner: str, text: str, options: Sequence[Option]) -> dict[str, Any]:
    """The values that `name=value,name=value` gives to some of the options of `owner`."""
    known, chosen = {option.name: option for option in options}, {}
    for part in filter(None, text.split(",")):
        name, _, value = (each.strip() for each in part.partition("="))
        if name not in known:
            right = f"its options are {', '.join(known)}" if known else "nothing can follow its name"
            raise InvalidSetting(f"{owner} has no option {name!r}{did_you_mean(name, known)}; {right}")
        chosen[name] = known[name].parse(value)
    return chosen


@dataclass(frozen=True)
class Count:
    """The count of a finished game, each pair for the first and the second player."""

    owners: tuple[int, ...]
    """Whose each square is: 1 the first player's, -1 the second's, 0 nobody's."""
    pieces: tuple[int, int]
    """Those on the board that are alive."""
    territory: tuple[int, int] = (0, 0)
    """Empty squares that are theirs."""
    bonus: tuple[float, float] = (0.0, 0.0)
    """Points given by the rules, such as komi."""

    @property
    def totals(self) -> tuple[float, float]:
        one, other = (float(sum(parts)) for parts in zip(self.pieces, self.territory, self.bonus, strict=True))
        return one, other


@dataclass(frozen=True)
class Defaults:
    """What a game uses where nothing else is asked for."""

    evaluator: str = "lead"
    """What players that look ahead evaluate positions with."""
    opponent: str = "greedy"
    """The standard opponent that players are measured against."""
    training_opponent: str = "greedy"
    """The opponent of learners that have a single one."""
    openings: str = "random:2"
    """How the games of a match begin."""
    judge: str = "mcts:simulations=2000"
    """Who judges the moves of a game in a review: a strong player that answers within a second."""
    grades: tuple[float, float, float] = (10.0, 20.0, 35.0)
    """What an inaccuracy, a mistake and a blunder lose at the least, in the judge's unit; by default percent."""


class GameType(ABC):
    """One kind of game: its names, options, notation, board and defaults.

    The class of its states must annotate its fields (`np.uint64`, `int`, a tuple of `np.uint64`, an array): a state
    that comes back from a kernel gets the types of its fields from there.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Raised when the same moves may lead to another result than before."""
    sizes: ClassVar[Sequence[int]] = ()
    """The sizes of board; empty if there is only one."""
    default_size: ClassVar[int] = 0
    options: ClassVar[tuple[Option, ...]] = ()
    sides: ClassVar[tuple[str, str]] = ("Black", "White")
    pieces: ClassVar[tuple[str, str]] = ("piece", "pieces")
    """The word for a piece, singular and plural."""
    unit: ClassVar[str] = "points"
    """What `margin` counts; empty if it only shows who has won."""
    board_style: ClassVar[BoardStyle] = BoardStyle()
    """How the board looks on the arena's page and in pictures."""
    first_row_below: ClassVar[bool] = False
    """Whether the first row of squares is shown at the bottom of the board."""
    counts_captures: ClassVar[bool] = False
    """Whether the page shows, beside each player, the pieces it has captured instead of those it has."""
    numbers_pairs: ClassVar[bool] = False
    """Whether a move's number counts the moves of both sides as one, as in `1. 11-15 22-18`."""
    rules_summary: ClassVar[str] = ""
    """What somebody who knows the game wants to know of the rules, in a few sentences."""
    pieces_fall: ClassVar[bool] = False
    """Whether pieces fall down their column, so that a click anywhere in it means its only legal square."""
    move_pattern: ClassVar[str]
    """A regular expression that all texts of moves match, legal or not."""
    move_example: ClassVar[str]
    symbols: ClassVar[tuple[str, str, str, str]] = ("mine", "theirs", "empty", "legal")
    """What the two bits of a square in `planes` mean: 00, 01, 10, 11."""
    perft: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """Published perft counts: by the name of a variant, the number of sequences of 1, 2, 3, ... moves."""
    named_openings: ClassVar[str] = ""
    """The file in `ludus/shipped` with the names of its openings, for the default size; nothing if there is none."""
    openings: ClassVar[Mapping[str, Callable[["Game"], NDArray[np.int64]]]] = {}
    """Openings of its own beside those of every game (`ludus.games.openings`): by name, what makes the table of moves
    [openings, moves]."""

    def defaults(self, size: int) -> Defaults:
        """The defaults on a board of that size."""
        return Defaults()

    def record_formats(self, size: int) -> tuple[str, ...]:
        """The formats that hold games on a board of that size, as the endings of file names: `sgf`, `pdn`, ..."""
        return ()

    @abstractmethod
    def rules(self, size: int, options: Mapping[str, Any]) -> Any:
        """The NamedTuple that stands for this variant in kernels."""

    @abstractmethod
    def shape(self, rules: Any) -> tuple[int, int]:
        """How many rows and columns the board has."""

    def coordinates(self, rules: Any) -> list[tuple[int, int]]:
        """The row and the column of each square; by default all squares, row by row."""
        rows, columns = self.shape(rules)
        return [divmod(square, columns) for square in range(rows * columns)]

    def square_name(self, rules: Any, square: int) -> str:
        """The name of a square; by default the letter of its column and the number of its row."""
        row, column = self.coordinates(rules)[square]
        return f"{chr(ord('a') + column)}{row + 1}"

    def max_margin(self, rules: Any) -> float:
        """About the largest possible `margin`; by default a piece on every square."""
        return float(len(self.coordinates(rules)))

    def max_pieces(self, rules: Any) -> int:
        """The most pieces on a board; by default one on every square."""
        return len(self.coordinates(rules))

    def final_margin(self, position: "Position") -> float:
        """By how much the first player leads as tournaments count it; by default `margin`."""
        return position.margin

    def count(self, position: "Position", dead: Collection[int] = ()) -> "Count | None":
        """How a finished game is counted, without the pieces on the squares `dead`; None where nothing is counted."""
        return None

    def dead_pieces(self, position: "Position") -> list[int] | None:
        """The squares of pieces that are still on the board though they can't be saved, to be agreed upon before the
        game is counted; None where no such thing is agreed."""
        return None

    def handicap_squares(self, rules: Any, stones: int) -> list[int]:
        """Where the first player has so many pieces before the second moves first; fewer where there is less room."""
        return []

    @abstractmethod
    def max_plies(self, rules: Any) -> int:
        """At most how many moves a game has, passes included."""

    @abstractmethod
    def symmetries(self, rules: Any) -> NDArray[np.int64]:
        """Where each symmetry of the rules takes each square: [symmetries, squares], the identity first."""

    def swaps_sides(self, symmetry: int) -> bool:
        """Whether this symmetry also exchanges the two sides."""
        return False

    @abstractmethod
    def state_from_cells(self, rules: Any, cells: Cells, current_player: int, like: Any = None) -> Any:
        """The state with these cells [squares] and this side to move; the rest is taken from the state `like`."""

    def mirrored(self, position: "Position", symmetry: int) -> Any:
        """The state under that symmetry."""
        sign, player = (-1, 1 - position.current_player) if self.swaps_sides(symmetry) else (1, position.current_player)
        cells = np.empty_like(position.cells)
        cells[position.game.symmetries[symmetry]] = sign * position.cells
        return self.state_from_cells(position.game.rules, cells, player, position.state)

    @abstractmethod
    def move_text(self, rules: Any, state: Any, move: int) -> str:
        """The move as players write it."""

    def path(self, rules: Any, move: int) -> list[int]:
        """The squares that a move visits, from its first to its last; none for a pass."""
        start, end = _move_squares(rules, np.int64(move))
        if end >= len(self.coordinates(rules)):
            return []
        return [end] if start == end else [start, end]

    def actions(self, rules: Any) -> int:
        """How many actions there are (see the generic function `action`); by default the squares and the pass."""
        return len(self.coordinates(rules)) + 1

    def action_text(self, rules: Any, action: int) -> str:
        """The name of an action."""
        return self.square_name(rules, action) if action < len(self.coordinates(rules)) else "pass"

    @abstractmethod
    def position_text(self, position: "Position") -> str:
        """The position on one line, as `parse` reads it."""

    @abstractmethod
    def parse(self, rules: Any, text: str) -> Any:
        """The state that `text` describes. Raises InvalidPosition for anything that can't be a position."""

    @abstractmethod
    def diagram(self, position: "Position") -> str:
        """The board as a diagram of several lines."""

    def deeds(self, position: "Position", move: str, after: "Position") -> list[str]:
        """What a legal move does, in words that follow `It`: `captures two pieces`. The first matter most.

        By default what it captures and whether it makes a king.
        """
        from ludus.games.words import counted

        mover = 1 if position.current_player == 0 else -1
        before, now = position.cells * mover, after.cells * mover
        captured = int((before < 0).sum()) - int((now < 0).sum())
        kings = int((now == 2).sum()) - int((before == 2).sum())
        found = [f"captures {counted(captured, *self.pieces)}"] if captured > 0 else []
        return [*found, "makes a king"] if kings > 0 else found

    def prospects(self, position: "Position", after: "Position") -> list[str]:
        """What the opponent is left with, in words that follow `the opponent`: `must pass`.

        By default how many moves, if these are few.
        """
        from ludus.games.words import FEW_MOVES, counted

        if after.current_player == position.current_player:
            return ["has no move in between"]
        if after.legal_moves == ["pass"]:
            return ["must pass"]
        choices = len(after.legal)
        return [f"is left with {counted(choices, 'move', 'moves')}"] if choices <= FEW_MOVES else []

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        """The legal moves that `text`, which matches `move_pattern`, may mean."""
        wanted = text.lower()
        return [move for move in legal if move.lower() == wanted]


@dataclass(frozen=True)
class Game:
    """One variant of a game: `othello8`, `checkers`, `go9:komi=5.5`."""

    type: GameType
    size: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    """Those that differ from the defaults."""

    @property
    def board(self) -> str:
        """The name without options, such as `go9`."""
        return f"{self.type.name}{self.size or ''}"

    @property
    def name(self) -> str:
        chosen = ",".join(f"{option}={value}" for option, value in self.options)
        return f"{self.board}:{chosen}" if chosen else self.board

    @cached_property
    def defaults(self) -> Defaults:
        """What this game uses where nothing else is asked for."""
        return self.type.defaults(self.size)

    @property
    def record_formats(self) -> tuple[str, ...]:
        """The formats that hold its games, as the endings of file names: `sgf`, `pdn`, ..."""
        return self.type.record_formats(self.size)

    def choice(self, what: str, choices: Mapping[str, Any]) -> Any:
        """The entry of `choices` for this game: by its name without options, its type, or `any`. Raises WrongGame."""
        for key in (self.board, self.type.name, "any"):
            if key in choices:
                return choices[key]
        raise WrongGame(f"{what} does not play {self.name}; it plays {', '.join(choices)}")

    @cached_property
    def rules(self) -> Any:
        """The NamedTuple that stands for this game in kernels."""
        defaults = {option.name: option.default for option in self.type.options}
        return self.type.rules(self.size, defaults | dict(self.options))

    @cached_property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns the board has."""
        return self.type.shape(self.rules)

    @cached_property
    def coordinates(self) -> list[tuple[int, int]]:
        """The row and the column of each square."""
        return self.type.coordinates(self.rules)

    @cached_property
    def coordinates_from_above(self) -> list[tuple[int, int]]:
        """The row and the column of each square as the board is shown, with row 0 at the top."""
        last = self.shape[0] - 1
        return [(last - row if self.type.first_row_below else row, column) for row, column in self.coordinates]

    @cached_property
    def squares(self) -> int:
        """How many squares the board has."""
        return len(self.coordinates)

    @cached_property
    def max_plies(self) -> int:
        """At most how many moves a game has, passes included."""
        return self.type.max_plies(self.rules)

    @cached_property
    def symmetries(self) -> NDArray[np.int64]:
        """Where each square goes: [symmetries, squares], the identity first."""
        return self.type.symmetries(self.rules)

    @cached_property
    def max_legal_moves(self) -> int:
        """The most moves that a position can have."""
        return int(_max_legal_moves(self.rules))

    @cached_property
    def piece_kinds(self) -> int:
        """How many kinds of pieces a side has: men and kings are two."""
        return int(_piece_kinds(self.rules))

    def start(self) -> "Position":
        """The position in which the game begins."""
        return Position(self, as_kernel_value(_initial(self.rules)))

    def position(self, text: str) -> "Position":
        """The position that `text` describes, in the game's own notation (see `Position.text`)."""
        return Position(self, self.type.parse(self.rules, text.strip()))

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A state of a game. Immutable: `play` gives a new one."""

    game: Game
    state: Any

    @cached_property
    def _survey(self) -> tuple[NDArray[np.int64], Cells, int, float, float]:
        moves, cells = np.empty(self.game.max_legal_moves, np.int64), np.empty(self.game.squares, np.int8)
        n, player, outcome, margin = _survey(self.game.rules, self.state, moves, cells)
        return moves[:n], cells, player, outcome, margin

    @cached_property
    def legal(self) -> dict[str, int]:
        """The legal moves: their texts, and the numbers that stand for them in kernels."""
        game_type, rules = self.game.type, self.game.rules
        return {game_type.move_text(rules, self.state, int(move)): int(move) for move in self._survey[0]}

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves as players write them; none exactly when the game is over."""
        return list(self.legal)

    @property
    def over(self) -> bool:
        return not len(self._survey[0])

    @property
    def current_player(self) -> int:
        """Who moves: 0 for the first player, 1 for the second."""
        return self._survey[2]

    @property
    def side(self) -> str:
        """The name of the side to move."""
        return self.game.type.sides[self.current_player]

    @property
    def outcome(self) -> float | None:
        """The result for the first player: 1.0 a win, 0.5 a draw, 0.0 a loss; None while the game goes on."""
        return self._survey[3] if self.over else None

    @property
    def margin(self) -> float:
        """By how much the first player leads: discs, pieces or points."""
        return self._survey[4]

    @property
    def cells(self) -> Cells:
        """What stands on each square: 1 the first player's piece, 2 its king, -1 and -2 the second's, 0 nothing."""
        return self._survey[1].copy()

    @property
    def text(self) -> str:
        """The position on one line; `Game.position` reads it back."""
        return self.game.type.position_text(self)

    def move(self, text: str) -> int:
        """The number of the legal move that `text` means. Raises a MoveError if there is none, or several."""
        game_type, wanted = self.game.type, text.strip()
        if not re.fullmatch(game_type.move_pattern, wanted, re.IGNORECASE | re.ASCII):
            raise InvalidMove(f"{text!r} is not a move of {self.game.name}; moves look like {game_type.move_example}")
        if self.over:
            raise IllegalMove(f"{text!r} can't be played: the game is over")
        meant = game_type.find(wanted, self.legal)
        if not meant:
            raise IllegalMove(f"{text!r} is not legal for {self.side} here; legal moves: {', '.join(self.legal)}")
        if len(meant) > 1:
            raise AmbiguousMove(f"{text!r} is ambiguous; write one of {', '.join(meant)}")
        return self.legal[meant[0]]

    def play(self, move: str | int) -> "Position":
        """The position after `move`, given as text or by its number in `legal`. This position doesn't change."""
        if isinstance(move, str):
            move = self.move(move)
        elif move not in self.legal.values():
            raise IllegalMove(
                f"move {move} is not legal for {self.side} here; legal moves: {list(self.legal.values())}"
            )
        return Position(self.game, as_kernel_value(_after(self.game.rules, self.state, np.int64(move))))

    def mirrored(self, symmetry: int) -> "Position":
        """The position under that symmetry of the rules, with the sides exchanged if the symmetry does so."""
        return Position(self.game, self.game.type.mirrored(self, symmetry))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game, self.text) == (other.game, other.text)

    def __hash__(self) -> int:
        return hash((self.game, self.text))

    def __repr__(self) -> str:
        return f"Position({self.game.name!r}, {self.text!r})"

    def __str__(self) -> str:
        return self.game.type.diagram(self)

    def _repr_svg_(self) -> str:
        """The board as a picture, which notebooks show."""
        from ludus.games.svg import board_svg

        return board_svg(self)


@cache
def _restorers(kind: Any) -> list[Any]:
    def restorer(hint: Any) -> Any:
        if hint is np.uint64:
            return np.uint64
        if hint == tuple[np.uint64, ...]:
            return lambda words: tuple(np.uint64(each) for each in words)
        return lambda value: value

    return [restorer(hint) for hint in get_type_hints(kind).values()]


def as_kernel_value(value: Any) -> Any:
    """A state as kernels need it: when it comes back from one, its 64-bit words have become Python integers."""
    kind: Any = type(value)
    return kind(*(restore(each) for restore, each in zip(_restorers(kind), value, strict=True)))


def square_symmetries(size: int) -> NDArray[np.int64]:
    """The eight symmetries of a square board whose squares are numbered row by row."""
    board = np.arange(size * size).reshape(size, size)
    views = [np.rot90(each, turns) for each in (board, board.T) for turns in range(4)]
    return np.array([np.argsort(view, axis=None) for view in views], np.int64)


@kernel
def _initial(game):
    return protocol.initial(game)


@kernel
def _max_legal_moves(game):
    return protocol.max_legal_moves(game)


@kernel
def _piece_kinds(game):
    return protocol.piece_kinds(game)


@kernel
def _move_squares(game, move):
    return protocol.move_squares(game, move)


@kernel
def _after(game, state, move):
    return protocol.play(game, protocol.copy_state(game, state), move)


@kernel
def _survey(game, state, moves, cells):
    protocol.cells(game, state, cells)
    n = protocol.legal_moves(game, state, moves)
    return n, protocol.current_player(game, state), protocol.outcome(game, state), protocol.margin(game, state)
