"""`ludus check`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import AsJson, GameName, app, print_json


@app.command()
def check(
    game: GameName,
    effort: Annotated[int, typer.Option(min=1, max=1000, help="how many times the usual work")] = 1,
    learners: Annotated[bool, typer.Option("--learners", help="also let every learner make its first step")] = False,
    as_json: AsJson = False,
) -> None:
    """Check that a game holds to what players, learners, records and the page rely on; yours too.

    Example: ludus check go9
    """
    from itertools import chain

    from ludus.lab.conformance import check_game, check_learners
    from ludus.registry import game as find

    variant, rows = find(game), []
    for says, wrong in chain(check_game(variant, effort), check_learners(variant) if learners else ()):
        rows.append({"check": says, "wrong": wrong or None})
        if not as_json:
            print(f"{'BROKEN' if wrong else 'ok':<7} {says}{' ' + wrong if wrong else ''}", flush=True)
    if as_json:
        print_json({"game": variant.name, "checks": rows})
    if any(row["wrong"] for row in rows):
        raise typer.Exit(1)
