"""One-population competitive coevolution with random sampling.

Jaśkowski, Szubert and Liskowski (2014), "Multi-Criteria Comparison of Coevolution and Temporal Difference Learning on
Othello", sections 3 and 5.2.

A generation is judged by games among its members and against random piece counters; the better members have children,
whose weights are mutated. The result is the fittest of the last generation.

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
  (mu+lambda) are judged anew. Who is equally fit ranks as it stands in the population.
- An n-tuple network's tuples are laid once and shared by all; only their tables evolve. Its random opponents are piece
  counters too.
"""

from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus import vocabulary as words
from ludus.dice import Dice, below, key, normal, stream, throw, uniform
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.learners.learner import Learned, Learner, Row
from ludus.learners.representations import Budget, Places, Represented, Weights, blank, evaluator, learned, member
from ludus.players.evaluators import PieceCounter
from ludus.players.greedy import Greedy
from ludus.players.player import play_through

MOST_BYTES = 1 << 30
TOURNAMENT = 5
"""How many take part in a tournament of tournament selection (section 5.2)."""


class CoevolutionSettings(Represented, Budget):
    population: int = Field(20, ge=2, le=1000, description="members of a generation (section 5.2)")
    sample: int = Field(200, ge=0, le=10_000, description="random opponents of a generation (section 5.2)")
    selection: Literal["comma", "plus", "tournament", "universal"] = Field(
        "comma",
        description="who has children: evolution strategies (mu,lambda) and (mu+lambda), tournaments of five, "
        "stochastic universal sampling (section 5.2)",
    )
    mutation: Literal["gaussian", "uniform"] = Field(
        "gaussian", description="how the change of a weight is distributed (section 5.2)"
    )
    mutation_chance: float = Field(1.0, ge=0, le=1, description="p, the chance that a weight changes (section 5.2)")
    mutation_size: float = Field(
        1.0, ge=0, le=1000, description="sigma of gaussian, or r of uniform mutation (section 5.2)"
    )
    start_size: float = Field(0.1, ge=0, le=1000, description="first weights are from minus to plus this (section 5.2)")
    fitness: Literal["pooled", "sum"] = Field(
        "pooled", description="mean over all games, or the sum of means over the population and the sample (section 3)"
    )
    double: bool = Field(True, description="play random opponents with both colours (silent; see the learner's notes)")


class CoevolutionState(NamedTuple):
    population: Weights  # [population, ...]
    places: Places
    fitness: NDArray[np.float64]  # of this population; zeros before the first generation
    generation: int
    games: int


class Meetings(NamedTuple):
    """Who plays whom in a generation: [games, 3], a member, its opponent, and who of the two moves first."""

    members: NDArray[np.int64]
    sample: NDArray[np.int64]


Chosen = TypeVar("Chosen", bound=CoevolutionSettings)


class Coevolution(Learner[Chosen, CoevolutionState], Generic[Chosen]):
    """What coevolution has in common with what is built on it: members may learn before they are judged."""

    def lesson_games(self, settings: Chosen) -> int:
        """How many games each member learns from before it is judged."""
        return 0

    def teach(self, settings: Chosen, game: Game, seed: int, generation: int, crowd: Any) -> None:
        """Let the members of a new generation learn, by changing their weights."""
        return

    def start(self, settings: Chosen, game: Game, seed: int) -> CoevolutionState:
        weights, places = blank(settings, game, seed)
        if settings.population * weights.nbytes > MOST_BYTES:
            raise LudusError(
                f"a population of {settings.population} such networks is too large; ask for fewer or shorter"
            )
        population = np.empty((settings.population, *weights.shape))
        scatter(population.reshape(-1), settings.start_size, stream(seed, f"{self.name} start"))
        return CoevolutionState(population, places, np.zeros(settings.population), 0, 0)

    def step(self, settings: Chosen, game: Game, seed: int, state: CoevolutionState) -> tuple[CoevolutionState, Row]:
        generation = state.generation + 1
        population = state.population.copy()
        if generation > 1:
            population = bred(settings, state, stream(seed, f"{self.name} children", generation))
        crowd = evaluator(settings, game, population, state.places)
        self.teach(settings, game, seed, generation, crowd)
        sample = np.empty((settings.sample, game.squares))
        scatter(sample.reshape(-1), 1.0, stream(seed, f"{self.name} sample", generation))
        seeds = key(seed, f"{self.name} members"), key(seed, f"{self.name} games")
        fitness = judged(settings, game, crowd, PieceCounter(sample), seeds, generation)
        games = state.games + self.generation_games(settings)
        return CoevolutionState(population, state.places, fitness, generation, games), {
            "generation": generation,
            "games": games,
            "best_fitness": float(np.max(fitness)),
            "mean_fitness": float(np.mean(fitness)),
            "spread": float(np.mean(np.std(population, axis=0))),
        }

    def done(self, settings: Chosen, state: CoevolutionState) -> float:
        return state.generation / max(1, round(settings.games / self.generation_games(settings)))

    def player(self, settings: Chosen, game: Game, state: CoevolutionState) -> Learned:
        return learned(settings, state.population[np.argmax(state.fitness)], state.places)

    def generation_games(self, settings: Chosen) -> int:
        """How many games a generation takes, those from which members learn included."""
        opponents = settings.population - 1 + settings.sample * (2 if settings.double else 1)
        return settings.population * (opponents + self.lesson_games(settings))


