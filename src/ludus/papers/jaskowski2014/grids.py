"""Settings that are compared by generalization, at a tenth of the paper's budget and as many as fit at full budget.

The paper's choice is also matched with what does best among the others. That takes new seeds: by those that found it
the best of many, it looks better than it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ludus.measures.performance import compiled, generalization
from ludus.papers.jaskowski2014.published import GAME
from ludus.papers.jaskowski2014.setup import DUELS, GRIDS, Budget, lead, mean_share, seeds
from ludus.papers.study import Study
from ludus.play.intervals import Estimate
from ludus.runs.run import Run

FULL, TENTH = "full", "tenth"
LEVELS = (FULL, TENTH)

Cell = tuple[object, ...]
"""The settings that differ, such as exploration and learning rate."""
Scores = Mapping[Cell, Mapping[int, float]]
"""The generalization of each run of each cell, by seed."""


@dataclass(frozen=True)
class Grid:
    """Settings of a learner that are compared."""

    name: str
    learner: str
    cells: Mapping[Cell, Mapping[str, object]]
    """The settings of each; the paper's choice first, and then in the order in which they are run."""
    runs: int
    full: int = 0
    """How many of the cells are also run at full budget."""

    @property
    def choice(self) -> Cell:
        """The paper's."""
        return next(iter(self.cells))

    @property
    def main(self) -> str:
        """The budget by which claims are judged."""
        return FULL if self.full > 1 else TENTH

    @property
    def levels(self) -> Sequence[str]:
        return LEVELS if self.full > 1 else (TENTH,)

    def cells_at(self, level: str) -> list[Cell]:
        """Those that are run with that budget."""
        return list(self.cells)[: self.full if level == FULL else None]


class Compared:
    """What the runs of a grid found, with one budget."""

    def __init__(self, grid: Grid, level: str, scores: Scores) -> None:
        self.grid, self.level = grid, level
        self.scores = {cell: each for cell, each in scores.items() if len(each) > 1}
        """Of cells with two runs or more."""

    def mean(self, cell: Cell) -> float:
        return float(np.mean(list(self.scores[cell].values())))

    def best_other(self) -> Cell | None:
        """The best of all but the paper's choice."""
        others = [cell for cell in self.scores if cell != self.grid.choice]
        return max(others, key=self.mean) if others else None

    def extremes(self, without: Sequence[Cell] = ()) -> tuple[Cell, Cell] | None:
        """The best and the worst cell."""
        ranked = sorted((cell for cell in self.scores if cell not in without), key=self.mean)
        return (ranked[-1], ranked[0]) if len(ranked) > 1 else None

    def estimate(self, cell: Cell) -> Estimate:
        """The mean of a cell with its interval."""
        found = mean_share(list(self.scores[cell].values()))
        assert found  # since a cell has two runs or more
        return found

    def cell_shown(self, cell: Cell) -> str:
        """The same in words; none for a cell that was not run."""
        return f"{self.estimate(cell):.1f}" if cell in self.scores else ""


def compare(study: Study[Budget], grid: Grid) -> dict[str, Compared]:
    """Run and measure a grid, at a tenth first; by level."""
    with_seeds, levels = seeds(study, GRIDS, grid.runs), [level for level in (TENTH, FULL) if level in grid.levels]
    asked = {
        (level, cell): _runs(study, grid, level, cell, with_seeds) for level in levels for cell in grid.cells_at(level)
    }
    finished = _finished(study, [run for runs in asked.values() for run in runs.values()])

    def scores(level: str) -> Scores:
        name = f"{grid.name}-{level}"
        return {cell: _measured(study, name, cell, asked[level, cell], finished) for cell in grid.cells_at(level)}

    return {level: Compared(grid, level, scores(level)) for level in levels}


def duel(study: Study[Budget], grid: Grid, level: str, one: Cell | None, other: Cell | None) -> Estimate | None:
    """By how much one cell is ahead of another, with seeds that had no part in choosing them."""
    if one is None or other is None:
        return None
    new = seeds(study, DUELS, study.budget.duel_runs)
    asked = {cell: _runs(study, grid, level, cell, new) for cell in (one, other)}
    finished = _finished(study, [run for runs in asked.values() for run in runs.values()])
    found = [_measured(study, f"{grid.name}-{level}-duel", cell, runs, finished) for cell, runs in asked.items()]
    return lead(*found)


def named(cell: Cell) -> str:
    """A cell in words, as `0.05, 0.05`."""
    return ", ".join(f"{each:g}" if isinstance(each, float) else str(each) for each in cell)


def _runs(study: Study[Budget], grid: Grid, level: str, cell: Cell, with_seeds: Sequence[int]) -> dict[int, Run]:
    games = study.budget.games if level == FULL else study.budget.tenth_games
    return {
        seed: study.workspace.run(
            f"{grid.name}-{level}/{_slug(cell)}/seed-{seed}",
            grid.learner,
            GAME,
            seed,
            {"games": games, **grid.cells[cell]},
        )
        for seed in with_seeds
    }


def _finished(study: Study[Budget], runs: Sequence[Run]) -> set[str]:
    return set(study.workspace.train_available({str(run.folder): run for run in runs}))


def _measured(
    study: Study[Budget], name: str, cell: Cell, runs: Mapping[int, Run], finished: set[str]
) -> dict[int, float]:
    """The generalization of each run that is finished, by seed; all meet the same opponents."""
    there = {seed: run for seed, run in runs.items() if str(run.folder) in finished}
    games, seed, workers = study.budget.tuned_games, study.workspace.seed, study.workspace.workers

    def measure() -> list[float]:
        return [generalization(compiled(run.player), games, seed, workers).value for run in there.values()]

    asked = {"seeds": list(there), "games": games, "trained": [run.spec.to_json() for run in there.values()][:1]}
    found = study.workspace.cached(f"scores/{name}/{_slug(cell)}", asked, measure) if there else []
    return dict(zip(there, found, strict=True))


def _slug(cell: Cell) -> str:
    return named(cell).replace(", ", "-")
