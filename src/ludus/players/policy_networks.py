"""Policy networks: how they see a board, how they choose, and how they are drawn.

Such a network doesn't evaluate positions: its input is the position before the move, and it has an output for each
square. Of the legal moves it makes the one with the highest score, the first of them if there are several. The score of
a move is the output of its square, or the sum of both if it goes from one to another. A pass scores 0 and
comes last, so in Go it is made when every point has a negative output.

Kings count as pieces. Where a game has a symmetry that exchanges the sides (checkers), the second player sees the
board turned round by it, so that both move up the same board.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.elementary import logistic
from ludus.compile.generic import generic
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import key, randint, seek
from ludus.evaluators.pictures import Board
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.explanations import Explanation, ranked
from ludus.players.protocol import Moves, choose, with_fresh_memory

Outputs = NDArray[np.float64]
"""[squares]: what a network puts out for each square, as the mover sees them."""

Views = NDArray[np.int64]
"""[mover, squares]: where the first and the second player see each square."""

ACTIVATIONS = ("logistic", "tanh", "threshold", "linear")
"""Activation functions of units; `threshold` gives 0 or 1, `linear` is clipped at -1 and 1."""

WEIGHT_SCALE = 1024.0
"""What the integers of a chromosome are divided by, unless a player's settings say otherwise."""

SAMPLE = 20
"""How many games against a random mover show what a network puts out on average."""

STRONGEST = 1500
"""How many connections a picture shows at the most."""


def board_views(game: Game) -> NDArray[np.int64]:
    """Where the first and the second player see each square: [mover, squares]."""
    swapping = [goes for i, goes in enumerate(game.symmetries) if game.type.swaps_sides(i)]
    return np.array([game.symmetries[0], (swapping or game.symmetries)[0]], np.int64)


@inlined
def activation_value(total: float, activation: int) -> float:
    """The value of a unit whose inputs have that sum; `activation` is a number of ACTIVATIONS."""
    if activation == 0:
        return logistic(total)
    if activation == 1:
        return math.tanh(total)
    if activation == 2:
        return 1.0 if total > 0.0 else 0.0
    return max(-1.0, min(1.0, total))


@inlined
def move_score(game: Any, move: int, outputs: Outputs, views: Views, mover: int):
    """The score of a move by the outputs [squares] for the squares as that mover sees them."""
    start, end = protocol.move_squares(game, move)
    if end >= len(outputs):  # a pass
        return 0.0
    score = outputs[views[mover, end]]
    return score if start == end else score + outputs[views[mover, start]]


@inlined
def best_move(game: Any, state: Any, moves: Moves, n: int, outputs: Outputs, views: Views):
    """The first of the legal moves `moves[:n]` with the highest score."""
    mover = protocol.current_player(game, state)
    best, pick = -np.inf, moves[0]
    for i in range(n):
        score = move_score(game, moves[i], outputs, views, mover)
        if score > best:
            best, pick = score, moves[i]
    return pick


@generic
def activate(player: Any, game: Any, state: Any) -> Any:
    """Show the network a board and activate its units; what comes out is in `player.outputs`."""


def is_policy_network(parts: Any) -> bool:
    """Whether these are the parts of a policy network: it has outputs, and sees the board as the mover does."""
    return {"outputs", "views"} <= set(getattr(parts, "_fields", ()))


@kernel
def _first_outputs(player, game, state, out):
    """Write the outputs [squares] as at the beginning of a game."""
    player = with_fresh_memory(player, game)
    activate(player, game, state)
    for square in range(len(out)):
        out[square] = player.outputs[square]


@kernel
def _scores_by(player, game, state, moves: Moves, outputs, out):
    """Write the score of each move [moves] by these outputs [squares]."""
    for i in range(len(moves)):
        out[i] = move_score(game, moves[i], outputs, player.views, protocol.current_player(game, state))


