"""Networks that see a board through overlapping squares: Blondie24's architecture, for every game.

Chellapilla and Fogel (1999, 2001); Al-Khateeb and Kendall (2012), "Effect of look-ahead depth..." and "Introducing
individual and social learning into evolutionary checkers".

Each unit of the first layer sees a subsquare of the board, from 3x3 up to the whole board; on 8x8 there are 91. Hidden
layers of 40 and 10 units and one output follow, all with tanh. The sum of all pieces is added to the output with weight
1: the 5046 weights that the papers count leave no other for it. A king counts as `king` men. The current player's
pieces are positive, and where a game has a symmetry that exchanges the sides (checkers) the second player sees the
board turned round.

Evolution works on a flat vector of weights and biases (`Architecture.count` of them). For evaluation they are packed
into blocks of sixteen lanes (`pack_weights`), or of eight at the end of a hidden layer, padded with units whose weights
are zero.

The value is the output before its tanh: the order of positions is the same, but tanh in single precision could not tell
winning by much from winning by more.
"""

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.generic import implements
from ludus.compile.jit import kernel
from ludus.compile.simd import (
    FLOATS_ON_STACK,
    HALF,
    WIDTH,
    add,
    floats_on_stack,
    fma,
    horizontal_sum,
    indices_on_stack,
    load,
    load_half,
    load_number,
    multiply,
    store,
    tanh,
    zeros,
    zeros_half,
)
from ludus.errors import InvalidSetting
from ludus.evaluators.pictures import Board, pictures
from ludus.evaluators.protocol import evaluate, evaluate_within, member
from ludus.games import protocol
from ludus.games.game import Game, Position

SMALLEST = 3
"""The side of the smallest subsquare."""

FIRST_BLOCK = 3 * WIDTH
"""Units of the first layer are summed three blocks at a time, to hide the latency of fused multiply-adds."""

INEXACT = 1e-5
"""Rounding, and the error of tanh, change a sum by less than this part of it."""

Numbers = NDArray[np.float32]
"""Weights and biases."""


class Subsquares(NamedTuple):
    """A network; or a population of them, with one more axis in front of `weights`, `king` and `reach`."""

    weights: Numbers  # [Architecture.room], packed
    king: np.float32 | Numbers
    reach: Any  # the most that the units of the last layer can add to the output, or take from it
    rows: NDArray[np.int64]  # [player, square]: where the weights of a square begin
    widths: NDArray[np.int64]  # [layers]: units in each layer but the output, with padding


@dataclass(frozen=True)
class Architecture:
    """The layers of a network on one board, and where each of its weights is packed."""

    windows: tuple[tuple[int, ...], ...]
    """The squares that each unit of the first layer sees."""
    hidden: tuple[int, ...]
    count: int
    """How many weights and biases there are."""
    where: NDArray[np.int64]
    """[count]: where each of them is packed."""
    room: int
    """The length of the packed weights."""
    rows: NDArray[np.int64]
    widths: NDArray[np.int64]


@cache
def architecture(game: Game, hidden: tuple[int, ...] = (40, 10)) -> Architecture:
    """The architecture with these hidden layers behind the subsquares of the game's board."""
    windows = _windows(game)
    units = (len(windows), *hidden)
    widths = [
        _padded(units[0], FIRST_BLOCK),
        *(_padded(each, HALF) for each in hidden[:-1]),
        _padded(hidden[-1], WIDTH),
    ]
    if min(hidden) < 1 or sum(widths) > FLOATS_ON_STACK:
        raise InvalidSetting(
            f"invalid hidden={','.join(map(str, hidden))} on {game.board}: each layer must have at least one unit, "
            f"and all together at most {FLOATS_ON_STACK - widths[0]}"
        )
    where = [square * widths[0] + unit for unit, window in enumerate(windows) for square in window]
    begin = game.squares * widths[0]
    where += range(begin, begin + units[0])  # biases
    begin += widths[0]
    for layer in range(1, len(units)):
        for unit in range(units[layer]):
            lane = unit % WIDTH
            block, lanes = unit - lane, min(WIDTH, widths[layer] - unit + lane)
            where += [begin + block * widths[layer - 1] + i * lanes + lane for i in range(units[layer - 1])]
        begin += widths[layer - 1] * widths[layer]
        where += range(begin, begin + units[layer])
        begin += _padded(widths[layer], WIDTH)
    where += [*range(begin, begin + units[-1]), begin + widths[-1]]
    return Architecture(
        windows, hidden, len(where), np.array(where), begin + widths[-1] + WIDTH,
        _views(game) * widths[0], np.array(widths),
    )  # fmt: skip


