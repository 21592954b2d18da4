"""The experiments of jaskowski2014: readings, how much is done at each scale, the players, and claims by reading."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ludus.measures.performance import compiled, over_runs, share_over_runs
from ludus.papers.base import Reading
from ludus.papers.jaskowski2014.published import GAME
from ludus.papers.study import Study
from ludus.papers.verdicts import Ruling
from ludus.play.intervals import Estimate
from ludus.players.base import CompiledPlayer


@dataclass(frozen=True)
class Variant:
    """A reading of coevolution."""

    key: str
    name: str
    settings: Mapping[str, object] = field(hash=False)


MAIN = Variant("sum", "fitness is the sum of two averages, as the text has it", {"fitness": "sum", "double": True})
POOLED = Variant(
    "pooled",
    "fitness is the mean over all games, chosen after the sum had failed",
    {"fitness": "pooled", "double": True},
)
VARIANTS = (
    MAIN,
    POOLED,
    Variant("sum-single", "sum, one game against each random opponent", {"fitness": "sum", "double": False}),
    Variant("pooled-single", "all games, one against each random opponent", {"fitness": "pooled", "double": False}),
)
"""The first is the main reading, argued from the text; see the notes of the report."""

RANDOM_MOVES = "TDL learns from random moves, too"
"""The other reading of TDL."""


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    runs: int
    """Of each learner."""
    reading_runs: int
    """Of either learner under the other readings, with the first of these seeds."""
    games: int
    """Of each of these runs, and of those at full budget below."""
    measured_games: int
    """Of each of these players, for each measure."""
    per_bin: int
    bin_width: float
    tenth_games: int
    """Of a run at a tenth of the budget; all settings below are tried with it."""
    tuned_games: int
    """To measure a player of these runs."""
    rates_runs: int
    """For each of the 40 settings of Table 1."""
    rates_full: int
    """How many of them are also run at full budget, in the order of `parameters`."""
    lambda_runs: int
    selection_runs: int
    """For each of the 144 settings of Figure 1, with either fitness."""
    selection_full: int
    """How many of them are also run at full budget, with either fitness."""
    mutation_runs: int
    """For each of the 98 settings of mutation, with either fitness."""
    duel_runs: int
    """Of the paper's choice, and of what did better in any of these comparisons, with new seeds."""

    def runs_of(self, variant: Variant) -> int:
        """How many runs of coevolution there are under a reading."""
        return self.runs if variant is MAIN else self.reading_runs


BUDGETS = {
    "quick": Budget(
        runs=10, reading_runs=4, games=200_000, measured_games=10_000, per_bin=10, bin_width=5.0,
        tenth_games=20_000, tuned_games=2_000, rates_runs=2, rates_full=4, lambda_runs=2,
        selection_runs=2, selection_full=4, mutation_runs=2, duel_runs=4,
    ),
    "full": Budget(
        runs=100, reading_runs=30, games=2_000_000, measured_games=50_000, per_bin=200, bin_width=1.0,
        tenth_games=200_000, tuned_games=20_000, rates_runs=4, rates_full=12, lambda_runs=10,
        selection_runs=3, selection_full=14, mutation_runs=3, duel_runs=8,
    ),
}  # fmt: skip

PLAYERS, GRIDS, DUELS = 100, 300, 500
"""Where the seeds of players, of grids and of duels begin: none is of our first report, or in two of them."""


def seeds(study: Study[Budget], first: int, count: int) -> list[int]:
    """So many seeds from there on."""
    return study.workspace.seeds(first + count)[first:]


Players = Mapping[int, CompiledPlayer]
"""By seed."""


@dataclass(frozen=True)
class Trained:
    """The players of both learners; a partial report has those that are finished."""

    tdl: Players
    tdl_of_all_moves: Players
    """Those that learned from random moves, too."""
    cel: Mapping[Variant, Players]


def train_players(study: Study[Budget]) -> Trained:
    """Those of each learner and reading, one for each seed: seed after seed, so that partial reports are balanced."""
    groups: dict[str, tuple[Mapping[str, object], int]] = {
        "tdl": ({}, study.budget.runs),
        **{f"cel-{each.key}": (each.settings, study.budget.runs_of(each)) for each in VARIANTS},
        "tdl-random-moves": ({"random_moves": "learn"}, study.budget.reading_runs),
    }
    runs = {
        f"{name}-seed-{seed}": study.workspace.run(
            f"{name}/seed-{seed}", name.partition("-")[0], GAME, seed, {"games": study.budget.games, **settings}
        )
        for place, seed in enumerate(study.seeds)
        for name, (settings, count) in groups.items()
        if place < count
    }
    finished = study.workspace.train_available(runs)

    def players(name: str) -> Players:
        labels = {seed: f"{name}-seed-{seed}" for seed in study.seeds}
        return {
            seed: compiled(replace(finished[label].player, label=label))
            for seed, label in labels.items()
            if label in finished
        }

    return Trained(players("tdl"), players("tdl-random-moves"), {each: players(f"cel-{each.key}") for each in VARIANTS})


def mean(values: Sequence[float]) -> Estimate | None:
    """The mean over runs with its interval, which takes two of them."""
    return over_runs(values) if len(values) > 1 else None


def mean_share(percents: Sequence[float]) -> Estimate | None:
    """The same of a share in percent."""
    return share_over_runs(percents) if len(percents) > 1 else None


def lead(one: Mapping[int, float], other: Mapping[int, float]) -> Estimate | None:
    """By how much the runs of one kind are ahead of the other's with the same seeds."""
    return mean([one[seed] - other[seed] for seed in one if seed in other])


def claim(
    study: Study[Budget],
    id: str,
    description: str,
    *,
    paper: str | float,
    ours: Estimate | None,
    ruling: Callable[[Estimate | None], Ruling],
    shown: str = "",
    reading: str = "",
    others: Mapping[str, Estimate | None] | None = None,
    note: str = "",
    figure: str = "",
) -> None:
    """Claim a figure, with those under other readings beside it, all judged by one rule.

    `shown` is how our figure is put into words, such as `{:.2f} times as far`.
    """
    readings: list[Reading] = [
        study.reading(name, ours=each, verdict=ruling(each), runs=_runs(each)) for name, each in (others or {}).items()
    ]
    study.claim(
        id,
        description,
        paper=paper,
        ours=shown.format(ours.value) if ours and shown else ours,
        interval=ours.interval if ours else None,
        runs=_runs(ours),
        verdict=ruling(ours),
        reading=reading,
        readings=readings,
        note=note,
        figure=figure,
    )


def claim_cel(
    study: Study[Budget],
    id: str,
    description: str,
    figure_of: Callable[[Variant], Estimate | None],
    *,
    paper: str | float,
    ruling: Callable[[Estimate | None], Ruling],
    shown: str = "",
    others: Mapping[str, Estimate | None] | None = None,
    note: str = "",
    figure: str = "",
) -> None:
    """Claim a figure of coevolution, with those under the other readings of it beside it."""
    claim(
        study,
        id,
        description,
        paper=paper,
        ours=figure_of(MAIN),
        ruling=ruling,
        shown=shown,
        reading=MAIN.name,
        others={**{each.name: figure_of(each) for each in VARIANTS if each is not MAIN}, **(others or {})},
        note=note,
        figure=figure,
    )


def _runs(ours: Estimate | None) -> int:
    return ours.n or 0 if ours else 0
