"""Networks written on a chromosome between markers, as `ludus train marker` evolves them.

Moriarty and Miikkulainen (1995), "Discovering Complex Othello Strategies Through Evolutionary Neural Networks",
sections 3.1 and 3.2.

A chromosome is a ring of integers from -128 to 127. One whose absolute value is 1 modulo 25 starts a hidden unit, and
everything after it, up to one that is 2 modulo 25, defines it: its label, its initial value, then for each connection
a key, a label and a weight.

    key > 0, label > 0    from an input: on each square the network's own piece, then on each square the opponent's
    key > 0, label <= 0   to an output: a square
    key <= 0              from the hidden unit with the nearest label, the first of them on the chromosome

Hidden units are activated once a move, in their order on the chromosome, and keep their values until the game is over.

Where we decided, since the paper is silent or does not say it all:

- A definition that reaches the end of the chromosome goes on at its beginning, to an end marker or to the first start
  marker there is, its own included. With fewer than two integers it defines nothing; an incomplete connection at its
  end is let go.
- The number of an input or output is the label's absolute value modulo their number. A label has seven bits, so for a
  layer of more than 128 units (Go from 9x9 on) the key tells the rest: label + 128 key.
- Weights are divided by `weight_scale`, initial values by 128. Outputs are plain sums.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, explains
from ludus.players.policy_networks import (
    ACTIVATIONS,
    WEIGHT_SCALE,
    Connection,
    activate,
    activation_value,
    best_move,
    board_views,
    draw_network,
    explain_network,
)
from ludus.players.protocol import choose, with_fresh_memory
from ludus.players.shipped import shipped_player

Chromosome = NDArray[np.int8]

MARKER, START, END = 25, 1, 2
VALUE_SCALE = 128.0
LABELS = 256
LONGEST = 1_000_000
"""The most integers that a chromosome in a player file may have."""


class Wiring(NamedTuple):
    """The network on a chromosome, its units in order.

    Connections to unit i are those from `begins[i]` up to `begins[i + 1]`, its outputs likewise. Sources are inputs,
    and after them the hidden units.
    """

    initial: NDArray[np.float64]  # [units]
    begins: NDArray[np.uint64]  # [units + 1]
    sources: NDArray[np.uint64]
    weights: NDArray[np.float64]
    out_begins: NDArray[np.uint64]  # [units + 1]
    targets: NDArray[np.uint64]
    out_weights: NDArray[np.float64]


class MarkerNetwork(NamedTuple):
    views: NDArray[np.int64]  # [mover, squares]
    wiring: Wiring
    activation: int
    memory: NDArray[np.float64]  # [inputs and hidden units] their values; inputs by square, whoever moves
    outputs: NDArray[np.float64]  # [squares] the latest outputs
    sources: NDArray[np.uint64]  # [mover, connections] those of the wiring, as places in `memory`


@inlined
def _marks(gene, kind):
    return abs(gene) % MARKER == kind


@inlined
def _number(key, label, units):
    """Which of the units of a layer a label means."""
    return (abs(label) if units <= 128 else abs(label) + 128 * key) % units


@kernel
def decode(chromosome: Chromosome, squares: int, weight_scale: float) -> Wiring:
    """The network on a chromosome; see the module's text."""
    length = len(chromosome)
    genes = chromosome.astype(np.int64)
    body = empty(length, np.int64)
    units, n, outs = 0, 0, 0
    labels, initial = empty(length, np.int64), empty(length, np.float64)
    begins, out_begins = zeros(length + 1, np.uint64), zeros(length + 1, np.uint64)
    keys, sources, weights = empty(length, np.int64), empty(length, np.int64), empty(length, np.float64)
    targets, out_weights = empty(length, np.uint64), empty(length, np.float64)

    first = 0
    while first < length and not _marks(genes[first], START):
        first += 1
    here = first
    while here < length:
        if not _marks(genes[here], START):
            here += 1
            continue
        size, wrapped = 0, False
        here += 1
        while True:
            if here == length:
                here, wrapped = 0, True
            if _marks(genes[here], END) or (wrapped and here == first):
                break
            body[size] = genes[here]
            size += 1
            here += 1
        if size >= 2:
            labels[units], initial[units] = body[0], body[1] / VALUE_SCALE
            for i in range(2, size - 2, 3):
                key, label, weight = body[i], body[i + 1], body[i + 2] / weight_scale
                if key > 0 and label <= 0:
                    targets[outs], out_weights[outs] = _number(key, label, squares), weight
                    outs += 1
                else:
                    keys[n], sources[n], weights[n] = key, label, weight
                    n += 1
            units += 1
            begins[units], out_begins[units] = n, outs
        if wrapped:
            break
        here += 1

    nearest = zeros(LABELS, np.int64)
    for label in range(LABELS):
        for unit in range(1, units):
            if abs(labels[unit] - (label - 128)) < abs(labels[nearest[label]] - (label - 128)):
                nearest[label] = unit
    for i in range(n):
        if keys[i] > 0:
            sources[i] = _number(keys[i], sources[i], 2 * squares)
        else:
            sources[i] = 2 * squares + nearest[sources[i] + 128]
    return Wiring(
        initial[:units].copy(), begins[: units + 1].copy(), sources[:n].astype(np.uint64), weights[:n].copy(),
        out_begins[: units + 1].copy(), targets[:outs].copy(), out_weights[:outs].copy(),
    )  # fmt: skip


