"""Temporal difference learning by self-play.

Szubert, Jaśkowski and Krawiec (2009, 2013); Jaśkowski, Szubert and Liskowski (2014), "Multi-Criteria Comparison of
Coevolution and Temporal Difference Learning on Othello", section 4.

One evaluator plays both sides, one move ahead. After every move that was not a random one, its judgement of the
position before the move is drawn towards that of the position after it, or towards the result of the finished game.
Judgements are squashed by tanh, so a win is 1 and a loss is -1.

Where we decided: weights start at zero. With decay (their lambda) above zero, positions before a random move are not
held responsible for what follows it, as nothing is learned from the move itself.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from pydantic import Field

from ludus import vocabulary as words
from ludus.dice import below, key, throw, uniform
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.learners.learner import Learned, Learner, Row, Settings, copied
from ludus.learners.representations import Budget, Places, Represented, Weights, blank, evaluator, learned
from ludus.players.greedy import Greedy


class Lessons(Settings):
    """How to learn from a game of self-play."""

    alpha: float = Field(0.05, gt=0, le=1, description="learning rate (Table 1); 0.003 to 0.01 suit n-tuple networks")
    epsilon: float = Field(
        0.05, ge=0, le=1, description="chance of a random move, from which nothing is learned (Table 1)"
    )
    decay: float = Field(
        0.0, ge=0, le=1, description="lambda: how far surprises also change the judgement of earlier positions (5.1)"
    )


class TDSettings(Represented, Lessons, Budget):
    step_games: int = Field(10_000, ge=1, le=10**6, description="games between two rows of figures")


class TDState(NamedTuple):
    weights: Weights
    places: Places
    games: int


class TDLearner(Learner[TDSettings, TDState]):
    name = "tdl"
    says = "temporal difference learning by self-play (jaskowski2014)"
    settings = TDSettings

    def start(self, settings: TDSettings, game: Game, seed: int) -> TDState:
        return TDState(*blank(settings, game, seed), 0)

    def step(self, settings: TDSettings, game: Game, seed: int, state: TDState) -> tuple[TDState, Row]:
        state = copied(state)
        games = min(settings.step_games, settings.games - state.games)
        judge = evaluator(settings, game, state.weights, state.places)
        surprise = taught(settings, game, judge, key(seed, "tdl"), state.games, games)
        return state._replace(games=state.games + games), {
            "games": state.games + games,
            "surprise": surprise,
            "largest_weight": float(np.max(np.abs(state.weights))),
        }

    def done(self, settings: TDSettings, state: TDState) -> float:
        return state.games / settings.games

    def player(self, settings: TDSettings, game: Game, state: TDState) -> Learned:
        return learned(settings, state.weights, state.places)


def taught(lessons: Lessons, game: Game, judge: Any, seed: np.uint64, begin: int, games: int) -> float:
    """Change the weights of `judge` by so many games of self-play; return the mean size of a surprise."""
    trace = judge._replace(weights=np.zeros_like(judge.weights)) if lessons.decay else None
    return float(self_play(game.rules, judge, trace, seed, begin, games, lessons.alpha, lessons.epsilon, lessons.decay))


@kernel
def self_play(game, evaluator, trace, seed, begin, games, alpha, epsilon, decay):
    """Play and learn from `games` games; return the mean size of a surprise.

    With decay, `trace` is another evaluator of the same kind, whose weights hold the gradients of the judgements so
    far, for the first player, each fading by `decay` a move. Without, it is None, and all about it is compiled away.
    """
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    player = Greedy(evaluator, True)
    total, learned = 0.0, 0
    for index in range(begin, begin + games):
        throw(dice, seed, index)
        if trace is not None:
            trace.weights[:] = 0.0
        state = words.initial(game)
        n = words.moves(game, state, moves)
        while n > 0:
            if uniform(dice) < epsilon:
                if trace is not None:
                    trace.weights[:] = 0.0
                state = words.play(game, state, moves[below(dice, n)])
                n = words.moves(game, state, moves)
                continue
            move = words.choose(player, game, state, moves, n, dice)
            after = words.play(game, state, move)
            n = words.moves(game, after, moves)
            before = math.tanh(words.value(evaluator, game, state))
            if n == 0:
                target = 2.0 * words.outcome(game, after) - 1.0
                if words.mover(game, state) == 1:
                    target = -target
            else:
                target = math.tanh(words.value(evaluator, game, after))
                if words.mover(game, after) != words.mover(game, state):
                    target = -target
            surprise = target - before
            if trace is not None:
                side = 1.0 - 2.0 * words.mover(game, state)
                past, weights = trace.weights.reshape(-1), evaluator.weights.reshape(-1)
                for i in range(len(past)):
                    past[i] *= decay
                words.nudge(trace, game, state, side * (1.0 - before * before))
                for i in range(len(past)):
                    weights[i] += alpha * side * surprise * past[i]
            else:
                words.nudge(evaluator, game, state, alpha * surprise * (1.0 - before * before))
            total += abs(surprise)
            learned += 1
            state = after
    return total / max(learned, 1)


LEARNERS = (TDLearner(),)
