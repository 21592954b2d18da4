"""`ludus review`."""

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import AsJson
from ludus.storage import check_place, write_whole

if TYPE_CHECKING:
    from ludus.measures.review import Review

SHOWN = 4
"""Moves of best play in the table."""


@app.command()
def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="games in .sgf, .pdn, .ggf or .wtb")],
    game: Annotated[int, typer.Option(min=1, help="which game of the file; the first is 1")] = 1,
    judge: Annotated[
        str, typer.Option(help="the player that judges (`ludus players`)", show_default="the game's strongest")
    ] = "",
    every: Annotated[bool, typer.Option("--every", help="list every move, not only those with a grade")] = False,
    graph: Annotated[str, typer.Option(metavar="FILE.svg", help="draw the evaluation through the game")] = "",
    as_json: AsJson = False,
) -> None:
    """Review a played game: what each move lost, which were mistakes, and what was better.

    Example: ludus review games.ggf --game 2
    """
    from ludus import api
    from ludus.errors import InvalidSetting
    from ludus.measures.review import graph as drawn

    if graph and not graph.endswith(".svg"):
        raise InvalidSetting(f"{graph} can't be drawn; the graph is SVG, so name it FILE.svg")
    if graph:
        check_place(Path(graph))  # now, not when all moves are judged
    with warnings.catch_warnings(record=True) as left_out:
        warnings.simplefilter("always", UserWarning)
        found = api.review(file, game, judge=judge)
    for each in left_out:
        print(f"ludus: {each.message}", file=sys.stderr)
    if graph:
        write_whole(Path(graph), drawn(found).encode())
    if as_json:
        print_json({"file": str(file)} | found.to_json())
        return
    _show(found, every)
    if graph:
        print(f"\ndrawn in {graph}")


def _show(found: "Review", every: bool) -> None:
    from ludus.measures.review import GRADES, MARKS, graded

    sides = found.record.game.type.sides
    names = [f"{side} ({name})" if name else side for side, name in zip(sides, found.record.players, strict=True)]
    print(f"{found.record.game.name}: {names[0]} against {names[1]}, {len(found.moves)} moves")
    if found.opening:
        print(f"Opening: {found.opening}")
    least = ", ".join(f"{grade} {each:g}" for grade, each in zip(GRADES[1:], found.thresholds, strict=True))
    print(f"Judged by {found.judge}, in {found.unit}; a move is graded from a loss of: {least}.\n")
    shown = found.moves if every else found.mistakes
    if shown:
        table = Table("", "move", "", "lost", "best play", "", box=None, pad_edge=False)
        table.columns[0].justify = table.columns[3].justify = "right"
        for each in shown:
            move, exact = f"{each.move} {MARKS[each.grade]}".rstrip(), " exactly" if each.exact and each.loss else ""
            better = each.better or ("" if every else each.sentence)
            best = " ".join(each.line[:SHOWN]) if each.grade else ""
            table.add_row(
                str(each.ply + 1),
                sides[each.side],
                move,
                f"{each.loss:{'g' if each.exact else '.1f'}}{exact}",
                best,
                better,
            )
        console().print(table)
        print()
    for side, name in enumerate(names):
        played = found.side(side)
        print(f"{name}: {graded(played.grades)}; {played.loss:.2g} {found.unit} lost a move.")
