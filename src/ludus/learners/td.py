"""Temporal difference learning by self-play.

Szubert, Jaśkowski and Krawiec (2009, 2013); Jaśkowski, Szubert and Liskowski (2014), "Multi-Criteria Comparison of
Coevolution and Temporal Difference Learning on Othello", section 3.

One evaluator plays both sides, one move ahead. After every move that was not a random one, its judgement of the position
before the move is drawn towards that of the position after it, or towards the result of the finished game. Judgements are
squashed by tanh, so a win is 1 and a loss is -1, for the player who moves first.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus import vocabulary as words
from ludus.dice import below, key, throw, uniform
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.learners.learner import Learned, Learner, Row, Settings, copied
from ludus.players.evaluators import PieceCounter
from ludus.players.greedy import Greedy


class TDSettings(Settings):
    games: int = Field(2_000_000, ge=1, le=10**10, description="games of self-play")
    alpha: float = Field(0.05, gt=0, le=1, description="learning rate (Table 1)")
    epsilon: float = Field(
        0.05, ge=0, le=1, description="chance of a random move, from which nothing is learned (Table 1)"
    )
    step_games: int = Field(10_000, ge=1, le=10**6, description="games between two rows of figures")


class TDState(NamedTuple):
    weights: NDArray[np.float64]
    games: int


class TDLearner(Learner[TDSettings, TDState]):
    name = "tdl"
    says = "temporal difference learning by self-play of a weighted piece counter (jaskowski2014)"
    settings = TDSettings

    def start(self, settings: TDSettings, game: Game, seed: int) -> TDState:
        return TDState(np.zeros(game.squares), 0)

    def step(self, settings: TDSettings, game: Game, seed: int, state: TDState) -> tuple[TDState, Row]:
        state = copied(state)
        games = min(settings.step_games, settings.games - state.games)
        surprise = self_play(
            game.rules, PieceCounter(state.weights), key(seed, "tdl"), state.games, games,
            settings.alpha, settings.epsilon,
        )  # fmt: skip
        return state._replace(games=state.games + games), {
            "games": state.games + games,
            "surprise": surprise,
            "largest_weight": float(np.max(np.abs(state.weights))),
        }

    def done(self, settings: TDSettings, state: TDState) -> float:
        return state.games / settings.games

    def player(self, settings: TDSettings, game: Game, state: TDState) -> Learned:
        return Learned("weights", {"weights": state.weights})


@kernel
def self_play(game, evaluator, seed, begin, games, alpha, epsilon):
    """Play and learn from `games` games; return the mean size of a surprise."""
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    player = Greedy(evaluator, True)
    total, learned = 0.0, 0
    for index in range(begin, begin + games):
        throw(dice, seed, index)
        state = words.initial(game)
        n = words.moves(game, state, moves)
        while n > 0:
            if uniform(dice) < epsilon:
                state = words.play(game, state, moves[below(dice, n)])
                n = words.moves(game, state, moves)
                continue
            move = words.choose(player, game, state, moves, n, dice)
            after = words.play(game, state, move)
            n = words.moves(game, after, moves)
            before = np.tanh(words.value(evaluator, game, state))
            if n == 0:
                target = 2.0 * words.outcome(game, after) - 1.0
                if words.mover(game, state) == 1:
                    target = -target
            else:
                target = np.tanh(words.value(evaluator, game, after))
                if words.mover(game, after) != words.mover(game, state):
                    target = -target
            surprise = target - before
            words.nudge(evaluator, game, state, alpha * surprise * (1.0 - before * before))
            total += abs(surprise)
            learned += 1
            state = after
    return total / max(learned, 1)


LEARNERS = (TDLearner(),)
