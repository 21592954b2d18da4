"""What the arena allows at the most, and how it refuses."""

import time
from collections import OrderedDict

from ludus.errors import LudusError

BODY_BYTES = 8192
BODY_SECONDS = 10.0
BUDGET, BUDGET_SECONDS = 300, 20
"""A client may spend so much in so many seconds: 1 for a question, 3 for a change, so at most 100 changes."""
CHANGE_COSTS = 3
CLIENTS = 10_000
"""How many clients' budgets are remembered."""

LIVE_SECONDS = 30 * 60
"""An unfinished game that nobody has touched for so long is not live: it is kept, and can be taken up again."""
LIVE_GAMES = 1000
LIVE_GAMES_OF_ONE = 100
KEPT_GAMES = 500_000
LISTED_GAMES = 200
LONGEST_GAME = 2000
"""Variants whose games can have more moves are not offered."""

THINKING_SECONDS = 5.0
"""What a search may take for a move; it plays the best of the deepest that it has finished by then."""
PATIENCE_SECONDS = 60.0
"""After so long the client must ask again: a kernel may have to be compiled first."""
WAITING = 100
"""How many may wait for a machine to think."""
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


class Refused(LudusError):
    """What is refused for another reason than being wrong in itself, with the HTTP status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Budgets:
    """How much each client may still spend; it flows back steadily."""

    def __init__(self, most: float = BUDGET, seconds: float = BUDGET_SECONDS) -> None:
        self._most, self._speed = most, most / seconds
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, client: str, cost: float) -> None:
        now = time.monotonic()
        left, then = self._left.pop(client, (self._most, now))
        left = min(self._most, left + (now - then) * self._speed)
        enough = left >= cost
        self._left[client] = (left - cost if enough else left, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        if not enough:
            raise Refused(429, "too many requests; wait a few seconds")
