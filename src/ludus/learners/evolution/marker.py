"""Marker-based neuro-evolution, and the evolution of networks of a fixed shape that it is compared with.

Moriarty and Miikkulainen (1995), "Discovering Complex Othello Strategies Through Evolutionary Neural Networks".
Marker-based chromosomes, described in `ludus.players.marker`, encode the shape of a network as well as its weights
(section 3.2). Chromosomes of fixed networks, described in `ludus.players.fixed_network`, hold the weights only
(section 4); they evolve for more generations against the random mover. Everything else is the same: the evolutionary
loop, and what we decided about it, is in `ludus.learners.evolution.neuroevolution`.
"""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, Row
from ludus.learners.evolution.neuroevolution import NeuroEvolution, NeuroEvolutionSettings, NeuroEvolutionState
from ludus.players.fixed_network import MOST_HIDDEN, FixedNetwork, fixed_network, genes
from ludus.players.marker import LONGEST, Chromosome, MarkerNetwork, marker_network


class MarkerSettings(NeuroEvolutionSettings):
    genes: int = Field(5000, ge=2, le=LONGEST, description="integers on a chromosome (section 3.3)")


class MarkerLearner(NeuroEvolution[MarkerSettings]):
    name = "marker"
    description = "evolution of networks on chromosomes with markers (moriarty1995)"
    settings = MarkerSettings

    def genes(self, settings: MarkerSettings, game: Game) -> int:
        return settings.genes

    def network(self, settings: MarkerSettings, game: Game, chromosome: Chromosome) -> MarkerNetwork:
        return marker_network(game, chromosome, settings.activation, settings.weight_scale)

    def metrics(self, networks: list[Any]) -> Row:
        wirings = [each.wiring for each in networks]
        return {
            "hidden_units": float(np.mean([len(each.initial) for each in wirings])),
            "connections": float(np.mean([len(each.weights) + len(each.out_weights) for each in wirings])),
        }

    def player(self, settings: MarkerSettings, game: Game, state: NeuroEvolutionState) -> PlayerSpec:
        chosen = {"activation": settings.activation, "weight_scale": settings.weight_scale}
        return PlayerSpec("marker", {"chromosome": self.best(state)}, chosen)


class FixedNetworkSettings(NeuroEvolutionSettings):
    generations: str = Field("1000; 2000", description="generations of each phase, separated by ; (section 4)")
    hidden: int = Field(40, ge=1, le=MOST_HIDDEN, description="hidden units (section 4)")
    inputs: Literal["one", "two"] = Field(
        "one", description="inputs for each square; one gives the 5160 integers of section 4"
    )


class FixedNetworkLearner(NeuroEvolution[FixedNetworkSettings]):
    name = "fixed-network"
    description = "evolution of the weights of a network of fixed shape (moriarty1995)"
    settings = FixedNetworkSettings

    def genes(self, settings: FixedNetworkSettings, game: Game) -> int:
        return genes(game, settings.hidden, settings.inputs)

    def network(self, settings: FixedNetworkSettings, game: Game, chromosome: Chromosome) -> FixedNetwork:
        return fixed_network(game, chromosome, settings.hidden, settings.activation, settings.weight_scale)

    def player(self, settings: FixedNetworkSettings, game: Game, state: NeuroEvolutionState) -> PlayerSpec:
        chosen = {
            "hidden": settings.hidden, "activation": settings.activation, "weight_scale": settings.weight_scale,
        }  # fmt: skip
        return PlayerSpec("fixed-network", {"chromosome": self.best(state)}, chosen)


LEARNERS = (FixedNetworkLearner(), MarkerLearner())
