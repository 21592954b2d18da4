"""`ludus convert`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.arguments import PlayerName


@app.command()
def convert(
    player: PlayerName,
    file: Annotated[str, typer.Argument(metavar="FILE.txt", help="the file to write")],
) -> None:
    """Write an n-tuple player of 8x8 Othello as the text file that the Othello League takes.

    The other way round, such a file is a player: othello-league:file=FILE.txt,white=invert.

    Example: ludus convert runs/tdl-othello8-1 player.txt
    """
    from ludus import api

    api.convert(player, file)
    print(f"{player} is in {file}; it plays White on the inverted board")
