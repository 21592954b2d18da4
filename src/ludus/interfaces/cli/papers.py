"""`ludus paper`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from ludus.interfaces.cli.app import AsJson, app, console, print_json
from ludus.interfaces.cli.cluster import Address, On, SchedulerFile, chosen_cluster
from ludus.interfaces.cli.matches import CORES, RunsAtOnce

if TYPE_CHECKING:
    from ludus.papers.paper import Claim


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
    so_far: Annotated[bool, typer.Option("--so-far", help="begin no run; tell of those that are finished")] = False,
    as_json: AsJson = False,
) -> None:
    """Check a paper's claims: do its experiments and write a page with its figures and ours side by side.

    Stopped in any way, the same command goes on where it was.

    Example: ludus paper jaskowski2014 --scale quick
    """
    if not key:
        _list_papers(as_json)
        return
    cluster = chosen_cluster(on, address, scheduler_file)

    from ludus.papers.names import paper as find
    from ludus.papers.paper import Workplace
    from ludus.papers.report import claims_told, reproduce, tally

    chosen = find(key)
    place = Workplace(
        runs=Path(runs).resolve() / key / f"{scale}-seed-{seed}",
        report=Path(out) / key,
        workers=workers,
        cluster=cluster,
        seed=seed,
        so_far=so_far,
        tell=_quiet if as_json else _say,
    )
    try:
        report = reproduce(chosen, scale, place)
    except KeyboardInterrupt:
        place.tell("stopped; the same command goes on")
        raise
    page = str(place.report / "index.html")
    if as_json:
        print_json({"paper": key, "scale": scale, "seed": seed, "page": page, "claims": claims_told(report.claims)})
        return
    show_claims(report.claims)
    print(f"\n{tally(report.claims)}; the page is {page}")


def _list_papers(as_json: bool) -> None:
    from ludus.papers.names import papers

    if as_json:
        told = [
            {"key": p.key, "title": p.title, "authors": p.authors, "year": p.year, "scales": dict(p.scales)}
            for p in papers().values()
        ]
        print_json({"papers": told})
        return
    table = Table("paper", "title", "authors", "year", box=None, pad_edge=False)
    for each in papers().values():
        table.add_row(each.key, Text(each.title), Text(each.authors), str(each.year))
    console().print(table)


def show_claims(claims: "Sequence[Claim]") -> None:
    table = Table("claim", "paper", "ours", "interval", "verdict", box=None, pad_edge=False)
    for claim in claims:
        table.add_row(*map(Text, (claim.id, claim.paper_shown, claim.ours_shown, claim.interval_shown, claim.verdict)))
    console().print(table)


def _say(text: str) -> None:
    print(text, flush=True)


def _quiet(text: str) -> None:
    """Whoever reads JSON wants nothing else."""
