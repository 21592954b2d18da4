"""The tables at which games are played: whose turn it is, what was made of it, who thinks.

A table is made from the games that are kept (`ludus.records.arena`) whenever someone asks for it, so a restart in the
middle of a game changes nothing. Every change is checked against the server's own rules and written down before it is
answered. Methods may be called by many threads; those of one table wait for each other.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ludus.compile.rng import randint, stream, uniform
from ludus.errors import LudusError, StorageError
from ludus.games.game import Game, Position
from ludus.games.opening_names import opening_name
from ludus.interfaces.web import counting, payloads
from ludus.interfaces.web.catalog import LEARNING, Catalog, Machine, learned, offered_game, sides_of
from ludus.interfaces.web.lessons import Lessons
from ludus.interfaces.web.limits import KEPT_GAMES, LISTED_GAMES, LIVE_GAMES, LIVE_GAMES_OF_ONE, LIVE_SECONDS, Refused
from ludus.interfaces.web.thinking import Thinking
from ludus.players.base import CompiledPlayer, Seat
from ludus.players.explanations import Explanation, explain_parts
from ludus.records.arena import PERSON, ArenaGames, Ending, StoredGame, StoredMove, Strategies
from ludus.records.training import Training

ADVISERS = ("alphabeta:depth=4", "alphabeta:depth=2")
"""Who gives a hint where the opponent can't tell what it thinks; the first for boards with few moves."""

OPENING_MOVES = 24
"""So many moves of a game decide what its opening is called."""

SEATED, FINISHED = 1000, 50
"""How many tables are remembered, and how many of them may be of finished games."""
EXPLAINED_MOVES = 4
"""Of so many moves of a table the reasons are remembered."""


@dataclass
class Table:
    """A game that somebody plays or looks at."""

    kept: StoredGame
    game: Game
    positions: list[Position]
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
        return self.positions[-1]

    @property
    def over(self) -> bool:
        return self.kept.outcome is not None

    def check_unaided(self) -> None:
        """Raise Refused if two people are playing each other: then nobody is helped."""
        if self.kept.rival and not self.over:
            raise Refused(409, "you play a person here; hints, undoing and reviews wait until the game is over")


class Rival(NamedTuple):
    """The other visitor in a game between two, which side that one plays, and what both sides are called."""

    visitor: str
    side: int
    names: tuple[str, str]


