"""Coevolutionary temporal difference learning: coevolution whose members also learn by self-play.

Szubert, Jaśkowski and Krawiec (2009), "Coevolutionary Temporal Difference Learning for Othello".

Each member of a generation first plays some games with itself and learns from them, as `tdl` does; then the generation
is judged and breeds, as in `cel`. What a member has learned is inherited by its children (Lamarck's way): coevolution
explores, temporal differences exploit.

Where we decided: everything but the lessons has the settings of `cel`, sample of random opponents included, and the
lessons those of `tdl`. About half of all games are lessons. Their games count in the budget.
"""

from typing import Any

from pydantic import Field

from ludus.dice import key
from ludus.games.game import Game
from ludus.learners.coevolution import Coevolution, CoevolutionSettings
from ludus.learners.td import Lessons, taught


class CTDLSettings(Lessons, CoevolutionSettings):
    lesson_games: int = Field(
        400, ge=0, le=10**6, description="games of self-play from which each member learns in each generation"
    )


class CTDLLearner(Coevolution[CTDLSettings]):
    name = "ctdl"
    says = "coevolution whose members also learn by temporal differences (szubert2009)"
    settings = CTDLSettings

    def lesson_games(self, settings: CTDLSettings) -> int:
        return settings.lesson_games

    def teach(self, settings: CTDLSettings, game: Game, seed: int, generation: int, crowd: Any) -> None:
        for i in range(settings.population):
            judge = crowd._replace(weights=crowd.weights[i])
            begin = (generation * settings.population + i) * settings.lesson_games
            taught(settings, game, judge, key(seed, "ctdl lessons"), begin, settings.lesson_games)


LEARNERS = (CTDLLearner(),)
