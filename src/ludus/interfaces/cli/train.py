"""`ludus train`."""

import time
from pathlib import Path
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
    setting,
)


@app.command()
def train(
    context: typer.Context,
    learner: Annotated[str, typer.Argument(metavar="[LEARNER]", help="a method, such as tdl; none lists them")] = "",
    game: GameOption = "othello8",
    chosen: Annotated[list[str], typer.Option("--set", metavar="NAME=VALUE", help="a setting of the learner")] = [],  # noqa: B006
    settings_from: Annotated[
        str,
        typer.Option(
            "--settings",
            metavar="FILE",
            help="settings from a file, a run or a trained player; --set, --game and --seed override them",
        ),
    ] = "",
    save_settings: Annotated[
        str, typer.Option(metavar="FILE.toml", help="train nothing; write what is asked as a settings file")
    ] = "",
    seed: Seed = 1,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="where the run is kept; default runs/LEARNER-GAME-SEED")
    ] = "",
    runs: Annotated[int, typer.Option(min=1, max=100_000, help="how many runs, with this seed and those after it")] = 1,
    snapshots: Annotated[
        int, typer.Option(min=0, max=1000, help="how many players on the way are kept, for learning curves")
    ] = 0,
    log: Annotated[
        list[str], typer.Option(metavar="TRACKER", help="also tell each step to tensorboard or mlflow")
    ] = [],  # noqa: B006
    workers: RunsAtOnce = CORES,
    on: On = "local",
    address: Address = "",
    scheduler_file: SchedulerFile = "",
) -> None:
    """Train a player. Interrupted runs resume: repeat the command, and the player is the same to the byte.

    Example: ludus train tdl --game othello6 --set games=100000 --out runs/first
    """
    if settings_from:
        from ludus.runs.settings import read_settings

        preset = read_settings(settings_from)
        if learner not in ("", preset.learner):
            raise InvalidSetting(f"{settings_from} is for {preset.learner}, not {learner}; name one of them")
        learner = preset.learner
        game = preset.game if preset.game and _left_out(context, "game") else game
        seed = preset.seed if preset.seed is not None and _left_out(context, "seed") else seed
    if not learner:
        _list_learners()
        return
    cluster = chosen_cluster(on, address, scheduler_file)

    from ludus import api
    from ludus.runs.pool import complete_all

    settings = {**(preset.settings if settings_from else {}), **dict(setting(text) for text in chosen)}
    planned = api.plan_runs(
        learner, game, settings, range(seed, seed + runs), out, several=runs > 1, snapshots=snapshots, log=log
    )
    if save_settings:
        from ludus.runs.settings import write_settings

        write_settings(Path(save_settings), planned[0].spec)
        print(f"{save_settings} has the settings; train with them by ludus train --settings {save_settings}")
        return
    place = planned[0].folder if runs == 1 else planned[0].folder.parent
    begin = time.perf_counter()
    try:
        if runs == 1 and cluster is None:
            if planned[0].finished:
                planned[0].complete()  # little is left to do, but another spec would be refused
            else:
                api.follow(planned[0], "lines")
            print(f"{place} is finished; play or measure it as {place}")
            return
        for number, run in enumerate(complete_all(planned, workers, cluster), 1):
            print(f"{number} of {runs} runs finished: {run.folder} ({time.perf_counter() - begin:.0f} s)", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; repeat the command to resume {place}")
        raise


def _left_out(context: typer.Context, name: str) -> bool:
    """Whether the command line is silent about an option."""
    source = context.get_parameter_source(name)
    return source is None or source.name == "DEFAULT"


def _list_learners() -> None:
    from ludus.registry import learners

    table = Table("learner", "setting", "meaning (default)", box=None, pad_edge=False)
    for each in learners().values():
        table.add_row(each.name, "", each.description)
        for name, field in each.settings.model_fields.items():
            table.add_row("", name, f"{field.description} ({field.default})")
    console().print(table)
