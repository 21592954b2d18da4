"""What a learner is: settings, a state that holds all that is learned, and a step that changes it.

A state is a NamedTuple of numbers and arrays, so every learner is saved in the same way, and a killed run resumes from
its last checkpoint to the same bytes. Randomness comes from `ludus.compile.rng`, addressed by the run's seed and by
counters that are part of the state; never from anything that is not saved.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from ludus.errors import InvalidSetting
from ludus.games.game import Game
from ludus.suggestions import did_you_mean

if TYPE_CHECKING:
    from ludus.players.learning import Knowledge

Row = dict[str, float]
"""The metrics of one step, by name."""


class Settings(BaseModel):
    """What was asked of a learner. The description of each field is also its help on the command line.

    A field with `json_schema_extra={"scale": "log"}`, or `"linear"`, is one that `ludus tune` varies, on that scale,
    unless it is told what to vary.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


SettingsT = TypeVar("SettingsT", bound=Settings)
StateT = TypeVar("StateT", bound=tuple[Any, ...])


@dataclass(frozen=True)
class PlayerSpec:
    """A player as a player file holds it."""

    kind: str
    arrays: Mapping[str, NDArray[Any]]
    settings: Mapping[str, Any] = field(default_factory=dict)


class Episodes(NamedTuple):
    """The games that a kernel learns from, number `first` and the next ones; each has the random stream of its number
    under `key`."""

    key: np.uint64
    first: int
    games: int


class Learner(ABC, Generic[SettingsT, StateT]):
    """One method of making players."""

    name: ClassVar[str]
    description: ClassVar[str]
    settings: type[SettingsT]
    usual_game: ClassVar[str] = "othello8"
    """What it learns where no game is asked for: the game of the paper that it comes from."""
    curve_games: ClassVar[int] = 100
    """Games in which a run that is watched meets a fixed opponent now and then, to show that it learns."""
    curve_opponent: ClassVar[str] = "usual"
    """That opponent; usual is the game's standard opponent, and whoever plays another game is replaced by it."""

    @abstractmethod
    def start(self, settings: SettingsT, game: Game, seed: int) -> StateT:
        """The state before anything is learned. Raises LudusError if the settings can't be used with this game."""

    @abstractmethod
    def step(self, settings: SettingsT, game: Game, seed: int, state: StateT) -> tuple[StateT, Row]:
        """A second or two of work: the next state, and metrics about it. Doesn't change the state it is given."""

    @abstractmethod
    def done(self, settings: SettingsT, state: StateT) -> float:
        """How much of the work is done, from 0 to 1."""

    @abstractmethod
    def player(self, settings: SettingsT, game: Game, state: StateT) -> PlayerSpec:
        """The player that has been learned so far."""

    def knowledge(self, file: Path, game: Game) -> "Knowledge | None":
        """What the player in that file knows, if it can go on learning from whole games; by default it can't."""
        return None


def parse_settings(learner: Learner[Any, Any], given: Mapping[str, Any]) -> Any:
    """The learner's settings with these values. Raises InvalidSetting, which names the first that is wrong."""
    known = learner.settings.model_fields
    for name in given:
        if name not in known:
            meant = did_you_mean(name, known)
            raise InvalidSetting(
                f"unknown setting {name!r} for {learner.name}{meant}; known settings: {', '.join(known)}"
            )
    try:
        return learner.settings.model_validate(dict(given))
    except ValidationError as problem:
        first = problem.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        message = f"invalid {name}={first['input']} for {learner.name}: {_requirement(first)}"
        raise InvalidSetting(message) from None


_REQUIREMENTS = {
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be greater than {gt}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "literal_error": "must be {expected}",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_type": "must be a whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "string_pattern_mismatch": "must look like {pattern}",
    "finite_number": "must be a finite number",
    "int_parsing_size": "is too large",
}
"""By pydantic's type of error, what the value must be."""


def _requirement(error: Mapping[str, Any]) -> str:
    if text := _REQUIREMENTS.get(error["type"]):
        return text.format(**error.get("ctx", {}))
    return str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")


def copy_arrays(state: StateT) -> StateT:
    """A copy of the state that shares no array with it, so that a step may write into it."""
    return type(state)(*(each.copy() if isinstance(each, np.ndarray) else each for each in state))
