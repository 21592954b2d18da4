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

from ludus import vocabulary as words
from ludus.games.game import Game, Position
from ludus.kernels import inlined, kernel
from ludus.players.explanations import Explanation, explains
from ludus.players.networks import (
    ACTIVATIONS,
    WEIGHT_SCALE,
    Connection,
    explained,
    favourite,
    liking,
    picture,
    squashed,
    views,
)
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.shipped import shipped_player
from ludus.vocabulary import says

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


class Marker(NamedTuple):
    views: NDArray[np.int64]  # [mover, squares]
    wiring: Wiring
    activation: int
    memory: NDArray[np.float64]  # [inputs and hidden units] their values
    likes: NDArray[np.float64]  # [squares] what came out


@inlined
def _marks(gene, kind):
    return abs(gene) % MARKER == kind


@inlined
def _number(key, label, units):
    """Which of the units of a layer a label means."""
    return (abs(label) if units <= 128 else abs(label) + 128 * key) % units


@kernel
def read(chromosome, squares, weight_scale):
    """The network on a chromosome; see the module's text."""
    length = len(chromosome)
    genes = chromosome.astype(np.int64)
    body = np.empty(length, np.int64)
    units, n, outs = 0, 0, 0
    labels, initial = np.empty(length, np.int64), np.empty(length)
    begins, out_begins = np.zeros(length + 1, np.uint64), np.zeros(length + 1, np.uint64)
    keys, sources, weights = np.empty(length, np.int64), np.empty(length, np.int64), np.empty(length)
    targets, out_weights = np.empty(length, np.uint64), np.empty(length)

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

    nearest = np.zeros(LABELS, np.int64)
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


def marker(
    game: Game, chromosome: Chromosome, activation: str = "logistic", weight_scale: float = WEIGHT_SCALE
) -> Marker:
    """The player that a chromosome makes."""
    wiring = Wiring(*read(chromosome, game.squares, weight_scale))
    memory = np.concatenate([np.zeros(2 * game.squares), wiring.initial])
    return Marker(views(game), wiring, ACTIVATIONS.index(activation), memory, np.zeros(game.squares))


@says(words.seated, Marker)
def _(player, game):
    memory, initial = np.zeros(len(player.memory)), player.wiring.initial
    for unit in range(len(initial)):
        memory[len(memory) - len(initial) + unit] = initial[unit]
    return Marker(player.views, player.wiring, player.activation, memory, np.zeros(len(player.likes)))


@kernel
def activate(player, game, state):
    """Look at the board and activate every unit once; what comes out is in the player's `likes`."""
    likes, memory, wiring = player.likes, player.memory, player.wiring
    squares, mover = len(likes), words.mover(game, state)
    words.cells(game, state, likes)
    for square in range(squares):
        piece, seen = likes[square], player.views[mover, square]
        ours, theirs = (piece > 0.0, piece < 0.0) if mover == 0 else (piece < 0.0, piece > 0.0)
        memory[seen], memory[squares + seen] = ours, theirs
    likes[:] = 0.0
    begins, sources, weights = wiring.begins, wiring.sources, wiring.weights
    out_begins, targets, out_weights = wiring.out_begins, wiring.targets, wiring.out_weights
    for unit in range(len(wiring.initial)):
        total = 0.0
        for i in range(begins[unit], begins[unit + 1]):
            total += weights[i] * memory[sources[i]]
        value = squashed(total, player.activation)
        memory[2 * squares + unit] = value
        for i in range(out_begins[unit], out_begins[unit + 1]):
            likes[targets[i]] += out_weights[i] * value


@says(words.choose, Marker)
def _(player, game, state, moves, n, dice):
    activate(player, game, state)
    return favourite(game, state, moves, n, player.likes, player.views)


@kernel
def _weighed(player, game, state, moves, likes, out):
    player = words.seated(player, game)
    activate(player, game, state)
    likes[:] = player.likes
    for i in range(len(moves)):
        out[i] = liking(game, moves[i], likes, player.views, words.mover(game, state))


@explains(Marker)
def _explained(player: Marker, position: Position) -> Explanation:
    game, moves = position.game, np.array(list(position.legal.values()), np.int64)
    likes, out = np.empty(game.squares), np.empty(len(moves))
    _weighed(player, game.rules, position.state, moves, likes, out)
    units, lines = len(player.wiring.initial), connections(player)
    says = f"A network of {units} hidden units and {len(lines)} connections, grown from a chromosome, suggests squares."
    title = f"{units} hidden units, {len(lines)} connections"
    return explained(position, says, likes, out, lambda: picture(game, title, units, lines))


def connections(player: Marker) -> list[Connection]:
    """Every connection of the network; squares are as the first player sees them."""
    wiring, squares, found = player.wiring, len(player.likes), []
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


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Marker:
    chromosome, scale = arrays["chromosome"], chosen["weight_scale"]
    if chromosome.ndim != 1 or chromosome.dtype != np.int8 or not 1 <= len(chromosome) <= LONGEST:
        raise ValueError(f"it needs an array 'chromosome' of 1 to {LONGEST} int8")
    return marker(game, chromosome, *checked(chosen["activation"], scale))


def checked(activation: Any, weight_scale: Any) -> tuple[str, float]:
    """The two settings of a player file that every network has, or ValueError."""
    if activation not in ACTIVATIONS:
        raise ValueError(f"its setting 'activation' is none of {', '.join(ACTIVATIONS)}")
    if not isinstance(weight_scale, int | float) or not 0.01 <= weight_scale <= 1e6:
        raise ValueError("its setting 'weight_scale' is not a number from 0.01 to 1000000")
    return activation, float(weight_scale)


PLAYERS = (PlayerKind("marker", "a network grown from a chromosome with markers", "marker:mobility", _make, _loaded),)
