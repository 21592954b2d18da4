"""Sarsa with a weight for each point: the baseline that Sarsa with learning vector quantization is compared with.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 5, "SLinear".
All weights begin at 1, the most that a game can bring, so whatever has not been tried looks good.

Where we decided: `reading` (see `ludus.players.sarsa_linear`). Learning rate and epsilon, the chance of a random move,
both fall with the square root of the number of games. Eligibility traces are replacing traces, as in the codebook's
listing: a move that comes again counts once.

By `reading=board` the boards after forced passes are most of what tells how games end, so there `from_forced` matters
far more than for moves.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.generic import implements
from ludus.compile.rng import randint, uniform
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, Row, copy_arrays
from ludus.learners.sarsa.base import (
    Sarsa,
    SarsaSettings,
    append_move,
    apply_td_error,
    begin_episode,
    latest_value,
    select_move,
)
from ludus.players.sarsa_linear import LinearPolicy, argmax, extract_features, linear_policy, linear_value, move_values


class LinearSettings(SarsaSettings):
    reading: Literal["move", "board"] = Field(
        "move",
        description="what the value of a move depends on: where it ends (section 5), or the whole board after it",
    )


class LinearState(NamedTuple):
    weights: NDArray[np.float64]  # [3, squares + 1]
    games: int


class LinearAgent(NamedTuple):
    """What learns within the kernel: epsilon-greedy by `policy`."""

    policy: LinearPolicy
    traces: NDArray[np.float64]  # [trajectory, 3, squares + 1]: the eligibility of each weight
    features: NDArray[np.int64]  # [3, squares + 1]: of the latest move of each trajectory, and of the selected move
    values: NDArray[np.float64]  # [moves]: room for the values of all legal moves
    alpha: float
    trace_decay: float  # gamma times lambda


@implements(begin_episode, LinearAgent)
def _(agent):
    agent.traces[:] = 0.0


@implements(select_move, LinearAgent)
def _(agent, game, state, moves, n, noise, rng):
    move_values(agent.policy, game, state, moves, n, agent.features[2], agent.values)
    chosen = randint(rng, n) if uniform(rng) < noise else argmax(agent.values, n, rng)
    extract_features(agent.policy, game, state, moves[chosen], agent.features[2])
    return moves[chosen], agent.values[chosen]


@implements(append_move, LinearAgent)
def _(agent, trajectory):
    for square in range(agent.features.shape[1]):
        agent.features[trajectory, square] = agent.features[2, square]


@implements(latest_value, LinearAgent)
def _(agent, trajectory):
    return linear_value(agent.policy, agent.features[trajectory])


@implements(apply_td_error, LinearAgent)
def _(agent, trajectory, td_error, games):
    rate = agent.alpha / np.sqrt(games)
    for square in range(agent.features.shape[1]):
        if agent.features[trajectory, square] >= 0:
            agent.traces[trajectory, agent.features[trajectory, square], square] = 1.0
        for kind in range(3):
            agent.policy.weights[kind, square] += rate * td_error * agent.traces[trajectory, kind, square]
            agent.traces[trajectory, kind, square] *= agent.trace_decay


class SarsaLinear(Sarsa[LinearSettings, LinearState]):
    name = "sarsa-linear"
    description = "Sarsa with a weight for each point, the baseline of abramson2001"
    settings = LinearSettings

    def start(self, settings: LinearSettings, game: Game, seed: int) -> LinearState:
        self.opponent(settings, game), self.start_state(settings, game)  # to report now what is wrong with them
        return LinearState(np.ones((3, game.squares + 1)), 0)

    def step(self, settings: LinearSettings, game: Game, seed: int, state: LinearState) -> tuple[LinearState, Row]:
        state = copy_arrays(state)
        player = linear_policy(game, state.weights, settings.reading == "board")
        agent = LinearAgent(
            player, np.zeros((2, *state.weights.shape)), np.zeros((3, game.squares + 1), np.int64),
            np.empty(game.max_legal_moves), settings.alpha, settings.gamma * settings.decay,
        )  # fmt: skip
        row = self.train_and_test(settings, game, seed, agent, player, state.games)
        return state._replace(games=int(row["games"])), row

    def done(self, settings: LinearSettings, state: LinearState) -> float:
        return state.games / settings.games

    def player(self, settings: LinearSettings, game: Game, state: LinearState) -> PlayerSpec:
        return PlayerSpec("sarsa-linear", {"weights": state.weights}, {"whole": settings.reading == "board"})


LEARNERS = (SarsaLinear(),)
