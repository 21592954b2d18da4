"""What the arena allows at the most, and how it refuses."""

import threading
import time
from collections import Counter, OrderedDict
from typing import NamedTuple

from ludus.errors import LudusError
from ludus.interfaces.web.clients import Client

BODY_BYTES = 8192
BODY_SECONDS = 10.0
BUDGET, BUDGET_SECONDS = 300, 20
"""A client may spend so much in so many seconds: 1 for a question, 3 for a change, so at most 100 changes."""
CHANGE_COSTS = 3
GUESS_COSTS = 10
"""What naming a token costs an address that has not named the right one."""
RETRY_SECONDS = 2
"""After so long, whoever was too fast may try again."""
CLIENTS = 10_000
"""How many clients' budgets are remembered."""
AT_ONCE, AT_ONCE_OF_ONE = 400, 20
"""Requests that are answered at the same time."""
REQUEST_THREADS = 32
"""For what is not thinking: reading and writing games, looking at runs."""

CONNECTIONS = 1000
"""Fewer where a process may have fewer files open; one address may have half of them."""
RESERVED_FILES = 48
"""Files and sockets of the server itself: games, logs, machine code, connections not yet counted."""
ACCEPTED_AT_ONCE, BACKLOG = 8, 512
HEAD_SECONDS = 10.0
"""How long the head of a request may take to arrive."""
TAKE_SECONDS = 30.0
"""How long a client may take nothing of an answer."""
LOG_SECONDS = 60.0
"""The same message is logged once in this time."""

LIVE_SECONDS = 30 * 60
"""An unfinished game that nobody has touched for so long is not live: it is kept, and can be taken up again."""
LIVE_GAMES = 1000
ADDRESSES = 1000
"""Of how many addresses it is known which games they have begun."""
LIVE_GAMES_OF_ONE = 100
KEPT_GAMES = 500_000
LISTED_GAMES = 200
LONGEST_GAME = 2000
"""Variants whose games can have more moves are not offered."""

THINKING_SECONDS = 5.0
"""What a search may take for a move; it plays the best of the deepest that it has finished by then."""
PATIENCE_SECONDS = 60.0
"""After so long the client must ask again: a kernel may have to be compiled first."""
WAITING, WAITING_OF_ONE = 200, 10
"""How many may wait for a machine to think."""
REVIEWS, REVIEWS_OF_ONE = 20, 5
"""How many games may be reviewed or wait for that."""
DEPTH = 8
"""The deepest search that can be asked for."""
SIMULATIONS = 100_000
"""The most simulations of Monte Carlo tree search that can be asked for."""

JOBS = 2
"""Runs, leagues and profiles running at once."""
RUN_SECONDS = 6 * 3600
STUDY_SECONDS = 1800
JOB_BYTES = 8 << 30
LEAGUE_PLAYERS, LEAGUE_GAMES = 8, 200
PROFILE_PLAYERS = 6
LISTED_RUNS = 300
ROWS = 600
"""So many points of a run's curve are sent; a longer one is thinned."""


PUPILS, LONGEST_NAME = 60, 24
CHALLENGES = 5
"""So many games a pupil may have asked for that nobody has accepted yet."""
LEAGUE_GAMES_OF_PAIR, GAMES_AT_ONCE = 20, 2
"""What two players of a class's league play in all, and before others have their turn."""
MATCH_SECONDS = 120.0
"""Two games that take longer are given up."""
CLASS_JOBS, CLASS_RUN_SECONDS = 8, 900
"""Runs of a class at once, one for each pupil, and how long each may take; it can be resumed."""


class AddressLimits(NamedTuple):
    """What one address may have, however many cookies it has."""

    visitors: int
    """It may spend as much as so many visitors."""
    at_once: int
    """Requests that are answered at the same time."""
    live_games: int
    waiting: int
    """Requests that wait for a machine to think."""
    reviews: int
    """Games that are reviewed or wait for that."""


OF_ADDRESS = AddressLimits(visitors=20, at_once=200, live_games=500, waiting=150, reviews=15)
OF_SCHOOL = AddressLimits(visitors=PUPILS, at_once=AT_ONCE, live_games=LIVE_GAMES, waiting=WAITING, reviews=REVIEWS)
"""A whole class may come from one address, so it may have all there is; each pupil has no more than any visitor."""


class Refused(LudusError):
    """What is refused for another reason than being wrong in itself, with the HTTP status that says so.

    Where waiting alone helps, `retry_after` says how many seconds.
    """

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


class Budgets:
    """How much each client may still spend; it flows back steadily."""

    def __init__(self, most: float = BUDGET, seconds: float = BUDGET_SECONDS) -> None:
        self.most, self._speed = most, most / seconds
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, client: str, cost: float) -> None:
        now = time.monotonic()
        left, then = self._left.pop(client, (self.most, now))
        left = min(self.most, left + (now - then) * self._speed)
        enough = left >= cost
        self._left[client] = (left - cost if enough else left, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        if not enough:
            raise Refused(429, "too many requests; wait a few seconds", RETRY_SECONDS)

    def give_back(self, client: str, cost: float) -> None:
        self.spend(client, -cost)


class AtOnce:
    """How much may be under way at the same time: in all, for an address, and for a visitor."""

    def __init__(self, most: int, of_address: int, of_one: int, what: str) -> None:
        self._most, self._of_address, self._of_one, self._what = most, of_address, of_one, what
        self._lock, self._all = threading.Lock(), 0
        self._addresses, self._visitors = Counter[str](), Counter[str]()

    def enter(self, who: Client) -> None:
        with self._lock:
            if self._all >= self._most:
                raise Refused(503, f"too many {self._what}; try again in a moment")
            if self._addresses[who.address] >= self._of_address or self._visitors[_name(who)] >= self._of_one:
                raise Refused(429, f"too many {self._what} of yours; wait for some to end", RETRY_SECONDS)
            self._all += 1
            self._addresses[who.address] += 1
            self._visitors[_name(who)] += 1

    def leave(self, who: Client) -> None:
        with self._lock:
            self._all -= 1
            for counts, name in ((self._addresses, who.address), (self._visitors, _name(who))):
                counts[name] -= 1
                if not counts[name]:
                    del counts[name]


def _name(who: Client) -> str:
    return who.visitor or who.address
