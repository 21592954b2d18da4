"""The experiments of jaskowski2014 with a tiny budget, its figures that are more than a mean, and those of the demo."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludus.games.names import game
from ludus.measures.profiles import FORMAT
from ludus.papers.base import Workspace
from ludus.papers.demo import _widened
from ludus.papers.jaskowski2014 import parameters, setup
from ludus.papers.jaskowski2014.grids import FULL, TENTH, Compared, Grid
from ludus.papers.jaskowski2014.profiles import crossing_of
from ludus.papers.jaskowski2014.published import (
    BEST_MUTATION,
    BEST_RATE,
    BEST_SELECTION,
    POOR_MUTATIONS,
    RUNS,
    TABLE_2,
    TOLERANCE,
)
from ludus.papers.jaskowski2014.setup import VARIANTS, Budget
from ludus.papers.jaskowski2014.weights import asymmetry, clustered
from ludus.papers.names import paper
from ludus.papers.report import reproduce
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_near
from ludus.play.intervals import Estimate
from ludus.tensors import write_tensors

TINY = Budget(
    runs=10, reading_runs=4, games=400, measured_games=20, per_bin=3, bin_width=5.0, tenth_games=40, tuned_games=20,
    rates_runs=2, rates_full=3, lambda_runs=2, selection_runs=2, selection_full=2, mutation_runs=2, duel_runs=2,
)  # fmt: skip
GAME = game("othello8")


def opponents(file: Path) -> None:
    """A database of random weights that are said to be of every strength."""
    percent = np.linspace(0.5, 99.5, 60)
    weights = np.random.default_rng(3).uniform(-1, 1, (60, 64))
    kept = (percent < 50) | (percent > 60)
    metadata = {"format": FORMAT, "game": GAME.name, "game_version": GAME.type.version, "width": 5.0, "per_bin": 3}
    write_tensors(file, {"weights": weights[kept], "percent": percent[kept]}, {**metadata, "seed": 1, "games": 0})


@pytest.mark.usefixtures("drawn_once")
def test_every_claim_and_every_reading_gets_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(setup.BUDGETS, "quick", TINY)
    few = {
        "rate_cells": [BEST_RATE, (0.0, 0.05), parameters.FIRST_RIVALS["rates"], (0.15, 0.05)],
        "selection_cells": [BEST_SELECTION, parameters.FIRST_RIVALS["selection"], ("comma", 4, 4)],
        "mutation_cells": [BEST_MUTATION, *POOR_MUTATIONS, ("uniform", 0.2, 0.4)],
    }
    for name, cells in few.items():
        monkeypatch.setattr(parameters, name, lambda cells=cells: cells)
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report")
    workspace.runs.mkdir()
    opponents(workspace.runs / "opponents-3-per-5-percent.safetensors")
    found = reproduce(paper("jaskowski2014"), "quick", workspace)
    by_id = {claim.id: claim for claim in found.claims}
    assert len(by_id) == 27
    assert [claim.id for claim in found.claims if claim.ours is None] == []
    missing = {reading.name for claim in found.claims for reading in claim.readings if reading.ours is None}
    assert missing == {"its estimate at the 0.1 quantile", "its estimate at the 0.15 quantile"}  # of ten players
    assert len(by_id["table2-alike"].readings) == len(VARIANTS)  # with that of TDL
    bins = next(section.text for section in found.sections if section.heading == "The graded opponents")
    assert "Empty, since neither chance nor evolution found anybody so weak or so strong: 50%, 55%." in bins
    again = reproduce(paper("jaskowski2014"), "quick", workspace)
    assert (again.claims, again.sections) == (found.claims, found.sections)

    # a report on what is finished: the rest is not run, and starts nothing; opponents that all have met are not needed
    (workspace.runs / "opponents-3-per-5-percent.safetensors").unlink()
    (workspace.runs / "rates-full/0.05-0.05/seed-1300/player.safetensors").unlink()
    (workspace.runs / "cel-sum/seed-1100/player.safetensors").unlink()
    partial = {
        claim.id: claim for claim in reproduce(paper("jaskowski2014"), "quick", replace(workspace, partial=True)).claims
    }
    assert partial["table2-cel-generalization"].runs == partial["fig2-crossing"].runs == 9
    assert partial["table2-tdl-generalization"] == by_id["table2-tdl-generalization"]
    assert partial["table1-figures"].ours is not None
    assert partial["table1-exploration"].verdict == "not run"
    nothing = reproduce(paper("jaskowski2014"), "quick", Workspace(tmp_path / "none", tmp_path / "empty", partial=True))
    assert {claim.verdict for claim in nothing.claims} == {"not run"}
    assert len(nothing.claims) == len(found.claims)


def test_the_most_telling_settings_come_first() -> None:
    rates, sizes, mutations = parameters.rate_cells(), parameters.selection_cells(), parameters.mutation_cells()
    assert (len(rates), len(sizes), len(mutations)) == (40, 144, 98)
    assert (rates[0], sizes[0], mutations[0]) == (BEST_RATE, BEST_SELECTION, BEST_MUTATION)
    assert {alpha for _, alpha in rates[:4]} == {0.05}
    assert all(("comma" in cell) + (cell[1] == 20) + (cell[2] == 200) == 2 for cell in sizes[1:14])


def test_what_is_best_is_found_among_cells_with_two_runs() -> None:
    grid = Grid("some", "tdl", {(place,): {} for place in range(4)}, runs=2, full=2)
    found = Compared(
        grid, TENTH, {(0,): {1: 90.0, 2: 90.0}, (1,): {1: 80.0, 2: 82.0}, (2,): {1: 99.0}, (3,): {1: 1, 2: 2}}
    )
    assert found.best_other() == (1,)
    assert found.extremes() == ((0,), (3,))
    assert found.extremes([(3,)]) == ((0,), (1,))
    assert (grid.cells_at(FULL), len(grid.cells_at(TENTH)), grid.main) == ([(0,), (1,)], 4, FULL)


def test_exploration_is_compared_seed_by_seed_where_both_were_run() -> None:
    grid = Grid("rates", "tdl", {cell: {} for cell in parameters.rate_cells()}, runs=3)
    scores = {(0.05, 0.05): {1: 88.0, 2: 87.0, 3: 90.0}, (0.0, 0.05): {1: 84.0, 2: 85.0}, (0.05, 0.1): {1: 1.0, 2: 1.0}}
    gain = parameters.exploration_gain(Compared(grid, TENTH, scores))
    assert gain is not None
    assert (gain.value, gain.n) == (3.0, 2)
    assert parameters.exploration_gain(Compared(grid, TENTH, {})) is None


def test_table_1_is_drawn_over_the_papers(tmp_path: Path) -> None:
    study = Study("quick", TINY, Workspace(tmp_path / "runs", tmp_path / "report"), GAME, runs=2)
    grid = Grid("rates", "tdl", {cell: {} for cell in parameters.rate_cells()}, runs=2)
    assert parameters._drawn(study, Compared(grid, TENTH, {(0.05, 0.05): {1: 88.0, 2: 87.0}})) == ""  # no line yet
    scores = {(0.05, alpha): {1: 88.0, 2: 87.0} for alpha in (0.04, 0.05)}
    assert parameters._drawn(study, Compared(grid, TENTH, scores)) == "table1"
    assert (tmp_path / "report/table1.svg").exists()


def test_profiles_cross_where_the_lead_changes_for_good() -> None:
    strength = np.arange(5.0, 100.0, 5.0)
    full = np.ones(19)
    assert crossing_of(strength, strength - 47.0, full) == pytest.approx(47.0)
    assert crossing_of(strength, 47.0 - strength, full) == 100.0
    assert crossing_of(strength, np.ones(19), full) == 0.0
    odd = np.where(strength == 80.0, -100.0, strength - 47.0)  # of a bin with hardly any opponents
    assert crossing_of(strength, odd, np.where(strength == 80.0, 0.01, 1.0)) == pytest.approx(47.0)


def test_symmetric_weights_have_no_asymmetry() -> None:
    row, column = np.divmod(np.arange(64), 8)
    ring = np.maximum(np.abs(row - 3.5), np.abs(column - 3.5))
    assert asymmetry(GAME, np.array([ring, 5 * ring])) == pytest.approx(0.0)
    assert asymmetry(GAME, np.array([ring, ring + (row == 0)])) > 0.1
    assert clustered(np.array([ring, ring + row, ring + column]), 0.3) is None


@pytest.mark.parametrize("measure", TOLERANCE)
def test_one_player_never_settles_a_mean_over_many(measure: str) -> None:
    value, half = TABLE_2["tdl"][measure]
    spread = half * RUNS**0.5
    for ours in (value, value + 4.0):
        estimate = _widened(Estimate(ours, (ours - 0.7, ours + 0.7)), spread)
        assert verdict_near(estimate, value, TOLERANCE[measure]).verdict == "not settled"
    assert _widened(Estimate(99.0, (98.0, 99.5)), spread).interval[1] == 100.0
