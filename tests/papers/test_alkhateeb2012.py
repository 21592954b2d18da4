"""The claims of alkhateeb2012 at a scale that only shows that every part runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from ludus.errors import LudusError
from ludus.papers import alkhateeb2012
from ludus.papers.alkhateeb2012 import PAPER, PUBLISHED, Budget, agree
from ludus.papers.paper import Workplace
from ludus.papers.report import reproduce


@pytest.mark.long
def test_every_claim_is_judged_and_what_is_kept_is_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(alkhateeb2012.BUDGETS, "quick", Budget(generations=2, depth=1, alike=2, alike_generations=1))
    monkeypatch.setattr(alkhateeb2012, "SEARCHERS", (1,))
    told: list[str] = []
    place = Workplace(runs=tmp_path / "runs", report=tmp_path / "report", tell=told.append)
    found = reproduce(PAPER, "quick", place)
    claims = {claim.id: claim for claim in found.claims}
    assert len(claims) == len(found.claims) == 6 + 8 + 12 + 1 + 3 + 1
    rated = [claim for claim in found.claims if claim.id.endswith("-rated")]
    assert [claim.verdict for claim in rated] == ["reproduced"] * len(PUBLISHED)
    assert claims["table13-c10"].paper == "119 ± 29"
    assert {figure.stem for figure in found.figures} == {"league", "draws", "strength"}
    played = sum("matches/" in line for line in told)
    assert played == 15 + 12 + 1 + 3 + 8 * 2
    told.clear()
    assert reproduce(PAPER, "quick", place).claims == found.claims
    assert not any("matches/" in line for line in told)


def test_what_is_finished_is_told_and_the_rest_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(alkhateeb2012.BUDGETS, "quick", Budget(generations=2, depth=1, alike=2, alike_generations=1))
    monkeypatch.setattr(alkhateeb2012, "SEARCHERS", (1,))
    place = Workplace(runs=tmp_path / "runs", report=tmp_path / "report", workers=2, so_far=True)

    def judged() -> set[str]:
        return {claim.id for claim in reproduce(PAPER, "quick", place).claims if claim.verdict != "not run"}

    exact = judged()
    assert all(claim.endswith("-rated") for claim in exact)
    settings = {"generations": 2, "depth": 1}
    trained = [
        place.task("c0/2/seed-1000", "blondie24", "checkers", 1000, settings),
        place.task("c10/2/seed-1000", "social", "checkers", 1000, {"plan": "C10"} | settings),
        *(place.task(f"c0/1/seed-{seed}", "blondie24", "checkers", seed, settings | {"generations": 1})
          for seed in (1000, 1001)),
    ]  # fmt: skip
    replace(place, so_far=False).train(trained)
    assert judged() - exact == {"table15-c10", "tables-iii-iv-v-alike", "beyond-evolved"}
    assert "Not all of these runs are finished" in (place.report / "index.html").read_text()
    assert len(list(place.runs.rglob("run.json"))) == len(trained)
    with pytest.raises(LudusError, match="not finished"):
        place.train([place.task("c1/2/seed-1000", "social", "checkers", 1000, {"plan": "C1"} | settings)])


@pytest.mark.parametrize(
    ("paper", "ours", "alike"),
    [(0.98, 0.97, True), (0.98, 0.6, False), (0.6, 0.1, True), (0.01, 0.02, True), (0.01, 0.99, False)],
)
def test_a_score_near_the_papers_has_to_tell_who_is_better_too(paper: float, ours: float, alike: bool) -> None:
    assert agree(paper, ours) == alike
