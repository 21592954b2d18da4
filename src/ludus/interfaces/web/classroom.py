"""A class: pupils by name, the players they have entered into its league, and games between them."""

import secrets
import threading
import time
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ludus.errors import LudusError
from ludus.interfaces.web.catalog import LEARNING, Catalog, board_title, offered_game
from ludus.interfaces.web.class_league import ClassLeague, ratings
from ludus.interfaces.web.clients import Client
from ludus.interfaces.web.limits import CHALLENGES, LEAGUE_GAMES_OF_PAIR, LONGEST_NAME, PUPILS, Refused
from ludus.interfaces.web.tables import Rival, Tables
from ludus.records.arena import PERSON, ArenaGames
from ludus.records.classroom import Challenge, ClassGame, ClassRecords, Pupil

CODE_LETTERS, CODE_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10
"""What pupils type, so without letters that look alike: some 50 bits, at two guesses a second for an address."""
SHOWN_GAMES = 12
FRESH_SECONDS = 1.0
"""For so long the league is not rated anew."""


def tidy_name(text: str) -> str:
    """A name as it is shown: plain text on one line."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise LudusError(f"a name has 1 to {LONGEST_NAME} letters, digits, signs and spaces; type another")
    return name


def spelling(name: str) -> str:
    """The same for names that look alike."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class Classroom:
    def __init__(self, game: str, games: ArenaGames, tables: Tables, catalog: Catalog) -> None:
        self.game, self._tables, self._catalog = offered_game(game), tables, catalog
        self.records = ClassRecords(games)
        self._lock, self._wall, self._rated = threading.Lock(), dict[str, Any](), -1e9
        self.league = ClassLeague(self.game.name, self.records, self._entered, self._string)

    def tokens(self, given: str) -> tuple[str, str]:
        """The pupils' token and the teacher's; those that are made up stay the same after a restart."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        return given or self.records.setting("code", code), self.records.setting("teacher", secrets.token_urlsafe(16))

    def close(self) -> None:
        self.league.close()

    @property
    def closed(self) -> bool:
        """Whether new names are refused."""
        return self.records.setting("closed", "") == "yes"

    def _pupils(self) -> list[Pupil]:
        return self.records.pupils(self.game.name)

    def _entered(self) -> list[str]:
        return sorted({pupil.entry for pupil in self._pupils() if pupil.entry})

    def _string(self, text: str) -> str:
        file = self._catalog.file(text)
        return str(file.resolve()) if file and text.startswith("run:") else text

    def _me(self, who: Client) -> Pupil:
        for pupil in self._pupils():
            if pupil.visitor == who.visitor:
                return pupil
        raise Refused(403, "you have not joined the class; type your name first")

    def _pupil(self, number: int) -> Pupil:
        for pupil in self._pupils():
            if pupil.number == number:
                return pupil
        raise Refused(404, "there is no such pupil in the class")

    # ---- what pupils do

    def join(self, who: Client, name: str) -> None:
        name = tidy_name(name)
        with self._lock:
            pupils = self._pupils()
            if mine := next((pupil for pupil in pupils if pupil.visitor == who.visitor), None):
                if mine.name == name:
                    return
                raise Refused(409, f"you have joined as {mine.name}; the teacher can remove that name")
            if self.closed:
                raise Refused(403, "the class is closed for new names; ask the teacher")
            if len(pupils) >= PUPILS:
                raise Refused(503, f"the class has {PUPILS} pupils, which is all that it can have")
            if not self.records.join(who.visitor, name, spelling(name)):
                raise Refused(409, f"there is a pupil named {name} already; type another name")

    def offered(self, who: Client) -> list[dict[str, Any]]:
        """The players that one may enter: the gallery's, and those grown by oneself."""
        grown = {f"run:{run}" for run in self.records.grown(who.visitor)}
        return [
            each
            for each in self._catalog.players(self.game)
            if not each["player"].startswith(LEARNING)
            and (each["player"] in grown or not each["player"].startswith("run:"))
        ]

    def enter(self, who: Client, player: str) -> None:
        """Enter a player into the league, instead of the one before."""
        me = self._me(who)
        if player not in [each["player"] for each in self.offered(who)]:
            raise LudusError(
                f"{player!r:.60} can't be entered; choose a player from the list, or one that you have grown"
            )
        self.records.enter(me.number, self.game.name, player)
        self._change()

    def _change(self) -> None:
        self._rated = -1e9
        self.league.wake()

    def challenge(self, who: Client, number: int, side: int, clock: float) -> None:
        """Ask another pupil for a game."""
        me, other = self._me(who), self._pupil(number)
        if other.number == me.number:
            raise LudusError("you can't challenge yourself; choose another pupil")
        asked = [each for each in self.records.challenges(me.number) if each.challenger == me.number]
        if len(asked) >= CHALLENGES and other.number not in [each.challenged for each in asked]:
            raise Refused(429, f"you have challenged {CHALLENGES} pupils already; take one challenge back first")
        self.records.challenge(me.number, other.number, side, clock)

    def answer(self, who: Client, number: int, accept: bool) -> dict[str, Any]:
        """Accept a challenge, which begins a game, or do without it; so may whoever has made it."""
        me = self._me(who)
        found = next((each for each in self.records.challenges(me.number) if each.number == number), None)
        if found is None:
            raise Refused(404, "this challenge is gone")
        if accept and found.challenged != me.number:
            raise Refused(403, "whom you have challenged must accept")
        challenger = self._pupil(found.challenger)
        if accept:
            self._tables.check_room(challenger.visitor)
        if not self.records.take_challenge(number):
            raise Refused(409, "this challenge has been answered already")
        if not accept:
            return {"table": None}
        return {"table": self._begin(challenger, me, found)}

    def _begin(self, challenger: Pupil, challenged: Pupil, found: Challenge) -> str:
        one, other = (challenger.name, challenged.name)[:: -1 if found.side else 1]
        rival = Rival(challenged.visitor, 1 - found.side, (one, other))
        people = (PERSON, PERSON)
        begun = self._tables.begin(challenger.visitor, self.game.name, people, "", 0, 0.0, found.clock, rival=rival)
        return str(begun["id"])

    # ---- what the teacher does

    def set_closed(self, who: Client, closed: bool) -> None:
        _check_teacher(who)
        self.records.change_setting("closed", "yes" if closed else "")

    def remove(self, who: Client, number: int, what: str) -> None:
        """Remove a pupil's entry, or the pupil, whose games end as if resigned."""
        _check_teacher(who)
        pupil = self._pupil(number)
        if what == "entry":
            self.records.withdraw(number, self.game.name)
        else:
            self.records.remove(number)
            for game in self.records.games(PUPILS, pupil.visitor):
                if game.outcome is None:
                    with suppress(Refused):  # it has ended meanwhile
                        self._tables.resign(pupil.visitor, game.id)
        self._change()

    # ---- what everybody sees

    def show(self, who: Client) -> dict[str, Any]:
        """The class as one of it sees it."""
        pupils = self._pupils()
        names = {pupil.number: pupil.name for pupil in pupils}
        me = next((pupil for pupil in pupils if pupil.visitor == who.visitor), None)
        return {
            "game": self.game.name,
            "title": board_title(self.game),
            "sides": list(self.game.type.sides),
            "closed": self.closed,
            "teacher": who.teacher,
            "me": me and self._shown(me),
            "pupils": [self._shown(pupil) for pupil in pupils],
            "challenges": self._challenges(me, names) if me else [],
            "games": [vars(game) for game in self.records.games(SHOWN_GAMES, who.visitor)] if me else [],
        }

    def _challenges(self, me: Pupil, names: Mapping[int, str]) -> list[dict[str, Any]]:
        found = []
        for each in self.records.challenges(me.number):
            mine = each.challenger == me.number
            other = each.challenged if mine else each.challenger
            found.append(vars(each) | {"mine": mine, "name": names[other]})
        return found

    def _shown(self, pupil: Pupil) -> dict[str, Any]:
        entry = self._catalog.title(pupil.entry) if pupil.entry else ""
        return {"number": pupil.number, "name": pupil.name, "entry": entry, "player": pupil.entry}

    def wall(self) -> dict[str, Any]:
        """The league's table, and the latest games between pupils."""
        with self._lock:
            if time.monotonic() - self._rated > FRESH_SECONDS:
                self._rated, self._wall = time.monotonic(), self._drawn()
            return self._wall

    def _drawn(self) -> dict[str, Any]:
        pupils, results = self._pupils(), self.records.results(self.game.name)
        whose = dict[str, list[str]]()
        for pupil in pupils:
            if pupil.entry:
                whose.setdefault(pupil.entry, []).append(pupil.name)
        rated = ratings(list(whose), results)
        played, pairs = self.league.played(), len(whose) * (len(whose) - 1) // 2
        rows: list[Mapping[str, Any]] = [
            {"pupils": whose[each.name], "title": self._catalog.title(each.name)} | _numbers(each._asdict())
            for each in rated.values()
        ]
        rows += [
            {"pupils": names, "title": self._catalog.title(text)} for text, names in whose.items() if text not in rated
        ]
        return {
            "game": self.game.name,
            "title": board_title(self.game),
            "pupils": len(pupils),
            "closed": self.closed,
            "rows": rows,
            "games": sum(played.values()),
            "of": pairs * LEAGUE_GAMES_OF_PAIR,
            "latest": [_result(game) for game in self.records.games(SHOWN_GAMES)],
        }


def _numbers(rating: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rating[name] for name in ("elo", "plus", "minus", "games", "score")}


def _result(game: ClassGame) -> dict[str, Any]:
    return {"names": list(game.names), "outcome": game.outcome, "reason": game.reason, "plies": game.plies}


def _check_teacher(who: Client) -> None:
    if not who.teacher:
        raise Refused(403, "only the teacher can do this, by the link for the wall")
