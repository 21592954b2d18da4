"""`ludus import`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app


@app.command("import")
def import_(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="what `ludus export` has written")],
    out: Annotated[str, typer.Option(metavar="FOLDER", help="where the run is kept; default runs/FOLDER")] = "",
) -> None:
    """Add an exported run to the runs in this folder. Its files are checked first.

    Example: ludus import first-player --out runs/theirs
    """
    from ludus import api

    run = api.import_run(folder, out or None)
    what = f"{run.spec.learner} on {run.spec.game}, seed {run.spec.seed}"
    print(f"{run.folder} is {what}; play or measure it as {run.folder}")
