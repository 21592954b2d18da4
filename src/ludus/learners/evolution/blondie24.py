"""Evolution of networks that evaluate positions for a search: Blondie24, and its round robin.

Chellapilla and Fogel (1999, 2001), "Evolving an expert checkers playing program without using human expertise";
Al-Khateeb and Kendall (2009), "Introducing a round robin tournament into Blondie24"; Al-Khateeb and Kendall (2012),
"Introducing Individual and Social Learning Into Evolutionary Checkers", sections II.C and IV.

This is evolutionary programming: a population plays among itself, the better half survives, and each survivor has one
child, made by self-adaptive mutation. The result is the best of the last generation.

Where we decided, since the papers are silent or differ:

- The five opponents of a network are different ones; the network that chose them moves first, and both get points.
- A king is worth 2 at first; a child's differs by -0.1, 0 or 0.1, within 1 to 3. The second paper leaves it out.
- Round robin: everybody meets everybody twice, once moving first. That is 870 games a generation, so 145 generations
  are as many games as Blondie24 plays in 840.
- Networks with equally many points rank as they stand in the population, survivors before children.
- Forced captures extend the search move by move (quiescence). Blondie24's authors extend whole lines, by pairs of
  moves; that takes some hundred times as long (`extend=pairs`).
- The numbers of a network, its weights and biases, are of single precision.

Beyond the papers, or as other readings of them, a generation may be judged by several tournaments (`rounds`), the
result chosen by a round robin (`final_rounds`), the king fixed (`king_step=0`), the network made louder beside the sum
of the pieces (`loudness`), that sum given a weight that evolves (`sum_weight`), and the board shown to both sides as it
stands (`turned=false`).
"""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, key, randint, seek, stream
from ludus.errors import InvalidSetting
from ludus.evaluators.protocol import member
from ludus.evaluators.subsquares import Architecture, Subsquares, architecture, copied, network
from ludus.games import protocol
from ludus.games.game import Game
from ludus.learners.base import Learner, PlayerSpec, Row, Settings
from ludus.learners.evolution.operators import (
    Fitness,
    init_uniform,
    learning_rate,
    mutate_self_adaptive,
    plus_selection,
    survivors,
)
from ludus.learners.evolution.tournaments import Pairings, Pairs, Scores, random_opponents, round_robin
from ludus.learners.representations import MOST_BYTES
from ludus.play.games import play_through
from ludus.play.parallel import in_parallel
from ludus.players.blondie24 import unturned
from ludus.players.search.alphabeta import EXTENSIONS, Search
from ludus.players.search.transposition import with_transposition_table

Numbers = NDArray[np.float32]

KINGS = (1.0, 3.0)
"""The least and the most that a king may be worth."""
FIRST_KING, KING_STEP = 2.0, 0.1

LEAST_SUM_WEIGHT = 0.01
"""An evolved weight of the sum of the pieces that is less counts as this, so pieces hardly matter to such a network."""


class Blondie24Settings(Settings):
    generations: int = Field(840, ge=1, le=10**6, description="generations in all (II.C, step 7)")
    population: int = Field(30, ge=2, le=1000, description="networks of a generation (II.C, step 1)")
    opponents: int = Field(5, ge=1, le=999, description="opponents that each network chooses (II.C, step 3)")
    depth: int = Field(4, ge=1, le=20, description="search depth in plies (Chellapilla and Fogel)")
    extend: Literal["no", "captures", "pairs"] = Field(
        "captures", description="quiescence: how to search on while captures are forced (Chellapilla and Fogel: pairs)"
    )
    hidden: str = Field("40,10", description="units of the hidden layers behind the one that sees the subsquares")
    start_size: float = Field(
        0.2, ge=0, le=100, description="initial numbers are drawn from minus to plus this (II.C, step 1)"
    )
    first_step: float = Field(0.05, ge=0, le=100, description="initial mutation step of all numbers (II.C, step 2)")
    win: float = Field(1.0, ge=-100, le=100, description="points for a win (II.C, step 4)")
    draw: float = Field(0.0, ge=-100, le=100, description="points for a draw (II.C, step 4)")
    loss: float = Field(-2.0, ge=-100, le=100, description="points for a loss (II.C, step 4)")
    rounds: int = Field(1, ge=1, le=100, description="tournaments by which a generation is judged")
    final_rounds: int = Field(
        0,
        ge=0,
        le=100,
        description="round robins of the last generation that choose the result; 0: its tournament does",
    )
    first_king: float = Field(FIRST_KING, ge=KINGS[0], le=KINGS[1], description="initial value of a king")
    king_step: float = Field(KING_STEP, ge=0, le=2, description="by how much the king of a child may differ; 0: tied")
    loudness: float = Field(1.0, gt=0, le=1000, description="factor of the output weights beside the sum of the pieces")
    sum_weight: Literal["one", "evolved"] = Field(
        "one", description="weight of the sum of the pieces: 1, or a number that evolves as all others do"
    )
    turned: bool = Field(True, description="whether the second player sees the board turned round")

    @field_validator("hidden")
    @classmethod
    def _layers(cls, hidden: str) -> str:
        if not all(part.strip().isdecimal() and 1 <= int(part) <= 1000 for part in hidden.split(",")):
            raise ValueError("must be the number of units in each layer, from 1 to 1000, such as 40,10")
        return hidden

    def architecture(self, game: Game) -> Architecture:
        return architecture(game, tuple(map(int, self.hidden.split(","))))

    def numbers(self, game: Game) -> int:
        """How many numbers of a network evolve."""
        return self.architecture(game).count + (self.sum_weight == "evolved")


