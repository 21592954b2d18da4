"""`ludus runs`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ludus.errors import DamagedFile, UnknownName
from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import AsJson

if TYPE_CHECKING:
    from ludus.runs.run import Run


@app.command("runs")
def list_runs(
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="where to look for runs")] = "runs",
    curve: Annotated[str, typer.Option(metavar="NAME", help="draw this figure of all runs over their steps")] = "",
    figure: Annotated[
        str, typer.Option(metavar="FILE", help="where to draw it (.svg; a .png beside it)")
    ] = "curve.svg",
    as_json: AsJson = False,
) -> None:
    """List runs: how far they are, their speed and their last figures.

    Example: ludus runs runs/first
    """
    from ludus.runs.store import find_runs

    found, wrong = find_runs(Path(folder))
    if not found and not wrong:
        raise UnknownName(f"there are no runs in {folder}; `ludus train` makes some")
    if curve and found:
        _draw(found, curve, Path(figure))
    _show(found, as_json)
    if wrong:
        raise DamagedFile(f"{len(wrong)} of {len(found) + len(wrong)} runs can't be read; the first: {wrong[0]}")


def _show(found: "list[Run]", as_json: bool) -> None:
    summaries = [run.to_json() for run in found]
    if as_json:
        print_json({"runs": summaries})
        return
    table = Table("run", "learner", "game", "seed", "state", "seconds", "last figures", box=None, pad_edge=False)
    for run in summaries:
        last = ", ".join(f"{name} {value:g}" for name, value in run["last"].items())
        asked, seconds = run["asked"], f"{run['seconds']:.1f}"
        row = (run["folder"], asked["learner"], asked["game"], asked["seed"], run["state"], seconds, last)
        table.add_row(*map(str, row))
    console().print(table)


def _draw(found: "list[Run]", curve: str, file: Path) -> None:
    from ludus.measures.figures import Curve, curves

    rows = {str(run.folder): run.metrics for run in found}
    lines = {name: [row[curve] for row in each if curve in row] for name, each in rows.items()}
    if not any(lines.values()):
        known = sorted({name for each in rows.values() for row in each for name in row})
        raise UnknownName(f"no run has the figure {curve!r}; known figures: {', '.join(known)}")
    drawn = {name: Curve(range(1, len(values) + 1), values) for name, values in lines.items()}
    curves(file, drawn, x="step", y=curve.replace("_", " "))
    print(f"{curve} is drawn in {file}")
