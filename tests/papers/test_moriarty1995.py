"""The experiments of moriarty1995 with a tiny budget: every claim gets a figure, and stopping changes nothing."""

from pathlib import Path

import pytest

from ludus.papers.base import Workspace
from ludus.papers.moriarty1995 import setup
from ludus.papers.moriarty1995.behaviour import CONTROL
from ludus.papers.moriarty1995.setup import Budget
from ludus.papers.names import paper
from ludus.papers.report import reproduce


@pytest.mark.usefixtures("drawn_once")
def test_every_claim_gets_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = Budget(
        populations=2,
        marker_generations=(2, 2),
        fixed_generations=(2, 2),
        games=60,
        trial_games=10,
        trial_populations=0,
        trial_generations=0,
    )
    monkeypatch.setitem(setup.BUDGETS, "quick", tiny)
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report")
    found = reproduce(paper("moriarty1995"), "quick", workspace)
    assert len(found.claims) == 16
    by_id = {claim.id: claim for claim in found.claims}
    control = by_id["figure5-fewer"].readings[-1]
    assert (control.name, control.runs) == (CONTROL, 2)
    assert isinstance(control.ours, float)
    assert control.ours > 5  # it takes no network to win with fewer pieces than the searcher
    assert "A random mover wins " in by_id["section4-marker-before"].note
    assert all(each.ours is not None and each.runs == 2 for each in found.claims)
    shown = {each.stem for each in found.figures}
    assert shown == {"figure4", "figure5", "figure8", "learning", "learning-1024ths"}
    assert {each.figure for each in found.claims} <= shown | {""}
    again = reproduce(paper("moriarty1995"), "quick", workspace)
    assert again.claims == found.claims
