"""`ludus ladder`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import CORES, AsJson, PlayersGame, Seed, Workers
from ludus.progress import brief


@app.command()
def ladder(
    name: Annotated[
        str, typer.Argument(metavar="PLAYER", help="a player string or a player file; none lists the rungs")
    ] = "",
    game: PlayersGame = "",
    games: Annotated[int, typer.Option(min=2, max=100_000, help="at most so many games")] = 400,
    precision: Annotated[
        float, typer.Option(min=1, max=1000, help="stop when the Elo is known so well, either way")
    ] = 30.0,
    seed: Seed = 1,
    workers: Workers = CORES,
    as_json: AsJson = False,
) -> None:
    """Rate a player on its game's ladder: named opponents, other people's programs among them, on one Elo scale.

    Example: ludus ladder ntuples:othello8 --games 200
    """
    from ludus import api

    if not name:
        rungs = api.rungs(game or api.DEFAULT_GAME)
        if as_json:
            print_json({"game": game or api.DEFAULT_GAME, "rungs": [vars(each) for each in rungs]})
            return
        print("   Elo   95%  games  rung")
        for rung in rungs:
            print(f"{rung.elo:z6.0f} {(rung.plus + rung.minus) / 2:5.0f} {rung.games:6}  {rung.player}")
        return
    found = api.ladder(
        name,
        game or None,
        games=games,
        precision=precision,
        seed=seed,
        workers=workers,
        progress=False if as_json else "lines",
    )
    if as_json:
        print_json(found.to_json())
        return
    low, high = found.elo.interval
    print(f"{found.player} has {found.elo.value:z.0f} Elo (95% interval {low:z.0f} to {high:z.0f}) in {found.game}")
    print(f"{found.games} games, {brief(found.seconds_a_move)} a move; random has 0")
    print("   Elo   won drawn  lost   score  rung")
    for each in found.standings:
        print(
            f"{each.rung.elo:z6.0f} {each.wins:5} {each.draws:5} {each.losses:5} {each.score.value:7.1%}"
            f"  {each.rung.player}"
        )
    for program in found.missing:
        print(f"left out, since it is not installed here or failed: {program}")
