"""`ludus players`."""

from typing import Annotated

import typer
from rich.table import Column, Table

from ludus.errors import LudusError
from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import AsJson

WIDE = 34
"""Columns on the terminal for examples, which are there to be copied: all but one fit in."""


@app.command()
def players(
    game: Annotated[str, typer.Option(help="show the players of this game whose Elo is known instead")] = "",
    as_json: AsJson = False,
) -> None:
    """List the kinds of player with an example string for each, the evaluators that `value=` can name, and the levels.

    Example: ludus players --game othello8
    """
    from ludus import api
    from ludus.measures.ladder import ladders
    from ludus.measures.strengths import strengths
    from ludus.players.levels import levels
    from ludus.registry import evaluators, player_kinds

    boards = [game] if game else ladders()
    rated = [(board, text, each) for board in boards for text, each in strengths(api.game(board)).items()]
    rated.sort(key=lambda found: (found[0], -found[2].elo))
    if as_json:
        judges = [
            {"name": each.name, "description": each.description, "games": list(each.makes)}
            for each in evaluators().values()
        ]
        kinds = [
            {"name": each.name, "description": each.description, "example": each.example}
            for each in player_kinds().values()
        ]
        elos = [
            {"game": board, "player": text, "elo": each.elo, "elo_interval": [each.low, each.high]}
            for board, text, each in rated
        ]
        print_json({"players": kinds, "evaluators": judges, "ratings": elos})
        return
    if game:
        if not rated:
            raise LudusError(f"nobody's Elo is known in {game}; that of players is known in {', '.join(ladders())}")
        print("   Elo  95% interval  player")
        for _, text, each in rated:
            print(f"{each.elo:6.0f} {f'{each.low:.0f} to {each.high:.0f}':>13}  {text}")
        return
    example = Column("example", overflow="fold", min_width=WIDE)
    table = Table("player", "what it does", example, box=None, pad_edge=False)
    for kind in player_kinds().values():
        table.add_row(kind.name, kind.description, kind.example)
    console().print(table)
    table = Table("value=", "what it looks for", "game", box=None, pad_edge=False)
    for judge in evaluators().values():
        table.add_row(judge.name, judge.description, ", ".join(judge.makes))
    console().print("", table)
    table = Table(
        "level:1, level:2, ...", "Elo of each on its game's ladder, where random has 0", box=None, pad_edge=False
    )
    for board in boards:
        table.add_row(board, ", ".join(f"{each.elo:.0f}" for each in levels(board)))
    console().print("", table)
