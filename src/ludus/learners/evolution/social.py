"""Individual and social learning: networks evolve by themselves, and now and then learn from a pool of good strategies.

Al-Khateeb and Kendall (2012), "Introducing Individual and Social Learning Into Evolutionary Checkers", section III.

Networks play and evolve as in `ludus.learners.evolution.blondie24`. Every `individual` generations the best are copied
to a pool. Every `social` generations there are no children; instead, each network that did not do well copies a
strategy of the pool, is replaced by a random one, or stays as it is, each with a chance of a third.

Where we decided, since the paper is silent:

- A strategy is drawn from the pool by a roulette wheel of its points less the pool's least plus one, as points may be
  negative.
- A copy from the pool is known as such as long as it is not mutated; survivors stay known, children don't.
- If all have equally many points, all count as the best.
- With a limit to the pool, the oldest strategies leave it. C1's pool holds one: of several best, one by lot.
- The result is the best of the last generation, as in Blondie24, and with it the best of the pool (later ones first
  among equals), for the player to fall back on when it loses: see `ludus.players.social`.
"""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.rng import Rng, randint, stream
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, Row
from ludus.learners.evolution.blondie24 import (
    Blondie24Settings,
    EvolutionaryProgramming,
    NetworkPopulation,
    next_generation,
    phenotypes,
    random_networks,
    search_settings,
)
from ludus.learners.evolution.operators import roulette_wheel, survivors
from ludus.players.social import MOST_STRATEGIES

PLANS = {"C1": (5, 10), "C10": (5, 10), "C20": (10, 20), "C50": (20, 50), "C100": (50, 100), "C200": (100, 200)}
"""M and N of the players that the paper compares."""


class SocialSettings(Blondie24Settings):
    plan: Literal["C1", "C10", "C20", "C50", "C100", "C200"] = Field(
        "C10", description="the values of individual, social and pool (section III.B)"
    )
    individual: int = Field(
        0, ge=0, le=10**6, description="M: generations between copies to the pool; 0 for the plan's"
    )
    social: int = Field(0, ge=0, le=10**6, description="N: generations between social phases; 0 for the plan's")
    pool: int = Field(0, ge=0, le=10**5, description="capacity of the pool; 0 for the plan's: 1 in C1, else no limit")
    satisfied: float = Field(
        0.9, ge=0, le=1, description="normalised points from which on a network keeps its strategy (step 8)"
    )

    @property
    def periods(self) -> tuple[int, int]:
        """M and N."""
        individual, social = PLANS[self.plan]
        return self.individual or individual, self.social or social

    @property
    def capacity(self) -> int:
        """How many strategies the pool holds at most; 0 for any number."""
        return self.pool or (1 if self.plan == "C1" else 0)


class SocialState(NamedTuple):
    numbers: NDArray[np.float32]
    steps: NDArray[np.float32]
    kings: NDArray[np.float64]
    source: NDArray[np.int64]  # which strategy of the pool each network is a copy of, or -1
    points: NDArray[np.float64]
    pool_numbers: NDArray[np.float32]
    pool_steps: NDArray[np.float32]
    pool_kings: NDArray[np.float64]
    pool_points: NDArray[np.float64]
    generation: int
    games: int

    @property
    def population(self) -> NetworkPopulation:
        return NetworkPopulation(self.numbers, self.steps, self.kings)

    @property
    def pool(self) -> NetworkPopulation:
        return NetworkPopulation(self.pool_numbers, self.pool_steps, self.pool_kings)


