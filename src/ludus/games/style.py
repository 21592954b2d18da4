"""How a board looks: on the arena's page, and in pictures of positions.

A game type declares its look as `board_style`; what draws boards knows no game by name. Colours are written as in CSS.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal


@dataclass(frozen=True)
class BoardStyle:
    """The look of a board. A game that declares nothing gets flat counters on blue squares."""

    grid: Literal["squares", "lines"] = "squares"
    """Whether pieces stand on squares, or where lines cross."""
    piece: Literal["counter", "disc", "stone", "man"] = "counter"
    """The shape of pieces: a flat counter; a two-sided disc, which turns over when it changes sides; a stone, as wide
    as its point; a ringed man. Kings of any shape wear a crown."""
    colours: tuple[str, str] = ("#191919", "#f6f2e8")
    """The colours of the first and the second side's pieces."""
    square: str = "#3d668f"
    """The colour of squares that are played on; with `lines`, of the board."""
    unused: str = "transparent"
    """The colour of the other squares of the rectangle, if there are any."""
    line: str = "#284663"
    """The colour of the lines between squares, or on which pieces stand."""
    frame: str = "#2c4a68"
    """The colour of the frame; a board of lines lies directly on it."""
    label: str = "#d9cdb8"
    """The colour of coordinates."""
    coordinates: Literal["edges", "squares", "none"] = "edges"
    """Where coordinates are: column letters above and row numbers at the left of the board (if no square of the
    rectangle is unused), the name of each square inside it, or nowhere."""
    heat: str = "#8fd0ff"
    """The colour that shows the values of moves on the page: a blue, for good, that stands out from `square`."""
    star_points: bool = False
    """Whether dots guide the eye, where Go boards have them."""
    rotate_for_first: bool = False
    """Whether a person who plays the first side against a machine sees the board turned by 180 degrees, since that
    side's pieces begin at the top."""


def star_points(rows: int, columns: int) -> set[tuple[int, int]]:
    """The rows and columns of the star points on a board of that size."""
    found = set(product(_star_lines(rows), _star_lines(columns)))
    if rows % 2 and columns % 2:
        found.add((rows // 2, columns // 2))
    return found


def _star_lines(length: int) -> list[int]:
    """The lines with star points: the third from the edges on small boards, the fourth on large ones."""
    if length < 7:
        return []
    edge = 3 if length > 11 else 2
    middle = [length // 2] if length > 11 and length % 2 else []
    return [edge, *middle, length - 1 - edge]
