"""Wally, the small Go player with a table of patterns, as Abramson and Wechsler describe their opponent.

Millen (1981), "Programming the Game of Go", Byte 6(4); Abramson and Wechsler (2001), "Competitive Reinforcement
Learning for Combinatorial Problems", section 5. It captures if it can; else it puts stones in atari; else it looks for
the most urgent pattern of a table; else it plays at random. Equally good moves are drawn by lot.

Where we decided:

- It captures the most stones it can, and puts the most stones in atari.
- A stone that puts others in atari must itself be left with two liberties (Millen's condition), else it would be taken.
- The patterns are those of a reconstruction in Python (github.com/maksimKorzh/wally), turned and mirrored in all eight
  ways. They ask only that the move is legal, and their stones are on the board: its edge doesn't count as a stone.
- Millen's Wally also saves its own stones, which the paper does not tell of its own. With `defends=yes`, stones in
  atari are saved, the most first, after captures and before anything else, where that leaves them two liberties.
- As in the paper, any move is made where there is nothing else to do, so it passes only when it can't put a stone
  anywhere. Where the rules let it, it fills its own eyes; `rules=abramson2001`, the paper's, bar some of that.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.bits import alone, both, either, filled, first, lowered, raised, size, without
from ludus.dice import below
from ludus.games.game import Game, Option
from ludus.games.go import Go, group, nowhere, spread
from ludus.kernels import inlined, kernel
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import only, settings
from ludus.vocabulary import says

URGENT = """
X*X
-O-

X*-
-OX

XOX
-*-

X*-X
-O--

X-*-X
--O--

-XO
X-*

X-X
-*O
"""
"""The patterns, the most urgent first: where to play (*) by two stones of one's own (X) and one of the opponent (O)."""


def offsets(diagrams: str) -> NDArray[np.int64]:
    """From the move of each diagram to its O, its first X and its second: [diagrams, 3, (rows, columns)]."""
    found = []
    for diagram in diagrams.strip().split("\n\n"):
        spots = sorted((mark, i, j) for i, row in enumerate(diagram.split()) for j, mark in enumerate(row))
        (_, row, column), *stones = [spot for spot in spots if spot[0] != "-"]
        found.append([(i - row, j - column) for _, i, j in stones])
    return np.array(found, np.int64)


class Wally(NamedTuple):
    patterns: NDArray[np.int64] = offsets(URGENT)
    defends: bool = False


@inlined
def moved(game, points, rows, columns):
    """These points moved by so many rows and columns; those that leave the board are lost."""
    for _ in range(rows):
        points = both(raised(points, game.size), game.board)
    for _ in range(-rows):
        points = lowered(points, game.size)
    for _ in range(columns):
        points = both(raised(points, 1), game.not_west)
    for _ in range(-columns):
        points = both(lowered(points, 1), game.not_east)
    return points


@kernel
def richest(game, spots, prey):
    """Those of the `spots` that touch the most stones of `prey`, counting whole groups; none if none touches any."""
    found, most = nowhere(game), 0
    left = both(spots, spread(game, prey))
    while filled(left):
        spot = alone(left, first(left))
        left = without(left, spot)
        stones = size(group(game, both(spread(game, spot), prey), prey))
        if stones > most:
            found, most = spot, stones
        elif stones == most:
            found = either(found, spot)
    return found


@kernel
def cornered(game, state):
    """The opponent's stones in groups with two liberties."""
    found = nowhere(game)
    empty = without(game.board, either(state.own, state.opp))
    left = without(state.opp, state.atari)
    while filled(left):
        stones = group(game, alone(left, first(left)), state.opp)
        left = without(left, stones)
        if size(both(spread(game, stones), empty)) == 2:
            found = either(found, stones)
    return found


@kernel
def lasting(game, state, spots):
    """Those of the `spots`, where nothing is captured, on which a stone of ours has two liberties or more."""
    found = nowhere(game)
    empty = without(game.board, either(state.own, state.opp))
    left = spots
    while filled(left):
        spot = alone(left, first(left))
        left = without(left, spot)
        ours = group(game, spot, either(state.own, spot))
        if size(both(spread(game, ours), without(empty, spot))) > 1:
            found = either(found, spot)
    return found


@kernel
def matching(game, state, patterns, spots):
    """Those of the `spots` that the most urgent pattern to be found on the board, in any of its eight ways, plays."""
    found = nowhere(game)
    for pattern in patterns:
        for way in range(8):
            here = spots
            for i in range(3):
                rows, columns = pattern[i, way & 1], pattern[i, 1 - (way & 1)]
                rows, columns = (rows if way & 2 else -rows), (columns if way & 4 else -columns)
                here = both(here, moved(game, state.opp if i == 0 else state.own, -rows, -columns))
            found = either(found, here)
        if filled(found):
            break
    return found


@says(words.choose, Wally, Go)
def _(player, game, state, moves, n, dice):
    legal = nowhere(game)
    for i in range(n):
        if moves[i] < game.size * game.size:
            legal = either(legal, alone(legal, moves[i]))
    if not filled(legal):
        return moves[0]  # a pass

    wanted = richest(game, legal, both(state.opp, state.atari))
    if not filled(wanted) and player.defends:
        ours = both(state.own, state.atari)
        wanted = richest(game, lasting(game, state, both(legal, spread(game, ours))), ours)
    if not filled(wanted):
        prey = cornered(game, state)
        wanted = richest(game, lasting(game, state, both(legal, spread(game, prey))), prey)
    if not filled(wanted):
        wanted = matching(game, state, player.patterns, legal)
    if not filled(wanted):
        wanted = legal
    for _ in range(below(dice, size(wanted))):
        wanted = without(wanted, alone(wanted, first(wanted)))
    return first(wanted)


DEFENDS = Option("defends", "no", "whether it also saves its own stones that are in atari", ("no", "yes"))


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    chosen = settings("wally", arguments, (DEFENDS,))
    kind = only("wally", game, {"go": Wally})
    return CompiledPlayer(text, game, kind(defends=chosen["defends"] == "yes"))


PLAYERS = (
    PlayerKind(
        "wally",
        "Go: captures, puts in atari, knows seven patterns, else plays at random",
        "wally",
        _make,
        options=(DEFENDS,),
    ),
)
