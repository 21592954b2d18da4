"""What openings are called, for the games that name a list of them (`GameType.named_openings`).

Othello's names and moves are those of Robert Gatliff's list, which circulates with most programs of the game; those of
checkers are the traditional ones that Anderson (1852), Drummond and Wyllie gave, as startcheckers.com and the
Encyclopaedia Britannica of 1911 report them, and of the groups of first moves as Richard Fortman's "Basic Checkers" has
them. A name belongs to a position, in whatever order its moves were made and however the board is turned.
"""

import csv
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ludus.games.game import Game, GameType, Position

FOLDER = Path(__file__).parents[1] / "shipped"


def opening_list(game_type: GameType) -> list[tuple[str, tuple[str, ...]]]:
    """The names of its openings and their moves; none if it names none."""
    if not game_type.named_openings:
        return []
    with (FOLDER / game_type.named_openings).open(newline="") as file:
        return [(row["name"], tuple(row["moves"].split())) for row in csv.DictReader(file)]


@cache
def _names(game_type: GameType) -> dict[str, str]:
    """The names of openings by the text of their position, turned in every way."""
    game, found = Game(game_type, game_type.default_size), {}
    turns = [each for each in range(len(game.symmetries)) if not game_type.swaps_sides(each)]
    for name, moves in opening_list(game_type):
        position = game.start()
        for move in moves:
            position = position.play(move)
        for turn in turns:
            found[position.mirrored(turn).text] = name
    return found


def opening_name(positions: Iterable[Position]) -> str:
    """The name of the opening that leads furthest into a game with these positions; nothing if none has a name."""
    found = ""
    for position in positions:
        game_type = position.game.type
        if position.game.size != game_type.default_size or not game_type.named_openings:
            return ""
        found = _names(game_type).get(position.text, found)
    return found
