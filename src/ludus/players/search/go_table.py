"""What a search of small Go boards keeps: its line, and a transposition table of proofs.

A position is kept in a single word: stones, ko, passes and, with superko, the side to move; and only once for all its
images under the symmetries that the game so far allows. Beside its bounds there are the points whose stones their
proofs capture, by which the search knows where it may use them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bitboards import mixed
from ludus.compile.jit import inlined
from ludus.games.game import square_symmetries
from ludus.games.go_rules import Board, Go, GoState

U = np.uint64

LARGEST = 5
"""Boards have this many rows at most: two sets of points and a ko point are one word of the table."""

MOST_PLIES = 62
"""How deep a search can be, since the table has six bits for it."""

MOST_STONES = 10
"""With so many stones or fewer, it is found out whether the game so far was symmetric."""

NO_SCORE = 60
"""More than any score."""

ZERO = 64
"""What a score of 0 is in the table."""

NO_MOVE = 63

HALF = U(32)
"""In a word of captured points, those of the side to move are the lower half."""

NOWHERE = 99
"""What a proof depends on that depends on no earlier position."""


class GoSearch(NamedTuple):
    """What all nodes of a search share."""

    game: Go  # with simple ko
    superko: bool
    thorough: bool  # whether to search again what could not be proved after other moves
    images: NDArray[np.uint64]  # [8, size, 2 ** size]: where each symmetry takes each set of points of a row
    symmetries: NDArray[np.int64]  # [8, 64]: where it takes a point, a pass, or no move
    inverses: NDArray[np.int64]  # [8, 64]
    inverse: NDArray[np.int64]  # [8]: the symmetry that undoes each
    table: NDArray[np.uint64]  # [entries, 4]: position, Entry, captured points of the proofs of its low and its high
    moves: NDArray[np.int64]  # [plies, points + 9]: the ordered moves
    killers: NDArray[np.int64]  # [plies, 2]: the last moves that were good enough
    history: NDArray[np.int64]  # [2, points + 1]: for each side, how often a move was
    path: NDArray[np.uint64]  # [plies, 2]: the positions of the line; first the stones of who moves at even plies
    captures: NDArray[np.uint64]  # [plies]: points whose stones the proof captures that was found at this ply
    needs: NDArray[np.int64]  # [plies]: the first ply of the line that it depends on, or NOWHERE
    past: NDArray[np.uint64]  # the history of the root's state
    seen: int  # and how many positions it has
    doubtful: NDArray[np.uint64]  # [2]: where superko might bar a play of who moves at even plies, and of the other
    keys: NDArray[np.uint64]  # [2, points]: Zobrist keys, of who moves at even plies first
    counters: NDArray[np.int64]  # [4]: how many nodes may still be searched; not 0 to stop at once; the ply of the
    # position that is asked about, which stays out of the table; a good move there


class GoNode(NamedTuple):
    """A position, seen by the player to move."""

    own: Board
    opp: Board
    atari: Board
    own_lost: Board
    opp_lost: Board
    own_safe: Board  # points that nobody can take from it
    opp_safe: Board
    ko: int
    passes: int


class Entry(NamedTuple):
    """What the table knows of a position: proved bounds, a move, and what could not be proved so far."""

    low: int
    high: int
    move: int
    open_low: int  # that the score is above this could not be proved
    low_depth: int  # within so many plies
    open_high: int  # that it is at most this could not be proved
    high_depth: int


def new_search(game: Go, root: GoState, bars: np.uint64, entries: int, thorough: bool) -> GoSearch:
    """A search with an empty table of so many entries, a power of two; `bars` are the points that ko forbids now."""
    size, points = game.size, game.size**2
    symmetries = history_symmetries(game, root) if game.superko else square_symmetries(size)
    symmetries = np.hstack([symmetries, np.tile(np.arange(points, 64), (len(symmetries), 1))])
    inverses = np.argsort(symmetries, axis=1)
    images = np.zeros((len(symmetries), size, 1 << size), np.uint64)
    for row in range(size):
        for bits in range(1 << size):
            for column in range(size):
                if bits >> column & 1:
                    images[:, row, bits] |= U(1) << symmetries[:, row * size + column].astype(np.uint64)
    return GoSearch(
        game=game._replace(superko=False),
        superko=game.superko,
        thorough=thorough,
        images=images,
        symmetries=symmetries,
        inverses=inverses,
        inverse=np.array([int(np.flatnonzero((symmetries == each).all(axis=1))[0]) for each in inverses]),
        table=np.zeros((entries, 4), np.uint64),
        moves=np.zeros((MOST_PLIES + 2, points + 9), np.int64),
        killers=np.full((MOST_PLIES + 2, 2), NO_MOVE, np.int64),
        history=np.zeros((2, points + 1), np.int64),
        path=np.zeros((MOST_PLIES + 2, 2), np.uint64),
        captures=np.zeros(MOST_PLIES + 2, np.uint64),
        needs=np.full(MOST_PLIES + 2, NOWHERE, np.int64),
        past=root.history,
        seen=root.seen,
        doubtful=doubtful_points(game, root, bars),
        keys=game.keys[:: -1 if root.current_player else 1].copy(),
        counters=np.array([0, 0, 0, NO_MOVE]),
    )


def doubtful_points(game: Go, root: GoState, bars: np.uint64) -> NDArray[np.uint64]:
    """Where a play might repeat a position before the root: where that side has lost a stone. [2]

    Of a position that was given as text, only the points that ko forbids now are known.
    """
    if not game.superko:
        return np.zeros(2, np.uint64)
    if root.seen == 1 + int(bars).bit_count():
        return np.array([bars, 0], np.uint64)
    return np.array([root.own_lost[0], root.opp_lost[0]], np.uint64)


def history_symmetries(game: Go, root: GoState) -> NDArray[np.int64]:
    """The symmetries that leave every position of the game so far as it is: [symmetries, points], the identity first.

    A state knows only the hashes of these positions. If they have other stones than the root, or these are too many to
    try, the identity is the only one.
    """
    sides = (root.own, root.opp) if root.current_player == 0 else (root.opp, root.own)
    stones = [(c, at) for c in range(2) for at in range(game.size**2) if (int(sides[c][0]) >> at) & 1]
    wanted = {int(each) for each in root.history[game.bloom : game.bloom + root.seen]}
    symmetries: NDArray[np.int64] = square_symmetries(game.size)
    if len(stones) > MOST_STONES:
        return symmetries[:1]
    found = dict[int, list[set[int]]]()
    for chosen in range(1 << len(stones)):
        board, position_hash = [set[int](), set[int]()], 0
        for i, (colour, at) in enumerate(stones):
            if chosen >> i & 1:
                board[colour].add(at)
                position_hash ^= int(game.keys[colour, at])
        if position_hash in wanted:
            found[position_hash] = board
    if len(found) < len(wanted):
        return symmetries[:1]
    fixes = [all({int(s[at]) for at in side} == side for board in found.values() for side in board) for s in symmetries]
    return symmetries[np.flatnonzero(fixes)]


@inlined
def image(search: GoSearch, symmetry: int, points: np.uint64) -> Any:
    """Where a symmetry takes a set of points."""
    size, found = search.game.size, U(0)
    for row in range(size):
        found |= search.images[symmetry, row, (points >> U(row * size)) & U((1 << size) - 1)]
    return found


@inlined
def key_of(search: GoSearch, node: GoNode, ply: int) -> Any:
    """The position as one word, the same for all its images, and the symmetry that takes it there.

    With superko the colours matter, since the game so far may bar a move of one side only.
    """
    points = U(search.game.size * search.game.size)
    best, symmetry = ~U(0), 0
    for s in range(len(search.images)):
        key = image(search, s, node.own[0]) | (image(search, s, node.opp[0]) << points)
        if node.ko >= 0:
            key |= U(search.symmetries[s, node.ko] + 1) << (points + points)
        if key < best:
            best, symmetry = key, s
    side = U(ply & 1) if search.superko else U(0)
    return best | (U(node.passes + 1) << U(60)) | (side << U(62)), symmetry


@inlined
def bucket_of(search: GoSearch, key: np.uint64) -> Any:
    """The first of two entries where a position may be."""
    return mixed(key, key >> U(7)) & U(len(search.table) - 2)


@inlined
def slot_of(search: GoSearch, key: np.uint64) -> Any:
    """Where in the table a position is, or -1."""
    bucket = bucket_of(search, key)
    for at in (bucket, bucket + U(1)):
        if search.table[at, 0] == key:
            return np.int64(at)
    return np.int64(-1)


@inlined
def unpacked(word: np.uint64) -> Entry:
    bits: Any = np.int64(word)
    return Entry(
        (bits & 127) - ZERO, ((bits >> 7) & 127) - ZERO, (bits >> 14) & 63, ((bits >> 20) & 127) - ZERO,
        (bits >> 27) & 63, ((bits >> 33) & 127) - ZERO, (bits >> 40) & 63,
    )  # fmt: skip


@inlined
def packed(entry: Entry) -> Any:
    return U(
        (entry.low + ZERO) | ((entry.high + ZERO) << 7) | (entry.move << 14) | ((entry.open_low + ZERO) << 20)
        | (entry.low_depth << 27) | ((entry.open_high + ZERO) << 33) | (entry.high_depth << 40)
    )  # fmt: skip


@inlined
def store(
    search: GoSearch, key: np.uint64, entry: Entry, low_captures: np.uint64, high_captures: np.uint64, nodes: int
):
    """Put an entry into the table: over the same position, else over the one of its bucket that took fewer nodes."""
    table, at, effort = search.table, bucket_of(search, key), U(0)
    while nodes > 0:
        effort, nodes = effort + U(1), nodes >> 1
    if table[at, 0] != key and (table[at + U(1), 0] == key or (table[at, 1] >> U(58)) > effort):
        at += U(1)
    table[at, 0], table[at, 1] = key, packed(entry) | (effort << U(58))
    table[at, 2], table[at, 3] = low_captures, high_captures


@inlined
def turned(search: GoSearch, symmetry: int, captures: np.uint64) -> Any:
    """Where a symmetry takes the points whose stones a proof captures."""
    lower = image(search, symmetry, captures & U(0xFFFFFFFF))
    return lower | (image(search, symmetry, captures >> HALF) << HALF)


@inlined
def sides_exchanged(captures: np.uint64) -> Any:
    return (captures >> HALF) | (captures << HALF)
