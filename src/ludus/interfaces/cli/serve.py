"""`ludus serve`."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="the address to listen on; one beyond this machine needs --token")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 takes a free one")] = 8620,
    token: Annotated[
        str, typer.Option(envvar="LUDUS_TOKEN", help="what visitors must name, as http://HOST:PORT/?token=TOKEN")
    ] = "",
    data: Annotated[
        str, typer.Option(metavar="FOLDER", help="where games and studies are kept; default in the user's data folder")
    ] = "",
    runs: Annotated[str, typer.Option(metavar="FOLDER", help="the runs to show, play against and add to")] = "runs",
    reports: Annotated[str, typer.Option(metavar="FOLDER", help="reports on papers to show")] = "reports",
    browse: Annotated[bool, typer.Option("--browse", help="open the page in a browser")] = False,
) -> None:
    """Serve the arena: a page to play against trained players, see why they moved and watch them learn.

    Example: ludus serve --port 8620
    """
    from ludus.interfaces.web.server import serve as listen
    from ludus.records.arena import data_folder

    def ready(address: str) -> None:
        print(f"The arena is open at {address} (Ctrl-C closes it).", flush=True)
        if browse:
            webbrowser.open(address)

    try:
        listen(host, port, token, Path(data) if data else data_folder(), Path(runs), Path(reports), ready)
    except KeyboardInterrupt:
        print("The arena is closed; its games are kept.")