class RoundRobinSettings(Blondie24Settings):
    generations: int = Field(145, ge=1, le=10**6, description="generations in all; 145 are about 126,000 games")
    opponents: int = Field(0, ge=0, le=0, description="not used: everybody plays everybody")


class NetworkPopulation(NamedTuple):
    """Networks with all that their children inherit."""

    numbers: Numbers  # [networks, numbers]
    steps: Numbers  # the same: the mutation step of each number
    kings: NDArray[np.float64]  # [networks]

    def subset(self, which: Any) -> "NetworkPopulation":
        return NetworkPopulation(self.numbers[which], self.steps[which], self.kings[which])

    def joined(self, others: "NetworkPopulation") -> "NetworkPopulation":
        return NetworkPopulation(
            np.concatenate([self.numbers, others.numbers]),
            np.concatenate([self.steps, others.steps]),
            np.concatenate([self.kings, others.kings]),
        )


class Blondie24State(NamedTuple):
    numbers: Numbers
    steps: Numbers
    kings: NDArray[np.float64]
    points: NDArray[np.float64]  # of this population
    generation: int
    games: int

    @property
    def population(self) -> NetworkPopulation:
        return NetworkPopulation(self.numbers, self.steps, self.kings)


SettingsT = TypeVar("SettingsT", bound=Blondie24Settings)
StateT = TypeVar("StateT", bound=Any)


class EvolutionaryProgramming(Learner[SettingsT, StateT], Generic[SettingsT, StateT]):
    """What all that evolve such networks have in common: how a generation is evaluated."""

    usual_game = "checkers"
    curve_games = 20  # each takes a search
    curve_opponent = "alphabeta:depth=4,extend=captures"  # networks that have learned nothing beat one that sees less

    def first_population(self, settings: SettingsT, game: Game, seed: int) -> NetworkPopulation:
        """The networks of the first generation. Raises InvalidSetting if memory can't hold so many."""
        each = settings.numbers(game)
        if 8 * settings.population * each > MOST_BYTES:  # a number and its step are of four bytes each
            raise InvalidSetting(
                f"invalid population={settings.population} for {self.name}: networks of {each:,} numbers allow at most "
                f"{MOST_BYTES // (8 * each)}; ask for fewer, or for fewer hidden units"
            )
        return random_networks(settings, game, settings.population, stream(seed, f"{self.name} start"))

    def pairs(self, settings: SettingsT, rng: Rng) -> Pairs:
        """Who plays whom."""
        return random_opponents(settings.population, settings.opponents, rng)

    def evaluate_population(
        self, settings: SettingsT, game: Game, seed: int, generation: int, population: NetworkPopulation
    ) -> tuple[NDArray[np.float64], Row]:
        """The points of each network, and metrics of the games."""
        rng = stream(seed, f"{self.name} meetings", generation)
        pairs = np.concatenate([self.pairs(settings, rng) for _ in range(settings.rounds)])
        games = generation * len(pairs)
        points, scores = self.play_pairings(
            settings, game, population, Pairings(pairs, key(seed, f"{self.name} games"), games)
        )
        if settings.final_rounds and generation == settings.generations:
            final = np.concatenate([round_robin(settings.population)] * settings.final_rounds)
            points, _ = self.play_pairings(
                settings, game, population, Pairings(final, key(seed, f"{self.name} final"), 0)
            )
            games += len(final)
        return points, {
            "generation": generation,
            "games": games,
            "best_points": float(points.max()),
            "mean_points": float(points.mean()),
            "draws": float(np.mean(scores == 0.5)),
            "first_wins": float(np.mean(scores == 1)),
            "mean_step": float(population.steps.mean()),
            "mean_king": float(population.kings.mean()),
        }

    def play_pairings(
        self, settings: SettingsT, game: Game, population: NetworkPopulation, games: Pairings
    ) -> tuple[NDArray[np.float64], Scores]:
        """The points of each network in these games, and the score of each game."""
        pairs, scores, players = games.pairs, np.empty(len(games.pairs)), phenotypes(settings, game, population)
        networks = network(settings.architecture(game), players.numbers, players.kings)
        if not settings.turned:
            networks = unturned(networks)
        extension = EXTENSIONS.index(settings.extend)

        def play(begin: int, end: int) -> None:
            # arrays that threads share are counted by all of them at once, which costs more than a copy
            own = copied(networks)
            play_searching(game.rules, own, settings.depth, extension, games.part(begin, end), scores[begin:end])

        in_parallel(play, len(pairs))
        value = np.array([settings.loss, settings.draw, settings.win])
        points = np.zeros(settings.population)
        np.add.at(points, pairs[:, 0], value[np.rint(2 * scores).astype(int)])
        np.add.at(points, pairs[:, 1], value[np.rint(2 - 2 * scores).astype(int)])
        return points, scores

    def done(self, settings: SettingsT, state: StateT) -> float:
        return float(state.generation / settings.generations)


