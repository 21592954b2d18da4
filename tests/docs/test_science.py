"""The figures on the pages about the papers are those of our reports."""

import runpy

import pytest

from ludus.registry import papers
from tests.docs.pages import ROOT

CLAIMS = runpy.run_path(str(ROOT / "docs" / "claims.py"))


@pytest.mark.parametrize("page", CLAIMS["PAGES"], ids=lambda page: page.stem)
def test_its_figures_are_those_of_the_report(page) -> None:
    text = page.read_text()
    assert f"<!-- begin figures of {'all' if page.stem == 'README' else page.stem} -->" in text
    assert CLAIMS["filled"](text) == text, "run `make docs`"


def test_every_paper_has_its_page() -> None:
    pages = {page.stem for page in CLAIMS["PAGES"]}
    assert pages >= {key for key, paper in papers().items() if type(paper).__module__.startswith("ludus.")}


def test_another_figure_would_be_noticed() -> None:
    page = (ROOT / "docs" / "science" / "jaskowski2014.md").read_text()
    assert "87.81" in page
    assert CLAIMS["filled"](page.replace("87.81", "88.81")) == page
    assert "not finished" in CLAIMS["figures"]("nobody2031")
