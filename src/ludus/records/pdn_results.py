"""What 1-0 means in a PDN file: a win for Black, who moves first, or for White.

Files of English checkers are of both kinds and seldom say which, so a file is judged as a whole. Each game with a
winner speaks for one of the two:

- by its winner, where it was played to the end or its last comment names the winner;
- else by the side that is ahead where it stops, after captures that are forced. It has won most games, but not all, so
  a game of the first kind counts as six of these. That GameType says that Black begins counts as one, for Black.

They must agree by two to one at least, and so well that chance would do it in one file of fifty at most (a sign test):
by six to none, for instance. Where they don't, the reader asks.
"""

from collections.abc import Iterable
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ludus.compile.arrays import empty
from ludus.compile.bitboards import popcount
from ludus.compile.jit import kernel
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.game import Position

FIRST_MOVER, WHITE = "first-mover", "white"
CONVENTIONS = (FIRST_MOVER, WHITE)
"""Whose win 1-0 is."""

KNOWN = 6
"""How many games that stop uneven count as much as one whose winner is known."""

CHANCE = 0.02
"""How often chance alone may settle what 1-0 means."""


class Testimony(NamedTuple):
    """What a game with a winner shows."""

    first_number: bool
    """Whether the result is 1-0, not 0-1."""
    winner: float | None
    """The outcome for Black that the board or a comment shows, if one does."""
    lead: int
    """By how much Black is ahead in the last position."""


def check_convention(asked: str) -> None:
    if asked and asked not in CONVENTIONS:
        raise InvalidSetting(f"invalid pdn-result {asked!r:.40}: must be {' or '.join(CONVENTIONS)}")


def convention(games: Iterable[Testimony], black_begins: bool) -> tuple[str, str]:
    """Whose win 1-0 is, and why; `black_begins` if the file says so. Raises InvalidSetting if the games don't tell."""
    known, uneven = [0, 0], [0, 0]  # games that speak for White, for Black
    for first_number, winner, lead in games:
        if winner in (0.0, 1.0):
            known[first_number == bool(winner)] += 1
        elif lead:
            uneven[first_number == (lead > 0)] += 1
    white, black = (KNOWN * sure + likely for sure, likely in zip(known, uneven, strict=True))
    black += black_begins
    chosen = FIRST_MOVER if black > white else WHITE
    place, most, votes = int(black > white), max(black, white), black + white
    seen = [
        f"{each[place]} of {sum(each)} games {what}"
        for each, what in ((known, "whose winner is known"), (uneven, "that stop with one side ahead"))
        if sum(each)
    ]
    if 3 * most < 2 * votes or _by_chance(most, votes) > CHANCE:
        raise InvalidSetting(
            "it is not clear whether 1-0 is a win for Black, who moves first, or for White "
            f"({'for ' + chosen + ' speak ' + ' and '.join(seen) if seen else 'no game shows it'}); "
            "say --pdn-result first-mover or white (in Python pdn_result=)"
        )
    side = "Black, who moves first" if chosen == FIRST_MOVER else "White"
    more = "; GameType says that Black begins" if black_begins and chosen == FIRST_MOVER else ""
    return chosen, f"1-0 is read as a win for {side}, as in {' and '.join(seen)}{more}"


def _by_chance(most: int, votes: int) -> float:
    """How probable it is that so many or more of the votes agree by chance."""
    if votes > 1000:  # then two thirds of them are beyond chance
        return 0.0
    return float(sum(comb(votes, k) for k in range(most, votes + 1)) / 2**votes)


def lead(position: Position) -> int:
    """By how much Black is ahead when no more captures are forced: a man counts 2, a king 3."""
    return int(_settled_lead(position.game.rules, position.state))


@kernel
def _settled_lead(game: Any, state: Any) -> Any:
    """The lead after forced captures, of which each side takes the one that leaves it best off at once."""
    moves, n = empty(protocol.max_legal_moves(game), np.int64), 0
    while True:
        n = protocol.legal_moves(game, state, moves)
        if n == 0 or not protocol.is_forced(game, moves[0]):
            own = 2 * popcount(state.own) + popcount(state.own & state.kings)
            opp = 2 * popcount(state.opp) + popcount(state.opp & state.kings)
            return own - opp if protocol.current_player(game, state) == 0 else opp - own
        best, fewest = state, 1 << 30
        for k in range(n):
            after = protocol.play(game, state, moves[k])
            left = 2 * popcount(after.own) + popcount(after.own & after.kings)
            if left < fewest:
                best, fewest = after, left
        state = best
