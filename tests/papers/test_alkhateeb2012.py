"""The experiments of alkhateeb2012 with tiny budgets, and what is computed from the paper's own tables."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludus.errors import LudusError
from ludus.games.names import game
from ludus.measures.ratings import Result
from ludus.papers.alkhateeb2012 import PAPER, setup
from ludus.papers.alkhateeb2012.dispersion import (
    agreement,
    differing_by_chance,
    evenness,
    printed_cells,
    rating_span,
    simulated_spans,
)
from ludus.papers.alkhateeb2012.leagues import same_better
from ludus.papers.alkhateeb2012.networks import layer_spans, network_of, shuffled, untrained
from ludus.papers.alkhateeb2012.published import PUBLISHED, published_results
from ludus.papers.alkhateeb2012.selection import repeatability
from ludus.papers.alkhateeb2012.setup import ALIKE, Budget
from ludus.papers.base import Workspace
from ludus.papers.report import reproduce
from ludus.papers.study import Study
from tests.effort import EFFORT

TINY = Budget(
    generations=2, depth=1, alike=2, short=2, short_generations=1, reading_runs=2, start_games=2, untrained=2,
    control_games=4, searchers=(1,), judged_generations=(1,), judged_runs=2, repeats=2, copies=2, simulations=3,
    change_runs=2, better_runs=2,
)  # fmt: skip


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(setup.BUDGETS, "quick", TINY)


@pytest.mark.skipif(EFFORT == 1, reason="a hundred runs and most kernels of checkers; the nightly effort runs it")
@pytest.mark.usefixtures("tiny")
@pytest.mark.usefixtures("drawn_once")
def test_every_claim_and_every_reading_gets_a_figure_and_nothing_is_done_twice(tmp_path: Path) -> None:
    lines: list[str] = []
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report", log=lines.append)
    found = reproduce(PAPER, "quick", workspace)
    claims = {claim.id: claim for claim in found.claims}
    assert len(claims) == len(found.claims) == 6 + 8 + 12 + 1 + 6 + 2 + 7 + 2
    assert all(claim.ours is not None for claim in found.claims)
    assert all(reading.ours is not None for claim in found.claims for reading in claim.readings)
    assert len(claims["table15-c10"].readings) == 1 + 1 + len(setup.VARIANTS)
    assert len(claims["table4-draws"].readings) == 1 + len(setup.VARIANTS)
    assert [claim.verdict for claim in found.claims if claim.id.endswith("-rated")] == ["reproduced"] * len(PUBLISHED)
    assert claims["table13-c10"].paper == "119 ± 29"
    shown = {figure.stem for figure in found.figures}
    assert {claim.figure for claim in found.claims} <= shown | {""}
    assert {"league", "controls", "weights", "selection", "spans", "draws-readings", "better"} <= shown
    trained = [line.split()[-1] for line in lines if "runs finished" in line]
    methods = {run.split("/")[0].upper() for run in trained[: len(setup.METHODS)]}
    assert methods == set(setup.METHODS)  # one of each before a second of any
    assert any("matches/" in line for line in lines)
    lines.clear()
    again = reproduce(PAPER, "quick", workspace)
    assert again.claims == found.claims
    assert not any("matches/" in line or "tournaments/" in line for line in lines)


@pytest.mark.usefixtures("tiny")
@pytest.mark.usefixtures("drawn_once")
def test_what_is_finished_is_reported_and_the_rest_says_what_it_takes(tmp_path: Path) -> None:
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report", workers=2, partial=True)

    def run_claims() -> set[str]:
        return {claim.id for claim in reproduce(PAPER, "quick", workspace).claims if claim.verdict != "not run"}

    exact = run_claims()
    assert all(claim.endswith("-rated") for claim in exact)
    settings = {"generations": 2, "depth": 1}
    trained = [
        *(workspace.run(f"c0/2/seed-{seed}", "blondie24", "checkers", seed, settings) for seed in (1000, 1001)),
        workspace.run("c10/2/seed-1000", "social", "checkers", 1000, {"plan": "C10"} | settings),
    ]
    replace(workspace, partial=False).train(trained)
    assert run_claims() - exact == {
        "table15-c10", "tables-iii-iv-v-alike", "tables-iii-iv-v-span", "table4-draws", "beyond-untrained-c0",
        "beyond-untrained-c10", "beyond-shuffled-c0", "beyond-shuffled-c10",
    }  # fmt: skip
    claims = {claim.id: claim for claim in reproduce(PAPER, "quick", workspace).claims}
    assert claims["table15-c20"].note.startswith("Not finished: C20, about ")
    assert "Not all of these runs are finished" in (workspace.report / "index.html").read_text()
    assert len(list(workspace.runs.rglob("run.json"))) == len(trained)
    with pytest.raises(LudusError, match="not finished"):
        workspace.train([workspace.run("c1/2/seed-1000", "social", "checkers", 1000, {"plan": "C1"} | settings)])


@pytest.mark.parametrize(
    ("paper", "ours", "verdicts"),
    [
        (0.98, 0.97, ["reproduced"]),
        (0.98, 0.6, ["not settled"]),
        (0.98, None, ["not run"]),
        (0.6, 0.1, []),
        (0.01, 0.02, ["reproduced"]),
        (0.01, 0.99, ["not reproduced"]),
    ],
)
def test_a_score_near_the_papers_has_to_tell_who_is_better_too(paper, ours, verdicts) -> None:
    found = same_better(paper, ours, "C10", "C0")
    assert [each.verdict for each in found] == verdicts
    better = "C10" if paper > 0.5 else "C0"
    assert all(each.rule == f"{better} is better with a likelihood of 95% or more" for each in found)


def test_printed_leagues_of_players_that_are_alike_are_more_even_than_independent_games() -> None:
    found = [evenness(published_results(PUBLISHED[tables])) for tables in ALIKE.values()]
    assert [round(each.chi_square, 1) for each in found] == [5.4, 1.6, 1.1]
    assert {each.degrees for each in found} == {45}
    assert max(each.chance for each in found) < 1e-12
    same = agreement(printed_cells("III, IV, V", 9), printed_cells("VI, VII, VIII", 9))
    assert (same.same, same.cells, round(same.expected, 1)) == (61, 81, 11.7)
    spans = [rating_span(published_results(PUBLISHED[tables])) for tables in ALIKE.values()]
    assert spans == pytest.approx([8, 4, 3], abs=1)  # the printed ratings are rounded


def test_independent_games_of_equal_players_are_as_even_as_chi_square() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(86, (0.25, 0.5, 0.25), 2000).tolist()
    found = evenness([Result("a", "b", *each) for each in counts])
    assert found.chi_square / found.degrees == pytest.approx(1, abs=0.1)
    assert 0.001 < found.chance < 0.999
    assert evenness([Result("a", "b", 0, 86, 0), Result("a", "b", 30, 50, 6)]) == (16.0, 1)
    spans = simulated_spans(10, 0.5, 200)
    assert spans.mean() == pytest.approx(21, abs=1.5)
    assert spans.min() > 4  # which two of the printed leagues do not reach
    assert simulated_spans(10, 0.9, 50).mean() < spans.mean() - 5


def test_equal_players_who_draw_often_seldom_seem_to_differ() -> None:
    assert differing_by_chance(10, 0.27, 100) == pytest.approx(0.1, abs=0.02)
    assert differing_by_chance(10, 0.65, 100) < 0.015


def test_a_shuffled_network_keeps_its_outputs_its_king_and_the_weights_of_each_layer(tmp_path: Path) -> None:
    study = Study("quick", TINY, Workspace(tmp_path, tmp_path), game("checkers"), 1)
    one = untrained(study, 1)[0]
    (numbers, king), spans = network_of(one), layer_spans(one)
    assert [part.stop - part.start for parts in spans.values() for part in parts] == [
        854, 91, 3640, 40, 400, 10, 10, 1,
    ]  # fmt: skip
    assert max(part.stop for parts in spans.values() for part in parts) == len(numbers) == 5046
    for other in shuffled(study, one, 2):
        mixed, same_king = network_of(other)
        assert same_king == king == 1.5
        for name, parts in spans.items():
            for part in parts:
                assert np.array_equal(np.sort(mixed[part]), np.sort(numbers[part]))
                assert np.array_equal(mixed[part], numbers[part]) == (name == "output")


def test_repeated_tournaments_of_networks_that_differ_agree() -> None:
    strength = np.arange(30.0)
    rng = np.random.default_rng(1)
    certain = repeatability(np.array([strength, 2 * strength]))
    assert certain == (pytest.approx(1.0), 15.0, 15.0, 7.5)
    noise = repeatability(rng.normal(size=(40, 30)).round())
    assert abs(noise.correlation) < 0.05
    assert noise.by_lot == pytest.approx(noise.by_chance, abs=0.3)
    assert noise.in_common > noise.by_lot  # equals rank as they stand, in both tournaments
    alike = repeatability(np.zeros((30, 30)))
    assert (alike.correlation, alike.in_common) == (0.0, 15.0)
    assert alike.by_lot == pytest.approx(7.5, abs=0.4)
