"""`ludus rate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import cell_len

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson
from ludus.interfaces.cli.records import PdnResult, Strict, reading, report

if TYPE_CHECKING:
    from ludus.measures.ratings import Ratings

RECORDS = (".pdn", ".sgf", ".ggf", ".wtb")


@app.command()
def rate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=f"results (.csv) or games ({', '.join(RECORDS)})")],
    advantage: Annotated[float, typer.Option(help="Elo that moving first is worth (in a CSV file: that a has)")] = 0.0,
    draw_elo: Annotated[float, typer.Option(help="how common draws are: the lead that wins half of the games")] = 97.3,
    prior: Annotated[float, typer.Option(help="how firmly players are taken for equal at first, in draws")] = 2.0,
    exact: Annotated[bool, typer.Option("--exact", help="narrower bounds, from the whole posterior")] = False,
    pdn_result: PdnResult = "",
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Rate players by their results: Elo with 95% bounds, and who is better with which probability.

    A CSV file of results begins with the line a,b,wins,draws,losses and counts for a. Games that can't be read are
    reported and left out, and then the exit code is 1. Example: ludus rate results.csv
    """
    from ludus import api
    from ludus.measures.ratings import read_any_results

    with reading(file) as progress:
        read = read_any_results(file, strict=strict, pdn_result=pdn_result, progress=progress)
    found = api.rate(read.results, draw_elo=draw_elo, prior=prior, advantage=advantage, exact=exact)
    if as_json:
        problems = [{"number": bad.number, "where": bad.where, "problem": bad.problem} for bad in read.problems]
        about = {"problems": problems, "remark": read.remark or None} if file.suffix.lower() in RECORDS else {}
        print_json(found.to_json() | about)
    else:
        show_ratings(found, as_json)
        if read.unfinished:
            print(f"\nUnfinished games left out: {read.unfinished}")
    report(read.problems, read.remark)


def show_ratings(found: "Ratings", as_json: bool) -> None:
    """Print the table of ratings and, under it, the table of who is better; or both as one JSON object."""
    from ludus.measures.ratings import likely_percent, rounded

    if as_json:
        print_json(found.to_json())
        return
    table = [["rank", "name", "elo", "+", "-", "games", "score", "draws"]]
    better = [["", "", *(str(rank) for rank, _ in enumerate(found.ratings, 1))]]
    for rank, rating in enumerate(found.ratings, 1):
        elo = [str(rounded(value)) for value in (rating.elo, rating.plus, rating.minus)]
        shares = [f"{rounded(100 * share)}%" for share in (rating.score, rating.draws)]
        table.append([str(rank), rating.name, *elo, str(rating.games), *shares])
        row = found.los[rating.name]
        chances = [str(likely_percent(row[other.name])) if other.name in row else "-" for other in found.ratings]
        better.append([str(rank), rating.name, *chances])
    _print_aligned(table)
    print("\nThe chance, in percent, that the player of the row is better than the player of the column:")
    _print_aligned(better)


def _print_aligned(rows: list[list[str]]) -> None:
    """Names, in the second column, to the left and numbers to the right, however wide it gets."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        gaps = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [gap + cell for cell, gap in zip(row, gaps, strict=True)]
        cells[1] = row[1] + gaps[1]
        print("  ".join(cells))
