"""A player at a board that another program controls."""

from collections.abc import Callable, Iterator
from typing import TextIO

from ludus.compile.rng import stream
from ludus.games.game import Game, Position
from ludus.players.base import Player, Seat
from ludus.players.engines.process import Forfeit

Make = Callable[[Game], Player]
"""Makes the player for a game, since the other program chooses the size of the board. May raise LudusError."""


def bounded_lines(source: TextIO, most: int) -> Iterator[str]:
    """The lines of another program; of one with more than `most` characters, its first `most` and one more.

    The rest of it is read and dropped, so that it fills no memory.
    """
    while line := source.readline(most + 1):
        yield line
        while line and not line.endswith("\n"):
            line = source.readline(most + 1)


class Board:
    """A game under way, and the player who is asked for moves in it."""

    position: Position
    """As it is now."""

    def __init__(self, make: Make, game: Game, seed: int = 1) -> None:
        self._make, self._seed, self._games = make, seed, 0
        self._seat: Seat | None = None
        self._forfeit = ""  # why the player, perhaps a program itself, can't go on with this game
        self._made = ""  # the move that the player has made in this position, though the game has not gone on yet
        self.clear(game)

    def clear(self, game: Game, start: Position | None = None, moves: tuple[str, ...] = ()) -> None:
        """Start a new game in which these moves have been made. Changes nothing if the player can't play the game."""
        player = self._make(game)
        self.close()
        self._seat, self.game, self._games = player.seat(), game, self._games + 1
        self.start, self.moves = start or game.start(), list(moves)
        self._rng = stream(self._seed, "engine", self._games)
        self._begin()

    def play(self, move: str) -> None:
        """Make a move for the side to move."""
        number = self.position.move(move)
        text = next(text for text, each in self.position.legal.items() if each == number)
        side, self.position = self.position.current_player, self.position.play(text)
        self.moves.append(text)
        made, self._made = self._made, ""
        if self._forfeit or made == text:  # who has made the move need not be told of it
            return
        if made:
            self._begin()
            return
        assert self._seat
        try:
            self._seat.see(text, side)
        except Forfeit as forfeit:
            self._forfeit = forfeit.reason

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if not self.moves:
            return False
        self.moves.pop()
        self._begin()
        return True

    def choose(self) -> str:
        """The move that the player would make. Raises Forfeit if it fails, or has failed in this game."""
        assert self._seat
        if self._made:
            self._begin()
        if self._forfeit:
            raise Forfeit(self._forfeit)
        try:
            chosen = self._seat.choose(self.position, self._rng)
        except Forfeit as forfeit:
            self._forfeit = forfeit.reason
            raise
        self._made = next(text for text, number in self.position.legal.items() if number == chosen)
        return self._made

    def close(self) -> None:
        if self._seat:
            self._seat.close()

    def _begin(self) -> None:
        self.position = self.start
        for move in self.moves:
            self.position = self.position.play(move)
        assert self._seat
        self._forfeit = self._made = ""
        try:
            self._seat.begin(self.position, self.moves)
        except Forfeit as forfeit:
            self._forfeit = forfeit.reason
