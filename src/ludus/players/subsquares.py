"""Networks that see a board through overlapping squares: Blondie24's architecture, for every game.

Chellapilla and Fogel (1999, 2001); Al-Khateeb and Kendall (2012), "Effect of look-ahead depth..." and "Introducing
individual and social learning into evolutionary checkers".

Each unit of the first layer sees one square part of the board, from 3x3 up to the whole; on 8x8 there are 91. Layers of
40 and 10 units and one output follow. Units squash their sums by tanh. The sum of all pieces goes to the output
directly, with weight 1: the 5046 numbers that the papers count leave no other for it. A king counts as `king` men. The
mover's pieces are positive, and where a game has a symmetry that exchanges the sides (checkers) the second player sees
the board turned round.

What is evolved is a plain vector of numbers (`Shape.count` of them). For judging they are laid out in blocks of sixteen
lanes (`laid_out`), units that only fill a block having weights of zero.

The value is the output before it is squashed: that makes no difference to which position is better, but tells winning
by much from winning by more, which single precision can't after squashing.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import lowest
from ludus.errors import LudusError
from ludus.games.checkers import Checkers
from ludus.games.game import Game, Position
from ludus.kernels import kernel
from ludus.lanes import (
    FLOATS_ON_STACK,
    WIDTH,
    floats_on_stack,
    indices_on_stack,
    keep,
    lanes,
    nothing,
    plus,
    squashed,
    times,
    times_plus,
    total,
)
from ludus.players.explanations import Board, pictures
from ludus.vocabulary import says, word

U = np.uint64

SMALLEST = 3
"""The side of the smallest part of a board that a unit sees."""

FIRST_BLOCK = 3 * WIDTH
"""Units of the first layer are summed three blocks at a time, so that sums wait for each other less."""

Numbers = NDArray[np.float32]


class Subsquares(NamedTuple):
    """A network, or with one more axis in front of `weights` and `king` a crowd of them."""

    weights: Numbers  # laid out in blocks
    king: np.float32 | Numbers
    rows: NDArray[np.int64]  # [mover, square] where the weights of a square begin
    widths: NDArray[np.int64]  # units in each layer but the last, those that fill a block included


@dataclass(frozen=True)
class Shape:
    """An architecture on a board: what each number of a network belongs to."""

    windows: tuple[tuple[int, ...], ...]
    """The squares that each unit of the first layer sees."""
    hidden: tuple[int, ...]
    count: int
    """How many numbers a network has."""
    where: NDArray[np.int64]
    """For each number its place in the layout."""
    room: int
    """How long the layout is."""
    rows: NDArray[np.int64]
    widths: NDArray[np.int64]


@cache
def shape(game: Game, hidden: tuple[int, ...] = (40, 10)) -> Shape:
    """The architecture with these hidden layers behind the windows of this game's board."""
    windows = _windows(game)
    units = (len(windows), *hidden)
    widths = [_filled(units[0], FIRST_BLOCK), *(_filled(each, WIDTH) for each in hidden)]
    if min(hidden) < 1 or sum(widths) > FLOATS_ON_STACK:
        raise LudusError(
            f"hidden={','.join(map(str, hidden))} can't be built on {game.board}; layers have at least one unit, "
            f"and {FLOATS_ON_STACK - widths[0]} in all at the most"
        )
    where = [square * widths[0] + unit for unit, window in enumerate(windows) for square in window]
    begin = game.squares * widths[0]
    where += range(begin, begin + units[0])  # biases
    begin += widths[0]
    for layer in range(1, len(units)):
        for unit in range(units[layer]):
            block, lane = divmod(unit, WIDTH)
            where += [begin + (block * widths[layer - 1] + i) * WIDTH + lane for i in range(units[layer - 1])]
        begin += widths[layer - 1] * widths[layer]
        where += range(begin, begin + units[layer])
        begin += widths[layer]
    where += [*range(begin, begin + units[-1]), begin + widths[-1]]
    return Shape(
        windows, hidden, len(where), np.array(where), begin + widths[-1] + WIDTH,
        _views(game) * widths[0], np.array(widths),
    )  # fmt: skip


def laid_out(shape: Shape, numbers: Numbers) -> Numbers:
    """The numbers of a network, or of several, in blocks as kernels want them."""
    weights = np.zeros((*numbers.shape[:-1], shape.room), np.float32)
    weights[..., shape.where] = numbers
    return weights


def network(shape: Shape, numbers: Numbers, king: float) -> Subsquares:
    """The network with these numbers."""
    return Subsquares(laid_out(shape, numbers), np.float32(king), shape.rows, shape.widths)


def _windows(game: Game) -> tuple[tuple[int, ...], ...]:
    """For each square part of the board the squares in it: the smallest first, then by rows.

    Parts that are larger than a board that is not square reach over its edges, so that the last is all of it.
    """
    (rows, columns), side = game.shape, max(game.shape)
    return tuple(
        tuple(i for i, (row, column) in enumerate(game.spots) if 0 <= row - top < size and 0 <= column - left < size)
        for size in range(min(SMALLEST, side), side + 1)
        for top in range(max(rows - size, 0) + 1)
        for left in range(max(columns - size, 0) + 1)
    )


def _views(game: Game) -> NDArray[np.int64]:
    """[mover, square]: as which square each player sees a square."""
    turned = [goes for i, goes in enumerate(game.symmetries) if game.family.swaps(i)]
    return np.array([np.arange(game.squares), turned[0] if turned else np.arange(game.squares)])


