"""Temporal difference learning by self-play: TD(lambda) on afterstates.

Szubert, Jaśkowski and Krawiec (2009, 2013); Jaśkowski, Szubert and Liskowski (2014), "Multi-Criteria Comparison of
Coevolution and Temporal Difference Learning on Othello", section 4.

One evaluator plays both sides, one move ahead. After every move that was not a random one, its value of the position
before the move is updated towards that of the position after it, or towards the result of the finished game. Values
are squashed by tanh, so a win is 1 and a loss is -1; with `target=margin` a game counts by how far it is won instead,
from -1 to 1 if everything is. In Go komi counts, too, so one who loses everything may count somewhat below -1.

Temporal coherence learning (`rates=coherent`): Beal and Smith (1999), "Temporal coherence and prediction decay in TD
learning". Every weight has a rate of its own, large as long as its changes agree with each other.

With `depth` above 1 moves are chosen by a search. With `extend=captures` positions with a forced capture are not
valued: what is updated is the value of a quiet position, towards that of the next one. A search that looks on while
captures are forced asks for no others.

Where we decided: weights start at zero unless `optimism` says otherwise. With decay (their lambda) above zero, a random
move resets the eligibility trace, so positions before it get no credit for what follows it; with `random_moves=learn`
it is as good as any other.
"""

import math
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from ludus.compile.arrays import empty
from ludus.compile.jit import keep_alive, kernel, without_refcount
from ludus.compile.rng import key, randint, seek, uniform
from ludus.errors import InvalidSetting
from ludus.evaluators.placements import Places
from ludus.evaluators.protocol import coherent_step, evaluate, gradient_step
from ludus.games import protocol
from ludus.games.game import Game
from ludus.learners.base import Episodes, Learner, PlayerSpec, Row, Settings, copy_arrays
from ludus.learners.representations import (
    Budget,
    RepresentationSettings,
    Weights,
    evaluator,
    player_spec,
    zero_weights,
)
from ludus.players.greedy import Greedy
from ludus.players.protocol import choose
from ludus.players.search.alphabeta import EXTENSIONS, Search


class SelfPlaySettings(Settings):
    """How to learn from games of self-play."""

    alpha: float = Field(
        0.05,
        gt=0,
        le=1,
        description="learning rate (Table 1); 0.003 to 0.01 suit n-tuple networks",
        json_schema_extra={"scale": "log"},
    )
    epsilon: float = Field(
        0.05,
        ge=0,
        le=1,
        description="probability of a random move, from which nothing is learned (Table 1)",
        json_schema_extra={"scale": "log"},
    )
    decay: float = Field(
        0.0,
        ge=0,
        le=1,
        description="lambda: how far TD errors also change the values of earlier positions (5.1)",
        json_schema_extra={"scale": "linear"},
    )

    openings: int = Field(
        0, ge=0, le=100, description="random moves that each game begins with, from which nothing is learned"
    )


class TDSettings(RepresentationSettings, SelfPlaySettings, Budget):
    rates: Literal["one", "coherent"] = Field(
        "one",
        description="one learning rate for all weights, or temporal coherence learning: each weight has its own part "
        "of it, which falls where changes cancel out (beal1999)",
    )
    schedule: Literal["constant", "linear"] = Field(
        "constant", description="whether learning rate and exploration stay as they are, or fall to 0 by the last game"
    )
    random_moves: Literal["skip", "learn"] = Field(
        "skip", description="whether random moves are learned from, too; those of an opening never are"
    )
    target: Literal["result", "margin"] = Field(
        "result", description="whether a finished game counts by who has won it, or by how far"
    )
    depth: int = Field(1, ge=1, le=20, description="moves that self-play looks ahead")
    extend: Literal["no", "captures"] = Field(
        "no", description="checkers: play forced captures out before a position is valued, for players that do the same"
    )
    optimism: float = Field(
        0.0, ge=-10, le=10, description="n-tuple networks: the value of every position before learning"
    )
    step_games: int = Field(10_000, ge=1, le=10**6, description="games between two rows of metrics")


class TDState(NamedTuple):
    weights: Weights
    places: Places
    errors: Weights  # with rates=coherent: the sum of all changes of each weight, and below of their sizes; else none
    sizes: Weights
    games: int


class TDLearner(Learner[TDSettings, TDState]):
    name = "tdl"
    description = "temporal difference learning by self-play (jaskowski2014)"
    settings = TDSettings

    def start(self, settings: TDSettings, game: Game, seed: int) -> TDState:
        weights, places = zero_weights(settings, game, seed)
        if settings.optimism and settings.representation == "weights":
            raise InvalidSetting(f"invalid optimism={settings.optimism:g}: only n-tuple networks can be optimistic")
        if settings.rates == "coherent" and settings.decay:
            raise InvalidSetting("invalid rates=coherent: it needs decay=0")
        if settings.optimism:
            weights += settings.optimism / len(evaluator(settings, game, weights, places).empty_board[0])
        sums = weights.shape if settings.rates == "coherent" else (0,)
        return TDState(weights, places, np.zeros(sums), np.zeros(sums), 0)

    def step(self, settings: TDSettings, game: Game, seed: int, state: TDState) -> tuple[TDState, Row]:
        state = copy_arrays(state)
        games = min(settings.step_games, settings.games - state.games)
        learning = evaluator(settings, game, state.weights, state.places)
        coherent = settings.rates == "coherent"
        sums = tuple(learning._replace(weights=each) for each in (state.errors, state.sizes)) if coherent else None
        fall = 1 / settings.games if settings.schedule == "linear" else 0.0
        unit = 1 / game.type.max_margin(game.rules) if settings.target == "margin" else 0.0
        parameters = _parameters(settings)._replace(
            fall=fall,
            margin=unit,
            settles=settings.extend == "captures",
            learns_from_random=settings.random_moves == "learn",
        )
        player: Any = Greedy(learning)
        if settings.depth > 1 or parameters.settles:
            player = Search(learning, settings.depth, 0, True, True, EXTENSIONS.index(settings.extend))
        episodes = Episodes(key(seed, "tdl"), state.games, games)
        td_error = float(self_play(game.rules, player, _trace(settings, learning), sums, parameters, episodes))
        return state._replace(games=state.games + games), {
            "games": state.games + games,
            "td_error": td_error,
            "largest_weight": float(np.max(np.abs(state.weights))),
        }

    def done(self, settings: TDSettings, state: TDState) -> float:
        return state.games / settings.games

    def player(self, settings: TDSettings, game: Game, state: TDState) -> PlayerSpec:
        spec = player_spec(settings, state.weights, state.places)
        return spec if settings.extend == "no" else replace(spec, settings={**spec.settings, "extend": settings.extend})


