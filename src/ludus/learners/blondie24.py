"""Evolution of networks that judge positions for a search: Blondie24, and its round robin.

Chellapilla and Fogel (1999, 2001), "Evolving an expert checkers playing program without using human expertise";
Al-Khateeb and Kendall (2009), "Introducing a round robin tournament into Blondie24"; Al-Khateeb and Kendall (2012),
"Effect of individual and social learning in evolutionary checkers", sections II.C and IV.

A population plays among itself. The better half survives, and each survivor has one child, whose numbers are mutated by
steps that are inherited and mutate too. The result is the best of the last generation.

Where we decided, since the papers are silent or differ:

- The five opponents of a network are different ones; the network that chose them moves first, and both get points.
- A king is worth 2 at first; a child's differs by -0.1, 0 or 0.1, within 1 to 3. The second paper leaves it out.
- Round robin: everybody meets everybody twice, once moving first. That is 870 games a generation, so 145 generations
  are as many games as Blondie24 plays in 840.
- Who has equally many points ranks as it stands in the population, survivors before children.
- Forced captures extend the search move by move. Blondie24's authors extend whole lines, by pairs of moves; that takes
  some hundred times as long (`extend=pairs`).
- Numbers are kept in single precision.
"""

import math
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from ludus import vocabulary as words
from ludus.dice import Dice, below, key, normal, shuffle, stream, throw
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.learners.coevolution import scatter
from ludus.learners.learner import Learned, Learner, Row, Settings
from ludus.learners.parallel import in_parallel
from ludus.learners.representations import member
from ludus.players.player import play_through
from ludus.players.remembering import remembering
from ludus.players.search import EXTENSIONS, Search
from ludus.players.subsquares import Shape, Subsquares, laid_out, shape
from ludus.vocabulary import says

Numbers = NDArray[np.float32]

KINGS = (1.0, 3.0)
"""The least and the most that a king may be worth."""
FIRST_KING, KING_STEP = 2.0, 0.1


class Blondie24Settings(Settings):
    generations: int = Field(840, ge=1, le=10**6, description="generations in all (II.C, step 7)")
    population: int = Field(30, ge=2, le=1000, description="networks of a generation (II.C, step 1)")
    opponents: int = Field(5, ge=1, le=999, description="opponents that each network chooses (II.C, step 3)")
    depth: int = Field(4, ge=1, le=20, description="moves to look ahead (Chellapilla and Fogel)")
    extend: Literal["no", "captures", "pairs"] = Field(
        "captures", description="how to look further where captures are forced (Chellapilla and Fogel: by pairs)"
    )
    hidden: str = Field("40,10", description="units of the layers between the windows and the output")
    start_size: float = Field(0.2, ge=0, le=100, description="first numbers are from minus to plus this (II.C, step 1)")
    first_step: float = Field(0.05, ge=0, le=100, description="mutation step of all numbers at first (II.C, step 2)")
    win: float = Field(1.0, ge=-100, le=100, description="points for a win (II.C, step 4)")
    draw: float = Field(0.0, ge=-100, le=100, description="points for a draw (II.C, step 4)")
    loss: float = Field(-2.0, ge=-100, le=100, description="points for a loss (II.C, step 4)")

    @field_validator("hidden")
    @classmethod
    def _layers(cls, hidden: str) -> str:
        if not all(part.strip().isdigit() and 1 <= int(part) <= 1000 for part in hidden.split(",")):
            raise ValueError("it is the number of units in each layer, as 40,10")
        return hidden

    def shape(self, game: Game) -> Shape:
        return shape(game, tuple(map(int, self.hidden.split(","))))


class RoundRobinSettings(Blondie24Settings):
    generations: int = Field(145, ge=1, le=10**6, description="generations in all; 145 are about 126,000 games")
    opponents: int = Field(0, ge=0, le=0, description="everybody meets everybody")