class CoevolutionLearner(Coevolution[CoevolutionSettings]):
    name = "cel"
    says = "coevolution of one population, also judged by random opponents (jaskowski2014)"
    settings = CoevolutionSettings


def meetings(settings: CoevolutionSettings) -> Meetings:
    """Every two members with both colours, and every member with every opponent of the sample."""
    members, sample = range(settings.population), range(settings.sample)
    colours = [(i, k, colour) for i in members for k in sample for colour in ((0, 1) if settings.double else (k % 2,))]
    return Meetings(
        np.array([(i, j, 0) for i in members for j in members if i != j], np.int64),
        np.array(colours, np.int64).reshape(-1, 3),
    )


def judged(
    settings: CoevolutionSettings,
    game: Game,
    crowd: Any,
    sample: PieceCounter,
    seeds: tuple[np.uint64, np.uint64],
    generation: int,
) -> NDArray[np.float64]:
    """The fitness of each member of the crowd."""
    points, played = np.zeros((2, settings.population)), np.zeros((2, settings.population))
    for kind, (pairs, opponents, seed) in enumerate(zip(meetings(settings), (crowd, sample), seeds, strict=True)):
        scores = np.empty(len(pairs))
        meet(game.rules, crowd, opponents, pairs, seed, generation * len(pairs), scores)
        np.add.at(points[kind], pairs[:, 0], scores)
        np.add.at(played[kind], pairs[:, 0], 1)
        if opponents is crowd:
            np.add.at(points[kind], pairs[:, 1], 1 - scores)
            np.add.at(played[kind], pairs[:, 1], 1)
    pooled: NDArray[np.float64] = points.sum(axis=0) / played.sum(axis=0)
    literal: NDArray[np.float64] = (points / np.maximum(played, 1)).sum(axis=0)
    return pooled if settings.fitness == "pooled" else literal


def bred(settings: CoevolutionSettings, state: CoevolutionState, dice: Dice) -> Weights:
    """The next generation."""
    size, half = settings.population, (settings.population + 1) // 2
    ranked = np.argsort(-state.fitness, kind="stable")
    if settings.selection in ("comma", "plus"):
        parents = np.resize(ranked[:half], size)
    elif settings.selection == "tournament":
        ranks = [min(below(dice, size) for _ in range(TOURNAMENT)) for _ in range(size)]
        parents = ranked[ranks]
    else:
        # evenly spaced pointers into a line on which everyone has a piece as long as its fitness
        line = np.cumsum(state.fitness)
        pointers = (np.arange(size) + uniform(dice)) * (line[-1] / size)
        parents = np.minimum(np.searchsorted(line, pointers, side="right"), size - 1)
    children = state.population[parents]
    survivors = half if settings.selection == "plus" else 0
    mutate(
        children[survivors:].reshape(-1), settings.mutation == "gaussian",
        settings.mutation_chance, settings.mutation_size, dice,
    )  # fmt: skip
    return children


@kernel
def scatter(weights, size, dice):
    """Draw all weights uniformly from -size to size."""
    for i in range(len(weights)):
        weights[i] = size * (2.0 * uniform(dice) - 1.0)


@kernel
def mutate(weights, gaussian, chance, size, dice):
    """Change each weight with that chance."""
    for i in range(len(weights)):
        if uniform(dice) < chance:
            weights[i] += size * (normal(dice) if gaussian else 2.0 * uniform(dice) - 1.0)


@kernel
def meet(game, crowd, opponents, pairs, seed, begin, scores):
    """Play all games of `pairs`; `scores` are for the members of the crowd: 1.0, 0.5, 0.0."""
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    for i in range(len(pairs)):
        throw(dice, seed, begin + i)
        us, them = Greedy(member(crowd, pairs[i, 0]), True), Greedy(member(opponents, pairs[i, 1]), True)
        scores[i] = play_through(game, us, them, pairs[i, 2], moves, dice)


LEARNERS = (CoevolutionLearner(),)
