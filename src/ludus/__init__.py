"""Ludus: a school for board-game players.

>>> import ludus
>>> position = ludus.game("othello8").start()
>>> position.legal_moves
['d3', 'c4', 'f5', 'e6']
>>> position.play("f5").side
'White'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.api import (
        adapt,
        behaviour,
        convert,
        dependence,
        explain,
        find_runs,
        game,
        ladder,
        league,
        match,
        measure,
        player,
        profile,
        rate,
        read_games,
        regret,
        reproduce,
        review,
        rungs,
        solve,
        strategies,
        train,
    )
    from ludus.games.game import Game, Position
    from ludus.games.names import variants
    from ludus.games.perft import perft
    from ludus.players.base import Player
    from ludus.runs.run import Run

__version__ = "0.1.0"

_HOMES = {
    "adapt": "ludus.api",
    "behaviour": "ludus.api",
    "convert": "ludus.api",
    "dependence": "ludus.api",
    "explain": "ludus.api",
    "find_runs": "ludus.api",
    "game": "ludus.api",
    "ladder": "ludus.api",
    "league": "ludus.api",
    "match": "ludus.api",
    "measure": "ludus.api",
    "player": "ludus.api",
    "profile": "ludus.api",
    "rate": "ludus.api",
    "read_games": "ludus.api",
    "regret": "ludus.api",
    "reproduce": "ludus.api",
    "review": "ludus.api",
    "rungs": "ludus.api",
    "solve": "ludus.api",
    "strategies": "ludus.api",
    "train": "ludus.api",
    "Game": "ludus.games.game",
    "Player": "ludus.players.base",
    "Position": "ludus.games.game",
    "Run": "ludus.runs.run",
    "perft": "ludus.games.perft",
    "variants": "ludus.games.names",
}

__all__ = [
    "Game",
    "LudusError",
    "Player",
    "Position",
    "Run",
    "adapt",
    "behaviour",
    "convert",
    "dependence",
    "explain",
    "find_runs",
    "game",
    "ladder",
    "league",
    "match",
    "measure",
    "perft",
    "player",
    "profile",
    "rate",
    "read_games",
    "regret",
    "reproduce",
    "review",
    "rungs",
    "solve",
    "strategies",
    "train",
    "variants",
]


def __getattr__(name: str) -> Any:
    """Load the compiler only when something needs it: `ludus --help` should answer at once."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__", "errors"]
