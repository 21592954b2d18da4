"""`ludus profile`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludus.interfaces.cli.app import app, columns, console, print_json
from ludus.interfaces.cli.arguments import CORES, AsJson, Figure, PlayersGame, Seed, Workers, check_figure


@app.command()
def profile(
    names: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="player strings or player files")],
    game: PlayersGame = "",
    build: Annotated[bool, typer.Option("--build", help="make the opponents, if they are not there yet")] = False,
    per_bin: Annotated[int, typer.Option(min=1, max=1000, help="opponents of each strength")] = 10,
    bin_width: Annotated[float, typer.Option(min=0.5, max=20, help="percent between one strength and the next")] = 5.0,
    games: Annotated[int, typer.Option(min=2, max=10_000, help="games against each opponent, an even number")] = 10,
    seed: Seed = 1,
    workers: Workers = CORES,
    figure: Figure = "",
    as_json: AsJson = False,
) -> None:
    """Show how players fare against opponents of each strength, from the weakest to the strongest.

    The opponents are made once, with --build: in a minute as they are by default, in a quarter of an hour with
    --per-bin 50 --bin-width 1. Example: ludus profile heuristic discs --build --figure profile.svg
    """
    from ludus import api
    from ludus.measures import profiles

    players = [api.player(name, game or None) for name in names]
    check_figure(figure)
    found = api.profile(
        *players, game=game or None, build=build, per_bin=per_bin, bin_width=bin_width, games=games, seed=seed,
        workers=workers, progress=False if as_json else "lines",
    )  # fmt: skip
    if figure:
        from ludus.measures.figures import profile_curves

        profile_curves(Path(figure), found)
    if as_json:
        print_json({"profiles": {name: each.to_json() for name, each in found.items()}})
        return
    variant = players[0].game
    print(profiles.load(profiles.usual_path(variant, per_bin, bin_width), variant))
    table = Table(*columns("strength#", *(f"{name}#" for name in found)), box=None, pad_edge=False)
    shares = [each.percent for each in found.values()]
    for i, strength in enumerate(next(iter(found.values())).strength):
        table.add_row(f"{strength:.1f}%", *(f"{share[i]:.1f}%" for share in shares))
    console().print(table)
