"""Evaluators by name.

A file in `ludus.evaluators`, or another package, offers `EVALUATORS`; `value=NAME` in a player string picks one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ludus.errors import UnknownName
from ludus.games.game import Game
from ludus.registry import evaluators


@dataclass(frozen=True)
class EvaluatorKind:
    """An evaluator that can be asked for by name."""

    name: str
    description: str
    makes: Mapping[str, Callable[[], Any]]
    """What makes the NamedTuple that implements `evaluate`, by game: `othello8`, `othello` in any size, or `any`."""


def evaluator(name: str, game: Game) -> Any:
    """The evaluator of that name for this game; `usual` is the game's own default."""
    name = game.defaults.evaluator if name == "usual" else name
    if name not in evaluators():
        known = ", ".join(evaluators())
        raise UnknownName(f"unknown evaluator {name!r}; known evaluators: {known}, or a player file with weights")
    return game.choice(f"the evaluator {name}", evaluators()[name].makes)()