class Crowd(NamedTuple):
    """Networks with all that they hand on."""

    numbers: Numbers  # [networks, numbers]
    steps: Numbers  # the same: how far each number mutates
    kings: NDArray[np.float64]  # [networks]

    def chosen(self, which: Any) -> "Crowd":
        return Crowd(self.numbers[which], self.steps[which], self.kings[which])

    def and_also(self, others: "Crowd") -> "Crowd":
        return Crowd(
            np.concatenate([self.numbers, others.numbers]),
            np.concatenate([self.steps, others.steps]),
            np.concatenate([self.kings, others.kings]),
        )


class Blondie24State(NamedTuple):
    numbers: Numbers
    steps: Numbers
    kings: NDArray[np.float64]
    points: NDArray[np.float64]  # of this population
    generation: int
    games: int

    @property
    def crowd(self) -> Crowd:
        return Crowd(self.numbers, self.steps, self.kings)


Chosen = TypeVar("Chosen", bound=Blondie24Settings)
State = TypeVar("State", bound=Any)


class Evolution(Learner[Chosen, State], Generic[Chosen, State]):
    """What all that evolve such networks have in common: how a generation plays."""

    def meetings(self, settings: Chosen, dice: Dice) -> NDArray[np.int64]:
        """Who plays whom: [games, 2], the first of each pair moving first."""
        found, others = [], np.empty(settings.population - 1, np.int64)
        for one in range(settings.population):
            others[:] = [other for other in range(settings.population) if other != one]
            shuffle(dice, others, len(others))
            found += [(one, int(other)) for other in others[: settings.opponents]]
        return np.array(found, np.int64)

    def judged(
        self, settings: Chosen, game: Game, seed: int, generation: int, crowd: Crowd
    ) -> tuple[NDArray[np.float64], Row]:
        """The points of each network, and figures about the games."""
        pairs = self.meetings(settings, stream(seed, f"{self.name} meetings", generation))
        scores, plan = np.empty(len(pairs)), settings.shape(game)
        networks = Subsquares(laid_out(plan, crowd.numbers), crowd.kings.astype(np.float32), plan.rows, plan.widths)
        games = key(seed, f"{self.name} games")

        def play(begin: int, end: int) -> None:
            first = generation * len(pairs)
            meet(
                game.rules,
                networks,
                pairs,
                settings.depth,
                EXTENSIONS.index(settings.extend),
                games,
                first,
                begin,
                end,
                scores,
            )

        in_parallel(play, len(pairs))
        worth = np.array([settings.loss, settings.draw, settings.win])
        points = np.zeros(settings.population)
        np.add.at(points, pairs[:, 0], worth[np.rint(2 * scores).astype(int)])
        np.add.at(points, pairs[:, 1], worth[np.rint(2 - 2 * scores).astype(int)])
        return points, {
            "generation": generation,
            "games": generation * len(pairs),
            "best_points": float(points.max()),
            "mean_points": float(points.mean()),
            "draws": float(np.mean(scores == 0.5)),
            "first_wins": float(np.mean(scores == 1)),
            "mean_step": float(crowd.steps.mean()),
            "mean_king": float(crowd.kings.mean()),
        }

    def done(self, settings: Chosen, state: State) -> float:
        return float(state.generation / settings.generations)


class Blondie24Evolution(Evolution[Chosen, Blondie24State], Generic[Chosen]):
    def start(self, settings: Chosen, game: Game, seed: int) -> Blondie24State:
        first = newcomers(settings, game, settings.population, stream(seed, f"{self.name} start"))
        return Blondie24State(*first, np.zeros(settings.population), 0, 0)

    def step(self, settings: Chosen, game: Game, seed: int, state: Blondie24State) -> tuple[Blondie24State, Row]:
        crowd, generation = state.crowd, state.generation + 1
        if state.generation:
            crowd = bred(crowd, state.points, stream(seed, f"{self.name} children", generation))
        points, row = self.judged(settings, game, seed, generation, crowd)
        return Blondie24State(*crowd, points, generation, int(row["games"])), row

    def player(self, settings: Chosen, game: Game, state: Blondie24State) -> Learned:
        return learned(settings, state.crowd, int(np.argmax(state.points)))


