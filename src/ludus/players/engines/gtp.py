"""Players that are programs of their own, spoken to over GTP."""

from collections.abc import Sequence
from dataclasses import dataclass

from ludus.compile.rng import Rng
from ludus.errors import InvalidSetting, WrongGame
from ludus.games.game import Game, Position
from ludus.players.base import Player, PlayerKind, Seat
from ludus.players.engines.process import Engine


@dataclass(frozen=True, repr=False, eq=False)
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

    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal[self._engine.genmove(position)]

    def dead(self, position: Position) -> frozenset[int] | None:
        return self._engine.dead_stones(position)

    def close(self) -> None:
        self._engine.close()


def _make(text: str, game: Game, arguments: str) -> EnginePlayer:
    if game.type.name not in ("go", "othello"):
        raise WrongGame(f"{text!r} can't play {game.name}: GTP has moves for Go and Othello only")
    if not arguments.strip():
        raise InvalidSetting("a GTP player needs a command, as in gtp:gnugo --mode gtp --level 1")
    Engine(arguments, game).close()  # raises now if there is no such program
    return EnginePlayer(text, game, arguments)


PLAYERS = (PlayerKind("gtp", "Go, Othello: a program that speaks GTP", "gtp:gnugo --mode gtp --level 1", _make),)
