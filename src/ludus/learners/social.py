"""Individual and social learning: networks evolve by themselves, and now and then learn from a pool of good strategies.

Al-Khateeb and Kendall (2012), "Effect of individual and social learning in evolutionary checkers", section III.

Networks play and breed as in `ludus.learners.blondie24`. Every `individual` generations the best are copied to a pool.
Every `social` generations nobody breeds; instead, whoever did not do well takes over a strategy of the pool, begins
anew, or goes on, each with a chance of a third.

Where we decided, since the paper is silent:

- A strategy is drawn from the pool by its points less the pool's least plus one, as points may be negative.
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

from ludus.dice import Dice, below, stream, uniform
from ludus.games.game import Game
from ludus.learners.blondie24 import Blondie24Settings, Crowd, Evolution, bred, look_ahead, newcomers, survivors
from ludus.learners.learner import Learned, Row
from ludus.players.social import MOST_STRATEGIES

PLANS = {"C1": (5, 10), "C10": (5, 10), "C20": (10, 20), "C50": (20, 50), "C100": (50, 100), "C200": (100, 200)}
"""M and N of the players that the paper compares."""


class SocialSettings(Blondie24Settings):
    plan: Literal["C1", "C10", "C20", "C50", "C100", "C200"] = Field(
        "C10", description="when to learn, and with C1 a pool of one (section III.B)"
    )
    individual: int = Field(0, ge=0, le=10**6, description="M: generations between copies to the pool; 0 as planned")
    social: int = Field(0, ge=0, le=10**6, description="N: generations between looks into the pool; 0 as planned")
    pool: int = Field(0, ge=0, le=10**5, description="most strategies in the pool; 0 as planned: no limit, but 1 in C1")
    satisfied: float = Field(
        0.9, ge=0, le=1, description="normalized points with which a player keeps its strategy (step 8)"
    )

    @property
    def periods(self) -> tuple[int, int]:
        """M and N."""
        individual, social = PLANS[self.plan]
        return self.individual or individual, self.social or social

    @property
    def room(self) -> int:
        """How many strategies the pool holds at the most; 0 for any number."""
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
    def crowd(self) -> Crowd:
        return Crowd(self.numbers, self.steps, self.kings)

    @property
    def pool(self) -> Crowd:
        return Crowd(self.pool_numbers, self.pool_steps, self.pool_kings)


class SocialLearner(Evolution[SocialSettings, SocialState]):
    name = "social"
    says = "the same, and a pool of strategies to learn from (alkhateeb2012's C1 to C200)"
    settings = SocialSettings

    def start(self, settings: SocialSettings, game: Game, seed: int) -> SocialState:
        first = newcomers(settings, game, settings.population, stream(seed, f"{self.name} start"))
        pool = first.chosen(slice(0, 0))
        nobody = np.full(settings.population, -1)
        return SocialState(*first, nobody, np.zeros(settings.population), *pool, np.empty(0), 0, 0)

    def step(self, settings: SocialSettings, game: Game, seed: int, state: SocialState) -> tuple[SocialState, Row]:
        generation = state.generation + 1
        dice = stream(seed, f"{self.name} children", generation)
        if state.generation:
            individual, social = settings.periods
            if state.generation % social == 0:
                state = learned_from_others(settings, game, state, dice)
            else:
                if state.generation % individual == 0:
                    state = published(settings, state, np.flatnonzero(state.points == state.points.max()), dice)
                state = next_generation(state, dice)
        points, row = self.judged(settings, game, seed, generation, state.crowd)
        state = state._replace(points=points, generation=generation, games=int(row["games"]))
        return state, row | {"pool": len(state.pool_points), "copies": int(np.sum(state.source >= 0))}

    def player(self, settings: SocialSettings, game: Game, state: SocialState) -> Learned:
        best, pool = int(np.argmax(state.points)), state.pool
        ranked = sorted(range(len(pool.kings)), key=lambda i: (-state.pool_points[i], -i))[: MOST_STRATEGIES - 1]
        strategies = state.crowd.chosen([best]).and_also(pool.chosen(ranked))
        return Learned(
            "social",
            {
                "numbers": strategies.numbers,
                "kings": strategies.kings,
                "record": np.zeros((len(strategies.kings), 3), np.int64),
            },
            look_ahead(settings) | {"current": 0},
        )


def next_generation(state: SocialState, dice: Dice) -> SocialState:
    """The better half and their children, as in Blondie24."""
    source = np.concatenate([state.source[survivors(state.points)], np.full(len(state.points) // 2, -1)])
    return state._replace(**bred(state.crowd, state.points, dice)._asdict(), source=source)


def published(settings: SocialSettings, state: SocialState, best: NDArray[Any], dice: Dice) -> SocialState:
    """The state after these networks were copied to the pool."""
    if settings.room == 1 and len(best):
        best = best[[below(dice, len(best))]]
    pool = state.pool.and_also(state.crowd.chosen(best))
    points = np.concatenate([state.pool_points, state.points[best]])
    leaving = max(0, len(points) - settings.room) if settings.room else 0
    source = np.where(state.source >= leaving, state.source - leaving, -1)
    kept = pool.chosen(slice(leaving, None))
    return state._replace(
        source=source, pool_numbers=kept.numbers, pool_steps=kept.steps, pool_kings=kept.kings,
        pool_points=points[leaving:],
    )  # fmt: skip


def learned_from_others(settings: SocialSettings, game: Game, state: SocialState, dice: Dice) -> SocialState:
    """The social phase: the best publish or confirm their strategies, the unsatisfied may change theirs."""
    spread = np.ptp(state.points)
    normalized = (state.points - state.points.min()) / spread if spread else np.ones(len(state.points))
    best = normalized == 1
    pool_points = state.pool_points.copy()
    for i in np.flatnonzero(best & (state.source >= 0)):
        pool_points[state.source[i]] = state.points[i]
    state = published(
        settings, state._replace(pool_points=pool_points), np.flatnonzero(best & (state.source < 0)), dice
    )
    crowd, source = state.crowd.chosen(range(len(state.points))), state.source.copy()
    line = np.cumsum(state.pool_points - state.pool_points.min() + 1)
    for i in np.flatnonzero(normalized < settings.satisfied):
        way = below(dice, 3)
        if way == 0:
            source[i] = np.searchsorted(line, uniform(dice) * line[-1], side="right")
            taken = state.pool.chosen([source[i]])
        elif way == 1:
            source[i] = -1
            taken = newcomers(settings, game, 1, dice)
        else:
            continue
        crowd.numbers[i], crowd.steps[i], crowd.kings[i] = taken.numbers[0], taken.steps[0], taken.kings[0]
    return state._replace(**crowd._asdict(), source=source)


LEARNERS = (SocialLearner(),)
