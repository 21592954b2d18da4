"""Chances of winning: what the values of a player have meant in games really played.

A value says which of two positions a player prefers, in a unit of its own. For some players docs/calibrations.py has
played games and fitted a logistic scale, `1 / (1 + exp(-scale * value))`, to how they ended for the side to move; for
those in Othello also how many discs a unit has been worth at the end. The figures are in shipped/calibration.csv. Other
players have none: weights of squares that look one move ahead say what a move gains, which is no value of a position,
and networks that choose a move directly say nothing about who wins.
"""

import csv
import math
from dataclasses import dataclass
from functools import cache

from ludus.errors import LudusError
from ludus.games.game import Game, parse_options
from ludus.games.guided_playouts import guides
from ludus.players.endings import WIN
from ludus.players.levels import levels
from ludus.players.shipped import FOLDER
from ludus.registry import player_kinds

FILE = FOLDER / "calibration.csv"


@dataclass(frozen=True)
class Calibration:
    """What a unit of a player's values means."""

    game: str
    values: str
    """Whose values: a player string without what does not change their meaning, such as its depth."""
    scale: float
    points: float
    """Discs at the end of the game that a unit is worth; 0 where the margin does not decide the game."""
    games: int
    """How many games it was fitted to."""
    log_loss: float
    """Of the chances that it gives, in these games."""
    baseline: float
    """Of always saying the mean result."""

    def chance(self, value: float) -> float:
        """The chance of winning, a draw counted as half a win, from 0 to 1."""
        if abs(value) >= WIN / 2:
            return 1.0 if value > 0 else 0.0
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, self.scale * value))))


@cache
def _calibrations() -> dict[tuple[str, str], Calibration]:
    with FILE.open(newline="") as file:
        found = [
            Calibration(
                row["game"],
                row["values"],
                float(row["scale"]),
                float(row["points"]),
                int(row["games"]),
                float(row["log_loss"]),
                float(row["baseline"]),
            )
            for row in csv.DictReader(file)
        ]
    return {(each.game, each.values): each for each in found}


def whose_values(player: str, game: Game) -> str:
    """The players whose values mean the same as this one's, as a player string: depths and times are left out."""
    kind, _, arguments = player.partition(":")
    if kind == "level":
        return whose_values(levels(game.board)[int(arguments) - 1].player, game)
    if kind in ("softmax", "noisy"):  # its values are those of the player within
        return whose_values(arguments.partition(",")[2], game)
    if kind not in ("alphabeta", "minimax", "mcts"):
        return player
    default = "playouts" if kind == "mcts" else "usual"
    try:
        options = parse_options(kind, arguments, player_kinds()[kind].options)
    except LudusError:
        return player
    if options.get("playouts") == "random" and guides(game.rules):  # guided ones make values surer
        return "mcts:playouts=random"
    chosen = options.get("value", default)
    evaluator = game.defaults.evaluator if chosen == "usual" else chosen
    return f"{'mcts' if kind == 'mcts' else 'alphabeta'}:value={evaluator}"


def calibration(player: str, game: Game) -> Calibration | None:
    """What the values of the player that a string names mean in this game; None if that is not known."""
    return _calibrations().get((game.board, whose_values(player, game)))
