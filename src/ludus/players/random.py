"""The player that makes any legal move, each as likely as the others."""

from typing import NamedTuple

from ludus.compile.generic import implements
from ludus.compile.rng import randint
from ludus.games.game import Game
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.names import settings
from ludus.players.protocol import choose


class Random(NamedTuple):
    nothing: int = 0  # numba wants a field


@implements(choose, Random)
def _(player, game, state, moves, n, rng):
    return moves[randint(rng, n)]


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    settings("random", arguments, ())
    return CompiledPlayer(text, game, Random())


PLAYERS = (PlayerKind("random", "any legal move, each as likely as the others", "random", _make),)
