"""Networks that no evolution made, or that it no longer fits, with the search of the evolved players."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import stream
from ludus.evaluators.subsquares import architecture
from ludus.learners.base import parse_settings
from ludus.learners.evolution.blondie24 import random_networks
from ludus.learners.names import learner
from ludus.papers.alkhateeb2012.setup import Budget
from ludus.papers.study import Study
from ludus.players.base import CompiledPlayer, Player
from ludus.players.blondie24 import network_search

Numbers = NDArray[np.float32]
HIDDEN, EXTEND = "40,10", "captures"
KING = 1.5
"""What kings come to be worth in evolution, and count as in our piece counts."""


def searching(study: Study[Budget], name: str, numbers: Numbers, king: float) -> CompiledPlayer:
    """A player with this network."""
    chosen = {"hidden": HIDDEN, "depth": study.budget.depth, "extend": EXTEND}
    return CompiledPlayer(name, study.game, network_search(study.game, numbers, king, chosen))


def untrained(study: Study[Budget], count: int, king: float = KING) -> list[CompiledPlayer]:
    """So many networks as a first generation has them, but for the king."""
    settings = parse_settings(learner("blondie24"), {})
    drawn = random_networks(settings, study.game, count, stream(study.workspace.seed, "untrained networks"))
    return [
        searching(study, f"untrained {i}, king {king:g}", numbers, king) for i, numbers in enumerate(drawn.numbers, 1)
    ]


def pieces_only(study: Study[Budget], king: float) -> CompiledPlayer:
    """A network of zeros, which counts pieces and knows nothing else."""
    count = architecture(study.game).count
    return searching(study, f"pieces, king {king:g}", np.zeros(count, np.float32), king)


def network_of(player: Player) -> tuple[Numbers, float]:
    """The weights and the king of an evolved player."""
    evaluator = player.parts.evaluator  # type: ignore[attr-defined]
    return evaluator.weights[architecture(player.game).where], float(evaluator.king)


def layer_spans(player: Player) -> dict[str, list[slice]]:
    """Where the weights of each layer are, and where its biases."""
    plan = architecture(player.game)
    units, seen = (len(plan.windows), *plan.hidden, 1), sum(map(len, plan.windows))
    spans: dict[str, list[slice]] = {}
    begin = 0
    for layer, count in enumerate(units):
        weights = seen if layer == 0 else units[layer - 1] * count
        name = "output" if layer == len(units) - 1 else f"hidden {layer + 1}"
        spans[name] = [slice(begin, begin + weights), slice(begin + weights, begin + weights + count)]
        begin += weights + count
    return spans


def shuffled(study: Study[Budget], player: Player, count: int) -> Iterator[CompiledPlayer]:
    """The player with the inner weights of each layer in another order, and its biases: so many such players.

    Its output weights and its king stay, so it is as loud, and its layers have the same weights; but what evolution
    may have found out about squares is lost.
    """
    numbers, king = network_of(player)
    for i in range(1, count + 1):
        mixed, rng = numbers.copy(), np.random.default_rng([study.workspace.seed, i])
        for name, spans in layer_spans(player).items():
            for span in spans if name != "output" else ():
                mixed[span] = rng.permutation(mixed[span])
        yield searching(study, f"{player.label} shuffled {i}", mixed, king)
