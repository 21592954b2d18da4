"""`ludus check`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson, GameName


@app.command()
def check(
    game: GameName,
    effort: Annotated[int, typer.Option(min=1, max=1000, help="how many times the usual work")] = 1,
    learners: Annotated[bool, typer.Option("--learners", help="also let every learner make its first step")] = False,
    as_json: AsJson = False,
) -> None:
    """Check that a game, yours too, keeps to what players, learners, records and the arena rely on.

    Example: ludus check go9
    """
    from itertools import chain

    from ludus.games.names import game as find
    from ludus.testing import run_checks, run_learner_checks

    variant, rows = find(game), []
    for description, wrong in chain(run_checks(variant, effort), run_learner_checks(variant) if learners else ()):
        rows.append({"check": description, "wrong": wrong or None})
        if not as_json:
            print(f"{'BROKEN' if wrong else 'ok':<7} {description}{' ' + wrong if wrong else ''}", flush=True)
    if as_json:
        print_json({"game": variant.name, "checks": rows})
    if any(row["wrong"] for row in rows):
        raise typer.Exit(1)
