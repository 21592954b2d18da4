"""`ludus train`."""

import time
from typing import Annotated

import typer
from rich.table import Table

from ludus.errors import InvalidSetting
from ludus.interfaces.cli.app import app, console
from ludus.interfaces.cli.arguments import (
    CORES,
    Address,
    GameOption,
    On,
    RunsAtOnce,
    SchedulerFile,
    Seed,
    chosen_cluster,
)
from ludus.interfaces.cli.interrupts import when_stopped
from ludus.progress import duration


@app.command()
def train(
    learner: Annotated[str, typer.Argument(metavar="[LEARNER]", help="a method, such as tdl; none lists them")] = "",
    game: GameOption = "othello8",
    chosen: Annotated[list[str], typer.Option("--set", metavar="NAME=VALUE", help="a setting of the learner")] = [],  # noqa: B006
    seed: Seed = 1,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="where the run is kept; default runs/LEARNER-GAME-SEED")
    ] = "",
    runs: Annotated[int, typer.Option(min=1, max=100_000, help="how many runs, with this seed and those after it")] = 1,
    workers: RunsAtOnce = CORES,
    on: On = "local",
    address: Address = "",
    scheduler_file: SchedulerFile = "",
) -> None:
    """Train a player. Interrupted runs resume: repeat the command, and the player is the same to the byte.

    Example: ludus train tdl --game othello6 --set games=100000 --out runs/first
    """
    if not learner:
        _list_learners()
        return
    cluster = chosen_cluster(on, address, scheduler_file)

    from ludus import api

    settings = dict(_setting(text) for text in chosen)
    planned = api.plan_runs(learner, game, settings, range(seed, seed + runs), out, several=runs > 1)
    place = planned[0].folder if runs == 1 else planned[0].folder.parent
    begin = time.perf_counter()
    when_stopped(f"stopped; repeat the command to resume {place}, of which all is kept but the last seconds")
    if runs == 1 and cluster is None:
        if planned[0].finished:
            planned[0].complete()  # nothing is left to do, but another spec would be refused
        else:
            api.follow(planned[0], "lines")
        print(f"{place} is finished; play or measure it as {place}")
        return
    for number, run in enumerate(api.follow_all(planned, workers, cluster, "lines"), 1):
        print(f"{number} of {runs} runs finished: {run.folder} ({duration(time.perf_counter() - begin)})", flush=True)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidSetting(f"invalid --set {text}: write --set name=value")
    return name.strip(), value.strip()


def _list_learners() -> None:
    from ludus.registry import learners

    table = Table("learner", "setting", "meaning (default)", box=None, pad_edge=False)
    for each in learners().values():
        table.add_row(each.name, "", each.description)
        for name, field in each.settings.model_fields.items():
            table.add_row("", name, f"{field.description} ({field.default})")
    console().print(table)
