"""Noisy players now and then make a random move instead of their own (epsilon-greedy)."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ludus.compile.generic import implements
from ludus.compile.rng import Rng, randint, uniform
from ludus.errors import InvalidSetting
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, Player, PlayerKind, Seat
from ludus.players.explanations import Explanation, explain_parts, explains
from ludus.players.names import player
from ludus.players.protocol import choose, with_fresh_memory


class Noisy(NamedTuple):
    rate: float
    player: Any


@implements(choose, Noisy)
def _(player, game, state, moves, n, rng):
    if uniform(rng) < player.rate:
        return moves[randint(rng, n)]
    return choose(player.player, game, state, moves, n, rng)


@implements(with_fresh_memory, Noisy)
def _(player, game):
    return Noisy(player.rate, with_fresh_memory(player.player, game))


@explains(Noisy)
def _explained(player: Noisy, position: Position) -> Explanation:
    inner = explain_parts(player.player, position)
    return replace(
        inner,
        description=f"{inner.description} One move in {1 / player.rate:.3g} is random."
        if player.rate
        else inner.description,
    )


@dataclass(frozen=True, repr=False, eq=False)
class NoisyPlayer(Player):
    """The same around a player that kernels can't ask."""

    rate: float
    inner: Player

    def seat(self) -> Seat:
        return _NoisySeat(self.rate, self.inner.seat())


class _NoisySeat(Seat):
    def __init__(self, rate: float, inner: Seat) -> None:
        self._rate, self._inner = rate, inner
        self.begin, self.see, self.close = inner.begin, inner.see, inner.close  # type: ignore[method-assign]
        self.dead = inner.dead  # type: ignore[method-assign]

    def choose(self, position: Position, rng: Rng) -> int:
        if uniform(rng) < self._rate:
            move = position.legal_moves[randint(rng, len(position.legal_moves))]
            self._inner.see(move, position.current_player)  # else it would go on as if its own move had been made
            return position.legal[move]
        return self._inner.choose(position, rng)


def _make(text: str, game: Game, arguments: str) -> Player:
    rate, comma, rest = arguments.partition(",")
    try:
        chance = float(rate)
    except ValueError:
        chance = -1.0
    if not (0 <= chance <= 1 and comma):
        raise InvalidSetting(f"invalid noisy player {text!r}: write noisy:0.1,PLAYER with a chance from 0 to 1")
    inner = player(rest, game)
    if isinstance(inner, CompiledPlayer):
        return CompiledPlayer(text, game, Noisy(chance, inner.parts))
    return NoisyPlayer(text, game, chance, inner)


PLAYERS = (PlayerKind("noisy", "another player, but with that chance a random move", "noisy:0.1,heuristic", _make),)