class TDParameters(NamedTuple):
    """The settings of self-play, as kernels know them."""

    alpha: float
    epsilon: float
    decay: float
    openings: int
    fall: float = 0.0  # by which part alpha and epsilon fall from game to game
    margin: float = 0.0  # what a point, disc or piece counts in the value of a finished game; 0 asks who has won
    settles: bool = False  # whether forced captures are played out before a position is valued
    learns_from_random: bool = False  # whether random moves are learned from, too


def _parameters(settings: SelfPlaySettings) -> TDParameters:
    return TDParameters(settings.alpha, settings.epsilon, settings.decay, settings.openings)


def _trace(settings: SelfPlaySettings, evaluator: Any) -> Any:
    return evaluator._replace(weights=np.zeros_like(evaluator.weights)) if settings.decay else None


def train_by_self_play(settings: SelfPlaySettings, game: Game, evaluator: Any, episodes: Episodes) -> None:
    """Update the weights of the evaluator by these games of self-play, one move ahead."""
    self_play(game.rules, Greedy(evaluator), _trace(settings, evaluator), None, _parameters(settings), episodes)


@kernel
def self_play(game: Any, player: Any, trace: Any, sums: Any, parameters: TDParameters, episodes: Episodes) -> float:
    """Play and learn from games; return the mean absolute TD error. `player` has the evaluator that learns.

    With decay, `trace` is another evaluator of the same kind whose weights are the eligibility trace: the gradients of
    the values so far, for the first player, each fading by `decay` a move. Without, it is None, and all about it is
    compiled away. The same goes for `sums`, the two further evaluators of temporal coherence learning.
    """
    decay = parameters.decay
    game, player = without_refcount(game), without_refcount(player)
    evaluator = player.evaluator
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    total, updates = 0.0, 0
    for index in range(episodes.first, episodes.first + episodes.games):
        seek(rng, episodes.key, index)
        left = 1.0 - parameters.fall * index
        alpha, epsilon, length = left * parameters.alpha, left * parameters.epsilon, 0
        if trace is not None:
            trace.weights[:] = 0.0
        owner = protocol.initial(game)
        state = without_refcount(owner)
        n = protocol.legal_moves(game, state, moves)
        while n > 0:
            length += 1
            opening = length <= parameters.openings
            explores = opening or uniform(rng) < epsilon
            if opening or (explores and not parameters.learns_from_random):
                if trace is not None:
                    trace.weights[:] = 0.0
                state = protocol.play(game, state, moves[randint(rng, n)])
                n = protocol.legal_moves(game, state, moves)
                continue
            settled = not (parameters.settles and protocol.is_forced(game, moves[0]))
            move = moves[randint(rng, n)] if explores else choose(player, game, state, moves, n, rng)
            after = protocol.play(game, state, move)
            n = protocol.legal_moves(game, after, moves)
            while parameters.settles and n > 0 and protocol.is_forced(game, moves[0]):
                after = protocol.play(game, after, choose(player, game, after, moves, n, rng))
                n = protocol.legal_moves(game, after, moves)
            if not settled:  # so it is after a random move
                state = after
                continue
            before = math.tanh(evaluate(evaluator, game, state))
            if n == 0:
                target = 2.0 * protocol.outcome(game, after) - 1.0
                if parameters.margin > 0.0:
                    target = parameters.margin * protocol.margin(game, after)
                if protocol.current_player(game, state) == 1:
                    target = -target
            else:
                target = math.tanh(evaluate(evaluator, game, after))
                if protocol.current_player(game, after) != protocol.current_player(game, state):
                    target = -target
            td_error = target - before
            if trace is not None:
                side = 1.0 - 2.0 * protocol.current_player(game, state)
                eligibility, weights = trace.weights.reshape(-1), evaluator.weights.reshape(-1)
                for i in range(len(eligibility)):
                    eligibility[i] *= decay
                gradient_step(trace, game, state, side * (1.0 - before * before))
                for i in range(len(eligibility)):
                    weights[i] += alpha * side * td_error * eligibility[i]
            elif sums is not None:
                coherent_step(evaluator, sums[0], sums[1], game, state, alpha * td_error * (1.0 - before * before))
            else:
                gradient_step(evaluator, game, state, alpha * td_error * (1.0 - before * before))
            total += abs(td_error)
            updates += 1
            state = after
        keep_alive(owner)
    return total / max(updates, 1)


LEARNERS = (TDLearner(),)