def pack_weights(plan: Architecture, numbers: Numbers) -> Numbers:
    """The weights of a network [count], or of several [..., count], in blocks as kernels read them: [..., room]."""
    weights = _aligned_zeros((*numbers.shape[:-1], plan.room))
    weights[..., plan.where] = numbers
    return weights


def _aligned_zeros(shape: tuple[int, ...]) -> Numbers:
    """Zeros that begin with a line of the cache: a block of lanes across two of them would load as two."""
    space = np.zeros(prod(shape) + WIDTH, np.float32)
    begin = -space.ctypes.data // space.itemsize % WIDTH
    return space[begin : begin + prod(shape)].reshape(shape)


def network(plan: Architecture, numbers: Numbers, king: float | NDArray[Any]) -> Subsquares:
    """The network with these weights [count]; or a population [networks, count] with as many kings."""
    reach = np.abs(numbers[..., -1 - plan.hidden[-1] : -1]).sum(axis=-1, dtype=np.float64)
    return Subsquares(pack_weights(plan, numbers), np.float32(king), reach * (1 + INEXACT), plan.rows, plan.widths)


def copied(networks: Subsquares) -> Subsquares:
    """The same networks with arrays of their own."""
    weights = _aligned_zeros(networks.weights.shape)
    weights[:] = networks.weights
    return Subsquares(weights, networks.king, networks.reach, networks.rows.copy(), networks.widths.copy())


def _windows(game: Game) -> tuple[tuple[int, ...], ...]:
    """The squares in each subsquare, the smallest first, then row by row.

    On a board that is not square, the larger ones reach over its edges, so that the last is the whole board.
    """
    (rows, columns), side = game.shape, max(game.shape)
    return tuple(
        tuple(
            i for i, (row, column) in enumerate(game.coordinates) if 0 <= row - top < size and 0 <= column - left < size
        )
        for size in range(min(SMALLEST, side), side + 1)
        for top in range(max(rows - size, 0) + 1)
        for left in range(max(columns - size, 0) + 1)
    )


def _views(game: Game) -> NDArray[np.int64]:
    """[player, square]: the square that each player sees a square as."""
    turned = [goes for i, goes in enumerate(game.symmetries) if game.type.swaps_sides(i)]
    return np.array([np.arange(game.squares), turned[0] if turned else np.arange(game.squares)])


