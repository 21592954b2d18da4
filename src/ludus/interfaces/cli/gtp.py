"""`ludus gtp`."""

import sys

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.arguments import GameOption, PlayerName, Seed


@app.command()
def gtp(player: PlayerName, game: GameOption = "go9", seed: Seed = 1) -> None:
    """Play for a program that speaks GTP, the Go Text Protocol: Go or Othello.

    Example: ludus gtp alphabeta:depth=2 --game go9
    """
    from ludus.games.names import game as find
    from ludus.interfaces.engine_board import bounded_lines
    from ludus.interfaces.gtp import MAX_LINE, GtpServer
    from ludus.players.names import player as find_player

    server = GtpServer(lambda variant: find_player(player, variant), find(game), player, seed)
    server.serve(bounded_lines(sys.stdin, MAX_LINE), sys.stdout)
