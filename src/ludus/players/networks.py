"""What networks that name their move have in common: how they see a board, how they choose, and how they are drawn.

Such a network looks at the position as it is and likes each square so much; of the legal moves it makes the one whose
squares it likes best, the first of them if there are several. A move that goes from one square to another counts the
sum of both, and a pass counts nothing: in Go it is made when no point is liked.

Kings count as pieces. Where a game has a symmetry that exchanges the sides (checkers), the second player sees the
board turned round by it, so that both move up the same board.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.games.game import Game, Position
from ludus.kernels import inlined
from ludus.players.explanations import Board, Explanation, ranked

ACTIVATIONS = ("logistic", "tanh", "threshold", "linear")
"""What a unit makes of the sum of its inputs; `threshold` gives 0 or 1, `linear` stops at -1 and 1."""

WEIGHT_SCALE = 1024.0
"""What the integers of a chromosome are divided by, unless a player's settings say otherwise."""

STRONGEST = 1500
"""How many connections a picture shows at the most."""


def views(game: Game) -> NDArray[np.int64]:
    """Where the first and the second player see each square: [mover, squares]."""
    swapping = [goes for i, goes in enumerate(game.symmetries) if game.family.swaps(i)]
    return np.array([game.symmetries[0], (swapping or game.symmetries)[0]], np.int64)


@inlined
def squashed(total, activation):
    """What a unit makes of the sum of its inputs."""
    if activation == 0:
        return 1.0 / (1.0 + math.exp(-total)) if total > -709.0 else 0.0  # where machine code has inf, Python an error
    if activation == 1:
        return math.tanh(total)
    if activation == 2:
        return 1.0 if total > 0.0 else 0.0
    return max(-1.0, min(1.0, total))


@inlined
def liking(game, move, likes, views, mover):
    """How much a move is liked by who likes each square, as that mover sees it, so much."""
    start, end = words.ends(game, move)
    if end >= len(likes):  # a pass
        return 0.0
    liked = likes[views[mover, end]]
    return liked if start == end else liked + likes[views[mover, start]]


@inlined
def favourite(game, state, moves, n, likes, views):
    """The first of the legal moves that no other is preferred to."""
    mover = words.mover(game, state)
    best, pick = -np.inf, moves[0]
    for i in range(n):
        liked = liking(game, moves[i], likes, views, mover)
        if liked > best:
            best, pick = liked, moves[i]
    return pick


def explained(
    position: Position, says: str, likes: NDArray[np.float64], weighed: NDArray[np.float64], drawn: Any
) -> Explanation:
    """An explanation from what the network likes: each square as the mover sees it, and each legal move."""
    seen = likes[views(position.game)[position.mover]]
    return Explanation(
        f"{says} Its memory is taken to be as at the beginning of a game.",
        "how strongly the network suggests the move",
        ranked(dict(zip(position.legal, weighed.tolist(), strict=True))),
        boards=(Board("outputs", tuple(seen.tolist()), "how strongly the network suggests each square"),),
        picture=drawn,
    )


class Connection(NamedTuple):
    """A line of the picture. Ends are (`own`, square), (`their`, square), (`unit`, number) or (`move`, square)."""

    source: tuple[str, int]
    target: tuple[str, int]
    weight: float


INK, FAINT, EXCITES, INHIBITS = "#333333", "#BBBBBB", "#0072B2", "#D55E00"
STEP, GAP = 22, 60


def picture(game: Game, title: str, units: int, connections: list[Connection]) -> str:
    """The network as SVG: what it sees on the left, its hidden units in the middle, the moves on the right.

    Blue lines excite and orange ones inhibit, the bolder the stronger.
    """
    places = game.spots_from_above
    tall, wide = (STEP * side for side in game.shape)
    rows = max(1, math.ceil(math.sqrt(2 * units)))
    columns = max(1, math.ceil(units / rows))
    middle = 2 * STEP * columns
    height = max(2 * tall + GAP, 2 * STEP * rows) + 3 * STEP
    left, top = STEP, 2.5 * STEP
    right = left + wide + 2 * GAP + middle + GAP
    centre = top + (height - 3 * STEP) / 2

    def at(end: tuple[str, int]) -> tuple[float, float]:
        kind, i = end
        if kind == "unit":
            return left + wide + 2 * GAP + 2 * STEP * (i // rows), centre + 2 * STEP * (i % rows - (rows - 1) / 2)
        row, column = places[i]
        across = (right if kind == "move" else left) + STEP * (column + 0.5)
        down = {"own": top, "their": top + tall + GAP, "move": centre - tall / 2}[kind] + STEP * (row + 0.5)
        return across, down

    strongest = sorted(connections, key=lambda each: -abs(each.weight))[:STRONGEST]
    reach = max((abs(each.weight) for each in strongest), default=1.0) or 1.0
    lines = []
    for each in reversed(strongest):
        (x, y), (to_x, to_y) = at(each.source), at(each.target)
        colour, share = (EXCITES if each.weight >= 0 else INHIBITS), abs(each.weight) / reach
        style = f'stroke="{colour}" stroke-opacity="{0.1 + 0.5 * share:.2f}" stroke-width="{0.4 + 1.6 * share:.2f}"'
        if each.source == each.target:
            lines.append(f'<circle cx="{x:.1f}" cy="{y - 8:.1f}" r="7" fill="none" {style}/>')
        else:
            lines.append(f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" {style}/>')
    marks = []
    for kind in ("own", "their", "move"):
        for i in range(game.squares):
            x, y = at((kind, i))
            marks.append(
                f'<rect x="{x - STEP / 2:.1f}" y="{y - STEP / 2:.1f}" width="{STEP}" height="{STEP}" fill="none" '
                f'stroke="{FAINT}"/>'
            )
    for i in range(units):
        x, y = at(("unit", i))
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="white" stroke="{INK}"/>')
    told = [
        (left, STEP, title), (left, top - 6, "its own pieces"), (left, top + tall + GAP - 6, "the opponent's pieces"),
        (left + wide + 2 * GAP - 6, top - 6, f"{units} hidden units"), (right, centre - tall / 2 - 6, "the move"),
    ]  # fmt: skip
    texts = [
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="12" fill="{INK}">{text}</text>'
        for x, y, text in told
    ]
    size = f"{right + wide + STEP:.0f} {height:.0f}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">',
            f"<title>{title}</title>",
            '<rect width="100%" height="100%" fill="white"/>',
            *lines,
            *marks,
            *texts,
            "</svg>\n",
        ]
    )
