"""A slow, obvious reader of chromosomes with markers, and the network that stands on them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ludus.games.game import Position


@dataclass
class Unit:
    label: int
    value: float
    inward: list[tuple[str, int, float]] = field(default_factory=list)
    outward: list[tuple[int, float]] = field(default_factory=list)


def definitions(genes: Sequence[int]) -> list[list[int]]:
    """What stands between the markers, for each start marker that is one."""
    starts = [i for i, gene in enumerate(genes) if abs(gene) % 25 == 1]
    found, taken = [], -1
    for start in starts:
        if start <= taken:
            continue  # within another definition
        body = []
        for i in range(start + 1, start + len(genes) + 1):
            if abs(genes[i % len(genes)]) % 25 == 2 or (i >= len(genes) and i % len(genes) == starts[0]):
                break
            body.append(genes[i % len(genes)])
        taken = start + len(body) + 1
        found.append(body)
    return [body for body in found if len(body) >= 2]


def units(genes: Sequence[int], squares: int, scale: float) -> list[Unit]:
    found = []
    bodies = definitions(genes)
    for label, value, *rest in bodies:
        unit = Unit(label, value / 128)
        for key, other, weight in zip(rest[0::3], rest[1::3], rest[2::3], strict=False):
            more = 128 * key
            if key > 0 and other > 0:
                unit.inward.append(("input", (other + more * (2 * squares > 128)) % (2 * squares), weight / scale))
            elif key > 0:
                unit.outward.append(((-other + more * (squares > 128)) % squares, weight / scale))
            else:
                nearest = min(range(len(bodies)), key=lambda i: abs(bodies[i][0] - other))
                unit.inward.append(("unit", nearest, weight / scale))
        found.append(unit)
    return found


class Network:
    """Plays one game."""

    def __init__(self, genes: Sequence[int], squares: int, scale: float = 64.0) -> None:
        self.units = units(genes, squares, scale)
        self.values = [unit.value for unit in self.units]

    def outputs(self, position: Position) -> list[float]:
        mine = position.cells * (1 - 2 * position.current_player)
        inputs = [*(mine > 0), *(mine < 0)]
        likes = [0.0] * len(mine)
        for number, unit in enumerate(self.units):
            seen = {"input": inputs, "unit": self.values}
            total = sum(weight * seen[kind][i] for kind, i, weight in unit.inward)
            self.values[number] = 1 / (1 + math.exp(-total))
            for square, weight in unit.outward:
                likes[square] += weight * self.values[number]
        return likes

    def choose(self, position: Position) -> str:
        """The legal move on the best square. Othello only."""
        likes = self.outputs(position)
        return max(position.legal_moves, key=lambda move: likes[position.legal[move]] if move != "pass" else 0.0)


def random_genes(seed: int, count: int = 5000) -> np.ndarray:
    return np.random.default_rng(seed).integers(-128, 128, count).astype(np.int8)
