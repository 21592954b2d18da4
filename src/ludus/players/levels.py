"""Levels: players of every strength, from beginner to the strongest, each with a measured Elo.

`level:1` is the weakest of its board. Which player a level is, and its Elo, is in `ludus/shipped/ratings.csv`, which
docs/ratings.py makes: weaker levels are `softmax` players, which err as weaker players do, stronger ones search. The
file also has the Elo of the trained players that come with Ludus. Ratings are those of the board's ladder (`ludus
ladder`), on which `random` has 0; with other options of the game (`go9:komi=0`) the levels play as well, unrated.
"""

import csv
import re
from dataclasses import dataclass, replace
from functools import cache

from ludus.errors import InvalidSetting, UnknownName
from ludus.games.game import Game
from ludus.players.base import Player, PlayerKind
from ludus.players.names import player
from ludus.players.shipped import FOLDER

FILE = FOLDER / "ratings.csv"


@dataclass(frozen=True)
class Rating:
    """A player's Elo on its board's ladder, with the 95% interval."""

    board: str
    level: int
    """Which level of the board it is; 0 if none."""
    player: str
    elo: float
    low: float
    high: float
    games: int


@cache
def ratings() -> tuple[Rating, ...]:
    """All that are known."""
    with open(FILE, newline="") as file:
        return tuple(
            Rating(
                row["board"],
                int(row["level"]),
                row["player"],
                float(row["elo"]),
                float(row["low"]),
                float(row["high"]),
                int(row["games"]),
            )
            for row in csv.DictReader(file)
        )


def levels(board: str) -> tuple[Rating, ...]:
    """The levels of a board, the weakest first; none if nobody has measured any."""
    found = [each for each in ratings() if each.board == board and each.level]
    return tuple(sorted(found, key=lambda each: each.level))


def _make(text: str, game: Game, arguments: str) -> Player:
    known = levels(game.board)
    if not known:
        boards = ", ".join(sorted({each.board for each in ratings() if each.level}))
        raise UnknownName(f"{game.board} has no levels; there are levels for {boards}")
    if not (re.fullmatch("[0-9]{1,4}", arguments) and 1 <= int(arguments) <= len(known)):
        raise InvalidSetting(f"invalid level {text!r}: write level:1 to level:{len(known)} for {game.board}")
    return replace(player(known[int(arguments) - 1].player, game), name=text, label=text)


PLAYERS = (PlayerKind("level", "a player of measured strength; level 1 is the weakest of its board", "level:3", _make),)
