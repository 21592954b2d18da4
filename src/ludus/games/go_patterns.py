"""Patterns of 3x3 points around an empty one, where a play in Go is often good: hane, cuts, moves along the edge.

Gelly, Wang, Munos & Teytaud (2006), "Modification of UCT with patterns in Monte-Carlo Go", section 3.2; as written down
by Baudiš for michi (2015). In a pattern X and O are the two colours, whichever; `x` is anything but X, `o` anything but
O, `?` anything, and a blank is beyond the edge.

The surroundings of a point are two bytes: the neighbours that are black, and those that are white. Beyond the edge is
both. Bits 0 to 3 of a byte are the points above, left, right and below, bits 4 to 7 those at the corners, row by row.
"""

from functools import reduce

import numpy as np
from numpy.typing import NDArray

PATTERNS = (
    "XOX ... ???",  # hane that encloses
    "XO. ... ?.?",  # hane that does not cut
    "XO? X.. x.?",  # magari
    ".O. X.. ...",  # attachment at the corner of a stone
    "XO? O.o ?o?",  # a cut that is not protected
    "XO? O.X ???",  # a cut that is peeped at
    "?X? O.O ooo",  # a cut between two stones
    "OX? o.O ???",  # a cut of a knight's move
    "X.? O.? ---",  # at the edge: chase
    "OX? X.O ---",  # block a cut
    "?X? x.O ---",  # block a connection
    "?XO x.x ---",  # sagari
    "?OX X.O ---",  # cut
)

_MEANS = {"X": "X", "O": "O", ".": ".", "-": "-", "x": ".O-", "o": ".X-", "?": ".XO-"}
_BITS = (4, 0, 5, 1, None, 2, 6, 3, 7)
"""The bit of each of the nine points of a pattern, row by row."""


def _variants(pattern: str) -> set[str]:
    """A pattern turned, mirrored and with exchanged colours, its nine points row by row."""
    found, points = set[str](), pattern.replace(" ", "")
    for _ in range(4):
        points = "".join(points[3 * (2 - i % 3) + i // 3] for i in range(9))
        for each in (points, points[2::-1] + points[5:2:-1] + points[:5:-1]):
            found |= {each, each.translate(str.maketrans("XOxo", "OXox"))}
    return found


def _surroundings(points: str) -> NDArray[np.int64]:
    """The surroundings that a pattern stands for."""
    words = {".": 0, "X": 1, "O": 1 << 8, "-": 1 | 1 << 8}
    choices = [
        np.array([words[each] << bit for each in _MEANS[point]])
        for point, bit in zip(points, _BITS, strict=True)
        if bit is not None
    ]
    return reduce(np.add.outer, choices).ravel()


def _table() -> NDArray[np.uint64]:
    bits = np.zeros(1 << 16, np.uint8)
    for pattern in PATTERNS:
        for points in _variants(pattern):
            bits[_surroundings(points)] = 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


GOOD_SURROUNDINGS = _table()
"""A bit for each surroundings, whether one of the patterns matches. [1024]"""
