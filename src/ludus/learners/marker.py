"""Marker-based neuro-evolution.

Moriarty and Miikkulainen (1995), "Discovering Complex Othello Strategies Through Evolutionary Neural Networks".
The chromosome is told about in `ludus.players.marker`, evolution and what we decided in
`ludus.learners.neuroevolution`.
"""

from typing import Any

import numpy as np
from pydantic import Field

from ludus.games.game import Game
from ludus.learners.learner import Learned, Row
from ludus.learners.neuroevolution import Evolution, EvolutionSettings, Evolving
from ludus.players.marker import LONGEST, Chromosome, Marker, marker


class MarkerSettings(EvolutionSettings):
    genes: int = Field(5000, ge=2, le=LONGEST, description="integers on a chromosome (section 3.3)")


class MarkerLearner(Evolution[MarkerSettings]):
    name = "marker"
    says = "evolution of networks on chromosomes with markers (moriarty1995)"
    settings = MarkerSettings

    def genes(self, settings: MarkerSettings, game: Game) -> int:
        return settings.genes

    def network(self, settings: MarkerSettings, game: Game, chromosome: Chromosome) -> Marker:
        return marker(game, chromosome, settings.activation, settings.weight_scale)

    def figures(self, networks: list[Any]) -> Row:
        wirings = [each.wiring for each in networks]
        return {
            "hidden_units": float(np.mean([len(each.initial) for each in wirings])),
            "connections": float(np.mean([len(each.weights) + len(each.out_weights) for each in wirings])),
        }

    def player(self, settings: MarkerSettings, game: Game, state: Evolving) -> Learned:
        chosen = {"activation": settings.activation, "weight_scale": settings.weight_scale}
        return Learned("marker", {"chromosome": self.best(state)}, chosen)


LEARNERS = (MarkerLearner(),)
