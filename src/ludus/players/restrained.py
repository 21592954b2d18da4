"""Restrained players of Go keep to the moves that `rules=abramson2001` allows, and pass when there are none.

Players made for those rules never pass and would, under others, fill their own eyes until they die. Restrained, they
can play programs that know only the usual rules.
"""

from typing import Any, NamedTuple

import numpy as np

from ludus.compile.arrays import empty
from ludus.compile.bitboards import any_set, intersection, single, union
from ludus.compile.generic import implements
from ludus.compile.jit import kernel
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.game import Game
from ludus.games.go_rules import Go, no_points, self_atari
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.names import player
from ludus.players.protocol import Moves, choose, with_fresh_memory


class Restrained(NamedTuple):
    player: Any


@kernel
def permitted(game: Any, state: Any, moves: Moves, n: int, out: Moves) -> int:
    """Write those of the legal moves that don't join stones into atari, without the pass; return how many."""
    points = no_points(game)
    for i in range(n):
        if moves[i] < game.size * game.size:
            points = union(points, single(points, moves[i]))
    barred, count = self_atari(game, state, points), 0
    for i in range(n):
        if moves[i] < game.size * game.size and not any_set(intersection(single(points, moves[i]), barred)):
            out[count] = moves[i]
            count += 1
    return count


@implements(choose, Restrained, Go)
def _(player, game, state, moves, n, rng):
    allowed = empty(protocol.max_legal_moves(game), np.int64)
    count = permitted(game, state, moves, n, allowed)
    if count == 0:
        return moves[n - 1]  # a pass
    return choose(player.player, game, state, allowed, count, rng)


@implements(with_fresh_memory, Restrained)
def _(player, game):
    return Restrained(with_fresh_memory(player.player, game))


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    game.choice("restrained", {"go": Restrained})
    inner = player(arguments, game)
    if not isinstance(inner, CompiledPlayer):
        raise InvalidSetting(f"{arguments} can't be restrained: only compiled players can")
    return CompiledPlayer(text, game, Restrained(inner.parts))


PLAYERS = (
    PlayerKind(
        "restrained",
        "Go: another player, but no stones joined into atari, and a pass when nothing else is left",
        "restrained:wally",
        _make,
    ),
)
