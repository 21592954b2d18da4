"""Players as Python sees them: what a player string names, and who sits at a board.

A compiled player is a NamedTuple for which the word `choose` has a body; two of them play whole matches inside one
kernel. Others (an engine in a process of its own, a search against the clock) choose move by move from Python.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.jit import kernel
from ludus.compile.rng import Rng
from ludus.games import protocol
from ludus.games.game import Game, Option, Position
from ludus.players.protocol import choose, with_fresh_memory


class Seat(ABC):
    """A player at a board, for one game after another. Close it when done."""

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        """A new game begins in `position`, to which these moves have led."""
        return

    def see(self, move: str, mover: int) -> None:
        """The opponent, who is `mover`, has made this move."""
        return

    @abstractmethod
    def choose(self, position: Position, rng: Rng) -> int:
        """The move to make. An engine that fails raises Forfeit."""

    def dead(self, position: Position) -> frozenset[int] | None:
        """After two passes: the squares of pieces that are on the board but lost; None if it has no opinion."""
        return None

    def close(self) -> None:
        """Leave; nothing that was started goes on."""
        return


@dataclass(frozen=True, repr=False, eq=False)
class Player(ABC):
    """Something that plays one game."""

    name: str
    """The player string, or the path of its file."""
    game: Game
    label: str = field(default="", kw_only=True, compare=False)
    """What tables, figures and reports call it; the name by default."""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.name)

    @abstractmethod
    def seat(self) -> Seat:
        """Someone who plays as this player does."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.label!r}, {self.game.name!r})"


@dataclass(frozen=True, repr=False, eq=False)
class CompiledPlayer(Player):
    """A player that kernels can ask."""

    parts: Any
    """The NamedTuple that implements `choose`."""

    def seat(self) -> Seat:
        return _CompiledSeat(self)


class _CompiledSeat(Seat):
    def __init__(self, player: CompiledPlayer) -> None:
        self._rules = player.game.rules
        self._parts = with_memory_of_its_own(player.parts, self._rules)
        self._moves = np.empty(player.game.max_legal_moves, np.int64)

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        self._parts = with_memory_of_its_own(self._parts, self._rules)

    def choose(self, position: Position, rng: Rng) -> int:
        return int(_chosen(self._parts, self._rules, position.state, self._moves, rng))


@dataclass(frozen=True)
class PlayerKind:
    """What a file in `ludus.players` offers: a kind of player, made from what follows its name in a player string."""

    name: str
    description: str
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
    learned_description: str = ""
    """What a trained player does, which comes from a player file or a run; the description by default."""

    def __post_init__(self) -> None:
        if not self.learned_description:
            object.__setattr__(self, "learned_description", self.description)


@kernel
def with_memory_of_its_own(player: Any, game: Any):
    """The player as it begins a game, for Python."""
    return with_fresh_memory(player, game)


@kernel
def _chosen(player, game, state, moves, rng):
    n = protocol.legal_moves(game, state, moves)
    return choose(player, game, protocol.copy_state(game, state), moves, n, rng)  # a search writes into the history
