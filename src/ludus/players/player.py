"""Players as Python sees them: what a player string names, and who sits at a board.

A compiled player is a NamedTuple for which the word `choose` has a body; two of them play whole matches inside one
kernel. Others (an engine in a process of its own, a search against the clock) choose move by move from Python.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import Dice
from ludus.games.game import Game, Option, Position
from ludus.kernels import inlined, kernel


class Seat(ABC):
    """A player at a board, for one game after another. Close it when done."""

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        """A new game begins in `position`, to which these moves have led."""
        return

    def see(self, move: str, mover: int) -> None:
        """The opponent, who is `mover`, has made this move."""
        return

    @abstractmethod
    def choose(self, position: Position, dice: Dice) -> int:
        """The move to make. An engine that fails raises Forfeit."""

    def close(self) -> None:
        """Leave; nothing that was started goes on."""
        return


@dataclass(frozen=True)
class Player(ABC):
    """Something that plays one game, and the string that names it."""

    name: str
    game: Game

    @abstractmethod
    def seat(self) -> Seat:
        """Someone who plays as this player does."""


@dataclass(frozen=True)
class CompiledPlayer(Player):
    """A player that kernels can ask."""

    parts: Any
    """The NamedTuple for which `choose` has a body."""

    def seat(self) -> Seat:
        return _CompiledSeat(self)


class _CompiledSeat(Seat):
    def __init__(self, player: CompiledPlayer) -> None:
        self._rules = player.game.rules
        self._parts = _seated(player.parts, self._rules)
        self._moves = np.empty(player.game.width, np.int64)

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        self._parts = _seated(self._parts, self._rules)

    def choose(self, position: Position, dice: Dice) -> int:
        return int(_chosen(self._parts, self._rules, position.state, self._moves, dice))


@dataclass(frozen=True)
class PlayerKind:
    """What a file in `ludus.players` offers: a kind of player, made from what follows its name in a player string."""

    name: str
    says: str
    example: str
    make: Callable[[str, Game, str], Player]
    """Makes the player from its whole string, the game, and what follows the colon."""
    load: Callable[[Game, Mapping[str, NDArray[Any]], Mapping[str, Any]], Any] | None = None
    """Makes the parts of a compiled player from the arrays and settings of a player file, or raises ValueError."""
    options: tuple[Option, ...] = ()
    """What can follow the colon as `name=value`."""
    arena: tuple[str, ...] = ()
    """Strings of compiled players that the arena's page may offer to anybody: they read no file and don't think for
    long. For those that come with Ludus, the arena knows."""


@inlined
def play_through(game, a, b, a_moves, moves, dice):
    """One game from the start between players a, who is side `a_moves`, and b: the score of a."""
    a, b = words.seated(a, game), words.seated(b, game)
    state = words.initial(game)
    n = words.moves(game, state, moves)
    while n > 0:
        if words.mover(game, state) == a_moves:
            move = words.choose(a, game, state, moves, n, dice)
        else:
            move = words.choose(b, game, state, moves, n, dice)
        state = words.play(game, state, move)
        n = words.moves(game, state, moves)
    outcome = words.outcome(game, state)
    return outcome if a_moves == 0 else 1.0 - outcome


@kernel
def _seated(player, game):
    return words.seated(player, game)


@kernel
def _chosen(player, game, state, moves, dice):
    n = words.moves(game, state, moves)
    return words.choose(player, game, words.detached(game, state), moves, n, dice)  # a search writes into the history
