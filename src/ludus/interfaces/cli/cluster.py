"""The options of commands that can do their runs on a Dask cluster."""

from typing import TYPE_CHECKING, Annotated

import typer

from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.lab.cluster import Cluster

On = Annotated[str, typer.Option(help="local (processes of this machine) or dask (a cluster)")]
Address = Annotated[str, typer.Option(help="of a Dask scheduler, as tcp://host:8786")]
SchedulerFile = Annotated[str, typer.Option(help="of a Dask scheduler")]


def chosen_cluster(on: str, address: str, scheduler_file: str) -> "Cluster | None":
    """The cluster that these options name; None means this machine."""
    if on not in ("local", "dask"):
        raise LudusError(f"--on {on} is not possible; it is local or dask")
    if address and scheduler_file:
        raise LudusError("--address and --scheduler-file both say where the scheduler is; give one of them")
    if on == "local":
        if address or scheduler_file:
            raise LudusError("--address and --scheduler-file name a Dask cluster; add --on dask")
        return None

    from ludus.lab.cluster import Cluster

    return Cluster(address, scheduler_file)
