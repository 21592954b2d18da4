"""Players that are programs of their own, spoken to over GTP."""

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.dice import Dice
from ludus.errors import LudusError
from ludus.games.game import Game, Position
from ludus.players.engines import Engine
from ludus.players.player import Player, PlayerKind, Seat


@dataclass(frozen=True)
class EnginePlayer(Player):
    command: str

    def seat(self) -> Seat:
        return _EngineSeat(Engine(self.command, self.game))


class _EngineSeat(Seat):
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        self._engine.new_game(position, moves)

    def see(self, move: str, mover: int) -> None:
        self._engine.tell(move, mover)

    def choose(self, position: Position, dice: Dice) -> int:
        return position.legal[self._engine.genmove(position)]

    def close(self) -> None:
        self._engine.close()


def _make(text: str, game: Game, arguments: str) -> EnginePlayer:
    if game.family.name not in ("go", "othello"):
        raise LudusError(f"{text!r} can't play {game.name}, which GTP has no moves for; it plays Go or Othello")
    if not arguments.strip():
        raise LudusError("a GTP player needs a command, as in gtp:gnugo --mode gtp --level 1")
    Engine(arguments, game).close()  # tells at once if there is no such program
    return EnginePlayer(text, game, arguments)


PLAYERS = (PlayerKind("gtp", "Go, Othello: a program that speaks GTP", "gtp:gnugo --mode gtp --level 1", _make),)
