"""`ludus adapt`."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson, PlayerName, Seed
from ludus.interfaces.cli.interrupts import when_stopped
from ludus.progress import number

if TYPE_CHECKING:
    from ludus.measures.adaptation import Played, PlayedByRules

RESULTS = {1.0: "won", 0.5: "drew", 0.0: "lost"}


@app.command()
def adapt(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="a player with rules or several strategies, its run, or a shipped one"),
    ],
    opponent: PlayerName,
    game: Annotated[
        str,
        typer.Option(
            "--game", help="the game, such as othello6 or checkers:moves=60", show_default="what the player plays"
        ),
    ] = "",
    games: Annotated[int, typer.Option(min=1, max=100_000, help="how many games")] = 20,
    seed: Seed = 1,
    save: Annotated[str, typer.Option(metavar="FILE", help="let a copy learn, and keep it there")] = "",
    as_json: AsJson = False,
) -> None:
    """Let a player go on learning from its games: one with rules (`train xcs`) or several strategies (`train social`).

    Rules are updated and bred as in their training, and play the colours they were trained for; stopped, they keep what
    they have learned. A player with several strategies alternates colours, changes its strategy when it loses, and
    remembers how each has done. Both store it in their file.
    Example: ludus adapt xcs:othello6 minimax:depth=1 --games 100 --save mine.safetensors
    """
    from ludus import api
    from ludus.measures.adaptation import learning_file
    from ludus.players.files import read_header

    variant = game or read_header(learning_file(file)).game
    played: list[Played | PlayedByRules] = []
    adapting = api.adapt(file, opponent, variant, games=games, seed=seed, save=save or None)
    when_stopped(f"stopped; what it has learned is kept in {save or file}; the same command lets it play on")
    # closed at once when it is stopped, so that rules are stored
    with closing(adapting):
        for each in adapting:
            played.append(each)
            if not as_json:
                print(_line(played), flush=True)
    if as_json:
        rows = [asdict(each) for each in played]
        print_json({"player": save or file, "opponent": opponent, "game": api.game(variant).name, "games": rows})
    else:
        points = sum(each.score for each in played)
        print(f"{number(points)} points of {games} games against {opponent}")


def _line(played: "Sequence[Played | PlayedByRules]") -> str:
    """What the last game brought."""
    from ludus.measures.adaptation import Played

    last, number = played[-1], len(played)
    if isinstance(last, Played):
        change = f", continues with {last.next_strategy}" if last.next_strategy != last.strategy else ""
        return f"game {number}: {RESULTS[last.score]} with strategy {last.strategy}{change}"
    won = sum(each.score == 1 for each in played)
    return (
        f"game {number}: {RESULTS[last.score]}, {won / number:.0%} won so far; {last.added} of {last.rules} rules new"
    )