class Blondie24Evolution(EvolutionaryProgramming[SettingsT, Blondie24State], Generic[SettingsT]):
    def start(self, settings: SettingsT, game: Game, seed: int) -> Blondie24State:
        first = self.first_population(settings, game, seed)
        return Blondie24State(*first, np.zeros(settings.population), 0, 0)

    def step(self, settings: SettingsT, game: Game, seed: int, state: Blondie24State) -> tuple[Blondie24State, Row]:
        population, generation = state.population, state.generation + 1
        if state.generation:
            rng = stream(seed, f"{self.name} children", generation)
            population = next_generation(population, state.points, rng, settings.king_step)
        points, row = self.evaluate_population(settings, game, seed, generation, population)
        return Blondie24State(*population, points, generation, int(row["games"])), row

    def player(self, settings: SettingsT, game: Game, state: Blondie24State) -> PlayerSpec:
        best = phenotypes(settings, game, state.population.subset([int(np.argmax(state.points))]))
        arrays = {"numbers": best.numbers[0], "king": np.array(best.kings[0])}
        return PlayerSpec("blondie24", arrays, search_settings(settings))


class Blondie24Learner(Blondie24Evolution[Blondie24Settings]):
    name = "blondie24"
    description = "evolution of networks for a search, by games against chosen others (alkhateeb2012's C0)"
    settings = Blondie24Settings


class RoundRobinLearner(Blondie24Evolution[RoundRobinSettings]):
    name = "blondie24-rr"
    description = "blondie24, but everybody plays everybody (alkhateeb2012's Blondie24-RR)"
    settings = RoundRobinSettings

    def pairs(self, settings: RoundRobinSettings, rng: Rng) -> Pairs:
        return round_robin(settings.population)


def search_settings(settings: Blondie24Settings) -> dict[str, Any]:
    """What a player file says about the search."""
    search = {"hidden": settings.hidden, "depth": settings.depth, "extend": settings.extend}
    return search if settings.turned else search | {"turned": False}


def random_networks(settings: Blondie24Settings, game: Game, count: int, rng: Rng) -> NetworkPopulation:
    """So many new networks."""
    numbers = np.empty((count, settings.numbers(game)), np.float32)
    init_uniform(numbers.reshape(-1), settings.start_size, rng)
    return NetworkPopulation(numbers, np.full_like(numbers, settings.first_step), np.full(count, settings.first_king))


def phenotypes(settings: Blondie24Settings, game: Game, population: NetworkPopulation) -> NetworkPopulation:
    """The networks as they play: with what their output weights are multiplied by, and without a weight of the sum.

    With a weight of the sum a network ranks positions as one without, whose output weights are divided by it.
    """
    plan = settings.architecture(game)
    factors = np.full((len(population.kings), 1), settings.loudness, np.float32)
    if settings.sum_weight == "evolved":
        factors /= np.maximum(population.numbers[:, plan.count :], np.float32(LEAST_SUM_WEIGHT))
    numbers = population.numbers[:, : plan.count].copy()
    numbers[:, -1 - plan.hidden[-1] :] *= factors
    return population._replace(numbers=numbers)


def next_generation(
    population: NetworkPopulation, points: Fitness, rng: Rng, king_step: float = KING_STEP
) -> NetworkPopulation:
    """The survivors, and a mutated child of each; an odd one out leaves the last without."""
    children = population.subset(plus_selection(points))
    mutate_self_adaptive(children.numbers, children.steps, learning_rate(children.numbers.shape[1]), rng)
    for i in range(len(children.kings)):
        children.kings[i] = np.clip(children.kings[i] + king_step * (randint(rng, 3) - 1), *KINGS)
    return population.subset(survivors(points)).joined(children)


ENTRIES = 1 << 13
"""How many positions a search of a few moves remembers."""


@kernel
def play_searching(
    game: Any, networks: Subsquares, depth: int, extension: int, pairings: Pairings, scores: Scores
) -> None:
    """Play all games of the pairings between networks, each within an alpha-beta search; write the scores: [games]."""
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    pairs = pairings.pairs
    for i in range(len(pairs)):
        seek(rng, pairings.key, pairings.first + i)
        us = Search(with_transposition_table(member(networks, pairs[i, 0]), ENTRIES), depth, 0, True, True, extension)
        them = Search(with_transposition_table(member(networks, pairs[i, 1]), ENTRIES), depth, 0, True, True, extension)
        scores[i] = play_through(game, us, them, pairs[i, 2], moves, rng)


LEARNERS = (Blondie24Learner(), RoundRobinLearner())