@kernel
def mean_outputs(network: Any, game: Any, seed: np.uint64, games: int, mean: Outputs) -> Any:
    """Write the mean outputs [squares] over the choices in games against a random mover.

    Returns in how many of these choices they would make the same move, and how many choices there were.
    """
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    mean[:] = 0.0
    same, choices = 0, 0
    for again in range(2):  # the games are played once for the mean, and once more to compare
        for index in range(games):
            seek(rng, seed, index)
            player, state = with_fresh_memory(network, game), protocol.initial(game)
            n = protocol.legal_moves(game, state, moves)
            while n > 0:
                if protocol.current_player(game, state) != index % 2:
                    move = moves[randint(rng, n)]
                else:
                    move = choose(player, game, state, moves, n, rng)
                    if n > 1 and again == 0:
                        choices += 1
                        for square in range(len(mean)):
                            mean[square] += player.outputs[square]
                    elif n > 1:
                        same += best_move(game, state, moves, n, mean, player.views) == move
                state = protocol.play(game, state, move)
                n = protocol.legal_moves(game, state, moves)
        if again == 0:
            for square in range(len(mean)):
                mean[square] /= max(1, choices)
    return same, choices


def explain_network(player: Any, position: Position, description: str, drawn: Callable[[], str]) -> Explanation:
    """An explanation from what the network suggests: each square as the mover sees it, and each legal move.

    Beside it stands what the network suggests on average, which shows how far the choice comes from the position. It
    takes a few milliseconds, so it is not kept.
    """
    game, moves = position.game, np.array(list(position.legal.values()), np.int64)
    outputs, mean, scores, on_average = *np.empty((2, game.squares)), *np.empty((2, len(moves)))
    same, choices = mean_outputs(player, game.rules, key(1, "mean outputs"), SAMPLE, mean)
    _first_outputs(player, game.rules, position.state, outputs)
    _scores_by(player, game.rules, position.state, moves, outputs, scores)
    _scores_by(player, game.rules, position.state, moves, mean, on_average)
    view, texts = board_views(game)[position.current_player], list(position.legal)
    here = texts[int(np.argmax(on_average))]
    agree = "and here too" if here == texts[int(np.argmax(scores))] else f"but {here} here"
    return Explanation(
        f"{description} Its memory is taken to be as at the beginning of a game. Its mean outputs, whatever the "
        f"position, would make the same move in {same / max(1, choices):.0%} of its choices against a random mover, "
        f"{agree}.",
        "how strongly the network suggests the move",
        ranked(dict(zip(texts, scores.tolist(), strict=True))),
        boards=(
            Board("outputs", tuple(outputs[view].tolist()), "how strongly the network suggests each square"),
            Board("mean outputs", tuple(mean[view].tolist()), "the same on average, whatever the position"),
        ),
        picture=drawn,
    )


class Connection(NamedTuple):
    """A line of the picture. Ends are (`own`, square), (`their`, square), (`unit`, number) or (`move`, square)."""

    source: tuple[str, int]
    target: tuple[str, int]
    weight: float


INK, FAINT, EXCITES, INHIBITS = "#333333", "#BBBBBB", "#0072B2", "#E69F00"
STEP, GAP = 22, 60


def draw_network(game: Game, title: str, units: int, connections: list[Connection]) -> str:
    """The network as SVG: what it sees on the left, its hidden units in the middle, the moves on the right.

    Blue lines excite and orange ones inhibit, the bolder the stronger.
    """
    places = game.coordinates_from_above
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
    labels = [
        (left, STEP, title), (left, top - 6, "its own pieces"), (left, top + tall + GAP - 6, "the opponent's pieces"),
        (left + wide + 2 * GAP - 6, top - 6, f"{units} hidden units"), (right, centre - tall / 2 - 6, "the move"),
    ]  # fmt: skip
    texts = [
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="12" fill="{INK}">{text}</text>'
        for x, y, text in labels
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
