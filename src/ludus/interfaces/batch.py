"""Thousands of games at once, seen as arrays: for agents that are trained in batches.

    batch = Batch("othello8", 1024)
    while not batch.over.all():
        batch.step(batch.legal_moves[:, 0])       # the first legal move in every game

The arrays belong to the batch and are overwritten by the next step; copy what you keep.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.typed import List
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.compile.rng import key, randint, seek
from ludus.errors import IllegalMove, InvalidSetting
from ludus.games import protocol
from ludus.games.game import Game
from ludus.games.names import game as find

MAX_GAMES = 10_000_000
NO_MOVE = -1
"""Fills `legal_moves` behind the legal ones, and is the random move of games that are over."""


class View(NamedTuple):
    """What is seen of all games."""

    cells: NDArray[np.int8]  # [games, squares]
    legal_moves: NDArray[np.int64]  # [games, max_legal_moves]
    num_legal: NDArray[np.int64]  # [games]
    current_player: NDArray[np.int8]  # [games]
    outcome: NDArray[np.float64]  # [games]


class Batch:
    """`count` games of one kind under way, seen through arrays with a row for each:

    cells           [games, squares]: 1 the first player's piece, 2 its king, -1 and -2 the second's, 0 nothing
    legal_moves     [games, max_legal_moves]: the numbers of the legal moves, then NO_MOVE; in Othello and Go a move is
                    its square, and the pass has the number after the last square
    num_legal       [games]: how many legal moves there are, 0 when the game is over
    current_player  [games]: who moves, 0 or 1
    outcome         [games]: the result for the first player, 1.0, 0.5 or 0.0; NaN while the game goes on
    """

    def __init__(self, game: str | Game, count: int, seed: int = 1) -> None:
        if not 1 <= count <= MAX_GAMES:
            raise InvalidSetting(f"invalid batch of {count} games: must be from 1 to {MAX_GAMES}")
        self.game = find(game) if isinstance(game, str) else game
        self.count, self._key, self._draws = count, key(seed, "batch"), 0
        self._view = View(
            np.empty((count, self.game.squares), np.int8),
            np.empty((count, self.game.max_legal_moves), np.int64),
            np.empty(count, np.int64),
            np.empty(count, np.int8),
            np.empty(count),
        )
        self.cells, self.legal_moves, self.num_legal, self.current_player, self.outcome = self._view
        self._states: Any = _initial_states(self.game.rules, count)
        self._update(np.ones(count, np.bool_))

    @property
    def over(self) -> NDArray[np.bool_]:
        """[games]: which are over."""
        return np.equal(self.num_legal, 0)

    def step(self, moves: NDArray[np.int64]) -> None:
        """Make a legal move in each game that is not over; moves for the others are ignored. moves  [games]"""
        given = np.ascontiguousarray(moves, np.int64)
        if given.shape != (self.count,):
            raise InvalidSetting(f"invalid moves of shape {given.shape}: give one for each of the {self.count} games")
        wrong = _step(self.game.rules, self._states, given, self._view)
        if wrong >= 0:
            legal = self.legal_moves[wrong, : self.num_legal[wrong]].tolist()
            raise IllegalMove(
                f"move {given[wrong]} is not legal in game {wrong}; legal moves: {legal}; no game has changed"
            )

    def random_moves(self) -> NDArray[np.int64]:
        """A uniformly random legal move in each game; NO_MOVE where the game is over. [games]"""
        found = np.empty(self.count, np.int64)
        _random_moves(self.legal_moves, self.num_legal, self._key, self._draws, found)
        self._draws += 1
        return found

    def reset(self, which: NDArray[np.bool_] | None = None) -> None:
        """Restart the games that are marked, by default those that are over. which  [games]"""
        marked = self.over if which is None else np.ascontiguousarray(which, np.bool_)
        if marked.shape != (self.count,):
            raise InvalidSetting(f"invalid marks of shape {marked.shape}: give one for each of the {self.count} games")
        _restart(self.game.rules, self._states, marked)
        self._update(marked)

    def _update(self, which: NDArray[np.bool_]) -> None:
        _update_marked(self.game.rules, self._states, which, self._view)


@kernel
def _initial_states(game, count):
    states = List()
    for _ in range(count):
        states.append(protocol.copy_state(game, protocol.initial(game)))
    return states


@kernel
def _restart(game, states, which):
    for i in range(len(states)):
        if which[i]:
            states[i] = protocol.copy_state(game, protocol.initial(game))


@kernel
def _update(game, state, i, view):
    protocol.cells(game, state, view.cells[i])
    n = protocol.legal_moves(game, state, view.legal_moves[i])
    view.legal_moves[i, n:] = NO_MOVE
    view.num_legal[i], view.current_player[i] = n, protocol.current_player(game, state)
    view.outcome[i] = protocol.outcome(game, state) if n == 0 else np.nan


@kernel
def _update_marked(game, states, which, view):
    for i in range(len(states)):
        if which[i]:
            _update(game, states[i], i, view)


@kernel
def _step(game, states, given, view):
    """Make the moves `given` [games]. Returns the first game with an illegal one, having made none, or -1."""
    for i in range(len(states)):
        legal = view.num_legal[i] == 0
        for j in range(view.num_legal[i]):
            legal |= view.legal_moves[i, j] == given[i]
        if not legal:
            return i
    for i in range(len(states)):
        if view.num_legal[i] > 0:
            state = protocol.play(game, states[i], given[i])
            states[i] = state
            _update(game, state, i, view)
    return -1


@kernel
def _random_moves(legal_moves, num_legal, key, index, found):
    rng = empty(4, np.uint64)
    seek(rng, key, index)
    for i in range(len(found)):
        found[i] = legal_moves[i, randint(rng, num_legal[i])] if num_legal[i] > 0 else NO_MOVE