def marker_network(
    game: Game, chromosome: Chromosome, activation: str = "logistic", weight_scale: float = WEIGHT_SCALE
) -> MarkerNetwork:
    """The player that a chromosome makes."""
    wiring = Wiring(*decode(chromosome, game.squares, weight_scale))
    memory = np.concatenate([np.zeros(2 * game.squares), wiring.initial])
    views, outputs = board_views(game), np.zeros(game.squares)
    hidden = np.arange(2 * game.squares, len(memory))
    places = [np.concatenate([np.argsort(view), game.squares + np.argsort(view), hidden]) for view in views]
    sources = np.array([each.astype(np.uint64)[wiring.sources] for each in places])
    return MarkerNetwork(views, wiring, ACTIVATIONS.index(activation), memory, outputs, sources)


@implements(with_fresh_memory, MarkerNetwork)
def _(player, game):
    memory, initial = zeros(len(player.memory), np.float64), player.wiring.initial
    for unit in range(len(initial)):
        memory[len(memory) - len(initial) + unit] = initial[unit]
    outputs = zeros(len(player.outputs), np.float64)
    return MarkerNetwork(player.views, player.wiring, player.activation, memory, outputs, player.sources)


@kernel
def activate_marker(player: MarkerNetwork, game: Any, state: Any) -> None:
    """Show the network a board and activate every unit once; what comes out is in `player.outputs`."""
    player = without_refcount(player)
    outputs, memory, wiring = player.outputs, player.memory, player.wiring
    squares, mover = len(outputs), protocol.current_player(game, state)
    protocol.cells(game, state, outputs)
    ours = 1.0 - 2.0 * mover
    for square in range(squares):
        memory[square] = 1.0 if ours * outputs[square] > 0.0 else 0.0
        memory[squares + square] = 1.0 if ours * outputs[square] < 0.0 else 0.0
        outputs[square] = 0.0
    begins, sources, weights = wiring.begins, player.sources[mover], wiring.weights
    out_begins, targets, out_weights = wiring.out_begins, wiring.targets, wiring.out_weights
    for unit in range(len(wiring.initial)):
        total = 0.0
        for i in range(begins[unit], begins[unit + 1]):
            total += weights[i] * memory[sources[i]]
        value = activation_value(total, player.activation)
        memory[2 * squares + unit] = value
        for i in range(out_begins[unit], out_begins[unit + 1]):
            outputs[targets[i]] += out_weights[i] * value


@implements(activate, MarkerNetwork)
def _(player, game, state):
    activate_marker(player, game, state)


@implements(choose, MarkerNetwork)
def _(player, game, state, moves, n, rng):
    activate(player, game, state)
    return best_move(game, state, moves, n, player.outputs, player.views)


@explains(MarkerNetwork)
def _explained(player: MarkerNetwork, position: Position) -> Explanation:
    units, lines = len(player.wiring.initial), connections(player)
    description = (
        f"A network of {units} hidden units and {len(lines)} connections, decoded from a chromosome, suggests squares."
    )
    title = f"{units} hidden units, {len(lines)} connections"
    return explain_network(player, position, description, lambda: draw_network(position.game, title, units, lines))


def connections(player: MarkerNetwork) -> list[Connection]:
    """Every connection of the network; squares are as the first player sees them."""
    wiring, squares, found = player.wiring, len(player.outputs), []
    for unit in range(len(wiring.initial)):
        for i in range(int(wiring.begins[unit]), int(wiring.begins[unit + 1])):
            layer, number = divmod(int(wiring.sources[i]), squares)
            source = (("own", number), ("their", number), ("unit", int(wiring.sources[i]) - 2 * squares))[min(layer, 2)]
            found.append(Connection(source, ("unit", unit), float(wiring.weights[i])))
        for i in range(int(wiring.out_begins[unit]), int(wiring.out_begins[unit + 1])):
            target = ("move", int(wiring.targets[i]))
            found.append(Connection(("unit", unit), target, float(wiring.out_weights[i])))
    return found


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> MarkerNetwork:
    chromosome, scale = arrays["chromosome"], chosen["weight_scale"]
    if chromosome.ndim != 1 or chromosome.dtype != np.int8 or not 1 <= len(chromosome) <= LONGEST:
        raise ValueError(f"it needs an array 'chromosome' of 1 to {LONGEST} int8")
    return marker_network(game, chromosome, *check_settings(chosen["activation"], scale))


def check_settings(activation: Any, weight_scale: Any) -> tuple[str, float]:
    """The two settings of a player file that every network has, or ValueError."""
    if activation not in ACTIVATIONS:
        raise ValueError(f"its setting 'activation' is none of {', '.join(ACTIVATIONS)}")
    if not isinstance(weight_scale, int | float) or not 0.01 <= weight_scale <= 1e6:
        raise ValueError("its setting 'weight_scale' is not a number from 0.01 to 1000000")
    return activation, float(weight_scale)


PLAYERS = (
    PlayerKind(
        "marker",
        "a network decoded from a chromosome with markers",
        "marker:mobility",
        _make,
        _loaded,
        learned_description="an evolved network without search; a fixed ranking of squares plays about as well",
    ),
)
