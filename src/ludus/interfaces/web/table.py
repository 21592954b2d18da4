"""One table: how far its game is, whose turn it is, who has used how much time, what is left to agree about.

It stores nothing itself: `tables.py` makes the moves and has them written down.
"""

import threading
import time
from dataclasses import dataclass, field

from ludus.games.game import Game, Position
from ludus.interfaces.web import counting, payloads
from ludus.interfaces.web.catalog import Machine
from ludus.interfaces.web.limits import Refused
from ludus.interfaces.web.positions import Positions
from ludus.players.base import Seat
from ludus.players.explanations import Explanation
from ludus.records.arena import PERSON, StoredGame


@dataclass
class Table:
    """A game that somebody plays or looks at."""

    kept: StoredGame
    game: Game
    positions: Positions
    machines: dict[int, Machine]
    seats: dict[int, Seat] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    reasons: dict[int, Explanation] = field(default_factory=dict)
    thinking: bool = False
    marked: frozenset[int] | None = None
    """Dead pieces, once there is something to agree about."""
    agreed: set[int] = field(default_factory=set)
    """The sides that agree with them, where two people must."""
    since: float = 0.0
    """When the turn began, by a clock that nobody sets."""

    @property
    def here(self) -> Position:
        return self.positions.here

    @property
    def over(self) -> bool:
        return self.kept.outcome is not None

    def check_unaided(self) -> None:
        """Raise Refused if two people are playing each other: then nobody is helped."""
        if self.kept.rival and not self.over:
            raise Refused(409, "you play a person here; hints, undoing and reviews wait until the game is over")

    def check_turn(self, ply: int, by: str, visitor: str = "") -> None:
        """Raise Refused unless the game goes on, so many moves were made, and the side to move is played by such."""
        if self.over:
            raise Refused(409, "this game is over; start a new one")
        if self.here.over:
            raise Refused(409, "both have passed; agree on the dead stones, or resume the game")
        if ply != len(self.kept.moves):
            raise Refused(409, f"{len(self.kept.moves)} moves have been made in this game, not {ply}; reload it")
        is_person = self.kept.players[self.here.current_player] == PERSON
        if is_person != (by == PERSON):
            raise Refused(409, "it is the machine's turn" if by == PERSON else "it is a person's turn")
        if self.kept.side_of(visitor) not in (None, self.here.current_player):
            raise Refused(409, "it is the other player's turn")

    def seconds_used(self) -> list[float]:
        """How many seconds each side has used; a person who is to move is using more.

        A machine uses time only while it thinks, which is not before somebody asks it to move.
        """
        used = [0.0, 0.0]
        for made, mover in zip(self.kept.moves, self.positions.movers, strict=True):
            used[mover] += made.seconds
        mover = self.here.current_player
        if not self.over and not self.here.over and self.kept.players[mover] == PERSON:
            used[mover] += time.monotonic() - self.since
        return used

    def needs_agreement(self, position: Position) -> bool:
        """Whether dead pieces are agreed upon before this finished game is counted: if people play."""
        return bool(payloads.persons(self.kept)) and counting.proposed_dead(position) is not None

    def dead(self) -> frozenset[int] | None:
        """The pieces that count as dead, unless somebody marks others; None as long as the game goes on."""
        if self.marked is None and self.here.over and self.needs_agreement(self.here):
            self.marked = counting.proposed_dead(self.here)
        return self.marked

    def dead_to_agree(self, ply: int) -> frozenset[int]:
        """The same; raises Refused unless they are to be agreed about, after so many moves."""
        dead = self.dead()
        if self.over or dead is None or ply != len(self.kept.moves):
            raise Refused(409, "there is nothing to agree about here: the game is over or goes on")
        return dead

    def leave_seats(self) -> None:
        """Let the machines go; they sit down again when they are to move."""
        for seat in self.seats.values():
            seat.close()
        self.seats.clear()
