"""Regret: what a player loses to perfect play in the endings of its games.

The player meets the game's standard player, who now and then makes a random move so that games differ. From the moment
when few enough squares are empty, each of its moves is compared with the best one by the exact solver: what the move
loses is the difference of the final scores.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ludus.errors import InvalidSetting
from ludus.games.game import Game, Position
from ludus.measures.performance import NOISE, over_runs
from ludus.play.intervals import Estimate
from ludus.play.matches import match, pair_scores
from ludus.play.tables import html_table
from ludus.players.base import Player
from ludus.players.names import player
from ludus.players.search.solver import MOST_EMPTY, empty_squares, solve


@dataclass(frozen=True)
class Regret:
    """What a player loses in the endings of its games."""

    per_game: Estimate
    """In discs, the mean over games."""
    games: int
    empty: int
    """Moves count from the moment when so many squares are empty."""
    choices: int
    """How many moves that was where there was more than one."""
    mistakes: int
    """How many of them lost a disc or more."""

    def to_json(self) -> dict[str, Any]:
        return {
            "discs_per_game": self.per_game.value,
            "interval": self.per_game.interval,
            "games": self.games,
            "empty": self.empty,
            "choices": self.choices,
            "mistakes": self.mistakes,
        }

    def __repr__(self) -> str:
        return f"Regret({self.per_game:.2f} discs a game, {self.mistakes} of {self.choices} moves)"

    def _repr_html_(self) -> str:
        rows = [("discs lost per game", self.per_game), ("mistakes", f"{self.mistakes} of {self.choices} moves")]
        return html_table(["regret", f"from {self.empty} empty squares on, {self.games} games"], rows)


def regret(measured: Player, games: int = 100, empty: int = 12, seed: int = 1, workers: int = 1) -> Regret:
    """What the player loses in the endings of so many games, two of which share an opening with colours swapped."""
    if games < 4 or games % 2:
        raise InvalidSetting(f"invalid games={games}: must be an even number of at least 4")
    if not 1 <= empty <= MOST_EMPTY:
        raise InvalidSetting(f"invalid empty={empty}: must be from 1 to {MOST_EMPTY}")
    check_endings(measured.game)
    opponent = player(f"noisy:{NOISE},{measured.game.defaults.opponent}", measured.game)
    lost, choices, mistakes = np.zeros(games), 0, 0
    played = match(measured, opponent, games, seed=seed, workers=workers, record=True)
    for i, record in enumerate(played.records()):
        # on a small board the opening, which nobody has chosen, may lie within the ending
        for before, after in pairwise(record.positions()[played.openings.length :]):
            if before.current_player == i % 2 and len(before.legal) > 1 and empty_squares(before) <= empty:
                choices += 1
                loss = _score(before) + _score(after)
                lost[i] += loss
                mistakes += loss > 0
    per_game = over_runs(pair_scores(lost).tolist(), (0.0, np.inf))
    return Regret(per_game, games, empty, choices, mistakes)


def check_endings(game: Game) -> None:
    """Raise WrongGame where an ending can't be told by the empty squares, or there is no solver for it."""
    game.choice("the measure of regret", {"othello": solve})


def _score(position: Position) -> int:
    """The final score with best play, for the player to move."""
    if position.over:
        final = int(position.game.type.final_margin(position))
        return final if position.current_player == 0 else -final
    score = solve(position).score
    assert score is not None  # nothing stops it
    return score
