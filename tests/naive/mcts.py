"""A slow, obvious UCT over positions: the reference that the compiled one is compared with, given the same random
numbers."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ludus.compile.rng import Rng, next_uint64, randint, seek
from ludus.games.game import Position

Playout = Callable[[Position, Rng], float]
"""The result of a random game that goes on from a position, for the first player."""


@dataclass
class Node:
    position: Position
    number: int
    children: dict[str, "Node"] = field(default_factory=dict)
    values: list[float] = field(default_factory=list)
    """The results of its simulations for the first player."""
    proven: float | None = None

    def mean(self) -> float:
        return sum(self.values) / len(self.values)


def result(position: Position) -> float:
    assert position.outcome is not None
    return 2 * position.outcome - 1


def playout(position: Position, rng: Rng) -> float:
    while not position.over:
        position = position.play(position.legal_moves[randint(rng, len(position.legal_moves))])
    return result(position)


def shuffled(moves: list[str], rng: Rng) -> list[str]:
    """Those that come last are settled first, and so are tried first."""
    moves = list(moves)
    for i in range(len(moves) - 1, 0, -1):
        j = randint(rng, i + 1)
        moves[i], moves[j] = moves[j], moves[i]
    return moves[::-1]


def bound(node: Node, child: Node, c: float) -> float:
    sign = 1 if node.position.current_player == 0 else -1
    if child.proven is not None:
        return sign * child.proven
    return sign * child.mean() + c * math.sqrt(math.log(len(node.values))) / math.sqrt(len(child.values))


def solved(node: Node) -> float | None:
    """What the children prove of a node."""
    sign = 1 if node.position.current_player == 0 else -1
    known = [sign * child.proven for child in node.children.values() if child.proven is not None]
    if 1 in known or len(known) == len(node.position.legal_moves):
        return sign * max(known)
    return None


def uct(position: Position, simulations: int, c: float, rng: Rng, playout: Playout = playout) -> Node:
    """The root of the tree after so many simulations, or as many as settle the game."""
    root, key, nodes = Node(position, 0), next_uint64(rng), 1
    for _ in range(simulations):
        if root.proven is not None:
            break
        path = [root]
        while path[-1].proven is None:
            node = path[-1]
            if len(node.children) < len(node.position.legal_moves):
                order = np.empty(4, np.uint64)
                seek(order, key, node.number)
                move = shuffled(node.position.legal_moves, order)[len(node.children)]
                path.append(Node(node.position.play(move), nodes))
                node.children[move] = path[-1]
                nodes += 1
                break
            bounds = {move: bound(node, child, c) for move, child in reversed(node.children.items())}
            path.append(node.children[max(bounds, key=lambda move: bounds[move])])
        last = path[-1]
        if last.position.over and last.proven is None:
            last.proven = result(last.position)
            for node in reversed(path[:-1]):
                node.proven = solved(node)
        value = playout(last.position, rng) if last.proven is None else last.proven
        for node in path:
            node.values.append(value)
    return root
