"""What games and players may be given as, and which ones are meant: shared by the files of the front door alone."""

import os
from collections.abc import Sequence
from pathlib import Path

from ludus.errors import LudusError, UnknownName, WrongGame
from ludus.games.game import Game
from ludus.games.names import game as game_named
from ludus.games.names import variants
from ludus.players.base import Player
from ludus.players.files import read_header
from ludus.players.names import player as player_named
from ludus.players.names import player_file
from ludus.players.shipped import shipped_in
from ludus.registry import game_types, player_kinds
from ludus.runs.run import Run
from ludus.storage import present

PlayerLike = str | Path | Player | Run
GameLike = str | Game

DEFAULT_GAME = "othello8"
CORES = os.cpu_count() or 1


def as_game(given: GameLike) -> Game:
    """The game that is given, or that has this name."""
    return given if isinstance(given, Game) else game_named(given)


def as_players(given: Sequence[PlayerLike], game: GameLike | None) -> list[Player]:
    """The players, all of one game."""
    if not given:
        raise UnknownName("no player was given; name one or more")
    variant = game_of(given, game)
    found = []
    for each in given:
        one = each.player if isinstance(each, Run) else each
        if isinstance(one, Player):
            if one.game != variant and one.game.board == variant.board and isinstance(each, Run):
                one = player_named(str(each.folder), variant)  # the same board with other options
            if one.game != variant:
                raise WrongGame(f"{one.label} plays {one.game}, not {variant}; all players must play one game")
        found.append(one if isinstance(one, Player) else player_named(str(one), variant))
    return found


def game_of(given: Sequence[PlayerLike], asked: GameLike | None) -> Game:
    """The game that was asked for, else the one that the players were trained for, else the default."""
    if asked is not None:
        return as_game(asked)
    for each in given:
        if isinstance(each, Player):
            return each.game
        if isinstance(each, Run):
            return as_game(each.spec.game)
        file = player_file(str(each))
        if str(each).strip().partition(":")[0] not in player_kinds() and present(file) and file.is_file():
            return as_game(read_header(file).game)
    return _game_that_fits([str(each) for each in given])


def _game_that_fits(names: Sequence[str]) -> Game:
    """The game that these player strings all play: that of the shipped players in them, else the default, else the only
    one that fits, on its usual board or else on another. Where none fits it is the default, and whoever makes the
    players says what is wrong."""

    def fits(variant: Game) -> bool:
        try:
            return all(player_named(name, variant) for name in names)
        except LudusError:
            return False

    trained = [as_game(read_header(file).game) for name in names for file in shipped_in(name)]
    for variant in [*trained, *(as_game(each.board) for each in trained), as_game(DEFAULT_GAME)]:
        if fits(variant):
            return variant
    for candidates in ([as_game(each) for each in game_types()], variants()):
        others = [variant for variant in candidates if fits(variant)]
        if others:
            return others[0] if len(others) == 1 else as_game(DEFAULT_GAME)
    return as_game(DEFAULT_GAME)
