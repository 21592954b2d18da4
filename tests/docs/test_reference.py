"""The reference says what the code says."""

import pytest

from ludus.interfaces import reference
from ludus.learners.base import Learner
from ludus.registry import learners
from tests.docs.pages import ROOT
from tests.interfaces.conftest import say  # noqa: F401 - a fixture


def test_the_reference_is_up_to_date() -> None:
    kept = {file.name: file.read_text() for file in (ROOT / "docs" / "reference").iterdir()}
    made = reference.pages(ours=True)
    assert set(kept) == set(made), "run `make docs`"
    for name, text in made.items():
        assert kept[name] == text, f"{name} is out of date; run `make docs`"


def test_it_tells_of_other_packages_too(say, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stranger(Learner):
        name, description, settings = "stranger", "what nobody here has made", learners()["tdl"].settings
        start = step = done = player = lambda self: None

    monkeypatch.setattr(reference, "learners", lambda: {**learners(), "stranger": Stranger()})
    assert say("reference", "--out", str(tmp_path / "all"))[0] == 0
    assert say("reference", "--out", str(tmp_path / "ours"), "--ours")[0] == 0
    assert "stranger" in (tmp_path / "all" / "learners.md").read_text()
    assert "stranger" not in (tmp_path / "ours" / "learners.md").read_text()
    assert "alpha" in (tmp_path / "ours" / "learners.md").read_text()
