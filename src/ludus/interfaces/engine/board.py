"""One of our players at a board that another program looks after."""

from collections.abc import Callable

from ludus.dice import stream
from ludus.games.game import Game, Position
from ludus.players.engines import Forfeit
from ludus.players.player import Player, Seat

Make = Callable[[Game], Player]
"""Makes the player for a game, since the other program chooses the size of the board. Raises LudusError."""


class Board:
    """A game under way, and the player who is asked for moves in it."""

    position: Position
    """As it is now."""

    def __init__(self, make: Make, game: Game, seed: int = 1) -> None:
        self._make, self._seed, self._games = make, seed, 0
        self._seat: Seat | None = None
        self._lost = ""  # why the player, itself perhaps a program, can't go on with this game
        self.clear(game)

    def clear(self, game: Game, start: Position | None = None, moves: tuple[str, ...] = ()) -> None:
        """A new game, in which these moves have been made; nothing changes if the player does not play it."""
        player = self._make(game)
        self.close()
        self._seat, self.game, self._games = player.seat(), game, self._games + 1
        self.start, self.moves = start or game.start(), list(moves)
        self._dice = stream(self._seed, "engine", self._games)
        self._begin()

    def play(self, move: str) -> None:
        """Somebody makes this move."""
        number = self.position.move(move)
        text = next(text for text, each in self.position.legal.items() if each == number)
        mover, self.position = self.position.mover, self.position.play(text)
        self.moves.append(text)
        assert self._seat
        if not self._lost:
            try:
                self._seat.see(text, mover)
            except Forfeit as forfeit:
                self._lost = forfeit.reason

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if not self.moves:
            return False
        self.moves.pop()
        self._begin()
        return True

    def choose(self) -> str:
        """The move that the player would make. Raises Forfeit if it has failed in this game, now or before."""
        assert self._seat
        if self._lost:
            raise Forfeit(self._lost)
        chosen = self._seat.choose(self.position, self._dice)
        return next(text for text, number in self.position.legal.items() if number == chosen)

    def close(self) -> None:
        if self._seat:
            self._seat.close()

    def _begin(self) -> None:
        self.position = self.start
        for move in self.moves:
            self.position = self.position.play(move)
        assert self._seat
        self._lost = ""
        try:
            self._seat.begin(self.position, self.moves)
        except Forfeit as forfeit:
            self._lost = forfeit.reason
