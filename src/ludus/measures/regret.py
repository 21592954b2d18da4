"""Regret: what a player loses to perfect play in the endings of its games.

The player meets the game's standard player, who now and then makes a random move so that games differ. Wherever few
enough squares are empty, its move is compared with the best one by the exact solver: what the move loses is the
difference of the final scores, in discs in Othello, in points on the board in Go. Captures make points empty again, so
a game of Go may leave its ending and come back to it. Positions are those of the game, with all that superko forbids.

What the solver can't prove within so many nodes is left out, and counted; so is the last move of a game of Go that was
cut off at its limit, which best play does not know.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ludus.errors import InvalidSetting
from ludus.measures.performance import NOISE, over_runs
from ludus.play.intervals import Estimate
from ludus.play.matches import match, pair_scores
from ludus.play.tables import html_table
from ludus.players.base import Player
from ludus.players.names import player
from ludus.players.search.solver import MOST_EMPTY, check_solvable, empty_squares, score

NODES = 1_000_000
"""What a position may take: half a second in Go, less in Othello, where it is enough for 14 empty squares."""


@dataclass(frozen=True)
class Regret:
    """What a player loses in the endings of its games."""

    per_game: Estimate
    """In `unit`, the mean over games."""
    unit: str
    """What scores count: discs or points."""
    games: int
    empty: int
    """Moves count where so many squares are empty or fewer."""
    choices: int
    """How many moves that was where there was more than one."""
    mistakes: int
    """How many of them lost a disc or a point, or more."""
    unsolved: int
    """How many more there were that are left out, since the solver was not sure of them."""

    def to_json(self) -> dict[str, Any]:
        return {
            "per_game": self.per_game.value,
            "unit": self.unit,
            "interval": self.per_game.interval,
            "games": self.games,
            "empty": self.empty,
            "choices": self.choices,
            "mistakes": self.mistakes,
            "unsolved": self.unsolved,
        }

    def __repr__(self) -> str:
        left_out = f", {self.unsolved} unsolved" if self.unsolved else ""
        return f"Regret({self.per_game:.2f} {self.unit} a game, {self.mistakes} of {self.choices} moves{left_out})"

    def _repr_html_(self) -> str:
        rows = [
            (f"{self.unit} lost per game", self.per_game),
            ("mistakes", f"{self.mistakes} of {self.choices} moves"),
            ("left out, unsolved", self.unsolved),
        ]
        return html_table(["regret", f"with {self.empty} empty squares or fewer, {self.games} games"], rows)


def regret(
    measured: Player, games: int = 100, empty: int = 12, nodes: int = NODES, seed: int = 1, workers: int = 1
) -> Regret:
    """What the player loses in the endings of so many games, two of which share an opening with colours swapped."""
    if games < 4 or games % 2:
        raise InvalidSetting(f"invalid games={games}: must be an even number of at least 4")
    if not 1 <= empty <= MOST_EMPTY:
        raise InvalidSetting(f"invalid empty={empty}: must be from 1 to {MOST_EMPTY}")
    if nodes < 1:
        raise InvalidSetting(f"invalid nodes={nodes}: must be a whole number of at least 1")
    check_solvable(measured.game)
    opponent = player(f"noisy:{NOISE},{measured.game.defaults.opponent}", measured.game)
    lost, choices, mistakes, unsolved = np.zeros(games), 0, 0, 0
    played = match(measured, opponent, games, seed=seed, workers=workers, record=True)
    for i, record in enumerate(played.records()):
        # on a small board the opening, which nobody has chosen, may lie within the ending
        for before, after in pairwise(record.positions()[played.openings.length :]):
            if before.current_player == i % 2 and len(before.legal) > 1 and empty_squares(before) <= empty:
                best, reply = score(before, nodes), score(after, nodes)
                if best is None or reply is None:
                    unsolved += 1
                    continue
                choices += 1
                loss = best + reply
                lost[i] += loss
                mistakes += loss > 0
    if not choices:
        why = f"{unsolved} take more than {nodes:,} nodes to solve" if unsolved else "there are none"
        raise InvalidSetting(
            f"no choice of {measured.label} in {games} games could be judged: {why}; "
            "allow more nodes, or another number of empty squares"
        )
    per_game = over_runs(pair_scores(lost).tolist(), (0.0, np.inf))
    return Regret(per_game, measured.game.type.unit, games, empty, choices, mistakes, unsolved)
