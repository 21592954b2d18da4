"""One-population competitive coevolution with random sampling.

Jaśkowski, Szubert and Liskowski (2014), "Multi-Criteria Comparison of Coevolution and Temporal Difference Learning on
Othello", sections 3 and 5.2.

The fitness of a member comes of games against the other members and against random piece counters; the fitter members
have children, whose weights are mutated. The result is the fittest of the last generation.

Where we decided, since the paper is silent or does not say it all:

- Fitness. "A sum of two values", the averages against the population and against the sample, taken literally, gives
  players that generalise worse than the paper's (80% of points against random piece counters instead of 87%). The mean
  over all games gives the paper's figures, so that is the default; `fitness=sum` is the letter.
- Games. Members meet twice, once with each colour. With `double` they also play each opponent of the sample with both
  colours, else with colours that alternate from one opponent to the next. Double games give 8,380 games a generation
  and so 239 generations.
- The sample is new in each generation and the same for all its members. Weights are not limited.
- In both evolution strategies each of the better half has equally many children. Tournaments are drawn with
  replacement; there and in universal sampling every member of the next generation is a mutated child. Survivors of
  (mu+lambda) are evaluated anew. Equally fit members rank as they stand in the population.
- The tuples of an n-tuple network are laid once and shared by all; only their tables evolve. Its random opponents are
  piece counters too.
"""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.compile.rng import Rng, key, seek, stream
from ludus.errors import InvalidSetting
from ludus.evaluators.piece_counter import PieceCounter
from ludus.evaluators.placements import Places
from ludus.evaluators.protocol import member
from ludus.games import protocol
from ludus.games.game import Game
from ludus.learners.base import Learner, PlayerSpec, Row
from ludus.learners.evolution.operators import (
    Members,
    comma_selection,
    init_uniform,
    mutate_gaussian,
    mutate_uniform,
    plus_selection,
    survivors,
    tournament_selection,
    universal_sampling,
)
from ludus.learners.evolution.tournaments import Pairings, Scores, against_sample, round_robin
from ludus.learners.representations import (
    MOST_BYTES,
    Budget,
    RepresentationSettings,
    Weights,
    evaluator,
    player_spec,
    zero_weights,
)
from ludus.play.games import play_through
from ludus.players.greedy import Greedy

TOURNAMENT = 5
"""How many take part in a tournament of tournament selection (section 5.2)."""


class CompetitionSettings(RepresentationSettings, Budget):
    """By which games a generation is evaluated."""

    population: int = Field(20, ge=2, le=1000, description="members of a generation (section 5.2)")
    sample: int = Field(200, ge=0, le=10_000, description="random opponents of a generation (section 5.2)")
    fitness: Literal["pooled", "sum"] = Field(
        "pooled", description="mean over all games, or the sum of means over the population and the sample (section 3)"
    )
    double: bool = Field(True, description="play random opponents with both colours (silent; see the learner's notes)")


class CoevolutionSettings(CompetitionSettings):
    selection: Literal["comma", "plus", "tournament", "universal"] = Field(
        "comma",
        description="who has children: evolution strategies (mu,lambda) and (mu+lambda), tournaments of five, "
        "stochastic universal sampling (section 5.2)",
    )
    mutation: Literal["gaussian", "uniform"] = Field(
        "gaussian", description="the distribution of changes of weights (section 5.2)"
    )
    mutation_chance: float = Field(1.0, ge=0, le=1, description="p, the chance that a weight changes (section 5.2)")
    mutation_size: float = Field(
        1.0, ge=0, le=1000, description="sigma of gaussian, or r of uniform mutation (section 5.2)"
    )
    start_size: float = Field(
        0.1, ge=0, le=1000, description="initial weights are drawn from minus to plus this (section 5.2)"
    )


class CoevolutionState(NamedTuple):
    population: Weights  # [population, ...]
    places: Places
    fitness: NDArray[np.float64]  # of this population; zeros before the first generation
    generation: int
    games: int


SettingsT = TypeVar("SettingsT", bound=CoevolutionSettings)


class Coevolution(Learner[SettingsT, CoevolutionState], Generic[SettingsT]):
    """What coevolution has in common with what is built on it: members may learn before they are evaluated."""

    def self_play_games(self, settings: SettingsT) -> int:
        """How many games each member learns from before it is evaluated."""
        return 0

    def train_members(self, settings: SettingsT, game: Game, seed: int, generation: int, population: Any) -> None:
        """Let the members of a new generation learn, by changing their weights."""
        return

    def start(self, settings: SettingsT, game: Game, seed: int) -> CoevolutionState:
        weights, places = zero_weights(settings, game, seed)
        check_population(self.name, settings.population, weights)
        population = np.empty((settings.population, *weights.shape))
        init_uniform(population.reshape(-1), settings.start_size, stream(seed, f"{self.name} start"))
        return CoevolutionState(population, places, np.zeros(settings.population), 0, 0)

    def step(self, settings: SettingsT, game: Game, seed: int, state: CoevolutionState) -> tuple[CoevolutionState, Row]:
        generation = state.generation + 1
        weights = state.population.copy()
        if generation > 1:
            weights = next_generation(settings, state, stream(seed, f"{self.name} children", generation))
        population = evaluator(settings, game, weights, state.places)
        self.train_members(settings, game, seed, generation, population)
        sample = np.empty((settings.sample, game.squares))
        init_uniform(sample.reshape(-1), 1.0, stream(seed, f"{self.name} sample", generation))
        rounds = pairings(settings, key(seed, f"{self.name} members"), key(seed, f"{self.name} games"), generation)
        fitness = evaluate_population(settings, game, population, PieceCounter(sample), rounds)
        games = state.games + self.generation_games(settings)
        return CoevolutionState(weights, state.places, fitness, generation, games), {
            "generation": generation,
            "games": games,
            "best_fitness": float(np.max(fitness)),
            "mean_fitness": float(np.mean(fitness)),
            "spread": float(np.mean(np.std(weights, axis=0))),
        }

    def done(self, settings: SettingsT, state: CoevolutionState) -> float:
        return state.generation / max(1, round(settings.games / self.generation_games(settings)))

    def player(self, settings: SettingsT, game: Game, state: CoevolutionState) -> PlayerSpec:
        return player_spec(settings, state.population[np.argmax(state.fitness)], state.places)

    def generation_games(self, settings: SettingsT) -> int:
        """How many games a generation takes, those from which members learn included."""
        return generation_games(settings) + settings.population * self.self_play_games(settings)


