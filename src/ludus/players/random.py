"""The player that makes any legal move, each as likely as the others."""

from typing import NamedTuple

from ludus import vocabulary as words
from ludus.dice import below
from ludus.games.game import Game
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import settings
from ludus.vocabulary import says


class Random(NamedTuple):
    nothing: int = 0  # numba wants a field


@says(words.choose, Random)
def _(player, game, state, moves, n, dice):
    return moves[below(dice, n)]


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    settings("random", arguments, ())
    return CompiledPlayer(text, game, Random())


PLAYERS = (PlayerKind("random", "any legal move, each as likely as the others", "random", _make),)
