"""`ludus export`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.arguments import CORES, Seed, Workers


@app.command()
def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="the folder of a finished run")],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="a new folder")],
    games: Annotated[
        int, typer.Option(min=0, max=10_000_000, help="games of each measure on the model card; 0 leaves them out")
    ] = 2000,
    author: Annotated[list[str], typer.Option(metavar="NAME", help="who is to be cited")] = [],  # noqa: B006
    license: Annotated[str, typer.Option(help="its SPDX identifier, such as CC-BY-4.0")] = "",
    seed: Seed = 1,
    workers: Workers = CORES,
) -> None:
    """Write a finished run as a folder for others: player, settings, metrics, figures, a model card, a citation.

    Example: ludus export runs/first first-player --author "A. Researcher" --license CC-BY-4.0
    """
    from ludus import api

    files = api.export_run(run, folder, games=games, authors=author, license=license, seed=seed, workers=workers)
    print(f"{folder} has {len(files)} files, ready to be put online; its page is {folder}/README.md")
