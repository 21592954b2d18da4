"""Thousands of games at once, seen as arrays: for agents that are trained in batches.

    batch = Batch("othello8", 1024)
    while not batch.over.all():
        batch.step(batch.moves[:, 0])       # everybody makes the first legal move

All arrays are the batch's own and are overwritten by the next step; copy what you keep.
"""

from typing import Any

import numpy as np
from numba.typed import List
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import below, key, throw
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.registry import game as find

MOST = 10_000_000
NOTHING = -1
"""Stands in `moves` behind the legal ones, and is the move of games that are over."""


class Batch:
    """So many games of one kind under way."""

    def __init__(self, game: str | Game, count: int, seed: int = 1) -> None:
        if not 1 <= count <= MOST:
            raise LudusError(f"a batch of {count} games can't be played; it holds from 1 to {MOST}")
        self.game = find(game) if isinstance(game, str) else game
        self.count, self._key, self._thrown = count, key(seed, "batch"), 0
        width, squares = self.game.width, self.game.squares
        self.cells: NDArray[np.int8] = np.empty((count, squares), np.int8)
        """[games, squares]: 1 the first player's piece, 2 its king, -1 and -2 the second's, 0 nothing."""
        self.moves: NDArray[np.int64] = np.empty((count, width), np.int64)
        """[games, room]: the legal moves as the game numbers them; in Othello and Go squares, then the pass."""
        self.choices: NDArray[np.int64] = np.empty(count, np.int64)
        """[games]: how many legal moves there are; 0 when the game is over."""
        self.mover: NDArray[np.int8] = np.empty(count, np.int8)
        """[games]: who moves, 0 or 1."""
        self.score: NDArray[np.float64] = np.empty(count)
        """[games]: of games that are over, for the first player: 1.0, 0.5 or 0.0; NaN of the others."""
        self._states: Any = _started(self.game.rules, count)
        self._look(np.ones(count, np.bool_))

    @property
    def over(self) -> NDArray[np.bool_]:
        """[games]: which are over."""
        return np.equal(self.choices, 0)

    def step(self, moves: NDArray[np.int64]) -> None:
        """Make a legal move in each game that is not over; what is given for the others is not looked at."""
        given = np.ascontiguousarray(moves, np.int64)
        if given.shape != (self.count,):
            raise LudusError(f"moves of shape {given.shape} don't suit; give one for each of the {self.count} games")
        wrong = _stepped(self.game.rules, self._states, given, *self._arrays())
        if wrong >= 0:
            legal = self.moves[wrong, : self.choices[wrong]].tolist()
            raise LudusError(
                f"move {given[wrong]} is not legal in game {wrong}; legal is {legal}, and nothing was played"
            )

    def random_moves(self) -> NDArray[np.int64]:
        """A legal move in each game, each as likely as the others; -1 where the game is over."""
        found = np.empty(self.count, np.int64)
        _random(self.moves, self.choices, self._key, self._thrown, found)
        self._thrown += 1
        return found

    def reset(self, which: NDArray[np.bool_] | None = None) -> None:
        """Begin the games anew that are marked, or those that are over."""
        marked = self.over if which is None else np.ascontiguousarray(which, np.bool_)
        if marked.shape != (self.count,):
            raise LudusError(f"marks of shape {marked.shape} don't suit; give one for each of the {self.count} games")
        _restarted(self.game.rules, self._states, marked)
        self._look(marked)

    def _look(self, which: NDArray[np.bool_]) -> None:
        _seen(self.game.rules, self._states, which, *self._arrays())

    def _arrays(self) -> tuple[Any, ...]:
        return self.cells, self.moves, self.choices, self.mover, self.score


@kernel
def _started(game, count):
    states = List()
    for _ in range(count):
        states.append(words.detached(game, words.initial(game)))
    return states


@kernel
def _restarted(game, states, which):
    for i in range(len(states)):
        if which[i]:
            states[i] = words.detached(game, words.initial(game))


@kernel
def _look(game, state, i, cells, moves, choices, mover, score):
    words.cells(game, state, cells[i])
    n = words.moves(game, state, moves[i])
    moves[i, n:] = NOTHING
    choices[i], mover[i] = n, words.mover(game, state)
    score[i] = words.outcome(game, state) if n == 0 else np.nan


@kernel
def _seen(game, states, which, cells, moves, choices, mover, score):
    for i in range(len(states)):
        if which[i]:
            _look(game, states[i], i, cells, moves, choices, mover, score)


@kernel
def _stepped(game, states, given, cells, moves, choices, mover, score):
    """Returns the first game with an illegal move, before any is made, or -1."""
    for i in range(len(states)):
        legal = choices[i] == 0
        for j in range(choices[i]):
            legal |= moves[i, j] == given[i]
        if not legal:
            return i
    for i in range(len(states)):
        if choices[i] > 0:
            state = words.play(game, states[i], given[i])
            states[i] = state
            _look(game, state, i, cells, moves, choices, mover, score)
    return -1


@kernel
def _random(moves, choices, key, index, found):
    dice = np.empty(4, np.uint64)
    throw(dice, key, index)
    for i in range(len(found)):
        found[i] = moves[i, below(dice, choices[i])] if choices[i] > 0 else NOTHING
