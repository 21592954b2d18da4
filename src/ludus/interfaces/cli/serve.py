"""`ludus serve`."""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="the address to listen on; beyond this machine visitors need a token")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 takes a free one")] = 8620,
    token: Annotated[
        str,
        typer.Option(
            envvar="LUDUS_TOKEN",
            help="what visitors must name, as http://HOST:PORT/?token=TOKEN: 22 characters or more; where one is "
            "needed and none is given, it is made up and printed. Better set as LUDUS_TOKEN in the environment, "
            "since options show in the list of processes",
        ),
    ] = "",
    data: Annotated[
        str, typer.Option(metavar="FOLDER", help="where games and studies are kept; default in the user's data folder")
    ] = "",
    runs: Annotated[str, typer.Option(metavar="FOLDER", help="the runs to show, play against and add to")] = "runs",
    reports: Annotated[str, typer.Option(metavar="FOLDER", help="reports on papers to show")] = "reports",
    class_: Annotated[
        bool,
        typer.Option(
            "--class", help="for a class: pupils join by name, enter a player into a league and play each other"
        ),
    ] = False,
    game: Annotated[str, typer.Option(metavar="GAME", help="the game of the class")] = "othello6",
    browse: Annotated[bool, typer.Option("--browse", help="open the page in a browser")] = False,
) -> None:
    """Serve the arena: a page to play against trained players, see why they moved and watch them learn.

    Example: ludus serve --port 8620
    """
    from ludus.interfaces.web.clients import is_loopback
    from ludus.interfaces.web.server import serve as listen
    from ludus.records.arena import data_folder

    def ready(address: str, wall: str) -> None:
        print(f"The arena is open at {address} (Ctrl-C closes it).", flush=True)
        if wall:
            print(f"That link is for the pupils. The wall, for you and the projector: {wall}", flush=True)
            if is_loopback(host):
                print("Only this machine can open them; others can with --host 0.0.0.0.", flush=True)
        if browse:
            webbrowser.open(address)

    try:
        folder = Path(data) if data else data_folder()
        listen(host, port, token, folder, Path(runs), Path(reports), ready, game if class_ else "")
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # after ^C, or what is being compiled
        print("The arena is closed; its games are kept.")
        sys.stdout.flush()
        os._exit(0)  # everything is closed; Python would wait for a machine that is still thinking
