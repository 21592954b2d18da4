"""`ludus behaviour`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import (
    CORES,
    AsJson,
    Figure,
    Games,
    Opening,
    PlayerName,
    PlayersGame,
    Seed,
    Workers,
    check_figure,
)


@app.command()
def behaviour(
    a: PlayerName,
    b: PlayerName,
    game: PlayersGame = "",
    games: Games = 1000,
    seed: Seed = 1,
    workers: Workers = CORES,
    opening: Opening = "usual",
    won: Annotated[bool, typer.Option("--won", help="only the games that the first player wins")] = False,
    windows: Annotated[
        str,
        typer.Option(
            metavar="0-20,20-40", help="where mobility is compared: windows of moves", show_default="thirds of the game"
        ),
    ] = "",
    figure: Figure = "",
    as_json: AsJson = False,
) -> None:
    """Show, move by move, the pieces that two players have and the moves that they can choose from.

    Example: ludus behaviour mobility random --games 1000 --won --figure behaviour.svg
    """
    from ludus import api
    from ludus.measures.behaviour import parse_windows

    check_figure(figure)
    asked = parse_windows(windows)
    found = api.behaviour(a, b, game or None, games=games, seed=seed, workers=workers, opening=opening, won=won)
    if figure:
        from ludus.measures.figures import behaviour_curves

        behaviour_curves(Path(figure), found, (a, b))
    mobility = found.mobility(asked)
    summary = found.to_json() | {"mobility": [each.to_json() for each in mobility]}
    if as_json:
        print_json({"games": summary.pop("games"), "players": [a, b]} | summary)
        return
    print(f"{found.games:,} game{'s' * (found.games != 1)}; A {a}, B {b}; averages after so many moves")
    table = Table("moves", "games", "A pieces", "B pieces", "A choices", "B choices", box=None, pad_edge=False)
    rows = zip(summary["reached"], summary["pieces"], summary["choices"], strict=True)
    for move, (reached, pieces, choices) in enumerate(rows):
        shown = ["-" if each is None else f"{each:.1f}" for each in (*pieces, *choices)]
        table.add_row(str(move), str(reached), *shown)
    console().print(table)
    if found.turning_point is not None:
        print(f"B has the most pieces after {found.turning_point} moves and loses some from then on.")
    if found.overtaking is not None:
        print(f"A has more pieces than B from {found.overtaking} moves on.")
    print("Moves to choose from, by moves made:")
    for each in mobility:
        print(f"  {each}")
