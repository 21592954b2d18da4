"""`ludus demo`."""

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app
from ludus.interfaces.cli.arguments import CORES, Seed
from ludus.interfaces.cli.interrupts import when_stopped
from ludus.interfaces.cli.paper import show_claims


@app.command()
def demo(
    seed: Seed = 1,
    out: Annotated[str, typer.Option(metavar="FOLDER", help="where the report goes")] = "reports/demo",
    runs: Annotated[str, typer.Option(metavar="FOLDER", help="where the runs are kept")] = "runs/demo",
    browse: Annotated[bool, typer.Option("--browse", help="open the report in a browser")] = False,
) -> None:
    """Train a player of Othello in half a minute, measure it beside a paper, and write a report.

    Example: ludus demo
    """
    from ludus import api
    from ludus.papers.base import Workspace
    from ludus.papers.demo import GAMES, Demo, main_run
    from ludus.papers.jaskowski2014.published import GAME
    from ludus.papers.report import reproduce

    place = Workspace(Path(runs) / f"seed-{seed}", Path(out), CORES, seed=seed, log=_say)
    when_stopped(f"stopped; what is finished is kept in {runs}; repeat the command to resume")
    folder = main_run(place)
    print(
        f"Training a player of 8x8 Othello by temporal difference learning: {GAMES:,} games of self-play.", flush=True
    )
    api.follow(place.run(folder.name, "tdl", GAME, seed, {"games": GAMES}), "lines")
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


def _say(line: str) -> None:
    print(line, flush=True)
