"""The experiments of alkhateeb2012: methods, readings, and how much is done at each scale."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GAME = "checkers"
PLANS = ("C1", "C200", "C100", "C50", "C20", "C10")
METHODS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "C0": ("blondie24", {}),
    "RR": ("blondie24-rr", {}),
    **{plan: ("social", {"plan": plan}) for plan in reversed(PLANS)},
}
HUBS = {"C0": "C0", "RR": "Blondie24-RR"}
"""Whom the social players meet, and what the paper calls them."""

ALIKE = {"C0": "III, IV, V", "RR": "VI, VII, VIII", "C10": "X, XI, XII"}
"""Of which methods ten players were compared, and in which tables."""

GENERATION_GAMES, ROUND_ROBIN_GAMES = 150, 870
"""Games of a generation: five for each of thirty networks that choose their opponents, or everybody with everybody."""

ELO_TOLERANCE, SCORE_TOLERANCE = 15.0, 5.0
"""How far a rating, and a score in percent, may be from the paper's: about half its own intervals."""
SPAN_TOLERANCE = 5.0
"""How far the span of ratings may be from the paper's: ten players who are alike span more or less by chance, with a
standard deviation of about that."""

GAME_SECONDS = {4: 0.008, 2: 0.001, 1: 0.0004}
"""About what a game of evolution takes of one core, by search depth: for estimates of time."""


@dataclass(frozen=True)
class Variant:
    """A reading: what it changes in the settings of every method."""

    key: str
    name: str
    settings: Mapping[str, object] = field(default_factory=dict, hash=False)


MAIN = Variant("paper", "as we read the paper")
VARIANTS = (
    Variant("louder-3", "networks 3 times louder", {"loudness": 3.0}),
    Variant("louder-10", "networks 10 times louder", {"loudness": 10.0}),
    Variant("sum", "a learned weight on the sum of the pieces", {"sum_weight": "evolved"}),
    Variant("unturned", "the board is not turned for White", {"turned": False}),
    Variant("king", "kings count 2 and do not evolve", {"king_step": 0.0}),
    Variant("horizon", "the search is not extended", {"extend": "no"}),
)
"""The other readings, which are run with a tenth of the generations; see the notes of the report."""


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    generations: int
    depth: int
    alike: int
    """Players of C0, RR and C10 with all generations; the first is the one of the league."""
    short: int
    """More of them with fewer generations."""
    short_generations: int
    reading_runs: int
    """Of C0 and C10 under each other reading, with the fewer generations."""
    start_games: int
    """From the usual start with each colour."""
    untrained: int
    """Untrained networks, and shuffled ones of each evolved network, that it meets."""
    control_games: int
    """Against each of them, from the ballot."""
    searchers: tuple[int, ...]
    """Depths of searchers with a piece count, whom the evolved players meet."""
    judged_generations: tuple[int, ...]
    """Whose tournament is repeated."""
    judged_runs: int
    repeats: int
    """Tournaments of each of these generations."""
    copies: int
    """Copies of one player in a league of their own."""
    simulations: int
    """Leagues of players who are alike."""
    change_runs: int
    """Of each change that might make evolution better; 0 leaves that out."""
    better_runs: int
    """Of all changes together, with social learning and without."""

    @property
    def seeds(self) -> int:
        """How many seeds there must be."""
        return max(self.alike, self.short, self.reading_runs, self.judged_runs, self.change_runs, self.better_runs)


BUDGETS = {
    "quick": Budget(
        generations=120,
        depth=2,
        alike=2,
        short=3,
        short_generations=40,
        reading_runs=2,
        start_games=10,
        untrained=3,
        control_games=86,
        searchers=(2, 4),
        judged_generations=(1, 10),
        judged_runs=2,
        repeats=3,
        copies=4,
        simulations=200,
        change_runs=0,
        better_runs=0,
    ),
    "full": Budget(
        generations=840,
        depth=4,
        alike=4,
        short=10,
        short_generations=84,
        reading_runs=3,
        start_games=100,
        untrained=10,
        control_games=172,
        searchers=(2, 4, 6),
        judged_generations=(1, 10, 30, 60),
        judged_runs=3,
        repeats=8,
        copies=10,
        simulations=2000,
        change_runs=4,
        better_runs=6,
    ),
}
