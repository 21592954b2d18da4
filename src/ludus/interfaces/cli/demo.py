"""`ludus demo`."""

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.matches import CORES, Seed
from ludus.interfaces.cli.papers import show_claims
from ludus.interfaces.cli.training import train_one


@app.command()
def demo(
    seed: Seed = 1,
    out: Annotated[str, typer.Option(metavar="FOLDER", help="where the report goes")] = "reports/demo",
    runs: Annotated[str, typer.Option(metavar="FOLDER", help="where the runs are kept")] = "runs/demo",
    browse: Annotated[bool, typer.Option("--browse", help="open the report in a browser")] = False,
) -> None:
    """Grow a player of Othello in half a minute, measure it beside a paper, and write a report.

    Example: ludus demo
    """
    from ludus.papers.demo import GAMES, Demo, main_run
    from ludus.papers.jaskowski2014 import GAME
    from ludus.papers.paper import Workplace
    from ludus.papers.report import reproduce

    place = Workplace(Path(runs) / f"seed-{seed}", Path(out), CORES, seed=seed)
    folder = main_run(place)
    print(
        f"Growing a player of 8x8 Othello by temporal difference learning: {GAMES:,} games against itself.", flush=True
    )
    train_one(place.task(folder.name, "tdl", GAME, seed, {"games": GAMES}))
    print("Measuring it as jaskowski2014 does.", flush=True)
    report = reproduce(Demo(), "quick", place)
    show_claims(report.claims)
    page = place.report / "index.html"
    print(f"\nThe report, with its learning curve and its weights on a board, is {page}")
    me = "ludus" if sys.argv[0].endswith(".py") else sys.argv[0]  # as it was called, which may be .venv/bin/ludus
    print("Next:")
    print(f"  {me} match {folder} heuristic")
    print(f"  {me} paper jaskowski2014    (checks all claims of that paper, in a few minutes)")
    print(f"  {me} train                  (lists the learners and their settings)")
    print(f"  {me} serve                  (play against it in the browser, see why it moves)")
    if browse:
        webbrowser.open(page.resolve().as_uri())
