"""Wally, the small Go player that attacks, by Millen's article or by the list in abramson2001.

Millen (1981), "Programming the Game of Go", Byte 6(4). A group is the more urgent the fewer liberties it has, and a
stone must itself be left with two liberties, unless it captures. So Wally, in this order,

1. captures;
2. saves its own stones in atari;
3. makes the move of the most urgent pattern of a table, which counts as much as a group with two liberties;
4. takes a liberty from a group of the opponent that has two, which puts it in atari;
5. adds a stone to its own groups with two liberties;
6. takes a liberty from the groups of the opponent that have the fewest of all.

Abramson and Wechsler (2001), "Competitive Reinforcement Learning for Combinatorial Problems", section 5, tell of a
shorter list: capture, put in atari, the patterns, and else a random move. `source=abramson2001` plays by it.

Where we decided:

- Equally good moves are drawn by lot, as the paper has it. Where nothing is left to do, any move is made, as in the
  paper, so Wally passes only when it can't put a stone anywhere. Where the rules let it, it fills its own eyes;
  `rules=abramson2001`, the paper's, bar some of that.
- It captures the most stones it can, and saves the most. Attacks go by liberties alone, as Millen's do, but the atari
  of the paper's list is on the most stones. Millen looks at one liberty of a group; here any of them will do.
- What it saves it saves with a stone off the edge line, as in Millen's pseudo-code; `edge=yes` lifts that. The paper
  tells of no defence at all. `defends` sets how far it goes: to stones in atari (yes), to groups with two liberties as
  well (two), or not at all (no). A later reconstruction saves groups with two liberties before it attacks; we keep to
  the pseudo-code, in which the attack comes later and wins a tie.
- The patterns are those of that reconstruction (github.com/maksimKorzh/wally), turned and mirrored in all eight ways.
  Their stones are on the board: its edge doesn't count as a stone. By Millen the move must be left with two liberties,
  too; by the paper it must only be legal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.bitboards import (
    any_set,
    cardinality,
    difference,
    first_square,
    intersection,
    shift_down,
    shift_up,
    single,
    union,
)
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import randint
from ludus.games.game import Game, Option, Position
from ludus.games.go_rules import Board, Go, GoState, group, neighbours, no_points
from ludus.games.words import sentence
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, MoveValue, explains
from ludus.players.names import settings
from ludus.players.protocol import choose

PATTERNS = """
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
    patterns: NDArray[np.int64] = offsets(PATTERNS)  # [patterns, 3, (rows, columns)]
    attacks: bool = True  # Millen's order; else the paper's list
    defended: int = 2  # own groups with so many liberties or fewer are saved
    edge: bool = False  # whether with a stone on the edge line, too


@inlined
def shifted(game: Go, points: Board, rows: int, columns: int):
    """These points shifted by so many rows and columns; those that leave the board are lost."""
    for _ in range(rows):
        points = intersection(shift_up(points, game.size), game.board)
    for _ in range(-rows):
        points = shift_down(points, game.size)
    for _ in range(columns):
        points = intersection(shift_up(points, 1), game.not_west)
    for _ in range(-columns):
        points = intersection(shift_down(points, 1), game.not_east)
    return points


@kernel
def touching_most(game: Go, points: Board, stones: Board):
    """Those of the points that touch the most of these stones, counting whole groups; none if none touches any."""
    found, most = no_points(game), 0
    left = intersection(points, neighbours(game, stones))
    while any_set(left):
        point = single(left, first_square(left))
        left = difference(left, point)
        count = cardinality(group(game, intersection(neighbours(game, point), stones), stones))
        if count > most:
            found, most = point, count
        elif count == most:
            found = union(found, point)
    return found


@kernel
def two_liberty_stones(game: Go, state: GoState):
    """The opponent's stones in groups with two liberties."""
    found = no_points(game)
    empty = difference(game.board, union(state.own, state.opp))
    left = difference(state.opp, state.atari)
    while any_set(left):
        stones = group(game, single(left, first_square(left)), state.opp)
        left = difference(left, stones)
        if cardinality(intersection(neighbours(game, stones), empty)) == 2:
            found = union(found, stones)
    return found


