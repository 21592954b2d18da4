"""A game with its notation, and a position in it, as Python sees them.

Kernels speak words about NamedTuples (see `ludus.vocabulary`). This module is the border: `Family` is what one
file of `ludus.games` offers (its rules, options and notation), `Game` is one of its variants, such as `go9`,
and `Position` is a state with its game, in which moves are text and every input is checked.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.errors import LudusError
from ludus.kernels import kernel

Cells = NDArray[np.int8]


@dataclass(frozen=True)
class Option:
    """A choice that a variant of a game can make, as `name=value` after the game's name."""

    name: str
    default: int | float | str
    says: str
    choices: tuple[str, ...] = ()
    low: float = -1000
    high: float = 1000

    def parse(self, text: str) -> int | float | str:
        """The value that `text` stands for."""
        if self.choices:
            if text not in self.choices:
                raise LudusError(f"{self.name}={text} is not known; {self.name} is one of {', '.join(self.choices)}")
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
            raise LudusError(
                f"{self.name}={text} is not possible; {self.name} is {noun} from {self.low} to {self.high}"
            )
        return value


def parse_options(owner: str, text: str, options: Sequence[Option]) -> dict[str, Any]:
    """The values that `name=value,name=value` gives to some of the options of `owner`."""
    known, chosen = {option.name: option for option in options}, {}
    for part in filter(None, text.split(",")):
        name, _, value = (each.strip() for each in part.partition("="))
        if name not in known:
            right = f"its options are {', '.join(known)}" if known else "nothing can follow its name"
            raise LudusError(f"{owner} has no option {name!r}; {right}")
        chosen[name] = known[name].parse(value)
    return chosen


class Family(ABC):
    """One kind of game: everything that a file in `ludus.games` tells about it.

    A state's class must annotate its fields (`np.uint64`, `int`, a tuple of `np.uint64`, an array), since a
    state that comes back from a kernel gets the types of its fields from there.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Raised whenever the same moves could lead to another result than before."""
    sizes: ClassVar[Sequence[int]] = ()
    """The sizes of board there are, or nothing if there is only one."""
    default_size: ClassVar[int] = 0
    options: ClassVar[tuple[Option, ...]] = ()
    sides: ClassVar[tuple[str, str]] = ("Black", "White")
    colours: ClassVar[tuple[str, str]] = ("#191919", "#f6f2e8")
    """Of the pieces of both sides, as CSS has them."""
    pieces: ClassVar[tuple[str, str]] = ("piece", "pieces")
    """What one of them is called, and several."""
    unit: ClassVar[str] = "points"
    """What the word `margin` counts; empty if that tells no more than who has won."""
    first_row_below: ClassVar[bool] = False
    """Whether people see the first row of squares at the lower edge of the board."""
    pieces_fall: ClassVar[bool] = False
    """Whether a column has one square at most on which a piece can be put, so that people may point anywhere in it."""
    move_form: ClassVar[str]
    """What a move looks like, as a regular expression; legality is another matter."""
    move_example: ClassVar[str]
    symbols: ClassVar[tuple[str, str, str, str]] = ("mine", "theirs", "empty", "legal")
    """What the word `planes` tells of a square, by its two bits: 00, 01, 10, 11."""
    perft: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """For the variants of these names, how many sequences of 1, 2, 3, ... moves there are."""

    @abstractmethod
    def rules(self, size: int, options: Mapping[str, Any]) -> Any:
        """The NamedTuple that kernels know the variant by."""

    @abstractmethod
    def shape(self, rules: Any) -> tuple[int, int]:
        """How many rows and columns the board has."""

    def spots(self, rules: Any) -> list[tuple[int, int]]:
        """The row and the column of each square. Unless a game leaves some out, they are numbered row by row."""
        rows, columns = self.shape(rules)
        return [divmod(square, columns) for square in range(rows * columns)]

    def square_name(self, rules: Any, square: int) -> str:
        """What players call a square; unless a game says otherwise, by the letter of its column and its row."""
        row, column = self.spots(rules)[square]
        return f"{chr(ord('a') + column)}{row + 1}"

    def greatest_lead(self, rules: Any) -> float:
        """The most that the word `margin` can come to, about: a piece on every square, unless a game says otherwise."""
        return float(len(self.spots(rules)))

    @abstractmethod
    def longest(self, rules: Any) -> int:
        """At most how many moves a game has, passes included."""

    @abstractmethod
    def symmetries(self, rules: Any) -> NDArray[np.int64]:
        """For each symmetry of the rules, where each square goes: [symmetries, squares], the identity first."""

    def swaps(self, symmetry: int) -> bool:
        """Whether this symmetry also exchanges the two sides."""
        return False

    @abstractmethod
    def arranged(self, rules: Any, cells: Cells, mover: int, like: Any = None) -> Any:
        """The state with these cells and this side to move; what else there is to a state is taken from `like`."""

    def mirrored(self, position: "Position", symmetry: int) -> Any:
        """The state under that symmetry."""
        sign, mover = (-1, 1 - position.mover) if self.swaps(symmetry) else (1, position.mover)
        cells = np.empty_like(position.cells)
        cells[position.game.symmetries[symmetry]] = sign * position.cells
        return self.arranged(position.game.rules, cells, mover, position.state)

    @abstractmethod
    def move_text(self, rules: Any, state: Any, move: int) -> str:
        """The move as players write it."""

    def path(self, rules: Any, move: int) -> list[int]:
        """The squares that a move goes over, from where it begins to where it ends; none for a pass."""
        start, end = _ends(rules, np.int64(move))
        if end >= len(self.spots(rules)):
            return []
        return [end] if start == end else [start, end]

    def actions(self, rules: Any) -> int:
        """How many kinds of moves the word `action` tells apart; a pass and those that end on each square, as it does
        unless the game says more."""
        return len(self.spots(rules)) + 1

    def action_text(self, rules: Any, action: int) -> str:
        """What kind of move the word `action` means by that number."""
        return self.square_name(rules, action) if action < len(self.spots(rules)) else "pass"

    @abstractmethod
    def position_text(self, position: "Position") -> str:
        """The position on one line, such that `parse` gives it back."""

    @abstractmethod
    def parse(self, rules: Any, text: str) -> Any:
        """The state that `text` describes. Raises LudusError for anything that can't be a position."""

    @abstractmethod
    def diagram(self, position: "Position") -> str:
        """The board as lines of text, as a person would like to see it."""

    def find(self, text: str, legal: Mapping[str, int]) -> list[str]:
        """Those of the legal moves that `text`, which has the right form, may mean."""
        wanted = text.lower()
        return [move for move in legal if move.lower() == wanted]


