"""What the tests of papers share."""

from pathlib import Path
from typing import Any

import pytest

from ludus.measures import figures


@pytest.fixture
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that a test has drawn stay as they are: drawing takes longer than the experiments."""
    draw = figures._save

    def keep(figure: Any, path: Path) -> tuple[Path, Path]:
        both = (path.with_suffix(".svg"), path.with_suffix(".png"))
        return both if all(each.exists() for each in both) else draw(figure, path)

    monkeypatch.setattr(figures, "_save", keep)
