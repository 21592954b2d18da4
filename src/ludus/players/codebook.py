"""A codebook: positions that were seen, each with the move to make there and what came of it.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 4. The player
compares the position with every vector of its codebook, turned and mirrored in all ways in which the vector's move is
legal, and weighs how similar they are against the utility that the move has had.

A vector holds the game's field (`ludus.players.fields`) as two sets of squares with degrees of membership from 0 to 1:
how far each square is ours, and how far it is theirs. The similarity of a vector P and a position R is the fuzzy
contrast model of Santini and Jain (1999), with sums over both sets:

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

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import below, uniform
from ludus.games.game import Game, Position
from ludus.kernels import inlined, kernel
from ludus.players import fields  # noqa: F401 - gives `field` its bodies
from ludus.players.explanations import Board, Explanation, Weighed, explains
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.shipped import shipped_player
from ludus.vocabulary import says

UNIT = 1 << 14
"""A membership of 1, as whole numbers have it."""

SAME = 1e-9
"""Similarities that differ by less are the same, so that rounding decides nothing."""

MOST_VECTORS = 100_000
SHOWN = 3
"""How many vectors an explanation shows for a move."""


class Codebook(NamedTuple):
    vectors: NDArray[np.int32]  # [room, 2 * squares]: how far each square is ours, then how far theirs, in units
    planes: NDArray[np.int32]  # the same, each square weighed for the vector's move
    sums: NDArray[np.float64]  # of the planes
    saliences: NDArray[np.float64]
    starts: NDArray[np.int64]  # where the vector's move begins and ends; the number of squares for a pass
    ends: NDArray[np.int64]
    values: NDArray[np.float64]  # the utility Q
    wins: NDArray[np.int64]  # how often the vector was the one that moved, in training
    size: NDArray[np.int64]  # [1]: how many vectors there are
    ways: NDArray[np.int64]  # [mover, ways, squares + 1]: where a square of a vector lies on the board
    near: NDArray[np.float64]  # [squares + 1, squares]: 1 over 1 plus the distance from where a move ends
    weights: NDArray[np.float64]  # [squares + 1, squares]: what a square weighs for a move that ends there
    whole: NDArray[np.float64]  # [squares + 1]: the sum of these, which is what a full board could have
    balance: float
    focus: float


def codebook(game: Game, room: int, balance: float, focus: float) -> Codebook:
    """An empty codebook with room for so many vectors."""
    squares = game.squares
    plain, swapping = (
        [goes for i, goes in enumerate(game.symmetries) if game.family.swaps(i) is swaps] for swaps in (False, True)
    )
    ways = np.array([plain, swapping or plain])
    passes = np.full((*ways.shape[:2], 1), squares)
    places = np.array(game.spots)
    apart = np.abs(places[:, None] - places[None]).max(axis=2)
    near = np.vstack([1 / (1 + apart), np.ones(squares)])  # a pass is equally far from everything
    return Codebook(
        vectors=np.zeros((room, 2 * squares), np.int32),
        planes=np.zeros((room, 2 * squares), np.int32),
        sums=np.zeros(room),
        saliences=np.zeros(room),
        starts=np.zeros(room, np.int64),
        ends=np.zeros(room, np.int64),
        values=np.zeros(room),
        wins=np.zeros(room, np.int64),
        size=np.zeros(1, np.int64),
        ways=np.ascontiguousarray(np.concatenate([ways, passes], axis=2), np.int64),
        near=near,
        weights=near**focus,
        whole=np.sum(near**focus, axis=1),
        balance=balance,
        focus=focus,
    )


class Sight(NamedTuple):
    """Room for what is seen of one position."""

    field: NDArray[np.float64]  # [squares], as the mover has it: above 0 ours
    shapes: NDArray[np.int32]  # [ways, 2 * squares]: the field as a vector would have it, turned in each way
    views: NDArray[np.int32]  # [ends, ways, 2 * squares]: the same weighed for moves; without focus, [1, ways, ...]
    legal: NDArray[np.int32]  # [(squares + 1) ** 2]: which move begins and ends there, or -1
    totals: NDArray[np.float64]  # [moves]: the sum of the memberships, weighed for each move
    saliences: NDArray[np.float64]  # [moves]: of the position, for each move
    found: NDArray[np.float64]  # [vectors]: the similarity in the best way, as a share of the board
    moves: NDArray[np.int64]  # [vectors]: the move that the vector makes in that way, or -1
    way: NDArray[np.int64]
    front: NDArray[np.int64]  # [vectors]: room for the Pareto front


@kernel
def sight(book, width):
    """Room for what is seen, where a position has up to `width` moves."""
    room, ways, squares = len(book.sums), book.ways.shape[1], book.near.shape[1]
    ends = squares + 1 if book.focus > 0.0 else 1
    return Sight(
        np.empty(squares), np.empty((ways, 2 * squares), np.int32), np.empty((ends, ways, 2 * squares), np.int32),
        np.empty((squares + 1) ** 2, np.int32), np.empty(width), np.empty(width),
        np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64),
    )  # fmt: skip


@kernel
def seen(book, game, state, moves, n, sight):
    """Look at a position with these legal moves."""
    squares, mover = book.near.shape[1], words.mover(game, state)
    words.field(game, state, sight.field)
    most = 0.0
    for square in range(squares):
        most = max(most, abs(sight.field[square]))
    scale = (1.0 - 2.0 * mover) / most if most > 0.0 else 0.0
    for square in range(squares):
        sight.field[square] *= scale
    for way in range(book.ways.shape[1]):
        for square in range(squares):
            units = np.int32(np.rint(sight.field[book.ways[mover, way, square]] * UNIT))
            sight.shapes[way, square] = max(units, np.int32(0))
            sight.shapes[way, squares + square] = max(-units, np.int32(0))
    for end in range(len(sight.views)):
        for way in range(book.ways.shape[1]):
            for square in range(squares):
                for k in (square, squares + square):
                    sight.views[end, way, k] = weighed(book, end, square, sight.shapes[way, k])
    sight.legal[:] = -1
    for i in range(n - 1, -1, -1):  # of moves with the same ends the first counts
        start, end = words.ends(game, moves[i])
        sight.legal[start * (squares + 1) + end] = i
        total, salience = 0.0, 0.0
        for square in range(squares):
            total += book.weights[end, square] * abs(sight.field[square])
            salience += book.near[end, square] * abs(sight.field[square])
        sight.totals[i], sight.saliences[i] = total, salience


@inlined
def weighed(book, end, square, units):
    """A membership as it counts for a move that ends there."""
    return np.int32(np.rint(book.weights[end, square] * units)) if book.focus > 0.0 else units


@inlined
def overlap(planes, i, views, end, way):
    """The sum of min(p, r) of a vector and a view, in units."""
    total = np.int32(0)
    for k in range(planes.shape[1]):
        total = np.int32(total + min(planes[i, k], views[end, way, k]))
    return total


@kernel
def compare(book, mover, sight):
    """Write for each vector its similarity in the best of the ways in which its move is legal."""
    squares = book.near.shape[1]
    for i in range(book.size[0]):
        sight.moves[i], best = -1, -np.inf
        view = book.ends[i] if book.focus > 0.0 else 0
        for way in range(book.ways.shape[1]):
            start, end = book.ways[mover, way, book.starts[i]], book.ways[mover, way, book.ends[i]]
            move = sight.legal[start * (squares + 1) + end]
            if move < 0:
                continue
            both = book.saliences[i] + sight.saliences[move]
            a = book.saliences[i] / both if both > 0.0 else 0.5
            common = 2.0 / UNIT * overlap(book.planes, i, sight.views, view, way)
            similarity = (common - a * book.sums[i] - (1.0 - a) * sight.totals[move]) / book.whole[end]
            if similarity > best + SAME:
                best, sight.moves[i], sight.way[i] = similarity, move, way
        sight.found[i] = best


@kernel
def pick(book, sight, noise, dice):
    """The vector to go by: of the Pareto front the best, with some noise. -1 if no vector has a legal move."""
    kept = 0
    for i in range(book.size[0]):
        if sight.moves[i] < 0:
            continue
        beaten = False
        for j in range(kept):
            other = sight.front[j]
            if sight.found[other] >= sight.found[i] - SAME and book.values[other] >= book.values[i]:
                beaten = True
                break
        if beaten:
            continue
        left = 0
        for j in range(kept):
            other = sight.front[j]
            if sight.found[other] > sight.found[i] + SAME or book.values[other] > book.values[i]:
                sight.front[left] = other
                left += 1
        sight.front[left] = i
        kept = left + 1
    chosen, best = -1, -np.inf
    for j in range(kept):
        i = sight.front[j]
        score = sight.found[i] + book.balance * book.values[i]
        if noise > 0.0:
            score += noise * uniform(dice)
        if score > best + SAME:
            chosen, best = i, score
    return chosen


@says(words.choose, Codebook)
def _(player, game, state, moves, n, dice):
    return _move(player, game, state, moves, n, dice)


@kernel
def _move(book, game, state, moves, n, dice):
    room = sight(book, n)
    seen(book, game, state, moves, n, room)
    compare(book, words.mover(game, state), room)
    chosen = pick(book, room, 0.0, dice)
    return moves[below(dice, n)] if chosen < 0 else moves[room.moves[chosen]]


@kernel
def enter(book, i, start, end):
    """Give vector i its move, and work out what `compare` wants to know of it."""
    squares = book.near.shape[1]
    book.starts[i], book.ends[i] = start, end
    units, salience = 0, 0.0
    for square in range(squares):
        for k in (square, squares + square):
            book.planes[i, k] = weighed(book, end, square, book.vectors[i, k])
            units += book.planes[i, k]
            salience += book.near[end, square] * book.vectors[i, k]
    book.sums[i], book.saliences[i] = units / UNIT, salience / UNIT


@kernel
def enter_all(book, starts, ends):
    """The same for every vector of a codebook."""
    for i in range(book.size[0]):
        enter(book, i, starts[i], ends[i])


@kernel
def _reasons(book, game, state, moves, similarity, ways):
    """For each move and vector the similarity and the way; minus infinity where the vector does not make the move."""
    room = sight(book, 1)
    for i in range(len(moves)):
        seen(book, game, state, moves[i : i + 1], 1, room)
        compare(book, words.mover(game, state), room)
        for j in range(book.size[0]):
            similarity[i, j], ways[i, j] = room.found[j], room.way[j]


@explains(Codebook)
def _explained(book: Codebook, position: Position) -> Explanation:
    moves = np.array(list(position.legal.values()), np.int64)
    size, squares = int(book.size[0]), position.game.squares
    similarity, ways = np.empty((len(moves), size)), np.zeros((len(moves), size), np.int64)
    _reasons(book, position.game.rules, position.state, moves, similarity, ways)
    scores = similarity + book.balance * book.values[:size]
    weighed = []
    for i, text in enumerate(position.legal):
        ranked = [j for j in np.argsort(-scores[i], kind="stable")[:SHOWN].tolist() if np.isfinite(scores[i, j])]
        boards = []
        for j in ranked:
            ours, theirs = np.split(book.vectors[j] / UNIT, 2)
            shown = np.empty(squares)
            shown[book.ways[position.mover, ways[i, j], :squares]] = ours - theirs
            says = (
                f"similarity {similarity[i, j]:.2f}, utility {book.values[j]:+.2f}, "
                f"went by {book.wins[j]} times in training; above 0 is the mover's"
            )
            boards.append(Board(f"vector {j + 1}", tuple(shown.tolist()), says))
        # below whatever a vector can say for a move
        best = float(scores[i, ranked[0]]) if ranked else -1.0 - book.balance
        says = f"vector {ranked[0] + 1}" if ranked else "no vector makes this move"
        weighed.append(Weighed(text, best, says, tuple(boards)))
    return Explanation(
        "It makes the move of a codebook vector that looks like the position and has served well.",
        f"similarity as a share of the board, plus {book.balance:g} times the utility of the vector",
        tuple(sorted(weighed, key=lambda each: -each.value)),
    )


def loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Codebook:
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
    enter_all(book, arrays["starts"], arrays["ends"])
    return book


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


PLAYERS = (
    PlayerKind(
        "sarsa-lvq", "a codebook of positions with their moves, trained by abramson2001's method",
        "sarsa-lvq:go5", _make, loaded,
    ),
)  # fmt: skip
