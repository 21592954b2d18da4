"""The experiments of abramson2001 with tiny budgets: claims and readings get figures, and nothing is done twice."""

from dataclasses import replace
from pathlib import Path

import pytest

from ludus.games.names import game
from ludus.measures.performance import compiled
from ludus.measures.territory import territory_lost
from ludus.papers.abramson2001 import changes, setup
from ludus.papers.abramson2001.codebook import positions_met
from ludus.papers.abramson2001.gnugo import installed
from ludus.papers.abramson2001.runs import untrained
from ludus.papers.abramson2001.setup import BY_KEY, LINEAR, LVQ, MAIN, OUR_MOVE, OUR_PROBLEM, VARIANTS, Budget
from ludus.papers.base import Workspace
from ludus.papers.names import paper
from ludus.papers.report import reproduce
from ludus.papers.study import Study
from ludus.players.names import player
from tests.effort import EFFORT

TINY = Budget(
    runs=2, reading_runs=2, games=4, step_games=2, test_games=2, measured_games=2, ranking_games=2, met_games=1,
    study_runs=0, study_games=0, confirmed_runs=0, confirmed_games=0, seed_games=0,
)  # fmt: skip


@pytest.mark.skipif(EFFORT == 1, reason="two hundred runs; the nightly effort runs it")
def test_every_claim_and_every_reading_gets_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(setup.BUDGETS, "quick", TINY)
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report")
    found = reproduce(paper("abramson2001"), "quick", workspace)
    by_id = {claim.id: claim for claim in found.claims}
    assert len(by_id) == 17
    assert all(claim.ours is not None for claim in found.claims)
    assert all(reading.ours is not None for claim in found.claims for reading in claim.readings)
    assert "the codebook before training wins" in by_id["fig8-wins"].note
    assert len(by_id["fig6-better"].readings) == len(VARIANTS) - 1
    assert len(by_id["fig5-better"].readings) == sum(not each.wally for each in VARIANTS) - 1
    assert reproduce(paper("abramson2001"), "quick", workspace).claims == found.claims

    # a report while runs are missing: what waits for them is not run, and the rest stays as it was
    (tmp_path / "runs/paper/fig6/sarsa-lvq/seed-1000/player.safetensors").unlink()
    partial = reproduce(paper("abramson2001"), "quick", replace(workspace, partial=True))
    waiting = [claim for claim in partial.claims if claim.ours is None]
    assert {claim.id for claim in waiting} == {"fig6-better", "fig6-wins", "fig4-similarity"}
    assert all(claim.verdict == "not run" and claim.runs == 0 for claim in waiting)
    assert [claim for claim in partial.claims if not claim.id.startswith(("fig6", "fig4"))] == [
        claim for claim in found.claims if not claim.id.startswith(("fig6", "fig4"))
    ]


@pytest.mark.skipif(EFFORT == 1 or not installed(), reason="needs GNU Go, and the nightly effort")
def test_the_best_change_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = (changes.NONE, "seeds from games of GNU Go with itself", "plays both colours")
    monkeypatch.setattr(changes, "CHANGES", {name: changes.CHANGES[name] for name in names})
    budget = replace(TINY, study_runs=2, study_games=2, confirmed_runs=2, confirmed_games=2, seed_games=8)
    texts = []
    for _ in range(2):
        study = Study("quick", budget, Workspace(tmp_path / "runs", tmp_path / "report"), game("go5"), 2)
        changes.lifts(study)
        (section,) = study.report().sections
        texts.append(section.text)
    assert texts[0] == texts[1]
    first, again = (block.splitlines() for block in texts[0].split("\n\n") if block.startswith("|"))
    assert len(first) == 1 + len(names) + len(changes.CONTROLS) + 1
    best = next(line for line in first[1:] if changes.NONE not in line).split(" | ")[0]
    assert [line.split(" | ")[0] for line in again[1:]] == [f"| {changes.NONE}"] * 3 + [best] * 3


def test_readings_have_runs_of_their_own_only_where_they_change_something() -> None:
    own = {
        (each.key, learner, key)
        for each in VARIANTS
        for learner in (LVQ, LINEAR)
        for key, setting in BY_KEY.items()
        if each.changes(learner, setting)
    }
    assert not any(MAIN.changes(learner, setting) for learner in (LVQ, LINEAR) for setting in BY_KEY.values())
    assert {("forced", LINEAR, "fig5"), ("board", LINEAR, "fig9"), ("wally-list", LVQ, "fig6")} <= own
    assert not {("uses", LINEAR, "fig5"), ("board", LVQ, "fig9"), ("wally-list", LVQ, "fig5")} & own


def test_positions_met_are_choices_of_black() -> None:
    setting = BY_KEY["fig7"]
    positions = positions_met(untrained(setting), "wally", setting, 1, replace(TINY, met_games=2))
    assert positions[0].text.startswith("...O./..OX./..OX./.OXX./.....")
    assert all(each.current_player == 0 and len(each.legal) > 1 for each in positions)
    assert len({each.text for each in positions}) > 10


def test_our_problem_hangs_on_one_move() -> None:
    board = game(BY_KEY["fig11"].game)
    given, black, white = board.position(OUR_PROBLEM), *(compiled(player(name, board)) for name in ("random", "wally"))
    after = given.play(OUR_MOVE).text
    dies, lives = (territory_lost(black, white, 200, start=start).mean() for start in (OUR_PROBLEM[:-1] + "O", after))
    assert lives < dies - 0.1
