"""Coevolution by covariance matrix adaptation: CMA-ES whose samples are judged by games among themselves.

Jaśkowski and Szubert (2016), "Coevolutionary CMA-ES for Knowledge-Free Learning of Game Position Evaluation".

A normal distribution over all weights of an evaluator takes the place of a population: each generation is drawn from
it, plays every other member with both colours, and random piece counters if asked for, as in `cel`; then the
distribution moves towards the better half and learns in which directions it pays to vary (`covariance_adaptation`). The
player is its mean, which no single lucky game decides.

Where we decided: how many samples a generation has, and whom they meet. In 500,000 games of Othello, mean of 3 seeds,
points against random piece counters and against the standard heuristic: 20 samples 80 and 30, 50 samples 88 and 47,
100 samples 87 and 37; with 50 random opponents besides, 20 samples 86 and 31, 50 samples 88 and 32. With five other
seeds, 50 samples make 88.0 points against random piece counters (95% interval 87.1 to 88.5), `tdl` 87.0 (86.0 to 87.7)
and `cel` 81.7 (79.8 to 82.9). Choices by a piece counter don't change with the size of its weights, so there
`step_size` changes nothing either.

The covariance matrix of n weights has n * n entries, so it is for piece counters and small n-tuple networks; with
`covariance=diagonal` it has n, and any network will do.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.rng import key, stream
from ludus.errors import InvalidSetting
from ludus.evaluators.piece_counter import PieceCounter
from ludus.evaluators.placements import Places
from ludus.games.game import Game
from ludus.learners.base import Learner, PlayerSpec, Row
from ludus.learners.coevolution import (
    CompetitionSettings,
    check_population,
    evaluate_population,
    generation_games,
    pairings,
)
from ludus.learners.evolution.covariance_adaptation import (
    Distribution,
    adapt,
    draw_samples,
    initial_distribution,
    strategy_rates,
)
from ludus.learners.evolution.operators import init_uniform
from ludus.learners.representations import evaluator, player_spec, zero_weights

MOST_WEIGHTS = 3000
"""For which a full covariance matrix is learned: 72 MB, and a second to draw from."""


class CMAESSettings(CompetitionSettings):
    population: int = Field(50, ge=4, le=1000, description="samples of a generation (see the learner's notes)")
    sample: int = Field(0, ge=0, le=10_000, description="random opponents of a generation, besides the other samples")
    covariance: Literal["full", "diagonal"] = Field(
        "full", description="what is learned of how weights vary: all covariances, or only variances (sep-CMA-ES)"
    )
    step_size: float = Field(
        1.0, gt=0, le=1000, description="sigma at the start: the standard deviation of each weight",
        json_schema_extra={"scale": "log"},
    )  # fmt: skip
    step_games: int = Field(
        20_000, ge=1, le=10**9, description="games of a step, after which metrics are written; whole generations"
    )


class CMAESState(NamedTuple):
    mean: NDArray[np.float64]  # [n]
    step_size: float
    covariance: NDArray[np.float64]  # [n, n] or [n]
    path: NDArray[np.float64]  # [n]
    step_path: NDArray[np.float64]  # [n]
    generation: int
    places: Places
    games: int


class CMAESLearner(Learner[CMAESSettings, CMAESState]):
    name = "cma-es"
    description = "coevolution by covariance matrix adaptation (jaskowski2016)"
    settings = CMAESSettings

    def start(self, settings: CMAESSettings, game: Game, seed: int) -> CMAESState:
        weights, places = zero_weights(settings, game, seed)
        diagonal = settings.covariance == "diagonal"
        if not diagonal and weights.size > MOST_WEIGHTS:
            raise InvalidSetting(
                f"invalid covariance=full for {self.name}: {weights.size:,} weights are too many, at most "
                f"{MOST_WEIGHTS:,} will do; ask for covariance=diagonal, or for fewer or shorter tuples"
            )
        check_population(self.name, settings.population, weights)
        return CMAESState(*initial_distribution(weights.reshape(-1), settings.step_size, diagonal), places, 0)

    def step(self, settings: CMAESSettings, game: Game, seed: int, state: CMAESState) -> tuple[CMAESState, Row]:
        each = generation_games(settings)
        distribution, games = Distribution(*state[:6]), state.games
        rates = strategy_rates(len(state.mean), settings.population, settings.covariance == "diagonal")
        for _ in range(max(1, settings.step_games // each)):
            generation = distribution.generation + 1
            samples = draw_samples(distribution, settings.population, stream(seed, "cma-es samples", generation))
            weights = distribution.mean + distribution.step_size * samples.offsets
            population = evaluator(settings, game, weights.reshape(len(weights), *_shape(settings)), state.places)
            opponents = np.empty((settings.sample, game.squares))
            init_uniform(opponents.reshape(-1), 1.0, stream(seed, "cma-es opponents", generation))
            rounds = pairings(settings, key(seed, "cma-es members"), key(seed, "cma-es games"), generation)
            fitness = evaluate_population(settings, game, population, PieceCounter(opponents), rounds)
            distribution = adapt(distribution, rates, samples, fitness)
            games += each
            if games >= settings.games:
                break
        variances = distribution.covariance if distribution.covariance.ndim == 1 else np.diag(distribution.covariance)
        return CMAESState(*distribution, state.places, games), {
            "generation": distribution.generation,
            "games": games,
            "best_fitness": float(np.max(fitness)),
            "mean_fitness": float(np.mean(fitness)),
            "step_size": distribution.step_size,
            "spread": float(distribution.step_size * np.sqrt(variances).mean()),
        }

    def done(self, settings: CMAESSettings, state: CMAESState) -> float:
        return min(1.0, state.games / settings.games)

    def player(self, settings: CMAESSettings, game: Game, state: CMAESState) -> PlayerSpec:
        """The mean of the distribution."""
        return player_spec(settings, state.mean.reshape(_shape(settings)), state.places)


def _shape(settings: CMAESSettings) -> tuple[int, ...]:
    """Of the weights of an evaluator."""
    return (settings.stages, -1) if settings.representation == "ntuples" else (-1,)


LEARNERS = (CMAESLearner(),)
