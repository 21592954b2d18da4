"""`ludus train`."""

import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from typer.core import TyperCommand

from ludus.errors import InvalidSetting
from ludus.interfaces.cli.app import app, console
from ludus.interfaces.cli.arguments import (
    CORES,
    Address,
    LearnersGame,
    On,
    RunsAtOnce,
    SchedulerFile,
    Seed,
    chosen_cluster,
    setting,
)
from ludus.interfaces.cli.groups import line_width
from ludus.interfaces.cli.interrupts import when_stopped
from ludus.progress import duration

if TYPE_CHECKING:
    from ludus.learners.base import Learner


class _WithSettings(TyperCommand):
    """Its help also has the settings of the learner that is named beside --help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["ludus.arguments"] = list(args)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        from ludus.registry import learners

        for name in ctx.meta["ludus.arguments"]:
            if name in learners():
                formatter.write(f"\n{_settings_of(learners()[name])}\n")
                return
        formatter.write("\n`ludus train LEARNER --help` also shows the settings of that learner.\n")


@app.command(cls=_WithSettings)
def train(
    context: typer.Context,
    learner: Annotated[str, typer.Argument(metavar="LEARNER", help="a method, such as tdl; none lists them")] = "",
    game: LearnersGame = "",
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
        int, typer.Option(min=0, max=1000, help="how many intermediate players are kept, for learning curves")
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

    settings = {**(preset.settings if settings_from else {}), **dict(setting(text) for text in chosen)}
    planned = api.plan_runs(
        learner, game or None, settings, range(seed, seed + runs), out, several=runs > 1, snapshots=snapshots, log=log
    )
    if save_settings:
        from ludus.runs.settings import write_settings

        write_settings(Path(save_settings), planned[0].spec)
        print(f"{save_settings} has the settings; train with them by ludus train --settings {save_settings}")
        return
    place = planned[0].folder if runs == 1 else planned[0].folder.parent
    begin = time.perf_counter()
    when_stopped(f"stopped; repeat the command to resume {place}, of which all is kept but the last seconds")
    if runs == 1 and cluster is None:
        if planned[0].finished:
            planned[0].complete()  # little is left to do, but another spec would be refused
        else:
            api.follow(planned[0], "lines")
        print(f"{place} is finished; play or measure it as {place}")
        return
    for number, run in enumerate(api.follow_all(planned, workers, cluster, "lines"), 1):
        print(f"{number} of {runs} runs finished: {run.folder} ({duration(time.perf_counter() - begin)})", flush=True)


def _left_out(context: typer.Context, name: str) -> bool:
    """Whether the command line is silent about an option."""
    source = context.get_parameter_source(name)
    return source is None or source.name == "DEFAULT"


def _list_learners() -> None:
    from ludus.registry import learners

    table = Table("learner", "usual game", "what it does", box=None, pad_edge=False)
    for each in learners().values():
        table.add_row(each.name, each.usual_game.partition(":")[0], each.description)
    console().print(table)
    print("\n`ludus train LEARNER --help` shows the settings of one, `ludus train LEARNER` begins.")


def _settings_of(learner: "Learner[Any, Any]") -> str:
    """The settings of a learner, their defaults and meanings, as lines of text."""
    rows = [
        (f"{name}={_default(field.default)}", field.description or "")
        for name, field in learner.settings.model_fields.items()
    ]
    wide = max(len(first) for first, _ in rows) + 2
    lines = [f"Settings of {learner.name}, which usually plays {learner.usual_game} (--set NAME=VALUE):"]
    for first, description in rows:
        wrapped = textwrap.wrap(description, max(30, line_width() - wide - 2)) or [""]
        lines += [f"  {first:{wide}}{wrapped[0]}", *(f"  {'':{wide}}{line}" for line in wrapped[1:])]
    return "\n".join(lines)


def _default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
