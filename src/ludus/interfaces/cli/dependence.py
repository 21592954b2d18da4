"""`ludus dependence`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ludus.interfaces.cli.app import app, console, print_json, same_decimals
from ludus.interfaces.cli.arguments import CORES, AsJson, PlayerName, PlayersGame, Seed, Workers
from ludus.interfaces.cli.explain import drawn
from ludus.storage import check_place

if TYPE_CHECKING:
    from ludus.measures.dependence import Dependence

FIRST = 20
"""How many actions of a ranking are listed where they are not squares."""


@app.command()
def dependence(
    name: PlayerName,
    game: PlayersGame = "",
    games: Annotated[int, typer.Option(min=8, max=1_000_000, help="how many games to look at")] = 1000,
    seed: Seed = 1,
    workers: Workers = CORES,
    save: Annotated[str, typer.Option(metavar="FILE", help="write the ranking as a player file")] = "",
    as_json: AsJson = False,
) -> None:
    """Measure how much a player's choice depends on the position: how much of it no fixed ranking of moves explains.

    Half of the games are against a random mover, half against the game's standard player with 10% random moves. The
    ranking is made from every other pair of games and judged by the rest.

    Example: ludus dependence marker:mobility --save list.safetensors
    """
    from ludus import api

    if save:
        check_place(Path(save))
    found = api.dependence(name, game or None, games=games, seed=seed, workers=workers)
    if save:
        found.save(save)
    if as_json:
        print_json(found.to_json())
        return
    print(
        f"{found.player.game.name}, {found.games} games, seed {seed}: {name} had a choice in "
        f"{found.positions - found.forced:,} of {found.positions:,} positions\n"
        f"dependence {found.dependence:.1f}, in percent of {found.held_out:,} held-out choices"
    )
    table = Table("moves by", "same choices in %", "same moves in %", box=None, pad_edge=False)
    for each in found.fits:
        table.add_row(f"ranking by {each.by}", f"{each.same:.1f}", f"{each.same_of_all:.1f}")
    table.add_row("random", f"{found.chance:.1f}", "")
    console().print(table)
    print(f"\n{_ranking(found)}")
    if save:
        print(f"\nthe ranking is in {save}")


def _ranking(found: "Dependence") -> str:
    """The best ranking as a board, or its first actions where they are not squares."""
    from ludus.evaluators.pictures import Board
    from ludus.players.ranking import by_squares

    game, values = found.player.game, found.values
    title = f"ranking by {found.fits[0].by}"
    if not by_squares(game):
        return f"{title}: {', '.join(list(values)[:FIRST])}, ..."
    squares = [game.type.square_name(game.rules, square) for square in range(game.squares)]
    shown = dict(zip(values, same_decimals(list(values.values())), strict=True))
    cells = tuple(shown.get(each, "-") for each in squares)
    rest = f"; pass {shown['pass']}" if "pass" in values else ""
    return drawn(Board(title, cells, f"the legal square with the highest value goes first{rest}"), game)
