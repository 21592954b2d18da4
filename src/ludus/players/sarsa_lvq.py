"""Sarsa-LVQ players: a codebook of positions, each with the move to make there and its utility.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 4. The player
compares the position with every vector of its codebook, under all symmetries of the board in which the vector's move
is legal, and weighs their similarity against the utility that the move has had.

A vector holds the influence on each square (`ludus.games.influence`) as two fuzzy sets: how far each square is
ours, and how far it is theirs, with degrees of membership from 0 to 1. The similarity of a vector P and a position R is
the fuzzy contrast model of Santini and Jain (1999), with sums over both sets:

    S = sum min(p, r) - a * sum max(p - r, 0) - b * sum max(r - p, 0)

Where we decided, since the paper is silent or does not say it all:

- The sum of max(p - r, 0) is that of p less that of min(p, r), and a + b = 1, so S is twice the sum of min(p, r), less
  a times the sum of p and b times the sum of r: one pass over the squares gives it.
- a is the part of the vector's salience in that of both, b the position's; salience is the sum of memberships, each
  divided by 1 plus the distance, in steps of a king, from where the move ends. So it depends on the move compared.
- With `focus` above 0, which is ours, all sums weigh a square by 1 over 1 plus its distance from where the move ends,
  to that power: vectors become local patterns around their moves. At 0 every square counts the same, as in the paper.
- Moves on the Pareto front of similarity and utility are chosen from by similarity, as a share of the board, plus
  `balance` times utility. Without noise that alone would find the same move; noise is added to the front only.
- In a position where no vector has a legal move, any move is made.
- Moves are known by the squares where they begin and end; of captures in checkers with the same ends the first is made.
- Memberships are kept in units of 1/16384: whole numbers add up to the same sum in any order, so the processor may add
  many at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import Rng, randint, uniform
from ludus.evaluators.pictures import Board
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, MoveValue, explains
from ludus.players.protocol import Moves, choose
from ludus.players.shipped import shipped_player

UNIT = 1 << 14
"""A membership of 1, as whole numbers have it."""

SAME = 1e-9
"""Similarities that differ by less are the same, so that rounding decides nothing."""

MOST_VECTORS = 100_000
SHOWN = 3
"""How many vectors an explanation shows for a move."""


class Codebook(NamedTuple):
    """Codebook vectors with their moves and utilities, and what comparing them with positions needs."""

    vectors: NDArray[np.int32]  # [room, 2 * squares]: membership of each square in ours, then in theirs, in units
    weighted: NDArray[np.int32]  # [room, 2 * squares]: the same, each square weighed for the vector's move
    sums: NDArray[np.float64]  # [room] of the weighted memberships
    saliences: NDArray[np.float64]  # [room]
    starts: NDArray[np.int64]  # [room] where the vector's move begins and ends; the number of squares for a pass
    ends: NDArray[np.int64]  # [room]
    values: NDArray[np.float64]  # [room] the utility Q
    wins: NDArray[np.int64]  # [room] how often the vector was the winner, which moved, in training
    size: NDArray[np.int64]  # [1]: how many vectors there are
    symmetries: NDArray[np.int64]  # [mover, symmetries, squares + 1]: where a square of a vector lies on the board
    proximity: NDArray[np.float64]  # [squares + 1, squares]: 1 over 1 plus the distance from where a move ends
    weights: NDArray[np.float64]  # [squares + 1, squares]: what a square weighs for a move that ends there
    weight_sums: NDArray[np.float64]  # [squares + 1]: the sum of these, which is what a full board could have
    balance: float
    focus: float


def codebook(game: Game, room: int, balance: float, focus: float) -> Codebook:
    """An empty codebook with room for so many vectors."""
    squares = game.squares
    plain, swapping = (
        [goes for i, goes in enumerate(game.symmetries) if game.type.swaps_sides(i) is swaps] for swaps in (False, True)
    )
    symmetries = np.array([plain, swapping or plain])
    passes = np.full((*symmetries.shape[:2], 1), squares)
    places = np.array(game.coordinates)
    apart = np.abs(places[:, None] - places[None]).max(axis=2)
    proximity = np.vstack([1 / (1 + apart), np.ones(squares)])  # a pass is equally far from everything
    return Codebook(
        vectors=np.zeros((room, 2 * squares), np.int32),
        weighted=np.zeros((room, 2 * squares), np.int32),
        sums=np.zeros(room),
        saliences=np.zeros(room),
        starts=np.zeros(room, np.int64),
        ends=np.zeros(room, np.int64),
        values=np.zeros(room),
        wins=np.zeros(room, np.int64),
        size=np.zeros(1, np.int64),
        symmetries=np.ascontiguousarray(np.concatenate([symmetries, passes], axis=2), np.int64),
        proximity=proximity,
        weights=proximity**focus,
        weight_sums=np.sum(proximity**focus, axis=1),
        balance=balance,
        focus=focus,
    )


class ComparisonBuffers(NamedTuple):
    """One position, its legal moves, and its similarity to each vector of a codebook."""

    influence: NDArray[np.float64]  # [squares], as the mover has it: above 0 ours
    memberships: NDArray[np.int32]  # [symmetries, 2 * squares]: the position as a vector, under each symmetry
    weighted: NDArray[np.int32]  # [ends, symmetries, 2 * squares]: the same weighed for moves; one end without focus
    legal: NDArray[np.int32]  # [(squares + 1) ** 2]: which move begins and ends there, or -1
    totals: NDArray[np.float64]  # [moves]: the sum of the memberships, weighed for each move
    saliences: NDArray[np.float64]  # [moves]: of the position, for each move
    similarities: NDArray[np.float64]  # [vectors]: under the best symmetry, as a share of the board
    moves: NDArray[np.int64]  # [vectors]: the move that the vector makes under that symmetry, or -1
    symmetry: NDArray[np.int64]  # [vectors]
    pareto_front: NDArray[np.int64]  # [vectors]


@kernel
def comparison_buffers(book: Codebook, max_moves: int) -> ComparisonBuffers:
    """Buffers for positions that have up to so many legal moves."""
    room, symmetries, squares = len(book.sums), book.symmetries.shape[1], book.proximity.shape[1]
    ends = squares + 1 if book.focus > 0.0 else 1
    return ComparisonBuffers(
        empty(squares, np.float64), empty((symmetries, 2 * squares), np.int32),
        empty((ends, symmetries, 2 * squares), np.int32), empty((squares + 1) ** 2, np.int32),
        empty(max_moves, np.float64), empty(max_moves, np.float64),
        empty(room, np.float64), empty(room, np.int64), empty(room, np.int64), empty(room, np.int64),
    )  # fmt: skip


@kernel
def encode_position(book: Codebook, game: Any, state: Any, moves: Moves, n: int, buffers: ComparisonBuffers):
    """Write a position with these legal moves into the buffers."""
    squares, mover = book.proximity.shape[1], protocol.current_player(game, state)
    protocol.influence(game, state, buffers.influence)
    most = 0.0
    for square in range(squares):
        most = max(most, abs(buffers.influence[square]))
    scale = (1.0 - 2.0 * mover) / most if most > 0.0 else 0.0
    for square in range(squares):
        buffers.influence[square] *= scale
    for symmetry in range(book.symmetries.shape[1]):
        for square in range(squares):
            units = np.int32(np.rint(buffers.influence[book.symmetries[mover, symmetry, square]] * UNIT))
            buffers.memberships[symmetry, square] = max(units, np.int32(0))
            buffers.memberships[symmetry, squares + square] = max(-units, np.int32(0))
    for end in range(len(buffers.weighted)):
        for symmetry in range(book.symmetries.shape[1]):
            for square in range(squares):
                for k in (square, squares + square):
                    buffers.weighted[end, symmetry, k] = weigh(book, end, square, buffers.memberships[symmetry, k])
    buffers.legal[:] = -1
    for i in range(n - 1, -1, -1):  # of moves with the same ends the first counts
        start, end = protocol.move_squares(game, moves[i])
        buffers.legal[start * (squares + 1) + end] = i
        total, salience = 0.0, 0.0
        for square in range(squares):
            total += book.weights[end, square] * abs(buffers.influence[square])
            salience += book.proximity[end, square] * abs(buffers.influence[square])
        buffers.totals[i], buffers.saliences[i] = total, salience


@inlined
def weigh(book: Codebook, end: int, square: int, units: np.int32):
    """A membership as it counts for a move that ends there."""
    return np.int32(np.rint(book.weights[end, square] * units)) if book.focus > 0.0 else units


@inlined
def intersection(vectors: NDArray[np.int32], i: int, positions: NDArray[np.int32], end: int, symmetry: int):
    """The sum of min(p, r) of a vector and a position, in units: their fuzzy intersection."""
    total = np.int32(0)
    for k in range(vectors.shape[1]):
        total = np.int32(total + min(vectors[i, k], positions[end, symmetry, k]))
    return total


@kernel
def compare(book: Codebook, mover: int, buffers: ComparisonBuffers):
    """Write the similarity of each vector under the best of the symmetries in which its move is legal."""
    squares = book.proximity.shape[1]
    for i in range(book.size[0]):
        buffers.moves[i], best = -1, -np.inf
        weighed_for = book.ends[i] if book.focus > 0.0 else 0
        for symmetry in range(book.symmetries.shape[1]):
            start = book.symmetries[mover, symmetry, book.starts[i]]
            end = book.symmetries[mover, symmetry, book.ends[i]]
            move = buffers.legal[start * (squares + 1) + end]
            if move < 0:
                continue
            both = book.saliences[i] + buffers.saliences[move]
            a = book.saliences[i] / both if both > 0.0 else 0.5
            common = 2.0 / UNIT * intersection(book.weighted, i, buffers.weighted, weighed_for, symmetry)
            similarity = (common - a * book.sums[i] - (1.0 - a) * buffers.totals[move]) / book.weight_sums[end]
            if similarity > best + SAME:
                best, buffers.moves[i], buffers.symmetry[i] = similarity, move, symmetry
        buffers.similarities[i] = best


@kernel
def select_winner(book: Codebook, buffers: ComparisonBuffers, noise: float, rng: Rng):
    """The vector that moves: of the Pareto front the best, with some noise. -1 if no vector has a legal move."""
    kept = 0
    for i in range(book.size[0]):
        if buffers.moves[i] < 0:
            continue
        beaten = False
        for j in range(kept):
            other = buffers.pareto_front[j]
            if buffers.similarities[other] >= buffers.similarities[i] - SAME and book.values[other] >= book.values[i]:
                beaten = True
                break
        if beaten:
            continue
        left = 0
        for j in range(kept):
            other = buffers.pareto_front[j]
            if buffers.similarities[other] > buffers.similarities[i] + SAME or book.values[other] > book.values[i]:
                buffers.pareto_front[left] = other
                left += 1
        buffers.pareto_front[left] = i
        kept = left + 1
    chosen, best = -1, -np.inf
    for j in range(kept):
        i = buffers.pareto_front[j]
        score = buffers.similarities[i] + book.balance * book.values[i]
        if noise > 0.0:
            score += noise * uniform(rng)
        if score > best + SAME:
            chosen, best = i, score
    return chosen


@implements(choose, Codebook)
def _(player, game, state, moves, n, rng):
    return _choose(player, game, state, moves, n, rng)


@kernel
def _choose(book: Codebook, game: Any, state: Any, moves: Moves, n: int, rng: Rng):
    buffers = comparison_buffers(book, n)
    encode_position(book, game, state, moves, n, buffers)
    compare(book, protocol.current_player(game, state), buffers)
    chosen = select_winner(book, buffers, 0.0, rng)
    return moves[randint(rng, n)] if chosen < 0 else moves[buffers.moves[chosen]]


@kernel
def assign_move(book: Codebook, i: int, start: int, end: int):
    """Give vector i its move, and derive what `compare` needs of it."""
    squares = book.proximity.shape[1]
    book.starts[i], book.ends[i] = start, end
    units, salience = 0, 0.0
    for square in range(squares):
        for k in (square, squares + square):
            book.weighted[i, k] = weigh(book, end, square, book.vectors[i, k])
            units += book.weighted[i, k]
            salience += book.proximity[end, square] * book.vectors[i, k]
    book.sums[i], book.saliences[i] = units / UNIT, salience / UNIT


@kernel
def assign_moves(book: Codebook, starts: NDArray[np.int64], ends: NDArray[np.int64]):
    """The same for every vector of a codebook."""
    for i in range(book.size[0]):
        assign_move(book, i, starts[i], ends[i])


@kernel
def _nearest(book: Codebook, game: Any, state: Any, moves: Moves, buffers: ComparisonBuffers) -> float:
    """The similarity of a position with these legal moves to its nearest vector; -inf if no vector has one of them."""
    encode_position(book, game, state, moves, len(moves), buffers)
    compare(book, protocol.current_player(game, state), buffers)
    best = -np.inf
    for i in range(book.size[0]):
        best = max(best, buffers.similarities[i])
    return best


def nearest_similarities(book: Codebook, positions: Sequence[Position]) -> NDArray[np.float64]:
    """How similar each position is to its nearest vector, as a share of the board: [positions].

    Vectors count whose move is legal in some symmetry, as in play; NaN where there are none.
    """
    found = np.full(len(positions), np.nan)
    for i, position in enumerate(positions):
        moves = np.array(list(position.legal.values()), np.int64)
        buffers = comparison_buffers(book, len(moves))
        nearest = _nearest(book, position.game.rules, position.state, moves, buffers)
        if np.isfinite(nearest):
            found[i] = nearest
    return found


@kernel
def _similarities(book: Codebook, game: Any, state: Any, moves: Moves, similarities, symmetries):
    """For each move and vector the similarity and the symmetry; -inf where the vector does not make the move."""
    buffers = comparison_buffers(book, 1)
    for i in range(len(moves)):
        encode_position(book, game, state, moves[i : i + 1], 1, buffers)
        compare(book, protocol.current_player(game, state), buffers)
        for j in range(book.size[0]):
            similarities[i, j], symmetries[i, j] = buffers.similarities[j], buffers.symmetry[j]


@explains(Codebook)
def _explained(book: Codebook, position: Position) -> Explanation:
    moves = np.array(list(position.legal.values()), np.int64)
    size, squares = int(book.size[0]), position.game.squares
    similarities, symmetries = np.empty((len(moves), size)), np.zeros((len(moves), size), np.int64)
    _similarities(book, position.game.rules, position.state, moves, similarities, symmetries)
    scores = similarities + book.balance * book.values[:size]
    found = []
    for i, text in enumerate(position.legal):
        ranked = [j for j in np.argsort(-scores[i], kind="stable")[:SHOWN].tolist() if np.isfinite(scores[i, j])]
        boards = []
        for j in ranked:
            ours, theirs = np.split(book.vectors[j] / UNIT, 2)
            shown = np.empty(squares)
            shown[book.symmetries[position.current_player, symmetries[i, j], :squares]] = ours - theirs
            description = (
                f"similarity {similarities[i, j]:.2f}, utility {book.values[j]:+.2f}, "
                f"the winner {book.wins[j]} times in training; above 0 is the mover's"
            )
            boards.append(Board(f"vector {j + 1}", tuple(shown.tolist()), description))
        # below whatever a vector can say for a move
        best = float(scores[i, ranked[0]]) if ranked else -1.0 - book.balance
        description = f"vector {ranked[0] + 1}" if ranked else "no vector makes this move"
        found.append(MoveValue(text, best, description, tuple(boards)))
    return Explanation(
        "It makes the move of a codebook vector that looks like the position and has served well.",
        f"similarity as a share of the board, plus {book.balance:g} times the utility of the vector",
        tuple(sorted(found, key=lambda each: -each.value)),
    )


def load_codebook(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Codebook:
    """The codebook that a player file holds."""
    vectors, values, squares = arrays["vectors"], arrays["values"], game.squares
    if vectors.ndim != 2 or vectors.shape[1] != 2 * squares or vectors.dtype != np.int16:
        raise ValueError(f"it needs an array 'vectors' of int16, [vectors, {2 * squares}]")
    if len(vectors) > MOST_VECTORS or (vectors.size and (vectors.min() < 0 or vectors.max() > UNIT)):
        raise ValueError(f"its vectors are more than {MOST_VECTORS:,} or not all from 0 to {UNIT}")
    for name, most in (("starts", squares), ("ends", squares), ("wins", 2**53)):
        array = arrays[name]
        if array.shape != (len(vectors),) or array.dtype != np.int64 or np.any((array < 0) | (array > most)):
            raise ValueError(f"it needs an array {name!r} of int64, one for each vector, from 0 to {most}")
    if values.shape != (len(vectors),) or values.dtype != np.float64:
        raise ValueError("it needs an array 'values' of float64, one for each vector")
    for name, most in (("balance", 1000), ("focus", 10)):
        if not isinstance(chosen[name], float) or not 0 <= chosen[name] <= most:
            raise ValueError(f"its setting {name!r} is not a number from 0 to {most}")
    book = codebook(game, len(vectors), chosen["balance"], chosen["focus"])
    book.vectors[:], book.values[:], book.wins[:], book.size[0] = vectors, values, arrays["wins"], len(vectors)
    assign_moves(book, arrays["starts"], arrays["ends"])
    return book


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


PLAYERS = (
    PlayerKind(
        "sarsa-lvq", "a codebook of positions with their moves, trained by abramson2001's method",
        "sarsa-lvq:go5", _make, load_codebook,
    ),
)  # fmt: skip
