"""A learner and a player for Ludus, in one file of another package. Both work with every game.

`ludus train hill-climber` is stochastic hill climbing, a (1+1) evolution strategy: it changes the weights of a piece
counter at random and keeps a change that wins a match against the weights before it. `cautious` makes the move that
leaves its opponent the fewest legal moves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.arrays import empty
from ludus.compile.generic import implements
from ludus.compile.jit import kernel
from ludus.compile.rng import normal, randint, stream
from ludus.evaluators.piece_counter import PieceCounter
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.learners.base import Learner, PlayerSpec, Row, Settings
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.greedy import Greedy
from ludus.players.names import settings as parsed
from ludus.players.protocol import choose


class ClimbingSettings(Settings):
    """The settings; their descriptions are also the help on the command line."""

    steps: int = Field(100, ge=1, le=10**6, description="number of changes to try")
    games: int = Field(100, ge=2, le=10**5, description="games of the match that decides about a change")
    change: float = Field(0.1, gt=0, le=10, description="standard deviation of the change of a weight")


class ClimbingState(NamedTuple):
    """All that is learned: what a checkpoint holds."""

    weights: NDArray[np.float64]
    tried: int
    kept: int


class HillClimber(Learner[ClimbingSettings, ClimbingState]):
    name = "hill-climber"
    description = "changes weights of squares at random, and keeps what wins"
    settings = ClimbingSettings

    def start(self, settings: ClimbingSettings, game: Game, seed: int) -> ClimbingState:
        return ClimbingState(np.zeros(game.squares), 0, 0)

    def step(
        self, settings: ClimbingSettings, game: Game, seed: int, state: ClimbingState
    ) -> tuple[ClimbingState, Row]:
        rng = stream(seed, "hill climber", state.tried)  # by the state's own counter, so that a run can resume
        changed = state.weights + settings.change * np.array([normal(rng) for _ in state.weights])
        new, old = (CompiledPlayer("weights", game, Greedy(PieceCounter(each))) for each in (changed, state.weights))
        score = float(match(new, old, settings.games, seed=seed + state.tried).scores.mean())
        better = score > 0.5
        state = ClimbingState(changed if better else state.weights, state.tried + 1, state.kept + better)
        return state, {"tried": state.tried, "kept": state.kept, "score": score}

    def done(self, settings: ClimbingSettings, state: ClimbingState) -> float:
        return state.tried / settings.steps

    def player(self, settings: ClimbingSettings, game: Game, state: ClimbingState) -> PlayerSpec:
        return PlayerSpec("weights", {"weights": state.weights})


class Cautious(NamedTuple):
    nothing: int = 0  # numba wants a field


@kernel
def opponent_mobility(game, state, move):
    """How many legal moves the opponent has after `move`."""
    after = protocol.play(game, protocol.copy_state(game, state), move)
    return protocol.mobility(game, after, empty(protocol.max_legal_moves(game), np.int64))


@implements(choose, Cautious)
def _(player, game, state, moves, n, rng):
    pick, least, ties = moves[0], opponent_mobility(game, state, moves[0]), 1
    for i in range(1, n):
        mobility = opponent_mobility(game, state, moves[i])
        if mobility < least:
            pick, least, ties = moves[i], mobility, 1
        elif mobility == least:
            ties += 1
            if randint(rng, ties) == 0:
                pick = moves[i]
    return pick


@explains(Cautious)
def _explained(player: Cautious, position: Position) -> Explanation:
    mobility = {
        text: -float(opponent_mobility(position.game.rules, position.state, np.int64(move)))
        for text, move in position.legal.items()
    }
    return Explanation(
        "It leaves its opponent as little choice as it can.",
        "minus the moves that the opponent has next",
        ranked(mobility),
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    parsed("cautious", arguments, ())  # nothing can follow its name
    return CompiledPlayer(text, game, Cautious())


LEARNER = HillClimber()
PLAYER = PlayerKind(
    "cautious", "leaves its opponent the fewest moves to choose from", "cautious", _make, arena=("cautious",)
)
