"""`ludus players`."""

from rich.table import Table

from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import AsJson


@app.command()
def players(as_json: AsJson = False) -> None:
    """List the kinds of player with an example string for each, and the evaluators that `value=` can name.

    Example: ludus players
    """
    from ludus.registry import evaluators, player_kinds

    if as_json:
        judges = [
            {"name": each.name, "description": each.description, "games": list(each.makes)}
            for each in evaluators().values()
        ]
        kinds = [
            {"name": each.name, "description": each.description, "example": each.example}
            for each in player_kinds().values()
        ]
        print_json({"players": kinds, "evaluators": judges})
        return
    table = Table("player", "what it does", "example", box=None, pad_edge=False)
    for kind in player_kinds().values():
        table.add_row(kind.name, kind.description, kind.example)
    console().print(table)
    table = Table("value=", "what it looks for", "game", box=None, pad_edge=False)
    for judge in evaluators().values():
        table.add_row(judge.name, judge.description, ", ".join(judge.makes))
    console().print("", table)