class Blondie24Learner(Blondie24Evolution[Blondie24Settings]):
    name = "blondie24"
    says = "evolution of networks for a search, by games against chosen others (alkhateeb2012's C0)"
    settings = Blondie24Settings


class RoundRobinLearner(Blondie24Evolution[RoundRobinSettings]):
    name = "blondie24-rr"
    says = "the same, but everybody plays everybody (alkhateeb2012's Blondie24-RR)"
    settings = RoundRobinSettings

    def meetings(self, settings: RoundRobinSettings, dice: Dice) -> NDArray[np.int64]:
        networks = range(settings.population)
        return np.array([(one, other) for one in networks for other in networks if one != other], np.int64)


def learned(settings: Blondie24Settings, crowd: Crowd, which: int) -> Learned:
    """That network of the crowd, for a player file."""
    return Learned(
        "blondie24", {"numbers": crowd.numbers[which], "king": np.array(crowd.kings[which])}, look_ahead(settings)
    )


def look_ahead(settings: Blondie24Settings) -> dict[str, Any]:
    """What a player file tells about the search."""
    return {"hidden": settings.hidden, "depth": settings.depth, "extend": settings.extend}


def newcomers(settings: Blondie24Settings, game: Game, count: int, dice: Dice) -> Crowd:
    """Random networks."""
    numbers = np.empty((count, settings.shape(game).count), np.float32)
    scatter(numbers.reshape(-1), settings.start_size, dice)
    return Crowd(numbers, np.full_like(numbers, settings.first_step), np.full(count, FIRST_KING))


def survivors(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Those with the most points, as many as half of all."""
    return np.argsort(-points, kind="stable")[: (len(points) + 1) // 2]


def bred(crowd: Crowd, points: NDArray[np.float64], dice: Dice) -> Crowd:
    """The better half, and a mutated child of each; an odd one out leaves the last without."""
    size = len(points)
    best = survivors(points)
    parents = crowd.chosen(best)
    children = crowd.chosen(best[: size // 2])
    mutate(children.numbers, children.steps, 1 / np.sqrt(2 * np.sqrt(children.numbers.shape[1])), dice)
    for i in range(len(children.kings)):
        children.kings[i] = np.clip(children.kings[i] + KING_STEP * (below(dice, 3) - 1), *KINGS)
    return parents.and_also(children)


@says(member, Subsquares)
def _(crowd, i):
    return Subsquares(crowd.weights[i], crowd.king[i], crowd.rows, crowd.widths)


@kernel
def mutate(numbers, steps, rate, dice):
    """Self-adaptive mutation: first of the steps, then by them of the numbers."""
    for i in range(len(numbers)):
        for j in range(len(numbers[i])):
            step = np.float64(steps[i, j]) * math.exp(rate * normal(dice))  # NumPy alone would stay at single precision
            steps[i, j] = step
            numbers[i, j] += step * normal(dice)


@kernel
def meet(game, crowd, pairs, depth, extension, seed, first, begin, end, scores):
    """Play the games `begin` to `end` of `pairs`, of which number 0 throws the dice of index `first`.

    Scores are for the first of each pair: 1.0, 0.5, 0.0.
    """
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    # arrays that threads share are counted by all of them at once, which costs more than a copy
    crowd = Subsquares(crowd.weights.copy(), crowd.king, crowd.rows.copy(), crowd.widths.copy())
    for i in range(begin, end):
        throw(dice, seed, first + i)
        us = Search(remembering(member(crowd, pairs[i, 0])), depth, 0, True, True, extension)
        them = Search(remembering(member(crowd, pairs[i, 1])), depth, 0, True, True, extension)
        scores[i] = play_through(game, us, them, 0, moves, dice)


LEARNERS = (Blondie24Learner(), RoundRobinLearner())