class Tables:
    def __init__(self, games: ArenaGames, catalog: Catalog) -> None:
        self.games, self.catalog, self.lessons = games, catalog, Lessons(games, catalog)
        self.training = Training(games)
        self._lock, self._tables = threading.Lock(), OrderedDict[str, Table]()
        self._thinking, self._opened = Thinking(), time.monotonic()

    def live(self, ids: Collection[str]) -> list[str]:
        """Those of these games that are unfinished, and that somebody has touched lately."""
        return self.games.unfinished(ids, time.time() - LIVE_SECONDS)

    def begin(
        self,
        visitor: str,
        name: str,
        players: tuple[str, str],
        skill: str,
        opening: int,
        handicap: float,
        clock: float,
        stones: int = 0,
        rival: Rival | None = None,
    ) -> dict[str, Any]:
        """A new game. With handicap stones there are no random moves to begin with."""
        game = offered_game(name)
        for text in players:
            self.catalog.check(text, game)
        self.check_room(visitor)
        seed, position, moves = secrets.randbits(53), game.start(), list[StoredMove]()
        for square in (squares := game.type.handicap_squares(game.rules, stones)):
            for move in ("pass", game.type.square_name(game.rules, square))[not moves :]:
                position = position.play(move)
                moves.append(StoredMove(move, 0.0, True))
        rng = stream(seed, "arena opening")
        while len(moves) < opening and not squares:
            move = position.legal_moves[randint(rng, len(position.legal_moves))]
            after = position.play(move)
            if after.over:
                break
            moves.append(StoredMove(move, 0.0, True))
            position = after
        strategies = [known.current if (known := self._known(text, game)) else None for text in players]
        now = time.time()
        kept = StoredGame(
            id=secrets.token_urlsafe(12),
            visitor=visitor,
            game=game.name,
            black=players[0],
            white=players[1],
            skill=skill,
            opening=len(moves),
            handicap=handicap,
            clock=clock,
            seed=seed,
            black_strategy=strategies[0],
            white_strategy=strategies[1],
            begun=now,
            touched=now,
            stones=len(squares),
            rival=rival.visitor if rival else "",
            rival_side=rival.side if rival else 0,
            moves=tuple(moves),
        )
        self.games.add(kept)
        if rival:
            self.training.add_names(kept.id, *rival.names)
        return self._shown(self._table(visitor, kept.id), 0, visitor)

    def check_room(self, visitor: str) -> None:
        """Raises Refused if there is no room for another game."""
        since = time.time() - LIVE_SECONDS
        if self.games.count_unfinished(since) >= LIVE_GAMES or self.games.count() >= KEPT_GAMES:
            raise Refused(503, "there is no room for another game now; try again later")
        if self.games.count_unfinished(since, visitor) >= LIVE_GAMES_OF_ONE:
            raise Refused(429, f"you have {LIVE_GAMES_OF_ONE} unfinished games; finish some of them first")

    def _known(self, text: str, game: Game) -> Strategies | None:
        """What a player with several strategies knows of them, from its games here or else from its file."""
        if text == PERSON or not (born := self.catalog.strategies(text)):
            return None
        known = self.games.strategies(text, game.name)
        return known if known and len(known.record) == len(born.record) else born

    def _table(self, visitor: str, id: str) -> Table:
        with self._lock:
            table = self._tables.get(id)
            if table and visitor in filter(None, (table.kept.visitor, table.kept.rival)):
                self._tables.move_to_end(id)
                return table
        kept = self.games.game(visitor, id)
        if kept is None:
            raise Refused(404, "you have no such game; start a new one")
        game = offered_game(kept.game)
        positions = [game.start()]
        for made in kept.moves:
            positions.append(positions[-1].play(made.move))
        # what a turn has taken is known by the calendar alone; time without a server, and before it, does not count
        now = time.monotonic()
        taken = min(max(0.0, time.time() - kept.touched), now - self._opened)
        made_of = Table(kept, game, positions, {}, since=now - taken)
        with self._lock:
            table = self._tables.setdefault(id, made_of)
            self._make_room(id)
        return table

    def _make_room(self, id: str) -> None:
        """Forget a table that nobody has asked for lately, if there are too many beside this one."""
        others = [(each, table) for each, table in self._tables.items() if each != id and not table.thinking]
        over = [each for each, table in others if table.over]
        if len(over) > FINISHED:
            del self._tables[over[0]]
        elif len(self._tables) > SEATED and others:
            del self._tables[others[0][0]]

    def table(self, visitor: str, id: str) -> Table:
        """The visitor's table of that id."""
        return self._table(visitor, id)

    def _machine(self, table: Table, side: int) -> Machine:
        if side not in table.machines:
            text = table.kept.players[side]
            if text == PERSON:
                raise Refused(409, f"{table.game.type.sides[side]} is played by a person here")
            if text.startswith(LEARNING):
                table.machines[side] = self.lessons.machine(text, table.game, table.kept.begun)
            else:
                table.machines[side] = self.catalog.make(text, table.game, table.kept.strategies[side])
        return table.machines[side]

    def show(self, visitor: str, id: str, since: int = 0) -> dict[str, Any]:
        """The game, with its boards after so many moves and later."""
        table = self._table(visitor, id)
        with table.lock:
            return self._shown(table, since, visitor)

    def share(self, visitor: str, id: str) -> dict[str, Any]:
        """Let anybody who is given the token look at the game."""
        return {"token": self.games.share(self._table(visitor, id).kept)}

    def owner(self, token: str) -> tuple[str, str]:
        """Whose game is shared under this token, and its id."""
        found = self.games.shared(token)
        if found is None:
            raise Refused(404, "no game is shared at this address; ask for the link again")
        return found

    def shared(self, token: str) -> dict[str, Any]:
        """A game as those see it with whom it is shared."""
        table = self._table(*self.owner(token))
        with table.lock:
            titles = list(self._titles(table.kept, "A person"))
            shown = self._shown(table, 0)
            return shown | {"shared": token, "titles": titles, "now": shown["now"] | {"legal": []}}

    def listed(self, visitor: str) -> list[dict[str, Any]]:
        """The visitor's games, the last touched first."""
        found, begun = self.games.games_of(visitor, LISTED_GAMES), self.training.first_moves(visitor, OPENING_MOVES)
        return [
            payloads.summary(game, self._titles(game), plies)
            | {"opening_name": _opening_name(game.game, begun.get(game.id, ()))}
            for game, plies in found
        ]

    def _titles(self, game: StoredGame, person: str = "You") -> tuple[str, str]:
        if names := self.training.names(game.id):
            return names
        if game.players == (PERSON, PERSON):
            return sides_of(game.game)
        one, other = (person if each == PERSON else self.catalog.title(each) for each in game.players)
        return one, other

    def _shown(self, table: Table, since: int, visitor: str = "") -> dict[str, Any]:
        """The game as this visitor sees it: of two, each sees their own side."""
        kept = table.kept
        side, now = kept.side_of(visitor), payloads.now(table.here)
        if table.over or side not in (None, table.here.current_player):
            now["legal"] = []
        summary = payloads.summary(kept, self._titles(kept), len(kept.moves))
        left = [max(0.0, kept.clock - used) for used in self._used(table)] if kept.clock else None
        dead = frozenset(kept.dead) if table.over else self._dead(table)
        decided = table.here.over and kept.reason in ("", counting.AGREED)
        return summary | {
            "stones": kept.stones,
            "counting": dead is not None and not table.over,
            "count": counting.count_payload(table.here, dead or frozenset()) if decided else None,
            "layout": payloads.layout(table.game) if since <= 0 else None,
            "persons": payloads.persons(kept) if side is None else [side],
            "rival": side is not None,
            "agreed": sorted(table.agreed),
            "frames": payloads.frames(kept, table.positions, since),
            "now": now,
            "left": left,
            "formats": payloads.formats(table.game),
            "strategies": list(kept.strategies),
        }

    def _used(self, table: Table) -> list[float]:
        """How many seconds each side has used; whoever is to move is using more."""
        used = [0.0, 0.0]
        for made, before in zip(table.kept.moves, table.positions, strict=False):
            used[before.current_player] += made.seconds
        if not table.over and not table.here.over:
            used[table.here.current_player] += time.monotonic() - table.since
        return used

    def _at_turn(self, table: Table, ply: int, by: str, visitor: str = "") -> None:
        """Raises Refused unless the game goes on, so many moves were made, and the side to move is played by such."""
        if table.over:
            raise Refused(409, "this game is over; start a new one")
        if table.here.over:
            raise Refused(409, "both have passed; agree on the dead stones, or resume the game")
        if ply != len(table.kept.moves):
            raise Refused(409, f"{len(table.kept.moves)} moves have been made in this game, not {ply}; reload it")
        is_person = table.kept.players[table.here.current_player] == PERSON
        if is_person != (by == PERSON):
            raise Refused(409, "it is the machine's turn" if by == PERSON else "it is a person's turn")
        if table.kept.side_of(visitor) not in (None, table.here.current_player):
            raise Refused(409, "it is the other player's turn")

    def move(self, visitor: str, id: str, ply: int, move: str) -> dict[str, Any]:
        """A person moves."""
        table = self._table(visitor, id)
        with table.lock:
            self._at_turn(table, ply, PERSON, visitor)
            if self._out_of_time(table):
                return self._shown(table, ply, visitor)
            number = table.here.move(move[:60])
            spelled = next(text for text, each in table.here.legal.items() if each == number)
            self._make(table, spelled, min(time.monotonic() - table.since, 1e6), False)
            return self._shown(table, ply + 1, visitor)

    def reply(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """The machine whose turn it is moves. May take as long as it may think; the table is free meanwhile."""
        table = self._table(visitor, id)
        with table.lock:
            self._at_turn(table, ply, "machine")
            if table.thinking:
                raise Refused(409, "the machine is already thinking; reload the game in a moment")
            if self._out_of_time(table):
                return self._shown(table, ply)
            here, side, begin = table.here, table.here.current_player, time.perf_counter()
            seat, parts = self._seat(table, side), self._machine(table, side).parts
            table.thinking = True
        try:
            rng = stream(table.kept.seed, "arena", ply)
            by_lot = uniform(rng) < table.kept.handicap
            if by_lot:
                move = here.legal_moves[randint(rng, len(here.legal_moves))]
                seat.see(move, side)  # else it would go on as if its own move had been made
            else:
                with self._thinking.turn(parts, table.game.name, table.kept.players[side]):
                    begin = time.perf_counter()  # whoever waits for a turn is not thinking
                    number = seat.choose(here, rng)
                move = next(text for text, each in here.legal.items() if each == number)
        finally:
            table.thinking = False
        with table.lock:
            if table.over or table.here is not here:
                raise Refused(409, "the game went on while the machine was thinking; reload it")
            self._make(table, move, time.perf_counter() - begin, by_lot)
            return self._shown(table, ply + 1)

    def _seat(self, table: Table, side: int) -> Seat:
        if side not in table.seats:
            player = self._machine(table, side).player
            seat = player.seat()
            seat.begin(table.here, [made.move for made in table.kept.moves])
            if isinstance(player, CompiledPlayer):  # quick ones, some of whom remember what they have seen in the game
                for ply in range(table.kept.opening, len(table.kept.moves)):
                    if table.positions[ply].current_player == side and not table.kept.moves[ply].by_lot:
                        seat.choose(table.positions[ply], stream(table.kept.seed, "arena", ply))
            table.seats[side] = seat
        return table.seats[side]

    def _make(self, table: Table, move: str, seconds: float, by_lot: bool) -> None:
        mover, after = table.here.current_player, table.here.play(move)
        ending = None
        if after.over and not self._agrees(table, after):
            assert after.outcome is not None
            ending = self._ending(table, after.outcome, "")
        try:
            table.kept = self.games.add_move(table.kept, StoredMove(move, seconds, by_lot), ending)
        except StorageError:  # the game stands where it stood, but a machine may believe that it has moved
            self._leave_seats(table)
            raise
        table.positions.append(after)
        table.since = time.monotonic()
        for side, seat in table.seats.items():
            if side != mover:
                seat.see(move, mover)

    def _ending(self, table: Table, outcome: float, reason: str) -> Ending:
        """How the game ends, and what a player who learns has learned from it, if it played a person."""
        people = payloads.persons(table.kept)
        if len(people) != 1:
            return Ending(outcome, reason)
        side = 1 - people[0]
        text, played = table.kept.players[side], table.kept.strategies[side]
        if text.startswith(LEARNING) and not reason:
            lesson = f"{self.catalog.title(text)}: it has learned from this game, and plays its next ones by it."
            return Ending(outcome, reason, lesson)
        known = self._known(text, table.game)
        if known is None or played is None:
            return Ending(outcome, reason)
        score = outcome if side == 0 else 1 - outcome
        after = learned(Strategies(played, known.record), score)
        name = self.catalog.title(text)
        if score:
            lesson = f"{name} keeps its strategy {played + 1} of {len(known.record)}: it did not lose."
            after = Strategies(known.current, after.record)  # another game may have changed it meanwhile
        elif after.current == played:
            lesson = f"{name} lost and has no other strategy to switch to."
        else:
            lesson = (
                f"{name} lost with its strategy {played + 1} of {len(known.record)}, "
                f"so it plays its next game with strategy {after.current + 1}."
            )
        return Ending(outcome, reason, lesson, (text, after))

    def _agrees(self, table: Table, position: Position) -> bool:
        """Whether dead pieces are agreed upon before this finished game is counted: if people play."""
        return bool(payloads.persons(table.kept)) and counting.proposed_dead(position) is not None

    def _dead(self, table: Table) -> frozenset[int] | None:
        """The pieces that count as dead, unless somebody marks others; None as long as the game goes on."""
        if table.marked is None and table.here.over and self._agrees(table, table.here):
            table.marked = counting.proposed_dead(table.here)
        return table.marked

    def mark(self, visitor: str, id: str, ply: int, square: str) -> dict[str, Any]:
        """The person says that a piece is dead, or that it is not."""
        table = self._table(visitor, id)
        with table.lock:
            table.marked = counting.toggled(table.here, self._to_agree(table, ply), square)
            table.agreed.clear()
            return self._shown(table, ply, visitor)

    def agree(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """The game is counted without the dead pieces, once everybody who plays it agrees."""
        table = self._table(visitor, id)
        with table.lock:
            dead, side = self._to_agree(table, ply), table.kept.side_of(visitor)
            if side is not None:
                table.agreed.add(side)
                if len(table.agreed) < 2:
                    return self._shown(table, ply, visitor)
            outcome = counting.outcome_without(table.here, dead)
            ending = self._ending(table, outcome, counting.AGREED if dead else "")
            table.kept = self.games.agree(table.kept, sorted(dead), ending)
            self._leave_seats(table)
            return self._shown(table, ply, visitor)

    def resume(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """The person does not agree: the passes that ended the game are taken back."""
        table = self._table(visitor, id)
        with table.lock:
            self._to_agree(table, ply)
            back = ply
            while back > table.kept.opening and table.kept.moves[back - 1].move == "pass":
                back -= 1
            self._cut(table, back, counts=False)
            return self._shown(table, back, visitor)

    def _to_agree(self, table: Table, ply: int) -> frozenset[int]:
        dead = self._dead(table)
        if table.over or dead is None or ply != len(table.kept.moves):
            raise Refused(409, "there is nothing to agree about here: the game is over or goes on")
        return dead

    def _out_of_time(self, table: Table) -> bool:
        """End the game if whoever is to move has used up the time for it."""
        mover, clock = table.here.current_player, table.kept.clock
        if not clock or table.here.over or self._used(table)[mover] <= clock:
            return False
        table.kept = self.games.end(table.kept, self._ending(table, float(mover), "time"))
        return True

    def flag(self, visitor: str, id: str) -> dict[str, Any]:
        """Look at the clock."""
        table = self._table(visitor, id)
        with table.lock:
            if not table.over:
                self._out_of_time(table)
            return self._shown(table, len(table.kept.moves), visitor)

    def undo(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """Take moves back until the person who moved last is to move again."""
        table = self._table(visitor, id)
        with table.lock:
            table.check_unaided()
            kept = table.kept
            if table.over or ply != len(kept.moves):
                raise Refused(409, "no move can be undone here: the game is over or has gone on")
            if kept.clock:
                raise Refused(409, "no move can be undone in a game with clocks")
            people = payloads.persons(kept)
            back = ply - 1
            while back >= kept.opening and table.positions[back].current_player not in people:
                back -= 1
            if not people or back < kept.opening:
                raise Refused(409, "you have no move to undo")
            self._cut(table, back)
            return self._shown(table, back)

    def _cut(self, table: Table, back: int, counts: bool = True) -> None:
        """Take back all moves but the first ones."""
        table.kept, table.marked = self.games.take_back(table.kept, back, counts), None
        table.since = time.monotonic()
        table.agreed.clear()
        del table.positions[back + 1 :]
        table.reasons = {each: found for each, found in table.reasons.items() if each <= back}
        self._leave_seats(table)

    def resign(self, visitor: str, id: str) -> dict[str, Any]:
        """The person gives up; where people play both sides, whoever is to move."""
        table = self._table(visitor, id)
        with table.lock:
            if table.over:
                raise Refused(409, "this game is over; nobody can resign")
            people = payloads.persons(table.kept)
            if not people:
                raise Refused(409, "you are only watching this game")
            loser = people[0] if len(people) == 1 else table.here.current_player
            if (side := table.kept.side_of(visitor)) is not None:
                loser = side
            table.kept = self.games.end(table.kept, self._ending(table, float(loser), "resigned"))
            self._leave_seats(table)
            return self._shown(table, len(table.kept.moves), visitor)

    def _leave_seats(self, table: Table) -> None:
        for seat in table.seats.values():
            seat.close()
        table.seats.clear()

    def hint(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """What the opponent, or an adviser if it can't tell, would do in a person's place."""
        table = self._table(visitor, id)
        with table.lock:
            table.check_unaided()
            self._at_turn(table, ply, PERSON)
            position, other = table.here, table.kept.players[1 - table.here.current_player]
            machine = None if other == PERSON else self._machine(table, 1 - position.current_player)
        found, by = (self._explained(machine, position, other), self.catalog.title(other)) if machine else (None, "")
        if found is None or not found.moves:
            adviser = ADVISERS[len(position.legal_moves) > 20]
            by = self.catalog.title(adviser)
            found = self._explained(self.catalog.make(adviser, table.game), position, adviser)
        with table.lock:
            if not table.over:
                table.kept = self.games.add_hint(table.kept)
        return {"by": by, "ply": ply, "why": payloads.explanation(found, position, False)}

    def why(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """What the machine that made move number `ply` (from 0) weighed."""
        table = self._table(visitor, id)
        position, made, machine, found = self._reason(table, ply)
        return {
            "ply": ply,
            "move": made.move,
            "path": payloads.path(position, made.move),
            "cells": payloads.cells(position),
            "by": self.catalog.title(machine.player.name),
            "about": self.catalog.about(machine.player.name),
            "by_lot": made.by_lot,
            "side": position.current_player,
            "why": payloads.explanation(found, position, found.picture is not None),
        }

    def picture(self, visitor: str, id: str, ply: int) -> str:
        """The machine that made that move, drawn as SVG."""
        draw = self._reason(self._table(visitor, id), ply)[-1].picture
        if draw is None:
            raise Refused(404, "this player can't be drawn")
        return draw()

    def _reason(self, table: Table, ply: int) -> tuple[Position, StoredMove, Machine, Explanation]:
        with table.lock:
            if not 0 <= ply < len(table.kept.moves):
                raise Refused(404, f"there is no move number {ply} in this game")
            position, made = table.positions[ply], table.kept.moves[ply]
            machine, found = self._machine(table, position.current_player), table.reasons.get(ply)
        if found is None:
            found = self._explained(machine, position, machine.player.name)
            with table.lock:
                while len(table.reasons) >= EXPLAINED_MOVES:
                    del table.reasons[next(iter(table.reasons))]
                if ply < len(table.kept.moves) and table.positions[ply] is position:
                    table.reasons[ply] = found
        return position, made, machine, found

    def _explained(self, machine: Machine, position: Position, text: str) -> Explanation:
        with self._thinking.turn(machine.parts, position.game.name, machine.player.name, "explained"):
            return explain_parts(machine.parts, position, text)

    def download(self, visitor: str, id: str, form: str) -> tuple[str, str]:
        """The game as a file: its name and its text."""
        table = self._table(visitor, id)
        try:
            text = payloads.download(table.kept, table.game, self._titles(table.kept, "a person"), form)
        except LudusError as problem:
            raise Refused(400, str(problem)) from None
        return f"ludus-{table.game.board}-{table.kept.id}.{form}", text


@lru_cache(4096)
def _opening_name(game: str, moves: tuple[str, ...]) -> str:
    """What the opening of a game is called; nothing if its rules have changed since."""
    positions = [offered_game(game).start()]
    try:
        for move in moves:
            positions.append(positions[-1].play(move))
    except LudusError:
        return ""
    return opening_name(positions)
