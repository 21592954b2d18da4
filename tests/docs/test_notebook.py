"""The notebook in examples runs from its first cell to its last."""

import os

import nbclient
import nbformat
import pytest

from tests.docs.follower import SOURCES
from tests.docs.pages import ROOT

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"


def test_the_notebook_runs(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(SOURCES), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    )
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("TOUR_GAMES", "500")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    kinds = [kind for output in drawn for kind in output.data]
    assert (kinds.count("image/png"), kinds.count("image/svg+xml")) == (1, 3)  # a plot; two figures and a board


def test_it_is_kept_without_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
