"""Sarsa with learning vector quantization (SLVQ).

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 4, Algorithm 1.
The learner plays by a codebook (`ludus.players.sarsa_lvq`) whose vectors each have a move, its utility (the value Q), a
learning rate and an eligibility trace. The winner, the vector whose move is made, learns from what follows, as in
Sarsa: its utility changes by the TD error, and the vector moves towards the position if that is positive, and away from
it if it is negative.

Where we decided, since the paper is silent or does not say it all (see also `ludus.learners.sarsa.base`):

- A vector changes by its rate times the TD error times the trace, as the listing has it, and is added to, as the
  displayed equation has it. Then memberships below 0 become 0, and all are divided by the greatest.
- A vector's rate "decays proportionally as a function of the number of times [it] won": which function is not said. It
  is alpha divided by the root of 1 plus the wins. The paper has these words once more, "decay proportionally as the
  square root of the number of games" (section 5, SLinear): so what decays proportionally as X is divided by X; X here
  is not the number itself but "a function of" it; and the root is the only function of a count that the paper names.
  With cooling=1 it is the number itself, with cooling=0 rates are constant. With cooling=1 and cooling_step=alpha a
  win turns a rate of a into a / (1 + a), as in Kohonen's OLVQ1, where vectors have rates of their own, too: a third
  reading, for which it speaks that the listing keeps a rate for each vector and decays it, but counts no wins.
- Softmax is noise on "the action evaluation" (section 4), and that is "the pareto optimality of moves" (the same): so
  `noise=front` is on the moves of the Pareto front. The listing's argSoftmax is over the similarities of all vectors,
  `noise=vectors`; among hundreds the luckiest then often wins.
- If the best similarity is negative, the position becomes a new vector with the move that is chosen there, as long as
  there is room; `growth` can set another bound, as a share of the position's similarity to itself.
- Traces belong to the moves of a game rather than to vectors, so a vector that wins twice learns for both.
- The codebook begins with the moves of those who won seed games (`ludus.learners.sarsa.seed_games`), all with a utility
  of 0.
"""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import Rng, randint, uniform
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.game import Game
from ludus.games.protocol import Moves
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
from ludus.learners.sarsa.seed_games import read_seeds, square_of_vector
from ludus.players.sarsa_lvq import (
    MOST_VECTORS,
    UNIT,
    Codebook,
    ComparisonBuffers,
    assign_move,
    assign_moves,
    codebook,
    compare,
    comparison_buffers,
    encode_position,
    select_winner,
)


class LVQSettings(SarsaSettings):
    seeds: str = Field(
        "shipped",
        description="seed games, whose winners' moves the codebook begins with (section 4): shipped (if the package "
        "has any for the board), none, or a file",
    )
    capacity: int = Field(
        3000, ge=1, le=MOST_VECTORS, description="the most vectors, seeds included (not said; 331 and 659 seeds)"
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
        description="how local patterns are: squares weigh less with their distance from the move, to this power "
        "(the paper's future work; 0 is the paper)",
    )
    balance: float = Field(
        1.0, ge=0, le=1000, description="weight of utility beside similarity, on the Pareto front (not said)"
    )
    cooling: float = Field(
        0.5,
        ge=0,
        le=1,
        description="how fast a vector's learning rate falls: with 1 plus its wins, to this power; 0.5 is the root "
        "(section 4 names no function)",
    )
    cooling_step: float = Field(
        1.0,
        ge=0,
        le=1,
        description="what a win counts for here; alpha, with cooling=1, as in Kohonen's OLVQ1 (not said)",
    )
    noise: Literal["front", "vectors"] = Field(
        "front",
        description="what exploration adds noise to: the Pareto front (section 4), or all vectors (Algorithm 1)",
    )


class LVQState(NamedTuple):
    vectors: NDArray[np.float64]  # [capacity, 2 * squares]: memberships
    starts: NDArray[np.int64]  # [capacity]: where the moves of vectors begin
    ends: NDArray[np.int64]  # [capacity]: where they end
    values: NDArray[np.float64]  # [capacity]: utilities
    wins: NDArray[np.int64]  # [capacity]: how often the vector has won
    size: int
    games: int


