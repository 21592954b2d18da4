"""The league of a class: everybody's players against each other, in the background, for as long as the server runs.

Matches are short and their results are stored, so that a restart goes on with the next. The next one is that of whoever
has played least, against whoever has played most: so a new player is soon joined to all others by games, and rated.
"""

import hashlib
import json
import logging
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from ludus.interfaces.web.jobs import PRIVATE
from ludus.interfaces.web.limits import GAMES_AT_ONCE, LEAGUE_GAMES_OF_PAIR, MATCH_SECONDS
from ludus.measures.ratings import Rating, Result, rate
from ludus.processes import end_trees, lower_priority, own_group
from ludus.records.classroom import ClassRecords, Scored

log = logging.getLogger("ludus.arena")

Pair = tuple[str, str]


def next_pair(players: Sequence[str], played: Mapping[Pair, int], most: int) -> Pair | None:
    """Who plays next, given how many games each pair of players in order has played; None if all have played enough."""
    totals = Counter[str]()
    for (a, b), games in played.items():
        totals[a] += games
        totals[b] += games

    def turn(pair: Pair) -> tuple[int, int, int]:
        fewer, more = sorted(totals[each] for each in pair)
        return played.get(pair, 0), fewer, -more

    left = [pair for pair in combinations(sorted(set(players)), 2) if played.get(pair, 0) < most]
    return min(left, key=turn, default=None)


def ratings(players: Sequence[str], results: Sequence[Scored]) -> dict[str, Rating]:
    """The ratings of those of these players whom games join; of several such groups, the largest is rated."""
    games = [each for each in results if each.a in players and each.b in players]
    groups = list[set[str]]()
    for each in games:
        touching = [group for group in groups if group & {each.a, each.b}]
        groups = [group for group in groups if group not in touching]
        groups.append({each.a, each.b}.union(*touching))
    if not groups:
        return {}
    largest = max(groups, key=len)
    rated = rate([Result(*each) for each in games if each.a in largest], exact=True)
    return {each.name: each for each in rated.ratings}


class ClassLeague:
    """A thread that asks for one match after another, and the process that plays them."""

    def __init__(
        self, game: str, records: ClassRecords, players: Callable[[], list[str]], string: Callable[[str], str]
    ) -> None:
        """`players` are those of the entries, `string` is what a process calls one of them."""
        self._game, self._records, self._players, self._string = game, records, players, string
        self._changed, self._closing, self._failed = threading.Event(), threading.Event(), set[Pair]()
        self._referee: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._work, name="league", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """The entries have changed."""
        self._changed.set()

    def close(self) -> None:
        """Play no more; a match that is not finished is played anew."""
        self._closing.set()
        self._changed.set()
        self._end_referee()
        self._thread.join()

    def played(self) -> dict[Pair, int]:
        """How many games each pair of the players that are entered has played."""
        players = set(self._players())
        return {
            (each.a, each.b): each.wins + each.draws + each.losses
            for each in self._records.results(self._game)
            if {each.a, each.b} <= players
        }

    def _work(self) -> None:
        while not self._closing.is_set():
            self._changed.clear()
            try:
                players, played = self._players(), self.played()
                enough = LEAGUE_GAMES_OF_PAIR
                pair = next_pair(players, played | dict.fromkeys(self._failed, enough), enough)
                if pair is None:
                    self._changed.wait()
                    continue
                scored = self._play(pair, played.get(pair, 0))
                if scored and not self._closing.is_set():
                    self._records.add_result(self._game, scored)
            except Exception as problem:  # the disk may be full: the league goes on when there is room again
                if not self._closing.is_set():
                    log.error("the league of the class waits: %s", problem)
                    self._closing.wait(5.0)
        self._close_pipes()

    def _play(self, pair: Pair, played: int) -> Scored | None:
        seed = hashlib.blake2b(json.dumps([self._game, *pair, played]).encode(), digest_size=6).hexdigest()
        asked = {"game": self._game, "players": [self._string(each) for each in pair]}
        answer = self._asked(asked | {"games": GAMES_AT_ONCE, "seed": int(seed, 16)})
        if "result" in answer:
            return Scored(*pair, *answer["result"])
        if not self._closing.is_set():
            log.error("no match between %s and %s: %s", *pair, answer["error"])
            self._failed.add(pair)
        return None

    def _asked(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The referee's answer; one who takes too long is sent away."""
        if self._referee is None or self._referee.poll() is not None:
            self._start_referee()
        referee = self._referee
        assert referee is not None
        assert referee.stdin is not None
        assert referee.stdout is not None
        late = threading.Timer(MATCH_SECONDS, self._end_referee)
        late.daemon = True
        late.start()
        try:
            referee.stdin.write(json.dumps(asked) + "\n")
            referee.stdin.flush()
            line = referee.stdout.readline()
        except (OSError, ValueError):  # it has ended
            line = ""
        finally:
            late.cancel()
        return dict(json.loads(line)) if line else {"error": "it took too long or failed"}

    def _start_referee(self) -> None:
        self._close_pipes()
        public = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        self._referee = subprocess.Popen(
            [sys.executable, "-m", "ludus.interfaces.web.referee"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=public,
            **own_group(),
        )  # fmt: skip
        lower_priority(self._referee)  # people who play go first
        if self._closing.is_set():
            self._end_referee()

    def _end_referee(self) -> None:
        if self._referee:
            end_trees([self._referee])

    def _close_pipes(self) -> None:
        """By the thread that uses them, once the referee has ended."""
        for pipe in (self._referee.stdin, self._referee.stdout) if self._referee else ():
            if pipe:
                with suppress(OSError):  # what was not sent yet
                    pipe.close()