@kernel
def safe_points(game: Go, state: GoState, points: Board):
    """Those of the points, where nothing is captured, on which a stone of ours has two liberties or more."""
    found = no_points(game)
    empty = difference(game.board, union(state.own, state.opp))
    left = points
    while any_set(left):
        point = single(left, first_square(left))
        left = difference(left, point)
        ours = group(game, point, union(state.own, point))
        if cardinality(intersection(neighbours(game, ours), difference(empty, point))) > 1:
            found = union(found, point)
    return found


@kernel
def pattern_points(game: Go, state: GoState, patterns: NDArray[np.int64], points: Board):
    """Those of the points where the most urgent pattern on the board, under any of eight symmetries, plays.

    patterns  [patterns, 3, (rows, columns)]
    """
    found = no_points(game)
    for pattern in patterns:
        for symmetry in range(8):
            here = points
            for i in range(3):
                rows, columns = pattern[i, symmetry & 1], pattern[i, 1 - (symmetry & 1)]
                rows, columns = (rows if symmetry & 2 else -rows), (columns if symmetry & 4 else -columns)
                here = intersection(here, shifted(game, state.opp if i == 0 else state.own, -rows, -columns))
            found = union(found, here)
        if any_set(found):
            break
    return found


@kernel
def weakest_points(game: Go, state: GoState, stones: Board, points: Board, fewest: int, most: int):
    """Those of the points that are liberties of the weakest of the groups of `stones`, one side's, by liberties.

    Only groups with `fewest` to `most` liberties count, and only if one of their liberties is among the points.
    """
    found, least = no_points(game), most
    empty = difference(game.board, union(state.own, state.opp))
    left = stones
    while any_set(left):
        one = group(game, single(left, first_square(left)), stones)
        left = difference(left, one)
        liberties = intersection(neighbours(game, one), empty)
        count, here = cardinality(liberties), intersection(liberties, points)
        if fewest <= count <= least and any_set(here):
            found = union(found, here) if count == least else here
            least = count
    return found


@inlined
def off_edge(game: Go, points: Board):
    """Those of the points that are not on the edge line."""
    rows = intersection(shifted(game, game.board, 1, 0), shifted(game, game.board, -1, 0))
    columns = intersection(game.not_west, game.not_east)
    return intersection(points, intersection(rows, columns))


REASONS = (
    "captures come first",
    "it saves stones in atari",
    "that is the move of a pattern",
    "it attacks a group with two liberties",
    "it strengthens its own group with two liberties",
    "it takes a liberty from the weakest group",
    "there is nothing to do on its list",
)
"""Why Wally chooses from some points, by number."""
CAPTURES, SAVES, PATTERN, ATTACKS, STRENGTHENS, WEAKENS, ANYTHING = range(len(REASONS))


@kernel
def by_millen(player: Wally, game: Go, state: GoState, legal: Board):
    """The points that Wally chooses from where it can't capture, and why; none if there is nothing to do."""
    safe = safe_points(game, state, legal)
    saving = safe if player.edge else off_edge(game, safe)
    wanted, reason = no_points(game), SAVES
    if player.defended >= 1:
        wanted = touching_most(game, saving, intersection(state.own, state.atari))
    if not any_set(wanted):
        wanted, reason = pattern_points(game, state, player.patterns, safe), PATTERN
    if not any_set(wanted):
        wanted, reason = weakest_points(game, state, state.opp, safe, 2, 2), ATTACKS
    if not any_set(wanted) and player.defended >= 2:
        wanted, reason = weakest_points(game, state, state.own, saving, 2, 2), STRENGTHENS
    if not any_set(wanted):
        wanted, reason = weakest_points(game, state, state.opp, safe, 3, game.size * game.size), WEAKENS
    return wanted, reason


@kernel
def by_the_list(player: Wally, game: Go, state: GoState, legal: Board):
    """The same by the list in abramson2001."""
    wanted, reason = no_points(game), SAVES
    if player.defended >= 1:
        ours = intersection(state.own, state.atari)
        saving = safe_points(game, state, intersection(legal, neighbours(game, ours)))
        wanted = touching_most(game, saving if player.edge else off_edge(game, saving), ours)
    if not any_set(wanted):
        stones = two_liberty_stones(game, state)
        safe = safe_points(game, state, intersection(legal, neighbours(game, stones)))
        wanted, reason = touching_most(game, safe, stones), ATTACKS
    if not any_set(wanted) and player.defended >= 2:
        saving = safe_points(game, state, intersection(legal, neighbours(game, state.own)))
        saving = saving if player.edge else off_edge(game, saving)
        wanted, reason = weakest_points(game, state, state.own, saving, 2, 2), STRENGTHENS
    if not any_set(wanted):
        wanted, reason = pattern_points(game, state, player.patterns, legal), PATTERN
    return wanted, reason


