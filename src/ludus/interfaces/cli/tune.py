"""`ludus tune`."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import (
    Address,
    AsJson,
    LearnersGame,
    On,
    SchedulerFile,
    Seed,
    chosen_cluster,
    setting,
)
from ludus.interfaces.cli.interrupts import when_stopped

if TYPE_CHECKING:
    from ludus.runs.tuning import Trial


@app.command()
def tune(
    learner: Annotated[str, typer.Argument(metavar="LEARNER", help="a method, such as tdl")],
    game: LearnersGame = "",
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=LOW..HIGH",
            help="what to vary; NAME alone for its own bounds, NAME=ONE|OTHER for choices",
            show_default="what the learner declares",
        ),
    ] = [],  # noqa: B006
    chosen: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help="a setting of the learner that stays as it is")
    ] = [],  # noqa: B006
    trials: Annotated[int, typer.Option(min=1, max=100_000, help="how many choices of settings are tried")] = 30,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="runs of each, whose mean it scores")] = 3,
    measure: Annotated[str, typer.Option(help="generalization, heuristic, ladder, territory or regret")] = (
        "generalization"
    ),
    games: Annotated[
        int | None,
        typer.Option(min=4, max=10_000_000, help="how many games a measure plays", show_default="by measure"),
    ] = None,
    fresh: Annotated[
        int, typer.Option(min=0, max=10_000, help="runs with new seeds of the best settings, and of the defaults")
    ] = 10,
    seed: Seed = 1,
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="where the search is kept; default runs/tune-LEARNER-GAME-SEED")
    ] = "",
    workers: Annotated[
        int,
        typer.Option(min=1, max=1024, help="how many trials at once; with one, the same seed gives the same trials"),
    ] = 1,
    on: On = "local",
    address: Address = "",
    scheduler_file: SchedulerFile = "",
    as_json: AsJson = False,
) -> None:
    """Search for good settings of a learner, with Optuna, and measure the best with fresh seeds beside the defaults.

    Interrupted searches resume: repeat the command, also with more trials.

    Example: ludus tune tdl --game othello6 --set games=20000 --vary alpha --trials 20
    """
    cluster = chosen_cluster(on, address, scheduler_file)

    from ludus import api

    def show(trial: "Trial", given_up: bool) -> None:
        if as_json:
            return
        values = ", ".join(
            f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in trial.settings.items()
        )
        score = trial.problem or f"{trial.mean:.2f}" + (
            f" after {len(trial.scores)} runs, given up" if given_up else ""
        )
        print(f"trial {trial.number + 1}: {values}: {score}", flush=True)

    when_stopped("stopped; repeat the command to resume")
    found, compared = api.tune(
        learner,
        game or None,
        vary=vary,
        settings=dict(setting(text) for text in chosen),
        trials=trials,
        seeds=seeds,
        measure=measure,
        games=games,
        fresh=fresh,
        seed=seed,
        folder=out or None,
        workers=workers,
        cluster=cluster,
        on_trial=show,
        command=shlex.join(["ludus", *sys.argv[1:]]),
    )
    if as_json:
        print_json(
            {
                "best": dict(found.best.settings),
                "mean": found.best.mean,
                "trials": [vars(each) for each in found.trials],
                "importance": dict(found.importance),
                "fresh": compared.to_json() if compared else None,
            }
        )
        return
    best = ", ".join(f"{name}={value}" for name, value in found.best.settings.items())
    print(f"the best of {len(found.trials)} trials: {best} (mean {found.best.mean:.2f} over {seeds} runs)")
    if found.importance:
        print("importance: " + ", ".join(f"{name} {part:.0%}" for name, part in found.importance.items()))
    if compared:
        print("with fresh seeds:")
        for each in compared.found.groups:
            print(f"  {each.name:8} {each.mean} over {len(each.scores)} runs")
        print(f"  {compared.found.sentences()[0]}")
        print(f"the report is {compared.page}; train with ludus train --settings {compared.folder}/best.toml")
