"""Players with several strategies, who change theirs when they lose: alkhateeb2012's continuous learning.

The evolved strategy is number 0; the others were the best of their generations. The player plays the current one. After
a game, `after_game` gives it as it goes on: it remembers how each strategy has done, and having lost, takes up another,
the untried first in order of their strength in evolution, then the one with the best record.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import InvalidSetting
from ludus.games.game import Game
from ludus.games.names import game as find_game
from ludus.players.base import PlayerKind
from ludus.players.blondie24 import DEPTH, network_search, shipped_search
from ludus.players.files import Header, read_player, save_player
from ludus.players.search.alphabeta import Search

MOST_STRATEGIES = 20
"""How many strategies a player keeps."""

Record = NDArray[np.int64]
"""[strategies, 3]: games won, drawn and lost with each."""


def next_strategy(record: Record, current: int) -> int:
    """What to play after a loss with the current strategy."""
    others = [i for i in range(len(record)) if i != current]
    untried = [i for i in others if not record[i].sum()]
    if untried or not others:
        return untried[0] if untried else current
    # add-one smoothing, so that a single lost game does not rule a strategy out
    shares = (record @ [1.0, 0.5, 0.0] + 1) / (record.sum(axis=1) + 2)
    return max(others, key=lambda i: (shares[i], -i))


def after_game(record: Record, current: int, score: float) -> tuple[Record, int]:
    """The record after a game with the current strategy (1.0 won, 0.5 drawn, 0.0 lost), and what to play next."""
    record = record.copy()
    record[current, {1.0: 0, 0.5: 1, 0.0: 2}[score]] += 1
    return record, next_strategy(record, current) if score == 0 else current


def read_strategies(path: Path) -> tuple[Header, dict[str, NDArray[Any]]]:
    """The header and the arrays of the file of a player with several strategies."""
    header, arrays = read_player(path)
    if header.kind != "social":
        raise InvalidSetting(
            f"{path} holds a player of kind {header.kind}, which has one strategy; name a social player"
        )
    return header, arrays


def record_result(path: Path, score: float) -> tuple[int, int]:
    """Record the result of a game in the player's file; returns its strategy before and after.

    The file keeps the game that the player was made for, whatever variant of it was played.
    """
    header, arrays = read_strategies(path)
    before = header.settings["current"]
    record, current = after_game(arrays["record"], before, score)
    arrays, settings = arrays | {"record": record}, header.settings | {"current": current}
    save_player(path, "social", find_game(header.game), arrays, settings, header.provenance)
    return before, current


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Search:
    numbers, kings, record, current = arrays["numbers"], arrays["kings"], arrays["record"], chosen["current"]
    count = len(numbers)
    if kings.shape != (count,) or record.shape != (count, 3) or record.dtype != np.int64 or record.min(initial=0) < 0:
        raise ValueError("its arrays numbers, kings and record don't fit together")
    if not isinstance(current, int) or not 0 <= current < count:
        raise ValueError(f"its current strategy is not one of its {count}")
    return network_search(game, numbers[current], float(kings[current]), chosen)


PLAYERS = (
    PlayerKind(
        "social", "an evolved network with others to fall back on when it loses", "social:c10", shipped_search,
        _loaded, (DEPTH,),
    ),
)  # fmt: skip
