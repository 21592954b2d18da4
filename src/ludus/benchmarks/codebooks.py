"""How fast a position is compared with the vectors of a codebook."""

import numpy as np

from ludus.benchmarks.turns import Bench, Row
from ludus.compile.jit import kernel
from ludus.compile.rng import mix, randint
from ludus.games.game import Game
from ludus.games.names import game
from ludus.players.sarsa_lvq import (
    UNIT,
    Codebook,
    ComparisonBuffers,
    assign_moves,
    codebook,
    compare,
    comparison_buffers,
)


def random_codebook(variant: Game, vectors: int, seed: int) -> tuple[Codebook, ComparisonBuffers]:
    """A codebook and a position of random numbers, every second point a legal move, as lvq.c draws them."""
    begins = [np.uint64((seed + i * 0x9E3779B97F4A7C15) % 2**64) for i in range(1, 5)]
    rng, squares = np.array([mix(each) for each in begins], np.uint64), variant.squares
    book = codebook(variant, vectors, 1.0, 0.0)
    book.size[0] = vectors
    moves = np.empty(vectors, np.int64)
    for i in range(vectors):
        book.vectors[i] = [randint(rng, UNIT + 1) for _ in range(2 * squares)]
        moves[i] = randint(rng, squares)
    assign_moves(book, moves, moves)
    position = np.array([randint(rng, UNIT + 1) for _ in range(2 * squares)], np.int32)
    buffers = comparison_buffers(book, variant.max_legal_moves)
    for i, goes in enumerate(book.symmetries[0, :, :squares]):
        buffers.weighted[0, i] = np.concatenate([position[goes], position[squares + goes]])
    buffers.legal[:] = -1
    for i, point in enumerate(range(0, squares, 2)):
        buffers.legal[point * (squares + 2)] = i
        buffers.totals[i] = position.sum() / UNIT
        buffers.saliences[i] = book.proximity[point] @ (position[:squares] + position[squares:]) / UNIT
    return book, buffers


def codebook_comparisons(bench: Bench) -> Row:
    """Positions of 7x7 Go a second that are compared with a codebook of a thousand vectors."""
    program = bench.c_program("lvq7")
    book, buffers = random_codebook(game("go7"), 1000, 1)
    return bench.compare_repeated(
        "go7 codebook of 1,000 vectors",
        lambda times: compare_often(book, buffers, times),
        (lambda times: [*program, "match", str(times), "1", "1000"]) if program else None,
    )


@kernel
def compare_often(book: Codebook, buffers: ComparisonBuffers, times: int) -> None:
    """Do the same so many times; a call from Python takes half as long as the work."""
    for _ in range(times):
        compare(book, 0, buffers)
