"""Sarsa with a weight for each point: the baseline that Sarsa with learning vector quantization is compared with.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 5, "SLinear".
All weights begin at 1, the most that a game can bring, so whatever has not been tried looks good.

Where we decided: `reading` (see `ludus.players.points`). Learning rate and the chance of a random move both fall with
the root of the number of games. Traces are replaced, as in the codebook's listing: a move that comes again counts once.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.dice import below, uniform
from ludus.games.game import Game
from ludus.learners.learner import Learned, Row, copied
from ludus.learners.sarsa import Sarsa, SarsaSettings, decide, expected, forget, learn, note
from ludus.players.points import Points, features, greatest, judge_all, judged, points
from ludus.vocabulary import says


class LinearSettings(SarsaSettings):
    reading: Literal["move", "board"] = Field(
        "move", description="what a move is judged by: where it ends (section 5), or the whole board after it"
    )


class LinearState(NamedTuple):
    weights: NDArray[np.float64]
    games: int


class LinearPupil(NamedTuple):
    points: Points
    traces: NDArray[np.float64]  # [line, 3, squares + 1]
    marks: NDArray[np.int64]  # [latest move of each line and the one just looked at, squares + 1]
    values: NDArray[np.float64]  # [moves]: room
    alpha: float
    fading: float  # gamma times lambda


@says(forget, LinearPupil)
def _(pupil):
    pupil.traces[:] = 0.0


@says(decide, LinearPupil)
def _(pupil, game, state, moves, n, noise, dice):
    judge_all(pupil.points, game, state, moves, n, pupil.marks[2], pupil.values)
    chosen = below(dice, n) if uniform(dice) < noise else greatest(pupil.values, n, dice)
    features(pupil.points, game, state, moves[chosen], pupil.marks[2])
    return moves[chosen], pupil.values[chosen]


@says(note, LinearPupil)
def _(pupil, who):
    for square in range(pupil.marks.shape[1]):
        pupil.marks[who, square] = pupil.marks[2, square]


@says(expected, LinearPupil)
def _(pupil, who):
    return judged(pupil.points, pupil.marks[who])


@says(learn, LinearPupil)
def _(pupil, who, surprise, games):
    rate = pupil.alpha / np.sqrt(games)
    for square in range(pupil.marks.shape[1]):
        if pupil.marks[who, square] >= 0:
            pupil.traces[who, pupil.marks[who, square], square] = 1.0
        for kind in range(3):
            pupil.points.weights[kind, square] += rate * surprise * pupil.traces[who, kind, square]
            pupil.traces[who, kind, square] *= pupil.fading


class SarsaLinear(Sarsa[LinearSettings, LinearState]):
    name = "sarsa-linear"
    says = "Sarsa with a weight for each point, the baseline of abramson2001"
    settings = LinearSettings

    def start(self, settings: LinearSettings, game: Game, seed: int) -> LinearState:
        self.opponent(settings, game), self.begin(settings, game)  # what is wrong with them is told now
        return LinearState(np.ones((3, game.squares + 1)), 0)

    def step(self, settings: LinearSettings, game: Game, seed: int, state: LinearState) -> tuple[LinearState, Row]:
        state = copied(state)
        plays = points(game, state.weights, settings.reading == "board")
        pupil = LinearPupil(
            plays, np.zeros((2, *state.weights.shape)), np.zeros((3, game.squares + 1), np.int64),
            np.empty(game.width), settings.alpha, settings.gamma * settings.decay,
        )  # fmt: skip
        row = self.round(settings, game, seed, pupil, plays, state.games)
        return state._replace(games=int(row["games"])), row

    def done(self, settings: LinearSettings, state: LinearState) -> float:
        return state.games / settings.games

    def player(self, settings: LinearSettings, game: Game, state: LinearState) -> Learned:
        return Learned("sarsa-linear", {"weights": state.weights}, {"whole": settings.reading == "board"})


LEARNERS = (SarsaLinear(),)