class CoevolutionLearner(Coevolution[CoevolutionSettings]):
    name = "cel"
    description = "coevolution of one population, also evaluated by random opponents (jaskowski2014)"
    settings = CoevolutionSettings


class GenerationPairings(NamedTuple):
    """Who plays whom in a generation: members among themselves, and members against the sample."""

    members: Pairings
    sample: Pairings


def check_population(learner: str, size: int, weights: Weights) -> None:
    """Raise InvalidSetting if memory can't hold so many evaluators with weights like these."""
    if size * weights.nbytes > MOST_BYTES:
        raise InvalidSetting(
            f"invalid population={size} for {learner}: networks of {weights.size:,} weights allow at most "
            f"{MOST_BYTES // weights.nbytes}; ask for fewer, or for fewer or shorter tuples"
        )


def generation_games(settings: CompetitionSettings) -> int:
    """How many games evaluate a generation."""
    return settings.population * (settings.population - 1 + settings.sample * (2 if settings.double else 1))


def pairings(
    settings: CompetitionSettings, members_key: np.uint64, sample_key: np.uint64, generation: int
) -> GenerationPairings:
    """Every two members with both colours, and every member with every opponent of the sample."""
    members = round_robin(settings.population)
    sample = against_sample(settings.population, settings.sample, double=settings.double)
    return GenerationPairings(
        Pairings(members, members_key, generation * len(members)),
        Pairings(sample, sample_key, generation * len(sample)),
    )


def evaluate_population(
    settings: CompetitionSettings, game: Game, population: Any, sample: PieceCounter, rounds: GenerationPairings
) -> NDArray[np.float64]:
    """The fitness of each member: [population]."""
    points, played = np.zeros((2, settings.population)), np.zeros((2, settings.population))
    for kind, (games, opponents) in enumerate(zip(rounds, (population, sample), strict=True)):
        pairs, scores = games.pairs, np.empty(len(games.pairs))
        play_pairings(game.rules, population, opponents, games, scores)
        np.add.at(points[kind], pairs[:, 0], scores)
        np.add.at(played[kind], pairs[:, 0], 1)
        if opponents is population:
            np.add.at(points[kind], pairs[:, 1], 1 - scores)
            np.add.at(played[kind], pairs[:, 1], 1)
    pooled: NDArray[np.float64] = points.sum(axis=0) / played.sum(axis=0)
    literal: NDArray[np.float64] = (points / np.maximum(played, 1)).sum(axis=0)
    return pooled if settings.fitness == "pooled" else literal


def next_generation(settings: CoevolutionSettings, state: CoevolutionState, rng: Rng) -> Weights:
    """The weights of the next generation: survivors, if the selection has any, and mutated children."""
    children = state.population[_parents(settings, state.fitness, rng)]
    mutate = mutate_gaussian if settings.mutation == "gaussian" else mutate_uniform
    mutate(children.reshape(-1), settings.mutation_chance, settings.mutation_size, rng)
    if settings.selection == "plus":
        return np.concatenate([state.population[survivors(state.fitness)], children])
    return children


def _parents(settings: CoevolutionSettings, fitness: NDArray[np.float64], rng: Rng) -> Members:
    """The parent of each child."""
    if settings.selection == "comma":
        return comma_selection(fitness)
    if settings.selection == "plus":
        return plus_selection(fitness)
    if settings.selection == "tournament":
        return tournament_selection(fitness, TOURNAMENT, rng)
    return universal_sampling(fitness, rng)


@kernel
def play_pairings(game: Any, population: Any, opponents: Any, pairings: Pairings, scores: Scores) -> None:
    """Play all games of the pairings, members of the population against opponents; write the scores: [games]."""
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    pairs = pairings.pairs
    for i in range(len(pairs)):
        seek(rng, pairings.key, pairings.first + i)
        us, them = Greedy(member(population, pairs[i, 0]), True), Greedy(member(opponents, pairs[i, 1]), True)
        scores[i] = play_through(game, us, them, pairs[i, 2], moves, rng)


LEARNERS = (CoevolutionLearner(),)
