"""The tables at which games are played: what people and machines do at them, and how visitors see them.

A table is made from the games that are kept (`ludus.records.arena`) whenever someone asks for it, so a restart in the
middle of a game changes nothing. Every change is checked against the server's own rules and written down before it is
answered. Methods may be called by many threads; those of one table wait for each other.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Collection
from functools import lru_cache
from typing import Any, NamedTuple

from ludus.compile.rng import randint, stream, uniform
from ludus.errors import LudusError, StorageError
from ludus.games.opening_names import opening_name
from ludus.interfaces.web import counting, payloads
from ludus.interfaces.web.catalog import Catalog, offered_game, sides_of
from ludus.interfaces.web.endings import Endings
from ludus.interfaces.web.lessons import Lessons
from ludus.interfaces.web.limits import KEPT_GAMES, LISTED_GAMES, LIVE_GAMES, LIVE_GAMES_OF_ONE, LIVE_SECONDS, Refused
from ludus.interfaces.web.machines import Machines
from ludus.interfaces.web.positions import Positions
from ludus.interfaces.web.table import Table
from ludus.records.arena import PERSON, ArenaGames, StoredGame, StoredMove
from ludus.records.training import Training

__all__ = ["Rival", "Table", "Tables"]

OPENING_MOVES = 24
"""So many moves of a game decide what its opening is called."""

SEATED, FINISHED = 1000, 50
"""How many tables are remembered, and how many of them may be of finished games."""


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
        self._machines, self._endings = Machines(catalog, self.lessons), Endings(games, catalog)
        self._opened = time.monotonic()

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
        strategies = [known.current if (known := self._endings.strategies(text, game)) else None for text in players]
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
        positions = Positions(game, [made.move for made in kept.moves])
        # what a turn has taken is known by the calendar alone; time without a server, and before it, does not count
        now = time.monotonic()
        taken = min(max(0.0, time.time() - kept.touched), now - self._opened)
        made_of = Table(kept, game, positions, {}, since=now - taken)
        with self._lock:
            table = self._tables.setdefault(id, made_of)
            self._make_room(id)
        return table

    def _make_room(self, id: str) -> None:
        """Forget tables that nobody has asked for lately, as long as there are too many beside this one."""
        others = [(each, table) for each, table in self._tables.items() if each != id and not table.thinking]
        over = [each for each, table in others if table.over]
        for each in over[: max(0, len(over) - FINISHED)]:  # many may have ended since the last one was opened
            del self._tables[each]
        if len(self._tables) > SEATED and others:
            self._tables.pop(others[0][0], None)

    def table(self, visitor: str, id: str) -> Table:
        """The visitor's table of that id."""
        return self._table(visitor, id)

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
        left = [max(0.0, kept.clock - used) for used in table.seconds_used()] if kept.clock else None
        dead = frozenset(kept.dead) if table.over else table.dead()
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

    def move(self, visitor: str, id: str, ply: int, move: str) -> dict[str, Any]:
        """A person moves."""
        table = self._table(visitor, id)
        with table.lock:
            table.check_turn(ply, PERSON, visitor)
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
            table.check_turn(ply, "machine")
            if table.thinking:
                raise Refused(409, "the machine is already thinking; reload the game in a moment")
            if self._out_of_time(table):
                return self._shown(table, ply)
            here, side, begin = table.here, table.here.current_player, time.perf_counter()
            seat, parts = self._machines.seat(table, side), self._machines.machine(table, side).parts
            table.thinking = True
        try:
            rng = stream(table.kept.seed, "arena", ply)
            by_lot = uniform(rng) < table.kept.handicap
            if by_lot:
                move = here.legal_moves[randint(rng, len(here.legal_moves))]
                seat.see(move, side)  # else it would go on as if its own move had been made
            else:
                with self._machines.thinking.turn(parts, table.game.name, table.kept.players[side]):
                    begin = time.perf_counter()  # whoever waits for a turn is not thinking
                    number = seat.choose(here, rng)
                move = next(text for text, each in here.legal.items() if each == number)
        finally:
            table.thinking = False
        with table.lock:
            if table.over or table.here is not here:
                raise Refused(409, "the game went on while the machine was thinking; reload it")
            seconds = time.perf_counter() - begin
            if self._out_of_time(table, seconds):
                return self._shown(table, ply)
            self._make(table, move, seconds, by_lot)
            return self._shown(table, ply + 1)

    def _make(self, table: Table, move: str, seconds: float, by_lot: bool) -> None:
        mover, after = table.here.current_player, table.here.play(move)
        ending = None
        if after.over and not table.needs_agreement(after):
            assert after.outcome is not None
            ending = self._endings.ending(table.kept, table.game, after.outcome, "")
        try:
            table.kept = self.games.add_move(table.kept, StoredMove(move, seconds, by_lot), ending)
        except StorageError:  # the game stands where it stood, but a machine may believe that it has moved
            table.leave_seats()
            raise
        table.positions.add(move, after)
        table.since = time.monotonic()
        for side, seat in table.seats.items():
            if side != mover:
                seat.see(move, mover)
        if table.over:
            table.leave_seats()

    def mark(self, visitor: str, id: str, ply: int, square: str) -> dict[str, Any]:
        """The person says that a piece is dead, or that it is not."""
        table = self._table(visitor, id)
        with table.lock:
            table.marked = counting.toggled(table.here, table.dead_to_agree(ply), square)
            table.agreed.clear()
            return self._shown(table, ply, visitor)

    def agree(self, visitor: str, id: str, ply: int, seen: Collection[int]) -> dict[str, Any]:
        """The game is counted without the dead pieces, once everybody who plays it agrees.

        The person agrees to those that were seen as dead; others may have been marked meanwhile.
        """
        table = self._table(visitor, id)
        with table.lock:
            dead, side = table.dead_to_agree(ply), table.kept.side_of(visitor)
            if dead != frozenset(seen):
                raise Refused(409, "the marks have changed meanwhile; look which pieces count as dead now, then agree")
            if side is not None:
                table.agreed.add(side)
                if len(table.agreed) < 2:
                    return self._shown(table, ply, visitor)
            outcome = counting.outcome_without(table.here, dead)
            ending = self._endings.ending(table.kept, table.game, outcome, counting.AGREED if dead else "")
            table.kept = self.games.agree(table.kept, sorted(dead), ending)
            table.leave_seats()
            return self._shown(table, ply, visitor)

    def resume(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """The person does not agree: the passes that ended the game are taken back."""
        table = self._table(visitor, id)
        with table.lock:
            table.dead_to_agree(ply)
            back = ply
            while back > table.kept.opening and table.kept.moves[back - 1].move == "pass":
                back -= 1
            self._cut(table, back, counts=False)
            return self._shown(table, back, visitor)

    def _out_of_time(self, table: Table, thought: float = 0.0) -> bool:
        """End the game if whoever is to move has used up the time for it, with what it has just thought."""
        mover, clock = table.here.current_player, table.kept.clock
        if not clock or table.here.over or table.seconds_used()[mover] + thought <= clock:
            return False
        table.kept = self.games.end(table.kept, self._endings.ending(table.kept, table.game, float(mover), "time"))
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
            while back >= kept.opening and table.positions.movers[back] not in people:
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
        table.positions.cut(back)
        table.reasons = {each: found for each, found in table.reasons.items() if each <= back}
        table.leave_seats()

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
            ending = self._endings.ending(table.kept, table.game, float(loser), "resigned")
            table.kept = self.games.end(table.kept, ending)
            table.leave_seats()
            return self._shown(table, len(table.kept.moves), visitor)

    def hint(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """What the opponent, or an adviser if it can't tell, would do in a person's place."""
        table = self._table(visitor, id)
        with table.lock:
            table.check_unaided()
            table.check_turn(ply, PERSON)
            position, other = table.here, table.kept.players[1 - table.here.current_player]
            machine = None if other == PERSON else self._machines.machine(table, 1 - position.current_player)
        found, by = self._machines.advice(machine, position, other)
        with table.lock:
            if not table.over:
                table.kept = self.games.add_hint(table.kept)
        return {"by": by, "ply": ply, "why": payloads.explanation(found, position, False)}

    def why(self, visitor: str, id: str, ply: int) -> dict[str, Any]:
        """What the machine that made move number `ply` (from 0) weighed."""
        table = self._table(visitor, id)
        position, made, machine, found = self._machines.reason(table, ply)
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
        draw = self._machines.reason(self._table(visitor, id), ply)[-1].picture
        if draw is None:
            raise Refused(404, "this player can't be drawn")
        return draw()

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
