"""Arguments and options that several commands share."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.errors import InvalidSetting

if TYPE_CHECKING:
    from ludus.runs.dask import Cluster

CORES = os.cpu_count() or 1

GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game, such as othello8, checkers or go9:komi=5.5")]
LearnersGame = Annotated[
    str,
    typer.Option(
        "--game", help="the game, such as othello8, checkers or go9:komi=5.5", show_default="the learner's usual game"
    ),
]
GameOption = Annotated[str, typer.Option("--game", help="the game, such as othello8, checkers or go9:komi=5.5")]
PlayersGame = Annotated[
    str,
    typer.Option(
        "--game",
        help="the game, such as othello8, checkers or go9:komi=5.5",
        show_default="what the players named play, else othello8",
    ),
]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="a player string (`ludus players`) or a player file")]
Games = Annotated[int, typer.Option(min=1, max=10_000_000, help="how many games; two share each opening")]
Seed = Annotated[int, typer.Option(min=0, help="the same seed gives the same games")]
Workers = Annotated[
    int,
    typer.Option(
        min=1, max=1024, help="games under way at once; results don't depend on it", show_default="the number of cores"
    ),
]
RunsAtOnce = Annotated[
    int, typer.Option(min=1, max=1024, help="how many runs at once", show_default="the number of cores")
]
Opening = Annotated[str, typer.Option(help="usual, four-ply (Othello), ballots (checkers), none, or random:K")]
Figure = Annotated[str, typer.Option(metavar="FILE", help="draw it: FILE.svg, and FILE.png beside it")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object instead of text")]

On = Annotated[str, typer.Option(help="local (processes of this machine) or dask (a cluster)")]
Address = Annotated[str, typer.Option(help="of a Dask scheduler, as tcp://host:8786")]
SchedulerFile = Annotated[str, typer.Option(help="of a Dask scheduler")]


def chosen_cluster(on: str, address: str, scheduler_file: str) -> "Cluster | None":
    """The cluster that these options name; None means this machine."""
    if on not in ("local", "dask"):
        raise InvalidSetting(f"invalid --on {on}: must be local or dask")
    if address and scheduler_file:
        raise InvalidSetting("--address and --scheduler-file both say where the scheduler is; give one of them")
    if on == "local":
        if address or scheduler_file:
            raise InvalidSetting("--address and --scheduler-file name a Dask cluster; add --on dask")
        return None

    from ludus.runs.dask import Cluster

    return Cluster(address, scheduler_file)


def check_figure(figure: str) -> None:
    """Raise now, not when all the work is done, if a figure can't be written so."""
    if figure:
        from ludus.measures.figures import check_name

        check_name(Path(figure))


def setting(text: str) -> tuple[str, str]:
    """What `--set NAME=VALUE` says."""
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidSetting(f"invalid --set {text}: write --set name=value")
    return name.strip(), value.strip()
