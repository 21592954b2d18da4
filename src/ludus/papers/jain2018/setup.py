"""The experiments of jain2018: what was printed, readings, how much is done at each scale, and groups of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludus.errors import StorageError
from ludus.papers.study import Study
from ludus.play.intervals import Estimate
from ludus.runs.run import Run

GAME, LARGER_GAME = "othello6", "othello8"
WIN_RATE, FITNESS_FIRST, FITNESS_SECOND = 65.0, 0.0035, 0.0052
"""The share of the last games won, in percent, and the mean fitness in the first and second half of the training."""
WIN_TOLERANCE, FITNESS_TOLERANCE = 3.0, 0.0005
"""Differences that would not matter: what can be read off the paper's Figure 5, and half a step of its Figure 6."""
DEPTHS = (1, 2, 3)


@dataclass(frozen=True)
class Variant:
    """A reading of how the rules are trained."""

    key: str
    name: str
    settings: Mapping[str, object] = field(hash=False)


MAIN = Variant("paper", "as we read the paper", {})
GENERAL = Variant("general", "P# 0.95", {"preset": "general"})
VARIANTS = (
    MAIN,
    GENERAL,
    Variant("all-squares", "covers all squares", {"covers": "all"}),
    Variant("pooled", "end-of-game fitness pooled over the game", {"end_fitness": "game"}),
    Variant("all-pooled", "covers all squares, fitness pooled", {"covers": "all", "end_fitness": "game"}),
    Variant("beta", "fitness learns at 0.1", {"beta_fitness": 0.1}),
    Variant(
        "authors",
        "the authors' program: all squares, pooled, 0.1, always exploits 75%",
        {"covers": "all", "end_fitness": "game", "beta_fitness": 0.1, "schedule": "constant", "exploit": 0.75},
    ),
)
"""The first is the main reading, argued from the text before the runs; see the notes of the report."""


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    runs: int
    games: int
    minimax_games: int
    measured_games: int
    search_runs: int
    """Runs for each cell of the search for settings that fit both figures; 0 leaves it out."""
    without_runs: int
    """Runs of the strong preset without each of some of its settings."""
    larger_runs: int
    """Runs on the 8x8 board."""
    slow_runs: int
    """Runs under readings that cover all squares, which take five times as long."""
    step_games: int = 500
    """Games between two rows of metrics."""


BUDGETS = {
    "quick": Budget(
        runs=3,
        games=20_000,
        minimax_games=100,
        measured_games=500,
        search_runs=0,
        without_runs=0,
        larger_runs=0,
        slow_runs=2,
    ),
    "full": Budget(
        runs=5,
        games=60_000,
        minimax_games=100,
        measured_games=1000,
        search_runs=1,
        without_runs=5,
        larger_runs=2,
        slow_runs=3,
    ),
}


@dataclass(frozen=True)
class Group:
    """Runs with the same settings, one for each seed."""

    name: str
    runs: Sequence[Run]


Asked = tuple[Mapping[str, object], Sequence[int]]
"""The settings and seeds of some runs."""


def train_groups(study: Study[Budget], asked: Mapping[str, Asked], game: str = GAME) -> dict[str, Group]:
    """Runs with these settings and seeds, by name; all are done at once, however many share the cores.

    For a partial report, groups are left out of which not all runs are finished.
    """
    common = {"games": study.budget.games, "step_games": study.budget.step_games}
    groups = {
        name: Group(
            name,
            [study.workspace.run(f"{name}/seed-{seed}", "xcs", game, seed, {**common, **settings}) for seed in seeds],
        )
        for name, (settings, seeds) in asked.items()
    }
    if study.workspace.partial:
        groups = {name: group for name, group in groups.items() if all(run.finished for run in group.runs)}
    study.workspace.train([run for group in groups.values() for run in group.runs])
    return groups


def train_variants(study: Study[Budget]) -> dict[Variant, Group]:
    """Runs under every reading."""
    slow = study.seeds[: study.budget.slow_runs]
    asked = {each.key: (each.settings, slow if "covers" in each.settings else study.seeds) for each in VARIANTS}
    groups = train_groups(study, asked)
    if missing := [each.key for each in (MAIN, GENERAL) if each.key not in groups]:
        raise StorageError(
            f"there is nothing to report yet: no reading {missing[0]!r} has all its runs; leave out --partial"
        )
    return {variant: groups[variant.key] for variant in VARIANTS if variant.key in groups}


def held_out(study: Study[Budget], count: int) -> list[int]:
    """Seeds of which none is that of a reported run."""
    return [seed + 500 for seed in study.workspace.seeds(count)]


def shown(found: Estimate) -> str:
    """A percentage with its interval."""
    return f"{found.value:.1f}% ({found.interval[0]:.1f} to {found.interval[1]:.1f})"
