"""The page on reliability names tests that there are."""

import re

from tests.docs.pages import ROOT


def test_every_test_that_the_page_names_is_there() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text()
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 30
    for file, name in named:
        assert (f"def {name}(" if name else "def test_") in (ROOT / file).read_text(), f"{file}::{name}"
    promises = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    assert len(promises) > 10
    for line in promises:
        assert line.count("|") == 4, line
