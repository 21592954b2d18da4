"""`ludus paper`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Column, Table
from rich.text import Text

from ludus.colours import BAD, GOOD
from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import CORES, Address, AsJson, On, RunsAtOnce, SchedulerFile, chosen_cluster
from ludus.interfaces.cli.interrupts import when_stopped

if TYPE_CHECKING:
    from ludus.papers.base import Claim

RULES_WIDTH = 120
"""Of a terminal that has room for the rules of verdicts too; they are on the page in any case."""


VERDICT_COLOURS = {"reproduced": GOOD, "not reproduced": BAD}


@app.command()
def paper(
    key: Annotated[str, typer.Argument(metavar="KEY", help="a paper, such as jaskowski2014; none lists them")] = "",
    scale: Annotated[str, typer.Option(help="quick (minutes) or full (the paper's own budget)")] = "quick",
    workers: RunsAtOnce = CORES,
    on: On = "local",
    address: Address = "",
    scheduler_file: SchedulerFile = "",
    seed: Annotated[int, typer.Option(min=0, help="the same seed gives the same figures")] = 1,
    out: Annotated[str, typer.Option(metavar="FOLDER", help="where the report goes, in a folder KEY")] = "reports",
    runs: Annotated[str, typer.Option(metavar="FOLDER", help="where the runs are kept")] = "runs/papers",
    partial: Annotated[
        bool, typer.Option("--partial", "--so-far", help="start no run; report on those that are finished")
    ] = False,
    unpack: Annotated[
        str,
        typer.Option(metavar="FILE", help="first take the finished work in this archive, such as one in docs/papers"),
    ] = "",
    pack: Annotated[
        str, typer.Option(metavar="FILE.tar.xz", help="write all finished work into this archive afterwards")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check a paper's claims: do its experiments and write a page with its figures and ours side by side.

    Interrupted experiments resume: repeat the command.

    Example: ludus paper jaskowski2014 --scale quick
    """
    if not key:
        _list_papers(as_json)
        return
    cluster = chosen_cluster(on, address, scheduler_file)

    from ludus import api
    from ludus.papers.report import tally

    when_stopped(f"stopped; what is finished is kept in {Path(runs) / key}; repeat the command to resume")
    report = api.reproduce(
        key, scale=scale, seed=seed, folder=out, runs=runs, workers=workers, cluster=cluster, partial=partial,
        unpack=unpack, pack=pack, tell=_quiet if as_json else _say,
    )  # fmt: skip
    page = str(Path(out) / key / "index.html")
    if as_json:
        claims = [claim.to_json() for claim in report.claims]
        print_json({"paper": key, "scale": scale, "seed": seed, "partial": partial, "page": page, "claims": claims})
        return
    show_claims(report.claims)
    print(f"\n{tally(report.claims)}; the page is {page}")


def _list_papers(as_json: bool) -> None:
    from ludus.registry import papers

    if as_json:
        summaries = [
            {"key": p.key, "title": p.title, "authors": p.authors, "year": p.year, "scales": dict(p.scales)}
            for p in papers().values()
        ]
        print_json({"papers": summaries})
        return
    table = Table("paper", "title", "authors", "year", box=None, pad_edge=False)
    for each in papers().values():
        table.add_row(each.key, Text(each.title), Text(each.authors), str(each.year))
    console().print(table)


def show_claims(claims: "Sequence[Claim]") -> None:
    screen = console()
    wide = screen.width >= RULES_WIDTH
    table = Table(Column("claim", no_wrap=True), "paper", "ours", "interval", "verdict", box=None, pad_edge=False)
    if wide:
        table.add_column("reproduced if")
    for claim in claims:
        verdict = claim.verdict + (f" ({claim.settled_by})" if claim.settled_by else "")
        cells = [claim.id, claim.paper_shown, claim.ours_shown, claim.interval_shown]
        style = VERDICT_COLOURS.get(claim.verdict, "")
        table.add_row(*map(Text, cells), Text(verdict, style), *([Text(claim.rule)] if wide else []))
    screen.print(table)


def _say(text: str) -> None:
    print(text, flush=True)


def _quiet(text: str) -> None:
    """Whoever reads JSON wants nothing else."""
