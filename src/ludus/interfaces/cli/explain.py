"""`ludus explain`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.errors import InvalidSetting
from ludus.interfaces.cli.app import app, columns, console, print_json, same_decimals
from ludus.interfaces.cli.arguments import AsJson, PlayerName, PlayersGame
from ludus.storage import write_whole

if TYPE_CHECKING:
    from ludus.evaluators.pictures import Board
    from ludus.games.game import Game
    from ludus.players.explanations import Explanation


@app.command()
def explain(
    player: PlayerName,
    game: PlayersGame = "",
    moves: Annotated[str, typer.Option(help='the moves so far, as "d3 c3 c4"')] = "",
    position: Annotated[str, typer.Option(help="a position to begin from instead of the start")] = "",
    top: Annotated[int, typer.Option(min=0, help="for how many moves to show what speaks for them")] = 1,
    picture: Annotated[str, typer.Option(metavar="FILE.svg", help="draw the player itself, if it can be drawn")] = "",
    as_json: AsJson = False,
) -> None:
    """Tell what a player weighs in a position: each move's value, and what speaks for it.

    Example: ludus explain alphabeta:depth=4 --moves "d3 c3 c4"
    """
    from ludus import api

    one = api.player(player, game or None)
    here = one.game.position(position) if position else one.game.start()
    for move in moves.replace(",", " ").split():
        here = here.play(move)
    found = api.explain(one, here)
    if picture:
        if found.picture is None:
            raise InvalidSetting(f"{player} can't be drawn; leave out --picture")
        if not picture.endswith(".svg"):
            raise InvalidSetting(f"{picture} can't be drawn; the picture is SVG, so name it FILE.svg")
        write_whole(Path(picture), found.picture().encode())
    if as_json:
        summary: dict[str, Any] = asdict(found)
        del summary["picture"]
        print_json({"player": player, "game": here.game.name, "position": here.text} | summary)
        return
    print(here)
    print(f"\n{player}: {found.description}")
    if found.sentence:
        print(f"{found.moves[0].move}: {found.sentence}")
    _show(found, here.game, top)
    if picture:
        print(f"\ndrawn in {picture}")


def _show(found: "Explanation", game: "Game", top: int) -> None:
    if found.moves:
        known = any(each.chance is not None for each in found.moves)
        table = Table(*columns("move", "value#", *(["chance#"] if known else []), ""), box=None, pad_edge=False)
        values = same_decimals([each.value for each in found.moves], 4)
        for each, value in zip(found.moves, values, strict=True):
            chance = ["" if each.chance is None else f"{each.chance:.0%}"] if known else []
            table.add_row(each.move, value, *chance, each.description)
        console().print(table)
        print(f"The value is {found.unit}.")
        if known:
            print("The chance is that of winning, fitted to games that it played against itself.")
    if found.line:
        print(f"It expects {' '.join(found.line)}.")
    for each in found.moves[:top]:
        for board in each.boards:
            print(f"\n{each.move}: {drawn(board, game)}")
    for board in found.boards:
        print(f"\n{drawn(board, game)}")


def drawn(board: "Board", game: "Game") -> str:
    """A board as lines of text."""
    numbers = iter(same_decimals([each for each in board.squares if not isinstance(each, str)]))
    cells = [each if isinstance(each, str) else next(numbers) for each in board.squares]
    width = max(map(len, cells)) + 1
    rows = [[""] * game.shape[1] for _ in range(game.shape[0])]
    for cell, (row, column) in zip(cells, game.coordinates_from_above, strict=True):
        rows[row][column] = cell
    head = f"{board.title}: {board.description}" if board.description else board.title
    return "\n".join([head, *("".join(f"{cell:>{width}}" for cell in row).rstrip() for row in rows)])
