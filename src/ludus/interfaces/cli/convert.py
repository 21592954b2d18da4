"""`ludus convert`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.arguments import PlayerName


@app.command()
def convert(
    player: PlayerName,
    file: Annotated[str, typer.Argument(metavar="FILE", help="the file to write: FILE.txt or FILE.safetensors")],
) -> None:
    """Write an n-tuple player as a file of another form, which its ending tells.

    FILE.txt is the text file that the Othello League takes, of players of 8x8 Othello; the other way round, such a file
    is a player: othello-league:file=FILE.txt,white=invert. FILE.safetensors is a compact player file: weights in half
    precision, those that are 0 left out.

    Example: ludus convert runs/tdl-othello8-1 player.txt
    """
    from ludus import api

    api.convert(player, file)
    print(f"{player} is in {file}" + ("; it plays White on the inverted board" if file.endswith(".txt") else ""))
