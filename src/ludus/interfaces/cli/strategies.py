"""`ludus strategies`."""

from pathlib import Path
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson, Figure, PlayersGame, check_figure


@app.command()
def strategies(
    names: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="three or more players with weights, as runs")
    ],
    game: PlayersGame = "",
    quantile: Annotated[float, typer.Option(min=0.01, max=1, help="of all distances: how near makes a cluster")] = 0.3,
    figure: Figure = "",
    boards: Annotated[str, typer.Option(metavar="FILE", help="draw the mean weights of each cluster as boards")] = "",
    as_json: AsJson = False,
) -> None:
    """Find out which players have learned alike: clusters of their weights, on a map of two principal components.

    Example: ludus strategies runs/tdl/seed-1 runs/tdl/seed-2 runs/tdl/seed-3 --figure map.svg
    """
    from ludus import api
    from ludus.measures import figures

    check_figure(figure)
    check_figure(boards)
    found = api.strategies(names, game or None, quantile=quantile)
    if figure:
        figures.clusters(Path(figure), found.points, found.labels)
    if boards:
        drawn = {f"cluster {i + 1}": centre for i, centre in enumerate(found.centres)}
        figures.boards(Path(boards), api.player(names[0], game or None).game, drawn)
    if as_json:
        print_json(found.to_json())
        return
    shares = " and ".join(f"{share:.0%}" for share in found.explained)
    print(f"{len(found.centres)} clusters; the map shows {shares} of the variance")
    for label in range(len(found.centres)):
        inside = [name for name, each in zip(names, found.labels, strict=True) if each == label]
        print(f"cluster {label + 1}: {', '.join(inside)}")
