"""`ludus reference`."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app
from ludus.storage import write_whole


@app.command()
def reference(
    out: Annotated[str, typer.Option(metavar="FOLDER", help="where the pages go")] = "reference",
    ours: Annotated[
        bool, typer.Option("--ours", help="only what comes with Ludus, not other packages' things")
    ] = False,
) -> None:
    """Write the reference of everything installed here as Markdown: games, players, learners, commands, Python.

    Example: ludus reference --out reference
    """
    from ludus.interfaces.reference import pages

    texts = pages(ours)
    for name, text in texts.items():
        write_whole(Path(out) / name, text.encode())
    print(f"{len(texts)} pages are in {out}; begin with {Path(out) / 'README.md'}")