@kernel
def wanted_points(player: Wally, game: Go, state: GoState, legal: Board):
    """The points that Wally draws from, among the legal ones of which there is one or more, and why."""
    wanted, reason = touching_most(game, legal, intersection(state.opp, state.atari)), CAPTURES
    if not any_set(wanted):
        if player.attacks:
            wanted, reason = by_millen(player, game, state, legal)
        else:
            wanted, reason = by_the_list(player, game, state, legal)
    if not any_set(wanted):
        wanted, reason = legal, ANYTHING
    return wanted, reason


@inlined
def legal_points(game: Go, moves: NDArray[np.int64], n: int):
    """The points among the legal moves."""
    legal = no_points(game)
    for i in range(n):
        if moves[i] < game.size * game.size:
            legal = union(legal, single(legal, moves[i]))
    return legal


@implements(choose, Wally, Go)
def _(player, game, state, moves, n, rng):
    legal = legal_points(game, moves, n)
    if not any_set(legal):
        return moves[0]  # a pass
    wanted, _ = wanted_points(player, game, state, legal)
    for _ in range(randint(rng, cardinality(wanted))):
        wanted = difference(wanted, single(wanted, first_square(wanted)))
    return first_square(wanted)


@kernel
def _reasons(player, game, state, moves, out):
    """Write 1 for the moves that Wally draws from, and return why.

    out  [moves]
    """
    legal = legal_points(game, moves, len(moves))
    if not any_set(legal):
        return -1
    wanted, reason = wanted_points(player, game, state, legal)
    while any_set(wanted):
        point = first_square(wanted)
        wanted = difference(wanted, single(wanted, point))
        for i in range(len(moves)):
            if moves[i] == point:
                out[i] = 1
    return reason


@explains(Wally)
def _explained(player: Wally, position: Position) -> Explanation:
    moves, chosen = np.array(list(position.legal.values()), np.int64), np.zeros(len(position.legal), np.int64)
    reason = int(_reasons(player, position.game.rules, position.state, moves, chosen))
    why = REASONS[reason] if reason >= 0 else "there is no other move"
    if reason < 0:
        chosen[:] = 1
    values = [
        MoveValue(move, float(wanted), why, sentence=f"{sentence(position, move)[:-1]}: {why}.")
        if wanted
        else MoveValue(move, 0.0)
        for move, wanted in zip(position.legal, chosen.tolist(), strict=True)
    ]
    saves = ["saves its stones"] if player.defended else []
    then = ["plays a pattern", "attacks"] if player.attacks else ["attacks", "plays a pattern"]
    order = ", ".join(["captures", *saves, *then])
    return Explanation(
        f"It does the first thing on its list that it can ({order}), and draws among equal moves by lot.",
        "1 for the moves it draws from, 0 for the others",
        tuple(sorted(values, key=lambda each: -each.value)),
    )


DEFENDED = {"no": 0, "yes": 1, "two": 2}
"""Up to how many liberties own groups are saved."""

OPTIONS = (
    Option("source", "millen", "whose description it follows: Millen's article or abramson2001's list",
           ("millen", "abramson2001")),
    Option("defends", "usual", "saves its stones in atari (yes), groups with two liberties as well (two), none (no); "
           "usual: two by millen, no by abramson2001", ("usual", *DEFENDED)),
    Option("edge", "no", "whether it saves stones with one on the edge line, too", ("no", "yes")),
)  # fmt: skip


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    chosen = settings("wally", arguments, OPTIONS)
    kind, attacks = game.choice("wally", {"go": Wally}), chosen["source"] == "millen"
    usual = "two" if attacks else "no"
    defended = DEFENDED[usual if chosen["defends"] == "usual" else chosen["defends"]]
    return CompiledPlayer(text, game, kind(attacks=attacks, defended=defended, edge=chosen["edge"] == "yes"))


PLAYERS = (
    PlayerKind(
        "wally",
        "Go: captures, saves its stones, knows seven patterns, else attacks the weakest group",
        "wally",
        _make,
        options=OPTIONS,
    ),
)
