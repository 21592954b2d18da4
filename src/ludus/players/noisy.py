"""A player that now and then makes a random move instead of its own."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ludus import vocabulary as words
from ludus.dice import Dice, below, uniform
from ludus.errors import LudusError
from ludus.games.game import Game, Position
from ludus.players.explanations import Explanation, explained, explains
from ludus.players.player import CompiledPlayer, Player, PlayerKind, Seat
from ludus.players.strings import player
from ludus.vocabulary import says


class Noisy(NamedTuple):
    rate: float
    player: Any


@says(words.choose, Noisy)
def _(player, game, state, moves, n, dice):
    if uniform(dice) < player.rate:
        return moves[below(dice, n)]
    return words.choose(player.player, game, state, moves, n, dice)


@says(words.seated, Noisy)
def _(player, game):
    return Noisy(player.rate, words.seated(player.player, game))


@explains(Noisy)
def _explained(player: Noisy, position: Position) -> Explanation:
    inner = explained(player.player, position)
    return replace(
        inner, says=f"{inner.says} One move in {1 / player.rate:.3g} is random." if player.rate else inner.says
    )


@dataclass(frozen=True)
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

    def choose(self, position: Position, dice: Dice) -> int:
        if uniform(dice) < self._rate:
            move = position.moves[below(dice, len(position.moves))]
            self._inner.see(move, position.mover)  # else it would go on as if its own move had been made
            return position.legal[move]
        return self._inner.choose(position, dice)


def _make(text: str, game: Game, arguments: str) -> Player:
    rate, comma, rest = arguments.partition(",")
    try:
        chance = float(rate)
    except ValueError:
        chance = -1.0
    if not (0 <= chance <= 1 and comma):
        raise LudusError(f"{text!r} is not a noisy player; write noisy:0.1,PLAYER with a chance from 0 to 1")
    inner = player(rest, game)
    if isinstance(inner, CompiledPlayer):
        return CompiledPlayer(text, game, Noisy(chance, inner.parts))
    return NoisyPlayer(text, game, chance, inner)


PLAYERS = (PlayerKind("noisy", "another player, but with that chance a random move", "noisy:0.1,heuristic", _make),)
