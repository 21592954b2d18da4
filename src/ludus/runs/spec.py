"""What is asked of a run: one record, for commands, Python, other processes and run.json."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludus import __version__
from ludus.errors import InvalidSetting
from ludus.games.game import Game
from ludus.games.names import game as find_game
from ludus.learners.base import Learner, parse_settings
from ludus.learners.names import learner as find_learner


@dataclass(frozen=True)
class RunSpec:
    """A learner, a game, all settings of the learner, and the seed: plain values, so that it can be sent anywhere."""

    learner: str
    game: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1

    @classmethod
    def create(
        cls, learner: str, game: str | Game, settings: Mapping[str, Any] | None = None, seed: int = 1
    ) -> "RunSpec":
        """The spec with these settings and the learner's defaults for the others. Raises LudusError if any is wrong."""
        method = find_learner(learner)
        chosen = parse_settings(method, settings or {})
        name = game.name if isinstance(game, Game) else find_game(game).name
        return cls(learner, name, chosen.model_dump(mode="json"), _whole(seed))

    def parsed(self) -> tuple[Learner[Any, Any], Game, Any]:
        """The learner, the game and the settings as the learner takes them."""
        method = find_learner(self.learner)
        return method, find_game(self.game), parse_settings(method, self.settings)

    def to_json(self) -> dict[str, Any]:
        """As run.json and the provenance of a player file have it."""
        return {
            "learner": self.learner,
            "game": self.game,
            "game_version": find_game(self.game).type.version,
            "settings": dict(self.settings),
            "seed": self.seed,
            "ludus": __version__,
        }


def _whole(seed: Any) -> int:
    """A seed as run.json has it, which may be given as one of numpy's whole numbers."""
    try:
        if (whole := operator.index(seed)) >= 0:
            return int(whole)
    except TypeError:
        pass
    raise InvalidSetting(f"invalid seed={seed!r}: must be a whole number, 0 or more")
