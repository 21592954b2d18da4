"""`ludus help`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app


@app.command("help")
def show_help(
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="a command; none lists them all")] = "",
) -> None:
    """Describe a command, or list them all.

    Example: ludus help match
    """
    app([command, "--help"] if command else ["--help"], standalone_mode=False, prog_name="ludus")