class LVQAgent(NamedTuple):
    """What learns within the kernel."""

    book: Codebook
    vectors: NDArray[np.float64]  # [capacity, 2 * squares]: those of the codebook before rounding
    buffers: ComparisonBuffers
    selected: NDArray[np.int64]  # [2]: the winner, or -1, and the symmetry in which it was compared
    lengths: NDArray[np.int64]  # [trajectory]: how many moves it has
    winners: NDArray[np.int64]  # [trajectory, moves]
    inputs: NDArray[np.int32]  # [trajectory, moves, 2 * squares]: what the winners were compared with
    traces: NDArray[np.float64]  # [trajectory, moves]: their eligibility
    similarity: NDArray[np.float64]  # [2]: the sum of the best similarities, and how many
    alpha: float
    cooling: float
    cooling_step: float
    trace_decay: float  # gamma times lambda
    growth: float
    noise_on_all: bool  # whether noise is on the similarity of every vector, instead of on the Pareto front


@implements(begin_episode, LVQAgent)
def _(agent):
    agent.lengths[:] = 0


@implements(select_move, LVQAgent)
def _(agent, game, state, moves, n, noise, rng):
    return _select(agent, game, state, moves, n, noise, rng)


@kernel
def _select(agent: LVQAgent, game: Any, state: Any, moves: Moves, n: int, noise: float, rng: Rng):
    """The body of `select_move`, compiled once: the move of the winner, and its utility."""
    book, view, mover = agent.book, agent.buffers, protocol.current_player(game, state)
    encode_position(book, game, state, moves, n, view)
    compare(book, mover, view)
    nearest = -1
    for i in range(book.size[0]):
        if view.moves[i] >= 0 and (nearest < 0 or view.similarities[i] > view.similarities[nearest]):
            nearest = i
    novel = nearest < 0 or _is_novel(agent, game, moves, nearest)
    if nearest >= 0:
        agent.similarity[0] += view.similarities[nearest]
        agent.similarity[1] += 1.0
    if agent.noise_on_all:
        for i in range(book.size[0]):
            if view.moves[i] >= 0:
                view.similarities[i] += noise * uniform(rng)
        noise = 0.0
    chosen = select_winner(book, view, noise, rng)
    move = randint(rng, n) if chosen < 0 else view.moves[chosen]
    if novel:
        chosen = _add_vector(agent, game, mover, moves[move], chosen)
    return moves[move], _record_winner(agent, chosen)


@inlined
def _is_novel(agent: LVQAgent, game: Any, moves: Moves, nearest: int):
    """Whether the position is less similar to its nearest vector than `growth` times its similarity to itself."""
    view, move = agent.buffers, agent.buffers.moves[nearest]
    itself = view.totals[move] / agent.book.weight_sums[protocol.move_squares(game, moves[move])[1]]
    return view.similarities[nearest] < agent.growth * itself


@kernel
def _add_vector(agent: LVQAgent, game: Any, mover: int, move: int, otherwise: int):
    """Make the position that is seen a vector with this move: its number, or `otherwise` if there is no room."""
    book, view = agent.book, agent.buffers
    i = book.size[0]
    if i == len(book.sums):
        return otherwise
    book.size[0] += 1
    for k in range(view.memberships.shape[1]):
        book.vectors[i, k] = view.memberships[0, k]
        agent.vectors[i, k] = view.memberships[0, k] / UNIT
    start, end = protocol.move_squares(game, move)
    assign_move(book, i, square_of_vector(book, mover, 0, start), square_of_vector(book, mover, 0, end))
    book.values[i], book.wins[i], view.symmetry[i] = 0.0, 0, 0
    return i


@inlined
def _record_winner(agent: LVQAgent, chosen: int):
    """Remember the winner, or -1 if there was no room for one; return its utility."""
    agent.selected[0] = chosen
    if chosen < 0:
        return 0.0
    agent.selected[1] = agent.buffers.symmetry[chosen]
    agent.book.wins[chosen] += 1
    return agent.book.values[chosen]


@implements(append_move, LVQAgent)
def _(agent, trajectory):
    t = agent.lengths[trajectory]
    agent.winners[trajectory, t], agent.traces[trajectory, t] = agent.selected[0], 1.0
    if agent.selected[0] >= 0:
        for k in range(agent.inputs.shape[2]):
            agent.inputs[trajectory, t, k] = agent.buffers.memberships[agent.selected[1], k]
    agent.lengths[trajectory] += 1


@implements(latest_value, LVQAgent)
def _(agent, trajectory):
    i = agent.winners[trajectory, agent.lengths[trajectory] - 1]
    return agent.book.values[i] if i >= 0 else 0.0


@implements(apply_td_error, LVQAgent)
def _(agent, trajectory, td_error, games):
    _update(agent, trajectory, td_error)


