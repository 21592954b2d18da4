"""Evolved networks at the horizon of a search, as `ludus.learners.evolution.blondie24` makes them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.evaluators.subsquares import Subsquares, architecture, network
from ludus.games.game import Game, Option
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.names import settings
from ludus.players.search.alphabeta import EXTENSIONS, Search
from ludus.players.shipped import shipped_player

MOST_KING = 1e15
"""What a king may count as: times a weight, and summed up, it must still be a number in single precision."""

DEPTH = Option("depth", 0, "moves to look ahead; 0 as it was evolved", low=0, high=20)


def network_search(game: Game, numbers: NDArray[Any], king: float, chosen: Mapping[str, Any]) -> Search:
    """The player with this network and the search settings of its file. Raises ValueError if they don't fit."""
    try:
        hidden = tuple(int(part) for part in chosen["hidden"].split(","))
        depth, extension = chosen["depth"], EXTENSIONS.index(chosen["extend"])
    except (KeyError, AttributeError, ValueError):
        depth = 0
    if not (isinstance(depth, int) and 1 <= depth <= 20):
        raise ValueError("its settings hidden, depth and extend are not those of such a player")
    if not abs(king) < MOST_KING:
        raise ValueError(f"its king counts as {king:g} men, which is not a number below {MOST_KING:g}")
    plan = architecture(game, hidden)
    if numbers.shape != (plan.count,) or numbers.dtype != np.float32:
        raise ValueError(f"its network needs {plan.count} float32")
    evaluator = network(plan, numbers, king)
    if not chosen.get("turned", True):
        evaluator = unturned(evaluator)
    return Search(evaluator, depth, 0, True, True, extension)


def unturned(evaluator: Subsquares) -> Subsquares:
    """The same network, or population, if both players see the board from the first player's side."""
    return evaluator._replace(rows=np.stack([evaluator.rows[0]] * 2))


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Search:
    return network_search(game, arrays["numbers"], float(arrays["king"].item()), chosen)


def shipped_search(text: str, game: Game, arguments: str) -> CompiledPlayer:
    """A shipped player that searches, perhaps to another depth: `KIND:NAME,depth=6`."""
    kind, (name, _, rest) = text.partition(":")[0], arguments.partition(",")
    parts = shipped_player(f"{kind}:{name}", game).parts
    depth = settings(kind, rest, (DEPTH,))["depth"]
    return CompiledPlayer(text, game, parts._replace(depth=depth or parts.depth))


PLAYERS = (
    PlayerKind(
        "blondie24", "an evolved network that looks ahead", "blondie24:c10,depth=6", shipped_search, _loaded, (DEPTH,)
    ),
)
