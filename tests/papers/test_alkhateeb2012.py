"""The claims of alkhateeb2012 at a scale that only shows that every part runs."""

from pathlib import Path

import pytest

from ludus.papers import alkhateeb2012
from ludus.papers.alkhateeb2012 import PAPER, PUBLISHED, Budget
from ludus.papers.paper import Workplace
from ludus.papers.report import reproduce


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
    assert played == 15 + 12 + 3 + 8 * 2 + 1
    told.clear()
    assert reproduce(PAPER, "quick", place).claims == found.claims
    assert not any("matches/" in line for line in told)
