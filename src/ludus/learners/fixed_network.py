"""Evolution of networks of a fixed shape: what marker-based neuro-evolution is compared with.

Moriarty and Miikkulainen (1995), "Discovering Complex Othello Strategies Through Evolutionary Neural Networks",
section 4. Everything but the chromosome is as in `marker`, with more generations against the random mover.
"""

from typing import Literal

from pydantic import Field

from ludus.games.game import Game
from ludus.learners.learner import Learned
from ludus.learners.neuroevolution import Evolution, EvolutionSettings, Evolving
from ludus.players.fixed_network import MOST_HIDDEN, FixedNetwork, fixed_network, genes
from ludus.players.marker import Chromosome


class FixedNetworkSettings(EvolutionSettings):
    generations: str = Field(
        "1000; 2000", pattern=r"^\s*\d{1,9}\s*(;\s*\d{1,9}\s*)*$", description="of each phase (section 4)"
    )
    hidden: int = Field(40, ge=1, le=MOST_HIDDEN, description="hidden units (section 4)")
    inputs: Literal["one", "two"] = Field(
        "one", description="inputs for each square; one gives the 5160 integers of section 4"
    )


class FixedNetworkLearner(Evolution[FixedNetworkSettings]):
    name = "fixed-network"
    says = "evolution of the weights of a network of fixed shape (moriarty1995)"
    settings = FixedNetworkSettings

    def genes(self, settings: FixedNetworkSettings, game: Game) -> int:
        return genes(game, settings.hidden, settings.inputs)

    def network(self, settings: FixedNetworkSettings, game: Game, chromosome: Chromosome) -> FixedNetwork:
        return fixed_network(game, chromosome, settings.hidden, settings.activation, settings.weight_scale)

    def player(self, settings: FixedNetworkSettings, game: Game, state: Evolving) -> Learned:
        chosen = {
            "hidden": settings.hidden, "activation": settings.activation, "weight_scale": settings.weight_scale,
        }  # fmt: skip
        return Learned("fixed-network", {"chromosome": self.best(state)}, chosen)


LEARNERS = (FixedNetworkLearner(),)
