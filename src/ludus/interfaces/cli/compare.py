"""`ludus compare`."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from ludus.errors import InvalidSetting
from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import (
    CORES,
    Address,
    AsJson,
    On,
    RunsAtOnce,
    SchedulerFile,
    Seed,
    chosen_cluster,
    setting,
)
from ludus.interfaces.cli.interrupts import when_stopped

if TYPE_CHECKING:
    from ludus.papers.comparison import Compared


@app.command()
def compare(
    groups: Annotated[
        list[str],
        typer.Argument(
            metavar="GROUP...", help="a folder of runs, a pattern, or LEARNER:SETTINGS to train; NAME=GROUP names it"
        ),
    ],
    measure: Annotated[
        str,
        typer.Option(help="generalization, heuristic, ladder, territory, regret, or a column of metrics"),
    ] = "generalization",
    games: Annotated[
        int | None,
        typer.Option(min=4, max=10_000_000, help="how many games a measure plays", show_default="by measure"),
    ] = None,
    at: Annotated[
        str, typer.Option(help="when: end, games or seconds (the most that all reached), or games=5000")
    ] = "end",
    same_within: Annotated[
        float | None, typer.Option(metavar="MARGIN", help="also test whether groups are alike within this margin")
    ] = None,
    ordered: Annotated[bool, typer.Option("--ordered", help="also test for a trend in this order of groups")] = False,
    lower: Annotated[bool, typer.Option("--lower-is-better", help="of a column: low values are good")] = False,
    game: Annotated[
        str,
        typer.Option(help="the game of runs that are trained here", show_default="what other runs play, else othello8"),
    ] = "",
    chosen: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help="a setting of all groups that are trained here")
    ] = [],  # noqa: B006
    runs: Annotated[int, typer.Option(min=2, max=10_000, help="how many runs of a group are trained")] = 10,
    snapshots: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1000,
            help="intermediate players that these runs keep, for learning curves",
            show_default="4 if drawn",
        ),
    ] = None,
    curves: Annotated[
        bool | None,
        typer.Option("--curves/--no-curves", help="score runs on the way too", show_default="unless that takes long"),
    ] = None,
    seed: Seed = 1,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="where the report goes, and the runs that are trained")
    ] = "comparison",
    workers: RunsAtOnce = CORES,
    on: On = "local",
    address: Address = "",
    scheduler_file: SchedulerFile = "",
    as_json: AsJson = False,
) -> None:
    """Compare groups of runs: which is better, by how much, and are there enough runs to tell? Writes a report.

    Repeat the command to resume. Runs are compared by their finished players, or at equal games or seconds.

    Example: ludus compare tdl ctdl --game othello6 --set games=20000 --runs 10
    """
    cluster = chosen_cluster(on, address, scheduler_file)
    if len(groups) < 2:
        raise InvalidSetting(f"a comparison takes two or more groups, not only {groups[0]}")

    from ludus import api

    when_stopped("stopped; repeat the command to resume")
    found = api.compare(
        *groups,
        game=game or None,
        measure=measure,
        games=games,
        at=at,
        same_within=same_within,
        ordered=ordered,
        lower_is_better=lower or None,
        runs=runs,
        settings=dict(setting(text) for text in chosen),
        snapshots=snapshots,
        curves=curves,
        seed=seed,
        folder=out,
        workers=workers,
        cluster=cluster,
        progress=False if as_json else "lines",
        command=shlex.join(["ludus", *sys.argv[1:]]),
    )
    if as_json:
        print_json({"page": str(found.page), **found.to_json()})
    else:
        _show(found)


def _show(compared: "Compared") -> None:
    found, screen = compared.found, console()
    table = Table("group", "runs", "mean", "median", "interquartile mean", box=None, pad_edge=False)
    for each in found.groups:
        table.add_row(Text(each.name), str(len(each.scores)), *map(str, (each.mean, each.median, each.iqm)))
    print(f"{compared.scoring.title}, {compared.when}:")
    screen.print(table)
    for pair in found.pairs:
        print(
            f"{pair.first} over {pair.second}: probability of improvement {pair.improvement:.2f}, difference "
            f"{pair.difference}"
        )
    for sentence in (*found.sentences(), *compared.warnings()):
        print(sentence)
    print(f"the report is {compared.page}")