def _padded(count: int, block: int) -> int:
    return -(-count // block) * block


@kernel
def network_output(evaluator, game, state):
    """The output of the network before its tanh."""
    return output_within(evaluator, game, state, -np.inf, np.inf)[0]


@kernel
def output_within(evaluator, game, state, alpha, beta):
    """Bounds of that output: the same twice, unless pieces alone tell that it is at most alpha or at least beta."""
    rows, pieces, values, units = indices_on_stack(), indices_on_stack(), floats_on_stack(), floats_on_stack()
    weights, widths, squares = evaluator.weights, evaluator.widths, len(evaluator.rows[0])
    player = protocol.current_player(game, state)
    n = protocol.occupied(game, state, rows[:squares], pieces[:squares])
    result = weights[len(weights) - WIDTH]  # the bias of the output
    for i in range(n):
        rows[i] = evaluator.rows[player, rows[i]]
        value = evaluator.king if abs(pieces[i]) == 2 else np.float32(1.0)
        values[i] = value if pieces[i] > 0 else -value
        result += values[i]
    middle = float(result)
    reach = evaluator.reach + INEXACT * abs(middle)
    if middle + reach <= alpha or middle - reach >= beta:
        return middle - reach, middle + reach
    begin, width = squares * widths[0], widths[0]
    for block in range(0, width, FIRST_BLOCK):
        a, b, c = (
            load(weights, begin + block),
            load(weights, begin + block + WIDTH),
            load(weights, begin + block + 2 * WIDTH),
        )
        for i in range(n):
            place = rows[i] + block
            a = fma(values[i], load(weights, place), a)
            b = fma(values[i], load(weights, place + WIDTH), b)
            c = fma(values[i], load(weights, place + 2 * WIDTH), c)
        store(tanh(a), units, block)
        store(tanh(b), units, block + WIDTH)
        store(tanh(c), units, block + 2 * WIDTH)
    place, below = begin + width, 0
    for layer in range(1, len(widths)):
        above, biases, whole = below + width, place + width * widths[layer], widths[layer] // WIDTH * WIDTH
        # four sums, since each waits for its last product
        for block in range(0, whole, WIDTH):
            a, b, c, d = load(weights, biases + block), zeros(), zeros(), zeros()
            for i in range(below, above, 4):
                a = fma(load_number(units, i), load(weights, place), a)
                b = fma(load_number(units, i + 1), load(weights, place + WIDTH), b)
                c = fma(load_number(units, i + 2), load(weights, place + 2 * WIDTH), c)
                d = fma(load_number(units, i + 3), load(weights, place + 3 * WIDTH), d)
                place += 4 * WIDTH
            store(tanh(add(add(a, b), add(c, d))), units, above + block)
        if whole < widths[layer]:
            e, f, g, h = load_half(weights, biases + whole), zeros_half(), zeros_half(), zeros_half()
            for i in range(below, above, 4):
                e = fma(load_number(units, i), load_half(weights, place), e)
                f = fma(load_number(units, i + 1), load_half(weights, place + HALF), f)
                g = fma(load_number(units, i + 2), load_half(weights, place + 2 * HALF), g)
                h = fma(load_number(units, i + 3), load_half(weights, place + 3 * HALF), h)
                place += 4 * HALF
            store(tanh(add(add(e, f), add(g, h))), units, above + whole)
        place, below, width = biases + (widths[layer] + HALF) // WIDTH * WIDTH, above, widths[layer]
    for block in range(0, width, WIDTH):
        result += horizontal_sum(multiply(load(units, below + block), load(weights, place + block)))
    return float(result), float(result)


# a kernel, not inlined: the cost of a call is nothing beside its work


@implements(evaluate, Subsquares)
def _(evaluator, game, state):
    return network_output(evaluator, game, state)


@implements(evaluate_within, Subsquares)
def _(evaluator, game, state, alpha, beta):
    return output_within(evaluator, game, state, alpha, beta)


@implements(member, Subsquares)
def _(population, i):
    return Subsquares(
        population.weights[i], population.king[i], population.reach[i], population.rows, population.widths
    )


def layers(evaluator: Subsquares) -> list[tuple[Numbers, Numbers]]:
    """The weights [inputs, units] and biases [units] of each layer, with padding."""
    weights, widths, found = evaluator.weights, evaluator.widths.tolist(), []
    inputs, begin = evaluator.rows.shape[1], 0
    for layer, width in enumerate(widths):
        size, lanes = inputs * width, WIDTH if layer else width
        blocks = np.split(weights[begin : begin + size], range(inputs * lanes, size, inputs * lanes))
        table = np.concatenate([block.reshape(inputs, -1) for block in blocks], axis=1)
        found.append((table, weights[begin + size : begin + size + width]))
        inputs, begin = width, begin + size + _padded(width, WIDTH)
    found.append((weights[begin : begin + inputs, None], weights[begin + inputs :][:1]))
    return found


def network_inputs(evaluator: Subsquares, position: Position) -> Numbers:
    """The inputs [squares] for the current player: 1 for its men, more for kings, negative for the opponent's."""
    cells = position.cells * (1 - 2 * position.current_player)
    inputs = np.zeros(len(cells), np.float32)
    places = evaluator.rows[position.current_player] // evaluator.widths[0]
    inputs[places] = np.sign(cells) * np.where(abs(cells) == 2, evaluator.king, 1)
    return inputs


@pictures(Subsquares)
def _boards(evaluator: Subsquares, position: Position) -> tuple[Board, ...]:
    (windows, biases), *above = layers(evaluator)
    inputs, places = network_inputs(evaluator, position), evaluator.rows[position.current_player] // evaluator.widths[0]

    def output(units: Numbers) -> Numbers:
        for table, more in above[:-1]:
            units = np.tanh(units @ table + more)
        return (units @ above[-1][0])[:, 0]

    units = np.tanh(inputs @ windows + biases)
    without = np.where(np.eye(len(units), dtype=bool), np.tanh(biases), units)  # with each subsquare empty in turn
    matters = output(units[None]) - output(without)
    alone = np.tanh((inputs - np.diag(inputs)) @ windows + biases)  # with each piece removed in turn
    pieces = np.where(inputs != 0, output(units[None]) - output(alone) + inputs, 0)
    boards = [
        Board("pieces", tuple(pieces[places].tolist()), "what each piece adds to the value for the player to move")
    ]
    for window in np.argsort(-abs(matters))[:2]:
        inside = np.any(windows[:, [window]] != 0, axis=1)[places]
        marks = tuple("seen" if each else "." for each in inside)
        boards.append(Board("a part that matters", marks, f"what stands there adds {matters[window]:+.3g}"))
    return tuple(boards)
