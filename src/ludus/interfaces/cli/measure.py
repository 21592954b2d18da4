"""`ludus measure`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import CORES, AsJson, PlayerName, PlayersGame, Seed, Workers


@app.command()
def measure(
    name: PlayerName,
    game: PlayersGame = "",
    games: Annotated[int, typer.Option(min=2, max=10_000_000, help="how many games for each measure")] = 50_000,
    seed: Seed = 1,
    workers: Workers = CORES,
    as_json: AsJson = False,
) -> None:
    """Measure a player in percent of all points: against random weights, and against the game's standard player.

    Example: ludus measure heuristic --game othello8 --games 50000
    """
    from ludus import api

    measured = api.player(name, game or None)
    found = api.measure(measured, games=games, seed=seed, workers=workers)
    if as_json:
        print_json(found.to_json())
        return
    opponents = {
        "generalization": "one-ply players with random weights",
        "heuristic": f"{measured.game.name}'s standard player, 10% random moves on both sides",
    }
    for what, each in (("generalization", found.generalization), ("heuristic", found.heuristic)):
        low, high = each.interval
        print(f"{what:14} {each.value:5.2f}% (95% from {low:.2f}% to {high:.2f}%) against {opponents[what]}")
