"""`ludus runs`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ludus.errors import DamagedFile, UnknownName
from ludus.interfaces.cli.app import app, columns, console, print_json
from ludus.interfaces.cli.arguments import AsJson
from ludus.progress import duration, number
from ludus.suggestions import did_you_mean

if TYPE_CHECKING:
    from ludus.runs.run import Run


@app.command("runs")
def list_runs(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="where to look for runs")] = "runs",
    curve: Annotated[str, typer.Option(metavar="NAME", help="draw this metric of all runs over their steps")] = "",
    figure: Annotated[
        str, typer.Option(metavar="FILE", help="where to draw it (.svg; a .png beside it)")
    ] = "curve.svg",
    as_json: AsJson = False,
) -> None:
    """List runs: how far they are, their speed and their latest metrics.

    Example: ludus runs runs/first
    """
    from ludus.runs.store import find_runs

    found, wrong = find_runs(Path(folder))
    if not found and not wrong:
        if folder != "runs" and not Path(folder).exists():
            raise UnknownName(f"there is no folder {folder}; name one with runs")
        raise UnknownName(f"there are no runs in {folder}; `ludus train` makes some")
    if curve and found:
        _draw(found, curve, Path(figure))
        if not as_json:
            print(f"{curve} is drawn in {figure}")
    _show(found, as_json)
    if wrong:
        raise DamagedFile(f"{len(wrong)} of {len(found) + len(wrong)} runs can't be read; the first: {wrong[0]}")


def _show(found: "list[Run]", as_json: bool) -> None:
    summaries = [run.to_json() for run in found]
    if as_json:
        print_json({"runs": summaries})
        return
    names = columns("run", "learner", "game", "seed#", "state", "time#", "latest metrics")
    table = Table(*names, box=None, pad_edge=False)
    for run in summaries:
        last = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in run["last"].items())
        asked, seconds = run["asked"], duration(run["seconds"])
        row = (run["folder"], asked["learner"], asked["game"], asked["seed"], run["state"], seconds, last)
        table.add_row(*map(str, row))
    console().print(table)


def _draw(found: "list[Run]", curve: str, file: Path) -> None:
    from ludus.measures.figures import Curve, curves

    rows = {str(run.folder): run.metrics for run in found}
    lines = {
        name: Curve(*zip(*((step, row[curve]) for step, row in enumerate(each, 1) if curve in row), strict=True))
        for name, each in rows.items()
        if any(curve in row for row in each)
    }
    if not lines:
        known = sorted({name for each in rows.values() for row in each for name in row})
        meant = did_you_mean(curve, known)
        raise UnknownName(f"no run has the metric {curve!r}{meant}; known metrics: {', '.join(known)}")
    curves(file, lines, x="step", y=curve.replace("_", " "))
