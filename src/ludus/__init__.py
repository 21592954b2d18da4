"""Ludus: a school for board-game players.

>>> import ludus
>>> position = ludus.game("othello8").start()
>>> position.moves
['d3', 'c4', 'f5', 'e6']
>>> position.play("f5").side
'White'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.games.game import Game, Position
    from ludus.games.perft import perft
    from ludus.registry import game, variants

__version__ = "0.1.0"

__all__ = ["Game", "LudusError", "Position", "game", "perft", "variants"]

_HOMES = {
    "Game": "ludus.games.game",
    "Position": "ludus.games.game",
    "game": "ludus.registry",
    "perft": "ludus.games.perft",
    "variants": "ludus.registry",
}


def __getattr__(name: str) -> Any:
    """Load the compiler only when something needs it: `ludus --help` should answer at once."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")
