"""Life in Go that no play can end, and the area that it makes sure of.

After Benson (1976), "Life in the game of Go": a block lives for ever if it has two eyes of its own that only such
blocks surround. An eye here is a region without stones of the colour, empty or not, all of whose points are next to the
block. That is stricter than Benson's condition, which leaves out points with opposing stones. In return, a stone of the
colour within an eye of two points or more leaves an eye behind, so opposing stones there can always be captured.
"""

from typing import Any

from ludus.compile.bitboards import any_set, cardinality, difference, first_square, intersection, single, union
from ludus.compile.jit import kernel
from ludus.games.go_rules import Board, Go, group, neighbours, no_points


@kernel
def has_two_eyes(game: Go, block: Board, alive: Board, free: Board) -> bool:
    """Whether two regions of the points `free` are eyes of a block, and only blocks `alive` surround them."""
    around = intersection(neighbours(game, block), free)
    left, eyes = around, 0
    while any_set(left):
        region = group(game, single(left, first_square(left)), free)
        left = difference(left, region)
        if any_set(difference(region, around)):
            continue
        if not any_set(difference(neighbours(game, region), union(alive, region))):
            eyes += 1
            if eyes == 2:
                return True
    return False


@kernel
def living_stones(game: Go, stones: Board) -> Any:
    """The `stones`, all of one colour, that can never be captured, though their side should pass for ever.

    It depends on the stones of this colour alone.
    """
    free, alive = difference(game.board, stones), stones
    while True:
        left, kept = alive, no_points(game)
        while any_set(left):
            block = group(game, single(left, first_square(left)), alive)
            left = difference(left, block)
            if has_two_eyes(game, block, alive, free):
                kept = union(kept, block)
        if kept == alive:
            return alive
        alive = kept


@kernel
def safe_points(game: Go, stones: Board, doubtful: Board) -> Any:
    """The points that a side with these `stones` makes sure of: stones that live for ever, and regions among them.

    A region counts if opposing stones can't live there. An eye of theirs needs a point that is not next to our living
    stones, and two eyes need two such points apart; so there must be one at most, or two side by side. All other
    points of the region are filled until the last opposing stones are in atari. A region with a `doubtful` point, where
    superko might bar that, does not count.
    """
    alive = living_stones(game, stones)
    if not any_set(alive):
        return alive
    beside, outside = neighbours(game, alive), difference(game.board, alive)
    safe, left = alive, outside
    while any_set(left):
        region = group(game, single(left, first_square(left)), outside)
        left = difference(left, region)
        if any_set(intersection(region, doubtful)):
            continue
        inner = difference(region, beside)
        size = cardinality(inner)
        if size <= 1 or (size == 2 and any_set(intersection(neighbours(game, inner), inner))):
            safe = union(safe, region)
    return safe
