"""`ludus league`."""

from typing import TYPE_CHECKING, Annotated

import typer

from ludus.interfaces.cli.app import app, counted
from ludus.interfaces.cli.arguments import CORES, AsJson, Games, Opening, PlayersGame, Seed, Workers
from ludus.interfaces.cli.interrupts import when_stopped
from ludus.interfaces.cli.rate import show_ratings

if TYPE_CHECKING:
    from ludus.measures.ratings import Result


@app.command()
def league(
    names: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="two or more player strings or files")],
    game: PlayersGame = "",
    games: Games = 100,
    seed: Seed = 1,
    workers: Workers = CORES,
    opening: Opening = "usual",
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="where the results go; the same command resumes")
    ] = "league",
    as_json: AsJson = False,
) -> None:
    """Let everybody play everybody, and rate them. Interrupted leagues resume: repeat the command.

    Example: ludus league random discs heuristic positional --games 200 --out leagues/first
    """
    from ludus import api

    def show(result: "Result") -> None:
        if not as_json:
            print(f"{result.a} - {result.b}: {counted(result.wins, result.draws, result.losses)}", flush=True)

    when_stopped(f"stopped; finished matches are kept in {out}; repeat the command to resume")
    found = api.league(
        names, game or None, games=games, seed=seed, workers=workers, opening=opening, folder=out, on_result=show,
        progress=False if as_json else "lines",
    )  # fmt: skip
    show_ratings(found.ratings, as_json)