@kernel
def _update(agent: LVQAgent, trajectory: int, td_error: float) -> None:
    """The body of `apply_td_error`, compiled once: update utilities and vectors, and decay the traces."""
    book = agent.book
    for t in range(agent.lengths[trajectory] - 1, -1, -1):
        i = agent.winners[trajectory, t]
        if i >= 0:
            rate = agent.alpha / (1.0 + agent.cooling_step * book.wins[i]) ** agent.cooling
            change = rate * td_error * agent.traces[trajectory, t]
            book.values[i] += change
            _move_vector(agent, i, trajectory, t, change)
        agent.traces[trajectory, t] *= agent.trace_decay


@kernel
def _move_vector(agent: LVQAgent, i: int, trajectory: int, t: int, change: float) -> None:
    """Move vector i towards the input of move t, or away from it, and normalise it to a greatest membership of 1."""
    most = 0.0
    for k in range(agent.vectors.shape[1]):
        moved = agent.vectors[i, k] + change * (agent.inputs[trajectory, t, k] / UNIT - agent.vectors[i, k])
        agent.vectors[i, k] = max(moved, 0.0)
        most = max(most, moved)
    for k in range(agent.vectors.shape[1]):
        if most > 0.0:
            agent.vectors[i, k] /= most
        agent.book.vectors[i, k] = np.int32(np.rint(agent.vectors[i, k] * UNIT))
    assign_move(agent.book, i, agent.book.starts[i], agent.book.ends[i])


class SarsaLVQ(Sarsa[LVQSettings, LVQState]):
    name = "sarsa-lvq"
    description = "Sarsa with a codebook of positions, moves and utilities (abramson2001)"
    settings = LVQSettings

    def start(self, settings: LVQSettings, game: Game, seed: int) -> LVQState:
        self.opponent(settings, game), self.start_state(settings, game)  # to report now what is wrong with them
        capacity = settings.capacity
        seeds = read_seeds(settings.seeds, game, codebook(game, 1, settings.balance, 0.0))
        if len(seeds.starts) > capacity:
            raise InvalidSetting(
                f"invalid capacity={capacity} for {self.name}: must be at least {len(seeds.starts)}, the vectors of "
                "the seed games; or set seeds=none"
            )
        state = LVQState(
            np.zeros((capacity, 2 * game.squares)), np.zeros(capacity, np.int64), np.zeros(capacity, np.int64),
            np.zeros(capacity), np.zeros(capacity, np.int64), len(seeds.starts), 0,
        )  # fmt: skip
        state.vectors[: state.size], state.starts[: state.size], state.ends[: state.size] = seeds
        return state

    def step(self, settings: LVQSettings, game: Game, seed: int, state: LVQState) -> tuple[LVQState, Row]:
        state = copy_arrays(state)
        book = _book(settings, game, state)
        max_plies = game.max_plies
        agent = LVQAgent(
            book, state.vectors, comparison_buffers(book, game.max_legal_moves),
            np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros((2, max_plies), np.int64),
            np.zeros((2, max_plies, 2 * game.squares), np.int32), np.zeros((2, max_plies)), np.zeros(2),
            settings.alpha, settings.cooling, settings.cooling_step, settings.gamma * settings.decay, settings.growth,
            settings.noise == "vectors",
        )  # fmt: skip
        row = self.train_and_test(settings, game, seed, agent, book, state.games)
        size = int(book.size[0])
        row |= {"vectors": size, "similarity": float(agent.similarity[0] / max(1.0, agent.similarity[1]))}
        return state._replace(size=size, games=int(row["games"])), row

    def done(self, settings: LVQSettings, state: LVQState) -> float:
        return state.games / settings.games

    def player(self, settings: LVQSettings, game: Game, state: LVQState) -> PlayerSpec:
        book, size = _book(settings, game, state), state.size
        arrays: dict[str, NDArray[Any]] = {
            "vectors": book.vectors[:size].astype(np.int16),
            "starts": book.starts[:size],
            "ends": book.ends[:size],
            "values": book.values[:size],
            "wins": book.wins[:size],
        }
        return PlayerSpec(self.name, arrays, {"balance": settings.balance, "focus": settings.focus})


def _book(settings: LVQSettings, game: Game, state: LVQState) -> Codebook:
    """The codebook of a state; it shares the arrays of moves, utilities and wins."""
    book = codebook(game, settings.capacity, settings.balance, settings.focus)
    book = book._replace(starts=state.starts, ends=state.ends, values=state.values, wins=state.wins)
    book.vectors[:] = np.rint(state.vectors * UNIT)
    book.size[0] = state.size
    assign_moves(book, state.starts, state.ends)
    return book


LEARNERS = (SarsaLVQ(),)