def _filled(count: int, block: int) -> int:
    return -(-count // block) * block


@word
def pieces(evaluator, game, state, rows, worths):
    """Write where the weights of each occupied square begin, and what its piece counts; return how many there are."""


@says(pieces, Subsquares)
def _(evaluator, game, state, rows, worths):
    mover, n = words.mover(game, state), 0
    cells = indices_on_stack()
    words.cells(game, state, cells)
    for square in range(len(evaluator.rows[0])):
        if cells[square]:
            rows[n] = evaluator.rows[mover, square]
            worth = evaluator.king if abs(cells[square]) == 2 else np.float32(1.0)
            worths[n] = worth if (cells[square] > 0) == (mover == 0) else -worth
            n += 1
    return n


@says(pieces, Subsquares, Checkers)
def _(evaluator, game, state, rows, worths):
    n, left = 0, state.own | state.opp
    while left:
        bit = left & (~left + U(1))
        place = lowest(left)
        rows[n] = evaluator.rows[state.mover, place - place // 9]
        worth = evaluator.king if bit & state.kings else np.float32(1.0)
        worths[n] = worth if bit & state.own else -worth
        n += 1
        left ^= bit
    return n


@kernel
def judged(evaluator, game, state):
    """The output of the network before it is squashed."""
    rows, worths, units = indices_on_stack(), floats_on_stack(), floats_on_stack()
    weights, widths = evaluator.weights, evaluator.widths
    n = pieces(evaluator, game, state, rows, worths)
    begin, width = len(evaluator.rows[0]) * widths[0], widths[0]
    for block in range(0, width, FIRST_BLOCK):
        a, b, c = (
            lanes(weights, begin + block),
            lanes(weights, begin + block + WIDTH),
            lanes(weights, begin + block + 2 * WIDTH),
        )
        for i in range(n):
            place = rows[i] + block
            a = times_plus(worths[i], lanes(weights, place), a)
            b = times_plus(worths[i], lanes(weights, place + WIDTH), b)
            c = times_plus(worths[i], lanes(weights, place + 2 * WIDTH), c)
        keep(squashed(a), units, block)
        keep(squashed(b), units, block + WIDTH)
        keep(squashed(c), units, block + 2 * WIDTH)
    place, below = begin + width, 0
    for layer in range(1, len(widths)):
        above, biases = below + width, place + width * widths[layer]
        for block in range(0, widths[layer], WIDTH):
            # four sums, since each has to wait for its last product
            a, b, c, d = lanes(weights, biases + block), nothing(), nothing(), nothing()
            for i in range(0, width, 4):
                a = times_plus(units[below + i], lanes(weights, place), a)
                b = times_plus(units[below + i + 1], lanes(weights, place + WIDTH), b)
                c = times_plus(units[below + i + 2], lanes(weights, place + 2 * WIDTH), c)
                d = times_plus(units[below + i + 3], lanes(weights, place + 3 * WIDTH), d)
                place += 4 * WIDTH
            keep(squashed(plus(plus(a, b), plus(c, d))), units, above + block)
        place, below, width = biases + widths[layer], above, widths[layer]
    result = weights[place + width]
    for i in range(n):
        result += worths[i]
    for block in range(0, width, WIDTH):
        result += total(times(lanes(units, below + block), lanes(weights, place + block)))
    return result


# so much work that a call costs nothing beside it


@says(words.value, Subsquares)
def _(evaluator, game, state):
    return float(judged(evaluator, game, state))


def layers(evaluator: Subsquares) -> list[tuple[Numbers, Numbers]]:
    """The weights [inputs, units] and biases of each layer, those that only fill blocks included."""
    weights, widths, found = evaluator.weights, evaluator.widths.tolist(), []
    inputs, begin = evaluator.rows.shape[1], 0
    for layer, width in enumerate(widths):
        size = inputs * width
        table = weights[begin : begin + size]
        if layer:
            table = table.reshape(width // WIDTH, inputs, WIDTH).transpose(1, 0, 2)
        found.append((table.reshape(inputs, width), weights[begin + size : begin + size + width]))
        inputs, begin = width, begin + size + width
    found.append((weights[begin : begin + inputs, None], weights[begin + inputs :][:1]))
    return found


def seen(evaluator: Subsquares, position: Position) -> Numbers:
    """What the mover sees on each square: its men 1, kings more, the opponent's negative."""
    cells = position.cells * (1 - 2 * position.mover)
    inputs = np.zeros(len(cells), np.float32)
    places = evaluator.rows[position.mover] // evaluator.widths[0]
    inputs[places] = np.sign(cells) * np.where(abs(cells) == 2, evaluator.king, 1)
    return inputs


@pictures(Subsquares)
def _boards(evaluator: Subsquares, position: Position) -> tuple[Board, ...]:
    (windows, biases), *above = layers(evaluator)
    inputs, places = seen(evaluator, position), evaluator.rows[position.mover] // evaluator.widths[0]

    def output(units: Numbers) -> Numbers:
        for table, more in above[:-1]:
            units = np.tanh(units @ table + more)
        return (units @ above[-1][0])[:, 0]

    units = np.tanh(inputs @ windows + biases)
    without = np.where(np.eye(len(units), dtype=bool), np.tanh(biases), units)  # each window in turn sees nothing
    matters = output(units[None]) - output(without)
    alone = np.tanh((inputs - np.diag(inputs)) @ windows + biases)  # each piece in turn is not there
    pieces = np.where(inputs != 0, output(units[None]) - output(alone) + inputs, 0)
    boards = [Board("pieces", tuple(pieces[places].tolist()), "what each piece adds to the mover's judgement")]
    for window in np.argsort(-abs(matters))[:2]:
        inside = np.any(windows[:, [window]] != 0, axis=1)[places]
        marks = tuple("seen" if each else "." for each in inside)
        boards.append(Board("a part that matters", marks, f"what stands there adds {matters[window]:+.3g}"))
    return tuple(boards)
