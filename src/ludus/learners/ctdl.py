"""Coevolutionary temporal difference learning: coevolution whose members also learn by self-play.

Szubert, Jaśkowski and Krawiec (2009), "Coevolutionary Temporal Difference Learning for Othello".

Each member of a generation first plays some games with itself and learns from them, as in `tdl`; then the generation
is evaluated and has offspring, as in `cel`. Children inherit what their parents have learned (Lamarckian evolution):
coevolution explores, temporal differences exploit.

Where we decided: self-play has the settings of `tdl`, everything else those of `cel`, the sample of random opponents
included. About half of all games are self-play. They count in the budget.
"""

from typing import Any

from pydantic import Field

from ludus.compile.rng import key
from ludus.games.game import Game
from ludus.learners.base import Episodes
from ludus.learners.coevolution import Coevolution, CoevolutionSettings
from ludus.learners.td import SelfPlaySettings, train_by_self_play


class CTDLSettings(SelfPlaySettings, CoevolutionSettings):
    lesson_games: int = Field(
        400, ge=0, le=10**6, description="games of self-play from which each member learns in each generation"
    )


class CTDLLearner(Coevolution[CTDLSettings]):
    name = "ctdl"
    description = "coevolution whose members also learn by temporal differences (szubert2009)"
    settings = CTDLSettings

    def self_play_games(self, settings: CTDLSettings) -> int:
        return settings.lesson_games

    def train_members(self, settings: CTDLSettings, game: Game, seed: int, generation: int, population: Any) -> None:
        for i in range(settings.population):
            member = population._replace(weights=population.weights[i])
            first = (generation * settings.population + i) * settings.lesson_games
            train_by_self_play(
                settings, game, member, Episodes(key(seed, "ctdl lessons"), first, settings.lesson_games)
            )


LEARNERS = (CTDLLearner(),)
