"""Learning players go on learning from the games they play, in memory: their file stays as it is.

`learning:xcs:othello6` is a trained player that its learner can teach further. It begins each match as its file has it
and learns from every game that comes to its end, so its games are played one after another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ludus.compile.rng import Rng
from ludus.errors import InvalidSetting
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, Player, PlayerKind, Seat
from ludus.players.files import load_player, read_header
from ludus.players.names import player, player_file
from ludus.players.shipped import shipped
from ludus.registry import learners, player_kinds
from ludus.storage import present


class Knowledge(Protocol):
    """What a player knows that learns from whole games."""

    @property
    def parts(self) -> Any:
        """The compiled player who plays by it."""

    def after_game(self, moves: Sequence[int], side: int) -> "Knowledge":
        """What it knows after a game in which it was that side."""


@dataclass(frozen=True, repr=False, eq=False)
class LearningPlayer(Player):
    """A player whose seats learn, each for itself."""

    knowledge: Knowledge

    def seat(self) -> Seat:
        return _LearningSeat(self.game, self.knowledge)


class _LearningSeat(Seat):
    def __init__(self, game: Game, knowledge: Knowledge) -> None:
        self._game, self._knowledge, self._side = game, knowledge, -1
        self._position, self._moves = game.start(), list[int]()
        self._follows = False  # whether we know all moves of the game
        self._change_seat()

    def _change_seat(self) -> None:
        self._seat = CompiledPlayer("learning", self._game, self._knowledge.parts).seat()

    def begin(self, position: Position, moves: Sequence[str]) -> None:
        self._position, self._moves, self._side = self._game.start(), [], -1
        for text in moves:
            self._advance(self._position.move(text))
        self._follows = self._position.text == position.text
        self._seat.begin(position, moves)

    def see(self, move: str, mover: int) -> None:
        if self._follows and mover == self._position.current_player:  # some show us our own move again
            self._follows = move in self._position.legal
            if self._follows:
                self._advance(self._position.legal[move])
        self._seat.see(move, mover)

    def choose(self, position: Position, rng: Rng) -> int:
        move = self._seat.choose(position, rng)
        self._follows = self._follows and self._position.text == position.text
        if self._follows:
            self._side = position.current_player
            self._advance(move)
        return move

    def _advance(self, move: int) -> None:
        self._position = self._position.play(move)
        self._moves.append(move)
        if self._position.over and self._side >= 0:
            self._knowledge = self._knowledge.after_game(self._moves, self._side)
            self._change_seat()


def learns(one: Player) -> bool:
    """Whether it matters in which order this player plays its games."""
    inner = getattr(one, "inner", None)  # of a noisy player
    return isinstance(one, LearningPlayer) or (isinstance(inner, Player) and learns(inner))


def trained_file(name: str) -> Path | None:
    """The file of a player that was trained: shipped, or named by its file or its run; None if there is none."""
    kind, _, known_as = name.partition(":")
    if kind in player_kinds():
        return shipped(kind).get(known_as)
    file = player_file(name)
    return file if present(file) and file.is_file() else None


def knowledge_in(file: Path, game: Game) -> Knowledge:
    """What the player in that file knows. Raises LudusError if it can't learn further, or plays another game."""
    load_player(file, game)
    kind = read_header(file).kind
    teacher = learners().get(kind)
    found = teacher.knowledge(file, game) if teacher else None
    if found is None:
        raise InvalidSetting(
            f"{file.name} holds a player of kind {kind}, which can't learn during a match; name one that "
            "`ludus train xcs` has made"
        )
    return found


def _make(text: str, game: Game, arguments: str) -> Player:
    file = trained_file(arguments)
    if file is None:
        named = player(arguments, game)  # whom nobody knows is refused here
        raise InvalidSetting(
            f"{named.name} was not trained, so it can't learn; name a player that `ludus train xcs` has made"
        )
    return LearningPlayer(text, game, knowledge_in(file, game))


PLAYERS = (
    PlayerKind("learning", "a trained player that goes on learning from its games", "learning:xcs:othello6", _make),
)
