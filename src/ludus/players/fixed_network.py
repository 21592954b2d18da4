"""Networks of a fixed shape, as `ludus train fixed-network` evolves them: every weight is on the chromosome.

Moriarty and Miikkulainen (1995), section 4: three fully connected layers, whose hidden units also see their own last
value. The chromosome holds the weights from each input to every hidden unit, then those of the hidden units to
themselves, then those from each hidden unit to every square.

Where we decided: the paper's 5160 integers are 40 hidden units with 64 inputs, 64 outputs and one loop each. So a
square is one input: 1 for the network's own piece, -1 for the opponent's, else 0. With `inputs=two` it has the two
inputs that the marker-based networks have, and 7720 integers. Hidden units begin every game at 0.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import zeros
from ludus.compile.generic import implements
from ludus.compile.jit import kernel, without_refcount
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, explains
from ludus.players.marker import Chromosome, check_settings
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

MOST_HIDDEN = 1000


class FixedNetwork(NamedTuple):
    views: NDArray[np.int64]  # [mover, squares]
    inward: NDArray[np.float64]  # [inputs, hidden]
    loops: NDArray[np.float64]  # [hidden]
    outward: NDArray[np.float64]  # [hidden, squares]
    activation: int
    memory: NDArray[np.float64]  # [hidden] their values
    outputs: NDArray[np.float64]  # [squares] the latest outputs


def genes(game: Game, hidden: int, inputs: str) -> int:
    """How many integers such a network's chromosome has."""
    return hidden * (game.squares * (3 if inputs == "two" else 2) + 1)


def fixed_network(
    game: Game, chromosome: Chromosome, hidden: int, activation: str = "logistic", weight_scale: float = WEIGHT_SCALE
) -> FixedNetwork:
    """The player whose weights these are; how many inputs a square has follows from their number."""
    weights, squares = chromosome / np.float64(weight_scale), game.squares
    inputs = len(chromosome) // hidden - 1 - squares
    inward, loops, outward = np.split(weights, [inputs * hidden, (inputs + 1) * hidden])
    return FixedNetwork(
        board_views(game), inward.reshape(inputs, hidden), loops.copy(), outward.reshape(hidden, squares),
        ACTIVATIONS.index(activation), np.zeros(hidden), np.zeros(squares),
    )  # fmt: skip


@implements(with_fresh_memory, FixedNetwork)
def _(player, game):
    return FixedNetwork(
        player.views, player.inward, player.loops, player.outward, player.activation,
        zeros(len(player.memory), np.float64), zeros(len(player.outputs), np.float64),
    )  # fmt: skip


@kernel
def activate_fixed(player: FixedNetwork, game: Any, state: Any) -> None:
    """Show the network a board and activate both layers; what comes out is in `player.outputs`."""
    player = without_refcount(player)
    outputs, memory, inward, outward = player.outputs, player.memory, player.inward, player.outward
    squares, hidden, mover = len(outputs), len(memory), protocol.current_player(game, state)
    protocol.cells(game, state, outputs)
    for unit in range(hidden):
        memory[unit] *= player.loops[unit]
    # unit by unit within: sums side by side are what the compiler makes vectors of
    for square in range(squares):
        if outputs[square] != 0.0:
            ours, seen = (outputs[square] > 0.0) == (mover == 0), player.views[mover, square]
            if ours or len(inward) > squares:
                row = seen if ours else squares + seen
                for unit in range(hidden):
                    memory[unit] += inward[row, unit]
            else:
                for unit in range(hidden):
                    memory[unit] -= inward[seen, unit]
    outputs[:] = 0.0
    for unit in range(hidden):
        value = activation_value(memory[unit], player.activation)
        memory[unit] = value
        for square in range(squares):
            outputs[square] += value * outward[unit, square]


@implements(activate, FixedNetwork)
def _(player, game, state):
    activate_fixed(player, game, state)


@implements(choose, FixedNetwork)
def _(player, game, state, moves, n, rng):
    activate(player, game, state)
    return best_move(game, state, moves, n, player.outputs, player.views)


@explains(FixedNetwork)
def _explained(player: FixedNetwork, position: Position) -> Explanation:
    hidden, lines = len(player.memory), connections(player)
    description = f"A network of {hidden} hidden units, fully connected, suggests squares."
    title = f"{hidden} hidden units, the strongest of {len(lines)} connections"
    return explain_network(player, position, description, lambda: draw_network(position.game, title, hidden, lines))


def connections(player: FixedNetwork) -> list[Connection]:
    """Every connection; where a square is one input, it is shown as the network's own piece."""
    squares = len(player.outputs)
    inward = [
        Connection((("own", "their")[i // squares], i % squares), ("unit", unit), float(weight))
        for i, row in enumerate(player.inward)
        for unit, weight in enumerate(row)
    ]
    loops = [Connection(("unit", unit), ("unit", unit), float(weight)) for unit, weight in enumerate(player.loops)]
    outward = [
        Connection(("unit", unit), ("move", square), float(weight))
        for unit, row in enumerate(player.outward)
        for square, weight in enumerate(row)
    ]
    return inward + loops + outward


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> FixedNetwork:
    chromosome, hidden = arrays["chromosome"], chosen["hidden"]
    if not isinstance(hidden, int) or not 1 <= hidden <= MOST_HIDDEN:
        raise ValueError(f"its setting 'hidden' is not a number from 1 to {MOST_HIDDEN}")
    lengths = [genes(game, hidden, inputs) for inputs in ("one", "two")]
    if chromosome.shape not in [(length,) for length in lengths] or chromosome.dtype != np.int8:
        raise ValueError(f"it needs an array 'chromosome' of {lengths[0]} or {lengths[1]} int8")
    return fixed_network(game, chromosome, hidden, *check_settings(chosen["activation"], chosen["weight_scale"]))


PLAYERS = (
    PlayerKind(
        "fixed-network",
        "a network of fixed shape, decoded from a chromosome",
        "fixed-network:searcher",
        _make,
        _loaded,
        learned_description="an evolved network without search; a fixed ranking of squares plays about as well",
    ),
)
