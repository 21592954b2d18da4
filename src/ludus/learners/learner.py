"""What a learner is: settings, a state that holds all that is learned, and a step that changes it.

A state is a NamedTuple of numbers and arrays, so saving it is the same for every learner, and a run that is killed
goes on from the last saved state to the same bytes. Randomness comes from `ludus.dice`, by the run's seed and by
counters that are part of the state; never from anything that is not saved.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from ludus.errors import LudusError
from ludus.games.game import Game

State = TypeVar("State", bound=tuple[Any, ...])
Row = dict[str, float]
"""Figures of one step, by name."""


class Settings(BaseModel):
    """What was asked of a learner. The description of each field is also its help on the command line."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Chosen = TypeVar("Chosen", bound=Settings)


@dataclass(frozen=True)
class Learned:
    """A player as a player file holds it."""

    kind: str
    arrays: Mapping[str, NDArray[Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)


class Learner(ABC, Generic[Chosen, State]):
    """One method of making players."""

    name: ClassVar[str]
    says: ClassVar[str]
    settings: type[Chosen]

    @abstractmethod
    def start(self, settings: Chosen, game: Game, seed: int) -> State:
        """The state before anything is learned. Raises LudusError if the game does not suit."""

    @abstractmethod
    def step(self, settings: Chosen, game: Game, seed: int, state: State) -> tuple[State, Row]:
        """A second or two of work: the next state, and figures about it. Doesn't change the state it is given."""

    @abstractmethod
    def done(self, settings: Chosen, state: State) -> float:
        """How much of the work is done, from 0 to 1."""

    @abstractmethod
    def player(self, settings: Chosen, game: Game, state: State) -> Learned:
        """The player that has been learned so far."""


def parse_settings(learner: Learner[Any, Any], given: Mapping[str, Any]) -> Any:
    """The learner's settings with these values; whatever is wrong is told in one sentence."""
    known = learner.settings.model_fields
    for name in given:
        if name not in known:
            raise LudusError(f"{learner.name} has no setting {name!r}; its settings are {', '.join(known)}")
    try:
        return learner.settings.model_validate(dict(given))
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "settings"
        message = first["msg"].removeprefix("Value error, ")
        raise LudusError(f"{where}={first['input']} does not suit {learner.name}: {message}") from None


def copied(state: State) -> State:
    """A state that shares no array with the other, so that a step may write into it."""
    return type(state)(*(each.copy() if isinstance(each, np.ndarray) else each for each in state))
