"""Sarsa with learning vector quantization (SLVQ).

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 4, Algorithm 1.
The learner plays by a codebook (`ludus.players.codebook`) whose vectors each have a move, its utility, a learning rate
and a trace. The vector that it goes by learns from what follows, as Sarsa has it; what it thinks of its move changes,
and it comes nearer to the position if that was a good surprise, and draws back from it if it was a bad one.

Where we decided, since the paper is silent or does not say it all (see also `ludus.learners.sarsa`):

- A vector changes by its rate times the surprise times the trace, as the listing has it, and is added to, as the
  displayed equation has it. Then memberships below 0 become 0, and all are divided by the greatest.
- A vector's rate is that of the start, divided by 1 plus the times it was gone by, to the power `cooling`.
- If the best similarity is negative, the position becomes a new vector with the move that is chosen there, as long as
  there is room; `growth` can set another bound, as a share of the position's similarity to itself.
- Traces belong to the moves of a game rather than to vectors, so a vector that moves twice learns for both.
- The codebook begins with the winner's moves of seed games (`ludus.learners.seeds`), all with a utility of 0.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus import vocabulary as words
from ludus.dice import below
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import inlined, kernel
from ludus.learners.learner import Learned, Row, copied
from ludus.learners.sarsa import Sarsa, SarsaSettings, decide, expected, forget, learn, note
from ludus.learners.seeds import placed, read_seeds
from ludus.players.codebook import MOST_VECTORS, UNIT, Codebook, Sight, codebook, compare, enter, enter_all, pick, seen
from ludus.players.codebook import sight as room_for_sight
from ludus.vocabulary import says


class LVQSettings(SarsaSettings):
    seeds: str = Field(
        "shipped",
        description="games whose winners' moves the codebook begins with (section 4): shipped (if the package has any "
        "for the board), none, or a file",
    )
    capacity: int = Field(
        3000, ge=1, le=MOST_VECTORS, description="room for vectors, seeds included (not said; 331 and 659 seeds)"
    )
    growth: float = Field(
        0.0,
        ge=-1,
        le=1,
        description="a position becomes a vector if the best similarity is below this share of that to itself "
        "(section 4: 0)",
    )
    focus: float = Field(
        0.0,
        ge=0,
        le=10,
        description="how local patterns are: squares weigh less with distance from the move to this "
        "power (the paper's future work; 0 is the paper)",
    )
    balance: float = Field(
        1.0, ge=0, le=1000, description="what utility counts for beside similarity, on the Pareto front (not said)"
    )
    cooling: float = Field(
        1.0, ge=0, le=1, description="how fast a vector's rate falls: with 1 plus its uses to this power (not said)"
    )


class LVQState(NamedTuple):
    vectors: NDArray[np.float64]  # [capacity, 2 * squares]: memberships
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    values: NDArray[np.float64]
    wins: NDArray[np.int64]
    size: int
    games: int


class LVQPupil(NamedTuple):
    book: Codebook
    vectors: NDArray[np.float64]
    sight: Sight
    now: NDArray[np.int64]  # the vector just gone by, and the way in which it was seen
    lengths: NDArray[np.int64]  # [line]: how many moves it has
    line: NDArray[np.int64]  # [line, moves]: the vectors
    inputs: NDArray[np.int32]  # [line, moves, 2 * squares]: what they were compared with
    traces: NDArray[np.float64]  # [line, moves]
    fit: NDArray[np.float64]  # the sum of the best similarities, and how many
    alpha: float
    cooling: float
    fading: float  # gamma times lambda
    growth: float


@says(forget, LVQPupil)
def _(pupil):
    pupil.lengths[:] = 0


@says(decide, LVQPupil)
def _(pupil, game, state, moves, n, noise, dice):
    return _decided(pupil, game, state, moves, n, noise, dice)


@kernel
def _decided(pupil, game, state, moves, n, noise, dice):
    book, view, mover = pupil.book, pupil.sight, words.mover(game, state)
    seen(book, game, state, moves, n, view)
    compare(book, mover, view)
    like = -1
    for i in range(book.size[0]):
        if view.moves[i] >= 0 and (like < 0 or view.found[i] > view.found[like]):
            like = i
    chosen = pick(book, view, noise, dice)
    move = below(dice, n) if chosen < 0 else view.moves[chosen]
    if like >= 0:
        pupil.fit[0] += view.found[like]
        pupil.fit[1] += 1.0
    if like < 0 or view.found[like] < pupil.growth * _most(pupil, game, moves, view.moves[like]):
        chosen = _added(pupil, game, mover, moves[move], chosen)
    return moves[move], _gone_by(pupil, chosen)


@inlined
def _most(pupil, game, moves, move):
    """The similarity that a position has to itself, for one of its moves."""
    return pupil.sight.totals[move] / pupil.book.whole[words.ends(game, moves[move])[1]]


@kernel
def _added(pupil, game, mover, move, otherwise):
    """Make the position that is seen a vector with this move; `otherwise` serves if there is no room for it."""
    book, view = pupil.book, pupil.sight
    i = book.size[0]
    if i == len(book.sums):
        return otherwise
    book.size[0] += 1
    for k in range(view.shapes.shape[1]):
        book.vectors[i, k] = view.shapes[0, k]
        pupil.vectors[i, k] = view.shapes[0, k] / UNIT
    start, end = words.ends(game, move)
    enter(book, i, placed(book, mover, 0, start), placed(book, mover, 0, end))
    book.values[i], book.wins[i], view.way[i] = 0.0, 0, 0
    return i


@inlined
def _gone_by(pupil, chosen):
    """Remember that this vector, or none if there was no room for one, is gone by; return its utility."""
    pupil.now[0] = chosen
    if chosen < 0:
        return 0.0
    pupil.now[1] = pupil.sight.way[chosen]
    pupil.book.wins[chosen] += 1
    return pupil.book.values[chosen]


@says(note, LVQPupil)
def _(pupil, who):
    t = pupil.lengths[who]
    pupil.line[who, t], pupil.traces[who, t] = pupil.now[0], 1.0
    if pupil.now[0] >= 0:
        for k in range(pupil.inputs.shape[2]):
            pupil.inputs[who, t, k] = pupil.sight.shapes[pupil.now[1], k]
    pupil.lengths[who] += 1


@says(expected, LVQPupil)
def _(pupil, who):
    i = pupil.line[who, pupil.lengths[who] - 1]
    return pupil.book.values[i] if i >= 0 else 0.0


@says(learn, LVQPupil)
def _(pupil, who, surprise, games):
    _learned(pupil, who, surprise)


@kernel
def _learned(pupil, who, surprise):
    book = pupil.book
    for t in range(pupil.lengths[who] - 1, -1, -1):
        i = pupil.line[who, t]
        if i >= 0:
            rate = pupil.alpha / (1.0 + book.wins[i]) ** pupil.cooling
            change = rate * surprise * pupil.traces[who, t]
            book.values[i] += change
            _drawn(pupil, i, who, t, change)
        pupil.traces[who, t] *= pupil.fading


@kernel
def _drawn(pupil, i, who, t, change):
    """Draw vector i towards what it was compared with at time t, or away from it, and normalise it."""
    most = 0.0
    for k in range(pupil.vectors.shape[1]):
        moved = pupil.vectors[i, k] + change * (pupil.inputs[who, t, k] / UNIT - pupil.vectors[i, k])
        pupil.vectors[i, k] = max(moved, 0.0)
        most = max(most, moved)
    for k in range(pupil.vectors.shape[1]):
        if most > 0.0:
            pupil.vectors[i, k] /= most
        pupil.book.vectors[i, k] = np.int32(np.rint(pupil.vectors[i, k] * UNIT))
    enter(pupil.book, i, pupil.book.starts[i], pupil.book.ends[i])


class SarsaLVQ(Sarsa[LVQSettings, LVQState]):
    name = "sarsa-lvq"
    says = "Sarsa with a codebook of positions, moves and utilities (abramson2001)"
    settings = LVQSettings

    def start(self, settings: LVQSettings, game: Game, seed: int) -> LVQState:
        self.opponent(settings, game), self.begin(settings, game)  # what is wrong with them is told now
        capacity = settings.capacity
        seeds = read_seeds(settings.seeds, game, codebook(game, 1, settings.balance, 0.0))
        if len(seeds.starts) > capacity:
            raise LudusError(
                f"capacity={capacity} does not suit {self.name}: the seeds alone are {len(seeds.starts)} vectors"
            )
        state = LVQState(
            np.zeros((capacity, 2 * game.squares)), np.zeros(capacity, np.int64), np.zeros(capacity, np.int64),
            np.zeros(capacity), np.zeros(capacity, np.int64), len(seeds.starts), 0,
        )  # fmt: skip
        state.vectors[: state.size], state.starts[: state.size], state.ends[: state.size] = seeds
        return state

    def step(self, settings: LVQSettings, game: Game, seed: int, state: LVQState) -> tuple[LVQState, Row]:
        state = copied(state)
        book = _book(settings, game, state)
        longest = game.longest
        pupil = LVQPupil(
            book, state.vectors, room_for_sight(book, game.width), np.zeros(2, np.int64), np.zeros(2, np.int64),
            np.zeros((2, longest), np.int64), np.zeros((2, longest, 2 * game.squares), np.int32),
            np.zeros((2, longest)), np.zeros(2),
            settings.alpha, settings.cooling, settings.gamma * settings.decay, settings.growth,
        )  # fmt: skip
        row = self.round(settings, game, seed, pupil, book, state.games)
        size = int(book.size[0])
        row |= {"vectors": size, "similarity": float(pupil.fit[0] / max(1.0, pupil.fit[1]))}
        return state._replace(size=size, games=int(row["games"])), row

    def done(self, settings: LVQSettings, state: LVQState) -> float:
        return state.games / settings.games

    def player(self, settings: LVQSettings, game: Game, state: LVQState) -> Learned:
        book, size = _book(settings, game, state), state.size
        arrays: dict[str, NDArray[Any]] = {
            "vectors": book.vectors[:size].astype(np.int16),
            "starts": book.starts[:size],
            "ends": book.ends[:size],
            "values": book.values[:size],
            "wins": book.wins[:size],
        }
        return Learned(self.name, arrays, {"balance": settings.balance, "focus": settings.focus})


def _book(settings: LVQSettings, game: Game, state: LVQState) -> Codebook:
    """The codebook of a state; it shares the arrays of moves, utilities and wins."""
    book = codebook(game, settings.capacity, settings.balance, settings.focus)
    book = book._replace(starts=state.starts, ends=state.ends, values=state.values, wins=state.wins)
    book.vectors[:] = np.rint(state.vectors * UNIT)
    book.size[0] = state.size
    enter_all(book, state.starts, state.ends)
    return book


LEARNERS = (SarsaLVQ(),)
