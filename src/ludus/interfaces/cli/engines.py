"""`ludus gtp` and `ludus nboard`."""

import sys

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.matches import GameOption, PlayerName, Seed


@app.command()
def gtp(player: PlayerName, game: GameOption = "go9", seed: Seed = 1) -> None:
    """Play for a program that speaks GTP, the Go Text Protocol: Go or Othello.

    Example: ludus gtp alphabeta:depth=2 --game go9
    """
    from ludus.interfaces.engine.gtp import GtpServer
    from ludus.players.strings import player as find_player
    from ludus.registry import game as find

    server = GtpServer(lambda variant: find_player(player, variant), find(game), player, seed)
    server.serve(sys.stdin, sys.stdout)


@app.command()
def nboard(player: PlayerName, seed: Seed = 1) -> None:
    """Play 8x8 Othello for NBoard, or another program that speaks its protocol.

    Example: ludus nboard alphabeta:depth=4,exact=10
    """
    from ludus.interfaces.engine.nboard import NBoardServer
    from ludus.players.strings import player as find_player
    from ludus.registry import game as find

    server = NBoardServer(lambda variant: find_player(player, variant), find("othello8"), player, seed)
    server.serve(sys.stdin, sys.stdout)
