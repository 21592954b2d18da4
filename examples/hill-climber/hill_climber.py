"""A learner and a player for Ludus, in one file of another package. Both know every game.

`ludus train hill-climber` changes the weights of a piece counter at random and keeps what wins against what it was
before. `cautious` makes the move that leaves its opponent the fewest to choose from.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus import vocabulary as words
from ludus.dice import below, normal, stream
from ludus.games.game import Game, Position
from ludus.kernels import kernel
from ludus.learners.learner import Learned, Learner, Row, Settings
from ludus.measures.matches import match
from ludus.players.evaluators import PieceCounter
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.greedy import Greedy
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import settings as parsed
from ludus.vocabulary import says


class ClimbingSettings(Settings):
    """What can be asked for; the descriptions are also the help on the command line."""

    steps: int = Field(100, ge=1, le=10**6, description="how many changes are tried")
    games: int = Field(100, ge=2, le=10**5, description="games that decide about each")
    change: float = Field(0.1, gt=0, le=10, description="how far weights are changed: the standard deviation")


class ClimbingState(NamedTuple):
    """All that is learned; it is what a checkpoint holds."""

    weights: NDArray[np.float64]
    tried: int
    kept: int


class HillClimber(Learner[ClimbingSettings, ClimbingState]):
    name = "hill-climber"
    says = "changes weights of squares at random, and keeps what wins"
    settings = ClimbingSettings

    def start(self, settings: ClimbingSettings, game: Game, seed: int) -> ClimbingState:
        return ClimbingState(np.zeros(game.squares), 0, 0)

    def step(
        self, settings: ClimbingSettings, game: Game, seed: int, state: ClimbingState
    ) -> tuple[ClimbingState, Row]:
        dice = stream(
            seed, "hill climber", state.tried
        )  # by the state's own counter, so a run that resumes goes on alike
        changed = state.weights + settings.change * np.array([normal(dice) for _ in state.weights])
        new, old = (CompiledPlayer("weights", game, Greedy(PieceCounter(each))) for each in (changed, state.weights))
        score = float(match(new, old, settings.games, seed=seed + state.tried).scores.mean())
        better = score > 0.5
        state = ClimbingState(changed if better else state.weights, state.tried + 1, state.kept + better)
        return state, {"tried": state.tried, "kept": state.kept, "score": score}

    def done(self, settings: ClimbingSettings, state: ClimbingState) -> float:
        return state.tried / settings.steps

    def player(self, settings: ClimbingSettings, game: Game, state: ClimbingState) -> Learned:
        return Learned("weights", {"weights": state.weights})


class Cautious(NamedTuple):
    nothing: int = 0  # numba wants a field


@kernel
def freedom(game, state, move):
    """How many moves the opponent can choose from after `move`."""
    after = words.play(game, words.detached(game, state), move)
    return words.mobility(game, after, np.empty(words.width(game), np.int64))


@says(words.choose, Cautious)
def _(player, game, state, moves, n, dice):
    pick, least, ties = moves[0], freedom(game, state, moves[0]), 1
    for i in range(1, n):
        free = freedom(game, state, moves[i])
        if free < least:
            pick, least, ties = moves[i], free, 1
        elif free == least:
            ties += 1
            if below(dice, ties) == 0:
                pick = moves[i]
    return pick


@explains(Cautious)
def _explained(player: Cautious, position: Position) -> Explanation:
    free = {
        text: -float(freedom(position.game.rules, position.state, np.int64(move)))
        for text, move in position.legal.items()
    }
    return Explanation(
        "It leaves its opponent as little choice as it can.", "minus the moves that the opponent has next", ranked(free)
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    parsed("cautious", arguments, ())  # nothing can follow its name
    return CompiledPlayer(text, game, Cautious())


LEARNER = HillClimber()
PLAYER = PlayerKind(
    "cautious", "leaves its opponent the fewest moves to choose from", "cautious", _make, arena=("cautious",)
)
