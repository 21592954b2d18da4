"""Conditions of rules as bit masks, what they are held against, and which of them hold.

A condition has three symbols, 0, 1 and # (any), for each of the two bits that the word `planes` tells of a square.
It is four words for each 64 squares: of the first bits those it cares for and what they must be, then the same of the
second bits. `conditions[row, rule]` has a row for each of these words, so one pass reads a few rows side by side. Rules
are sorted by their action: those of action a are numbers `starts[a]` up to `starts[a + 1]`.

A view is what a rule sees: the words of `planes`, of the position or of the one that the move in question leads to.
Where symmetric views are shared, the board is turned such that the move falls on the one square that stands for all
those it can be turned to. So a rule about a corner knows all four, and every game teaches it in all eight views.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import lowest
from ludus.games.game import Game
from ludus.kernels import inlined, kernel

U = np.uint64


class Sight(NamedTuple):
    """How rules look at a position."""

    after: bool  # whether they see it as the move leaves it, with the eyes of whoever is next
    turns: NDArray[np.int64]  # [symmetries, squares]: where each square goes
    ways: NDArray[np.int64]  # [actions, symmetries]: those that turn an action into the one that stands for it
    ways_there: NDArray[np.int64]  # [actions]: how many there are of them
    stands: NDArray[np.int64]  # [actions]: the action that stands for it


class Eyes(NamedTuple):
    """Room to look at positions."""

    plain: NDArray[np.uint64]
    turned: NDArray[np.uint64]


def sight(game: Game, after: bool, symmetric: bool) -> Sight:
    """How to look at this game. Without a symmetry that leaves the sides alone, there is nothing to share."""
    count, own = actions(game), [i for i in range(len(game.symmetries)) if not game.family.swaps(i)]
    squares = game.squares
    if not symmetric or count not in (squares, squares + 1):  # what is no square, or a pass, can't be turned
        own = own[:1]
    turns = game.symmetries[own]
    images = np.tile(np.arange(count), (len(own), 1))  # a pass is the same from all sides
    if len(own) > 1:
        images[:, :squares] = turns
    stands = images.min(axis=0)
    ways, there = np.zeros((count, len(own)), np.int64), np.zeros(count, np.int64)
    for action in range(count):
        found = np.flatnonzero(images[:, action] == stands[action])
        ways[action, : len(found)], there[action] = found, len(found)
    return Sight(after, np.ascontiguousarray(turns), ways, there, stands)


def actions(game: Game) -> int:
    """How many kinds of moves there are."""
    return game.family.actions(game.rules)


def words_for(game: Game) -> int:
    """How many words the squares of a board take."""
    return -(-game.squares // 64)


@kernel
def eyes(sight):
    """Room to look at positions of the game that `sight` is for."""
    size = 2 * ((sight.turns.shape[1] + 63) // 64)
    return Eyes(np.zeros(size, np.uint64), np.zeros(size, np.uint64))


@kernel
def turn(turns, k, plain, out):
    """Write the view `plain` under symmetry number `k`."""
    for i in range(len(plain)):
        out[i] = U(0)
    for i in range(len(plain)):
        left = plain[i]
        while left:
            square = turns[k, 64 * (i // 2) + lowest(left)]
            out[2 * (square // 64) + i % 2] |= U(1) << U(square % 64)
            left &= left - U(1)


@kernel
def look(sight, game, state, move, eyes, views, row):
    """Write what rules about `move` see into `views[row]`; return the action that they advise.

    Where several symmetries bring the move to its place, the view with the lowest words is taken.
    """
    action = words.action(game, state, move)
    if sight.after:
        words.planes(game, words.play(game, state, move), eyes.plain)
    else:
        words.planes(game, state, eyes.plain)
    if len(sight.turns) == 1:
        for i in range(len(eyes.plain)):
            views[row, i] = eyes.plain[i]
        return action
    for which in range(sight.ways_there[action]):
        turn(sight.turns, sight.ways[action, which], eyes.plain, eyes.turned)
        lower = which == 0
        for i in range(len(eyes.turned)):
            if lower or eyes.turned[i] != views[row, i]:
                lower = lower or eyes.turned[i] < views[row, i]
                break
        if lower:
            for i in range(len(eyes.turned)):
                views[row, i] = eyes.turned[i]
    return sight.stands[action]


@kernel
def mark(view, marks):
    """Write where a rule's weights for what stands on each square are: four for each, one for each symbol."""
    for square in range(len(marks)):
        word, bit = 2 * (square // 64), U(square % 64)
        first, second = (view[word] >> bit) & U(1), (view[word + 1] >> bit) & U(1)
        marks[square] = 4 * square + 2 * np.int64(first) + np.int64(second)


@inlined
def computed(prediction, weights, rule, marks):
    """What a rule predicts: a number, to which its weights add what stands on the squares, if it has any."""
    total = prediction[rule]
    for i in range(len(marks)):
        total += weights[rule, marks[i]]
    return total


@kernel
def matching(conditions, begin, end, view, misses, out, n):
    """Write the numbers of the rules from `begin` up to `end` that hold in `view` into `out` from `n` on; return new n.

    `misses` is room for a word for each of these rules; `out` needs room for one number more than can hold.
    """
    size = end - begin
    for w in range(len(view) // 2):
        first, second = view[2 * w], view[2 * w + 1]
        care, want = conditions[4 * w, begin:end], conditions[4 * w + 1, begin:end]
        care_too, want_too = conditions[4 * w + 2, begin:end], conditions[4 * w + 3, begin:end]
        if w == 0:
            for i in range(size):
                misses[i] = ((first ^ want[i]) & care[i]) | ((second ^ want_too[i]) & care_too[i])
        else:
            for i in range(size):
                misses[i] |= ((first ^ want[i]) & care[i]) | ((second ^ want_too[i]) & care_too[i])
    for i in range(size):
        out[n] = begin + i
        n += misses[i] == U(0)
    return n
