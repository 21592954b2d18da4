"""What commands that read files of games share: options, progress, and how games that can't be read are reported."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

MOST_REPORTED = 20
"""Of games that can't be read; more of them are counted."""

SOME_LEFT_OUT = 1
"""The exit code of a command that has done its work, but without games that can't be read."""

Strict = Annotated[bool, typer.Option("--strict", help="stop at the first game that can't be read")]
PdnResult = Annotated[
    str, typer.Option(metavar="WHOSE", help="PDN: whose win 1-0 is, first-mover or white; else the games must tell")
]


@contextmanager
def reading(file: object) -> Iterator[Callable[[float, int], None]]:
    """Shows how much of a long file is read."""
    from ludus.progress import progress_bar

    with progress_bar(str(file)) as update:
        yield lambda share, games: update(share, f"{games:,} games, {share:.0%}")


def report(problems: Sequence[Exception], remark: str) -> None:
    """Say how the file was understood and which games were left out; if any were, the exit code tells."""
    sys.stdout.flush()
    for each in problems[:MOST_REPORTED]:
        print(f"ludus: {each}", file=sys.stderr)
    if len(problems) > MOST_REPORTED:
        left = len(problems) - MOST_REPORTED
        print(f"ludus: {left:,} more games can't be read; --json lists them all", file=sys.stderr)
    if remark:
        print(f"ludus: {remark}", file=sys.stderr)
    if problems:
        raise typer.Exit(SOME_LEFT_OUT)
