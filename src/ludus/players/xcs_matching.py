"""Matching: conditions of rules as bit masks, what they are matched against, and which of them match.

A condition has three symbols, 0, 1 and # (don't care), for each of the two bits that the generic function `planes` says
of a square. It is four words for each 64 squares: of the first bits those it cares for and what they must be, then the
same of the second bits. `conditions[row, rule]` has a row for each of these words, so one pass reads a few rows side by
side. Rules are sorted by their action: those of action a are numbers `starts[a]` up to `starts[a + 1]`.

A view is the input that conditions are matched against: the words of `planes`, of the position or of its afterstate,
the position that the move in question leads to. Where symmetric views are shared, the board is turned such that the
move falls on its canonical square, the one that stands for all those it can be turned to. So a rule about a corner
knows all four, and every game teaches it in all eight views.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import zeros
from ludus.compile.bitboards import lowest_bit
from ludus.compile.jit import inlined, kernel
from ludus.games import protocol
from ludus.games.game import Game

U = np.uint64

View = NDArray[np.uint64]
"""[2 * words]: the words of `planes`."""

Indices = NDArray[np.int64]


class Detectors(NamedTuple):
    """How rules see a position: the detectors of a classifier system."""

    after: bool  # whether they see the afterstate, as whoever is next sees it
    symmetries: NDArray[np.int64]  # [symmetries, squares]: where each square goes
    to_canonical: NDArray[np.int64]  # [actions, symmetries]: those that turn an action into its canonical one
    to_canonical_counts: NDArray[np.int64]  # [actions]: how many there are of them
    canonical: NDArray[np.int64]  # [actions]: the action that stands for it


class ViewBuffers(NamedTuple):
    """Room for the views of a position."""

    plain: NDArray[np.uint64]  # [2 * words]
    turned: NDArray[np.uint64]  # [2 * words]


def make_detectors(game: Game, after: bool, symmetric: bool) -> Detectors:
    """The detectors for a game. Without a symmetry that leaves the sides alone, there is nothing to share."""
    count, own = action_count(game), [i for i in range(len(game.symmetries)) if not game.type.swaps_sides(i)]
    squares = game.squares
    if not symmetric or count not in (squares, squares + 1):  # what is no square, or a pass, can't be turned
        own = own[:1]
    symmetries = game.symmetries[own]
    images = np.tile(np.arange(count), (len(own), 1))  # a pass is the same from all sides
    if len(own) > 1:
        images[:, :squares] = symmetries
    canonical = images.min(axis=0)
    to_canonical, counts = np.zeros((count, len(own)), np.int64), np.zeros(count, np.int64)
    for action in range(count):
        found = np.flatnonzero(images[:, action] == canonical[action])
        to_canonical[action, : len(found)], counts[action] = found, len(found)
    return Detectors(after, np.ascontiguousarray(symmetries), to_canonical, counts, canonical)


def action_count(game: Game) -> int:
    """How many kinds of moves there are."""
    return game.type.actions(game.rules)


def words_for(game: Game) -> int:
    """How many words the squares of a board take."""
    return -(-game.squares // 64)


@kernel
def view_buffers(detectors: Detectors) -> ViewBuffers:
    """Room for the views of positions of the game that the detectors are for."""
    size = 2 * ((detectors.symmetries.shape[1] + 63) // 64)
    return ViewBuffers(zeros(size, np.uint64), zeros(size, np.uint64))


@kernel
def turn(symmetries: NDArray[np.int64], k: int, plain: View, out: View) -> None:
    """Write the view `plain` under symmetry number `k`."""
    for i in range(len(plain)):
        out[i] = U(0)
    for i in range(len(plain)):
        left = plain[i]
        while left:
            square = symmetries[k, 64 * (i // 2) + lowest_bit(left)]
            out[2 * (square // 64) + i % 2] |= U(1) << U(square % 64)
            left &= left - U(1)


@kernel
def detect(
    detectors: Detectors, game: Any, state: Any, move: int, buffers: ViewBuffers, views: NDArray[np.uint64], row: int
):
    """Write what rules about `move` see into `views[row]`; return the action that they advocate."""
    if detectors.after:
        protocol.planes(game, protocol.play(game, state, move), buffers.plain)
    else:
        protocol.planes(game, state, buffers.plain)
    return detect_action(detectors, protocol.action(game, state, move), buffers, views, row)


@kernel
def detect_action(detectors: Detectors, action: int, buffers: ViewBuffers, views: NDArray[np.uint64], row: int):
    """Write what rules about `action` see of the board in `buffers.plain`, whether it is legal there or not.

    Where several symmetries make the action canonical, the view with the lowest words is taken. Returns the action that
    the rules advocate.
    """
    if len(detectors.symmetries) == 1:
        for i in range(len(buffers.plain)):
            views[row, i] = buffers.plain[i]
        return action
    for which in range(detectors.to_canonical_counts[action]):
        turn(detectors.symmetries, detectors.to_canonical[action, which], buffers.plain, buffers.turned)
        lower = which == 0
        for i in range(len(buffers.turned)):
            if lower or buffers.turned[i] != views[row, i]:
                lower = lower or buffers.turned[i] < views[row, i]
                break
        if lower:
            for i in range(len(buffers.turned)):
                views[row, i] = buffers.turned[i]
    return detectors.canonical[action]


@kernel
def index_weights(view: View, indices: Indices) -> None:
    """Write the index of a rule's weight for what stands on each square: each has four, one for each symbol."""
    for square in range(len(indices)):
        word, bit = 2 * (square // 64), U(square % 64)
        first, second = (view[word] >> bit) & U(1), (view[word + 1] >> bit) & U(1)
        indices[square] = 4 * square + 2 * np.int64(first) + np.int64(second)


@inlined
def computed_prediction(prediction: NDArray[np.float64], weights: NDArray[np.float64], rule: int, indices: Indices):
    """What a rule predicts: a number, to which its weights add what stands on the squares, if it has any (XCSF)."""
    total = prediction[rule]
    for i in range(len(indices)):
        total += weights[rule, indices[i]]
    return total


@kernel
def match_rules(conditions: NDArray[np.uint64], begin: int, end: int, view: View, misses: View, out: Indices, n: int):
    """Write the numbers of the rules from `begin` up to `end` that match `view` into `out` from `n` on; return new n.

    `misses` is room for a word for each of these rules; `out` needs room for one number more than can match.
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
