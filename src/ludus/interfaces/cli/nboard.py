"""`ludus nboard`."""

import sys

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.arguments import PlayerName, Seed


@app.command()
def nboard(player: PlayerName, seed: Seed = 1) -> None:
    """Play 8x8 Othello for NBoard, or another program that speaks its protocol.

    Example: ludus nboard alphabeta:depth=4,exact=10
    """
    from ludus.games.names import game as find
    from ludus.interfaces.engine_board import bounded_lines
    from ludus.interfaces.nboard import MAX_LINE, NBoardServer
    from ludus.players.names import player as find_player

    server = NBoardServer(lambda variant: find_player(player, variant), find("othello8"), player, seed)
    server.serve(bounded_lines(sys.stdin, MAX_LINE), sys.stdout)