@dataclass(frozen=True)
class Game:
    """One variant of a game: `othello8`, `checkers`, `go9:komi=5.5`."""

    family: Family
    size: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    """Only what differs from the defaults."""

    @property
    def board(self) -> str:
        """The name without options, such as `go9`."""
        return f"{self.family.name}{self.size or ''}"

    @property
    def name(self) -> str:
        chosen = ",".join(f"{option}={value}" for option, value in self.options)
        return f"{self.board}:{chosen}" if chosen else self.board

    @cached_property
    def rules(self) -> Any:
        """The NamedTuple that kernels know this game by."""
        defaults = {option.name: option.default for option in self.family.options}
        return self.family.rules(self.size, defaults | dict(self.options))

    @cached_property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns the board has."""
        return self.family.shape(self.rules)

    @cached_property
    def spots(self) -> list[tuple[int, int]]:
        """The row and the column of each square."""
        return self.family.spots(self.rules)

    @cached_property
    def spots_from_above(self) -> list[tuple[int, int]]:
        """The same as people see the board, row 0 being at its upper edge."""
        last = self.shape[0] - 1
        return [(last - row if self.family.first_row_below else row, column) for row, column in self.spots]

    @cached_property
    def squares(self) -> int:
        """How many squares the board has."""
        return len(self.spots)

    @cached_property
    def longest(self) -> int:
        """At most how many moves a game has, passes included."""
        return self.family.longest(self.rules)

    @cached_property
    def symmetries(self) -> NDArray[np.int64]:
        """Where each square goes: [symmetries, squares], the identity first."""
        return self.family.symmetries(self.rules)

    @cached_property
    def width(self) -> int:
        """The most moves that a position can have."""
        return int(_width(self.rules))

    def start(self) -> "Position":
        """The position in which the game begins."""
        return Position(self, as_kernel_value(_initial(self.rules)))

    def position(self, text: str) -> "Position":
        """The position that `text` describes, in the game's own notation (see `Position.text`)."""
        return Position(self, self.family.parse(self.rules, text.strip()))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Position:
    """A state of a game. Immutable: `play` gives a new one."""

    game: Game
    state: Any = field(repr=False)

    @cached_property
    def _survey(self) -> tuple[NDArray[np.int64], Cells, int, float, float]:
        moves, cells = np.empty(self.game.width, np.int64), np.empty(self.game.squares, np.int8)
        n, mover, outcome, margin = _survey(self.game.rules, self.state, moves, cells)
        return moves[:n], cells, mover, outcome, margin

    @cached_property
    def legal(self) -> dict[str, int]:
        """The legal moves: as text, and as kernels know them."""
        family, rules = self.game.family, self.game.rules
        return {family.move_text(rules, self.state, int(move)): int(move) for move in self._survey[0]}

    @property
    def moves(self) -> list[str]:
        """The legal moves as players write them; none exactly when the game is over."""
        return list(self.legal)

    @property
    def over(self) -> bool:
        return not len(self._survey[0])

    @property
    def mover(self) -> int:
        """Who moves: 0 for the first player, 1 for the second."""
        return self._survey[2]

    @property
    def side(self) -> str:
        """The name of the side to move."""
        return self.game.family.sides[self.mover]

    @property
    def outcome(self) -> float | None:
        """For the first player, 1.0 a win, 0.5 a draw, 0.0 a loss; None while the game goes on."""
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
        return self.game.family.position_text(self)

    def move(self, text: str) -> int:
        """The legal move that `text` means, as kernels know it. Raises LudusError if there is none, or several."""
        family, wanted = self.game.family, text.strip()
        if not re.fullmatch(family.move_form, wanted, re.IGNORECASE | re.ASCII):
            raise LudusError(f"{text!r} is not a move of {self.game.name}; a move looks like {family.move_example}")
        if self.over:
            raise LudusError(f"{text!r} can't be played: the game is over")
        meant = family.find(wanted, self.legal)
        if not meant:
            raise LudusError(f"{text!r} is not legal for {self.side} here; legal is {', '.join(self.legal)}")
        if len(meant) > 1:
            raise LudusError(f"{text!r} may mean several moves; write one of {', '.join(meant)}")
        return self.legal[meant[0]]

    def play(self, move: str | int) -> "Position":
        """The position after `move`, given as text or as one of `legal`'s numbers. This position doesn't change."""
        if isinstance(move, str):
            move = self.move(move)
        elif move not in self.legal.values():
            raise LudusError(f"move {move} is not legal for {self.side} here; legal is {list(self.legal.values())}")
        return Position(self.game, as_kernel_value(_after(self.game.rules, self.state, np.int64(move))))

    def mirrored(self, symmetry: int) -> "Position":
        """The position under that symmetry of the rules (with the sides exchanged where it says so)."""
        return Position(self.game, self.game.family.mirrored(self, symmetry))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.game, self.text) == (other.game, other.text)

    def __hash__(self) -> int:
        return hash((self.game, self.text))

    def __str__(self) -> str:
        return self.game.family.diagram(self)


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
    """A NamedTuple as kernels want it: coming back from one, its 64-bit words have become Python's integers."""
    kind: Any = type(value)
    return kind(*(restore(each) for restore, each in zip(_restorers(kind), value, strict=True)))


def square_symmetries(size: int) -> NDArray[np.int64]:
    """The eight symmetries of a square board whose squares are numbered row by row."""
    board = np.arange(size * size).reshape(size, size)
    views = [np.rot90(each, turns) for each in (board, board.T) for turns in range(4)]
    return np.array([np.argsort(view, axis=None) for view in views], np.int64)


@kernel
def _initial(game):
    return words.initial(game)


@kernel
def _width(game):
    return words.width(game)


@kernel
def _ends(game, move):
    return words.ends(game, move)


@kernel
def _after(game, state, move):
    return words.play(game, words.detached(game, state), move)


@kernel
def _survey(game, state, moves, cells):
    words.cells(game, state, cells)
    n = words.moves(game, state, moves)
    return n, words.mover(game, state), words.outcome(game, state), words.margin(game, state)
