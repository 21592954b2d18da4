"""The positions of one game. Only the last two are held; earlier ones are made again from the moves when asked for.

A position of Go on 19x19 takes 38 KB, with its history and the names of its moves, so a game of 250 moves would take
ten megabytes. Making them again takes microseconds a move, since they are known to be legal.
"""

from array import array
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ludus.compile.jit import kernel
from ludus.games import protocol
from ludus.games.game import Game, Position, as_kernel_value

HELD = 2
"""The one in which the game stands, and the one before: the reasons for the last move are asked for most."""


class Positions:
    """The position at the start of a game, and after each of its moves."""

    def __init__(self, game: Game, moves: Iterable[str] = ()) -> None:
        self._game, self._last = game, deque([game.start()], HELD)
        self.numbers, self.movers = array("q"), bytearray()
        """The moves as kernels know them, and who made each."""
        for move in moves:
            self.add(move, self.here.play(move))

    @property
    def here(self) -> Position:
        """The last one."""
        return self._last[-1]

    def __len__(self) -> int:
        return len(self.numbers) + 1

    def __getitem__(self, ply: int) -> Position:
        """The one after so many moves."""
        if not 0 <= ply < len(self):
            raise IndexError(ply)
        held = ply - len(self) + len(self._last)
        return self._last[held] if held >= 0 else self._replayed(self._game.start(), 0, ply)

    def __iter__(self) -> Iterator[Position]:
        return self.since(0)

    def since(self, ply: int) -> Iterator[Position]:
        """Those after so many moves and later."""
        before = None
        for each in range(ply, len(self)):
            held = each >= len(self) - len(self._last)
            before = self[each] if held or before is None else self._replayed(before, each - 1, each)
            yield before

    def _replayed(self, position: Position, first: int, end: int) -> Position:
        """The position to which the moves from number `first` on and before `end` lead from this one."""
        state = _after(self._game.rules, position.state, np.array(self.numbers[first:end], np.int64))
        return Position(self._game, as_kernel_value(state))

    def add(self, move: str, after: Position) -> None:
        """A move was made, which leads there."""
        self.numbers.append(self.here.move(move))
        self.movers.append(self.here.current_player)
        self._last.append(after)

    def cut(self, ply: int) -> None:
        """Take back all moves but the first ones."""
        here = self[ply]
        del self.numbers[ply:], self.movers[ply:]
        self._last = deque([here], HELD)


@kernel
def _after(game: Any, state: Any, moves: protocol.Moves) -> Any:
    """The state after these moves, which are not checked."""
    state = protocol.copy_state(game, state)
    for move in moves:
        state = protocol.play(game, state, move)
    return state
