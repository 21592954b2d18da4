"""`ludus train` and `ludus runs`."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ludus.errors import LudusError
from ludus.interfaces.cli.app import AsJson, app, console, print_json
from ludus.interfaces.cli.cluster import Address, On, SchedulerFile, chosen_cluster
from ludus.interfaces.cli.matches import CORES, GameOption, RunsAtOnce, Seed

if TYPE_CHECKING:
    from ludus.lab.many import Task
    from ludus.lab.runs import Progress
    from ludus.lab.shelf import RunInfo


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
    """Train a player. Stopped in any way, the same command goes on where it was, to the same player.

    Example: ludus train tdl --game othello6 --set games=100000 --out runs/first
    """
    if not learner:
        _list_learners()
        return
    cluster = chosen_cluster(on, address, scheduler_file)

    from ludus.lab.many import Task, do_all

    given = tuple(_setting(text) for text in chosen)
    Task(learner, game, given, seed, "").request()  # what is wrong is told before anything is looked for
    place = Path(out or f"runs/{learner}-{game.replace(':', '-')}-{seed}")
    if runs == 1:
        tasks = [Task(learner, game, given, seed, str(place))]
        if cluster is None:
            train_one(tasks[0])
            return
    else:
        tasks = [Task(learner, game, given, each, str(place / f"seed-{each}")) for each in range(seed, seed + runs)]
    begin = time.perf_counter()
    try:
        for number, folder in enumerate(do_all(tasks, workers, cluster), 1):
            print(f"{number} of {runs} runs finished: {folder} ({time.perf_counter() - begin:.0f} s)", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on with {place}")
        raise


@app.command("runs")
def list_runs(
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="where to look for runs")] = "runs",
    curve: Annotated[str, typer.Option(metavar="NAME", help="draw this figure of all runs over their steps")] = "",
    figure: Annotated[
        str, typer.Option(metavar="FILE", help="where to draw it (.svg; a .png beside it)")
    ] = "curve.svg",
    as_json: AsJson = False,
) -> None:
    """List runs: how far they are, their speed and their last figures.

    Example: ludus runs runs/first
    """
    from ludus.lab.shelf import runs as find

    found, wrong = find(Path(folder))
    if not found and not wrong:
        raise LudusError(f"there are no runs in {folder}; `ludus train` makes some")
    if curve and found:
        _draw(found, curve, Path(figure))
    _show(found, as_json)
    if wrong:
        raise LudusError(f"{len(wrong)} of {len(found) + len(wrong)} runs can't be read; the first: {wrong[0]}")


def _show(found: "list[RunInfo]", as_json: bool) -> None:
    if as_json:
        told = [
            {"folder": str(run.folder), "state": run.state, "steps": run.steps, "seconds": run.seconds}
            | {"asked": run.asked, "last": run.last}
            for run in found
        ]
        print_json({"runs": told})
        return
    table = Table("run", "learner", "game", "seed", "state", "seconds", "last figures", box=None, pad_edge=False)
    for run in found:
        last = ", ".join(f"{name} {value:g}" for name, value in run.last.items())
        asked = run.asked
        row = (run.folder, asked["learner"], asked["game"], asked["seed"], run.state, f"{run.seconds:.1f}", last)
        table.add_row(*map(str, row))
    console().print(table)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise LudusError(f"--set {text} is not a setting; write --set name=value")
    return name.strip(), value.strip()


def _list_learners() -> None:
    from ludus.learners.names import learners

    table = Table("learner", "setting", "meaning (default)", box=None, pad_edge=False)
    for each in learners().values():
        table.add_row(each.name, "", each.says)
        for name, field in each.settings.model_fields.items():
            table.add_row("", name, f"{field.description} ({field.default})")
    console().print(table)


def train_one(task: "Task") -> None:
    """Do one run and show how far it is."""
    from ludus.lab.runs import finished
    from ludus.lab.runs import train as work

    folder = Path(task.folder)
    if finished(folder):
        for _ in work(task.request(), folder):
            pass  # nothing is left to do, but another request would be refused
        print(f"{folder} is finished; its player is {folder / 'player.safetensors'}")
        return
    try:
        with _progress(task.folder) as tell:
            for progress in work(task.request(), folder):
                tell(progress)
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on with {folder}")
        raise
    print(f"{folder} is finished; play or measure it as {folder}")


@contextmanager
def _progress(name: str) -> Iterator[Callable[["Progress"], None]]:
    """Shows how far a run is: a bar on a terminal, a line every ten seconds elsewhere."""
    begin, first = time.monotonic(), list[float]()

    def words(progress: "Progress") -> str:
        first.append(progress.done)
        spent, gained = time.monotonic() - begin, progress.done - first[0]
        left = f", {spent * (1 - progress.done) / gained:.0f} s left" if gained else ""
        games = progress.row.get("games", 0.0)
        speed = f", {games / max(progress.seconds, 1e-9):,.0f} games/s" if games else ""
        figures = ", ".join(f"{name} {value:.4g}" for name, value in progress.row.items())
        return f"{progress.done:.0%}{speed}{left} ({figures})"

    if (terminal := console()).is_terminal:
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bars

        with Bars(BarColumn(), TextColumn("{task.description}", markup=False), console=terminal) as bar:
            task = bar.add_task(name, total=1.0)
            yield lambda progress: bar.update(task, completed=progress.done, description=words(progress))
        return
    last = [begin]

    def line(progress: "Progress") -> None:
        text = words(progress)
        if time.monotonic() - last[0] > 10:
            last[0] = time.monotonic()
            print(text, flush=True)

    yield line


def _draw(found: "list[RunInfo]", curve: str, file: Path) -> None:
    from ludus.lab.shelf import read_rows
    from ludus.measures.figures import Curve, curves

    lines = {str(run.folder): [row[curve] for row in read_rows(run.folder) if curve in row] for run in found}
    if not any(lines.values()):
        known = sorted({name for run in found for name in run.last})
        raise LudusError(f"no run has the figure {curve!r}; they have {', '.join(known)}")
    drawn = {name: Curve(range(1, len(values) + 1), values) for name, values in lines.items()}
    curves(file, drawn, x="step", y=curve.replace("_", " "))
    print(f"{curve} is drawn in {file}")