class SocialLearner(EvolutionaryProgramming[SocialSettings, SocialState]):
    name = "social"
    description = "blondie24 with a pool of strategies to learn from (alkhateeb2012's C1 to C200)"
    settings = SocialSettings

    def start(self, settings: SocialSettings, game: Game, seed: int) -> SocialState:
        first = self.first_population(settings, game, seed)
        pool = first.subset(slice(0, 0))
        no_source = np.full(settings.population, -1)
        return SocialState(*first, no_source, np.zeros(settings.population), *pool, np.empty(0), 0, 0)

    def step(self, settings: SocialSettings, game: Game, seed: int, state: SocialState) -> tuple[SocialState, Row]:
        generation = state.generation + 1
        rng = stream(seed, f"{self.name} children", generation)
        if state.generation:
            individual, social = settings.periods
            if state.generation % social == 0:
                state = social_phase(settings, game, state, rng)
            else:
                if state.generation % individual == 0:
                    state = publish(settings, state, np.flatnonzero(state.points == state.points.max()), rng)
                state = with_children(settings, state, rng)
        points, row = self.evaluate_population(settings, game, seed, generation, state.population)
        state = state._replace(points=points, generation=generation, games=int(row["games"]))
        return state, row | {"pool": len(state.pool_points), "copies": int(np.sum(state.source >= 0))}

    def player(self, settings: SocialSettings, game: Game, state: SocialState) -> PlayerSpec:
        best, pool = int(np.argmax(state.points)), state.pool
        ranked = sorted(range(len(pool.kings)), key=lambda i: (-state.pool_points[i], -i))[: MOST_STRATEGIES - 1]
        strategies = phenotypes(settings, game, state.population.subset([best]).joined(pool.subset(ranked)))
        return PlayerSpec(
            "social",
            {
                "numbers": strategies.numbers,
                "kings": strategies.kings,
                "record": np.zeros((len(strategies.kings), 3), np.int64),
            },
            search_settings(settings) | {"current": 0},
        )


def with_children(settings: SocialSettings, state: SocialState, rng: Rng) -> SocialState:
    """The state with the next generation: the survivors and their children, as in Blondie24."""
    source = np.concatenate([state.source[survivors(state.points)], np.full(len(state.points) // 2, -1)])
    population = next_generation(state.population, state.points, rng, settings.king_step)
    return state._replace(**population._asdict(), source=source)


def publish(settings: SocialSettings, state: SocialState, best: NDArray[Any], rng: Rng) -> SocialState:
    """The state after these networks were copied to the pool."""
    if settings.capacity == 1 and len(best):
        best = best[[randint(rng, len(best))]]
    pool = state.pool.joined(state.population.subset(best))
    points = np.concatenate([state.pool_points, state.points[best]])
    leaving = max(0, len(points) - settings.capacity) if settings.capacity else 0
    source = np.where(state.source >= leaving, state.source - leaving, -1)
    pool = pool.subset(slice(leaving, None))
    return state._replace(
        source=source, pool_numbers=pool.numbers, pool_steps=pool.steps, pool_kings=pool.kings,
        pool_points=points[leaving:],
    )  # fmt: skip


def social_phase(settings: SocialSettings, game: Game, state: SocialState, rng: Rng) -> SocialState:
    """The state after social learning: the best publish or confirm their strategies, the others may change theirs."""
    span = np.ptp(state.points)
    normalised = (state.points - state.points.min()) / span if span else np.ones(len(state.points))
    best = normalised == 1
    pool_points = state.pool_points.copy()
    for i in np.flatnonzero(best & (state.source >= 0)):
        pool_points[state.source[i]] = state.points[i]
    state = publish(settings, state._replace(pool_points=pool_points), np.flatnonzero(best & (state.source < 0)), rng)
    population, source = state.population.subset(range(len(state.points))), state.source.copy()
    wheel = state.pool_points - state.pool_points.min() + 1
    for i in np.flatnonzero(normalised < settings.satisfied):
        way = randint(rng, 3)
        if way == 0:
            source[i] = roulette_wheel(wheel, rng)
            new = state.pool.subset([source[i]])
        elif way == 1:
            source[i] = -1
            new = random_networks(settings, game, 1, rng)
        else:
            continue
        population.numbers[i], population.steps[i], population.kings[i] = new.numbers[0], new.steps[0], new.kings[0]
    return state._replace(**population._asdict(), source=source)


LEARNERS = (SocialLearner(),)
