"""`ludus explain`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.errors import LudusError
from ludus.interfaces.cli.app import AsJson, app, console, print_json
from ludus.interfaces.cli.matches import GameOption, PlayerName
from ludus.storage import write_whole

if TYPE_CHECKING:
    from ludus.games.game import Game
    from ludus.players.explanations import Board, Explanation


@app.command()
def explain(
    player: PlayerName,
    game: GameOption = "othello8",
    moves: Annotated[str, typer.Option(help='the moves so far, as "d3 c3 c4"')] = "",
    position: Annotated[str, typer.Option(help="a position to begin from instead of the start")] = "",
    top: Annotated[int, typer.Option(min=0, help="for how many moves to show what speaks for them")] = 1,
    picture: Annotated[str, typer.Option(metavar="FILE.svg", help="draw the player itself, if it can be drawn")] = "",
    as_json: AsJson = False,
) -> None:
    """Tell what a player weighs in a position: each move's value, and what speaks for it.

    Example: ludus explain alphabeta:depth=4 --moves "d3 c3 c4"
    """
    from ludus.players.explanations import explanation
    from ludus.players.strings import player as find_player
    from ludus.registry import game as find

    variant = find(game)
    here = variant.position(position) if position else variant.start()
    for move in moves.replace(",", " ").split():
        here = here.play(move)
    if here.over:
        raise LudusError("the game is over there, so nobody has a move to explain; give fewer moves")
    found = explanation(find_player(player, variant), here)
    if picture:
        if found.picture is None:
            raise LudusError(f"{player} is nothing that can be drawn; leave --picture away")
        if not picture.endswith(".svg"):
            raise LudusError(f"{picture} can't be drawn; the picture is SVG, so name it FILE.svg")
        write_whole(Path(picture), found.picture().encode())
    if as_json:
        told: dict[str, Any] = asdict(found)
        del told["picture"]
        print_json({"player": player, "game": variant.name, "position": here.text} | told)
        return
    print(here)
    print(f"\n{player}: {found.says}")
    _show(found, variant, top)
    if picture:
        print(f"\ndrawn in {picture}")


def _show(found: "Explanation", game: "Game", top: int) -> None:
    if found.moves:
        table = Table("move", "value", "", box=None, pad_edge=False)
        for each in found.moves:
            table.add_row(each.move, f"{each.value:.4g}", each.says)
        console().print(table)
        print(f"The value is {found.unit}.")
    if found.line:
        print(f"It expects {' '.join(found.line)}.")
    for each in found.moves[:top]:
        for board in each.boards:
            print(f"\n{each.move}: {drawn(board, game)}")
    for board in found.boards:
        print(f"\n{drawn(board, game)}")


def drawn(board: "Board", game: "Game") -> str:
    """A board as lines of text."""
    cells = [each if isinstance(each, str) else f"{each:.3g}" for each in board.squares]
    width = max(map(len, cells)) + 1
    rows = [[""] * game.shape[1] for _ in range(game.shape[0])]
    for cell, (row, column) in zip(cells, game.spots_from_above, strict=True):
        rows[row][column] = cell
    head = f"{board.title}: {board.says}" if board.says else board.title
    return "\n".join([head, *("".join(f"{cell:>{width}}" for cell in row).rstrip() for row in rows)])
