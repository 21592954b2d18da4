"""Values passed by their address."""

import sys
from typing import Any, NamedTuple

import numpy as np

from ludus.compile.jit import kernel, without_refcount
from ludus.compile.references import dereference, reference


class Shelf(NamedTuple):
    room: Any
    sizes: tuple[int, int]
    step: float


@kernel
def fill(shelf, depth):
    """Write the step into each place from `depth` on, one call for each."""
    room, sizes, step = without_refcount(dereference(shelf))
    if depth < len(room):
        room[depth] += step * sizes[depth % 2]
        fill(shelf, depth + 1)


@kernel
def filled(shelf):
    known = reference(shelf)
    fill(known, np.int64(0))
    return dereference(known).room


def test_what_is_passed_by_address_is_shared_and_stays_alive() -> None:
    shelf = Shelf(np.arange(4.0), (1, 10), 0.5)
    before = sys.getrefcount(shelf.room)
    found = filled(shelf).tolist()
    after = sys.getrefcount(shelf.room)
    assert found == shelf.room.tolist() == [0.5, 6.0, 2.5, 8.0]
    assert after == before
