"""`ludus adapt`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludus.errors import LudusError
from ludus.interfaces.cli.app import AsJson, app, print_json
from ludus.interfaces.cli.matches import GameOption, PlayerName, Seed
from ludus.storage import present, write_whole

RESULTS = {1.0: "won", 0.5: "drew", 0.0: "lost"}


@app.command()
def adapt(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="a player with several strategies, its run, or a shipped one")
    ],
    opponent: PlayerName,
    game: GameOption = "checkers",
    games: Annotated[int, typer.Option(min=1, max=100_000, help="how many games, colours alternating")] = 20,
    seed: Seed = 1,
    save: Annotated[str, typer.Option(metavar="FILE", help="let a copy learn, and keep it there")] = "",
    as_json: AsJson = False,
) -> None:
    """Let a player with several strategies (`ludus train social`) go on learning: having lost, it changes its own.

    Its file remembers how each strategy has done.
    Example: ludus adapt social:c10 alphabeta:depth=6 --save mine.safetensors
    """
    from ludus.measures.adaptation import adapted
    from ludus.players.shipped import shipped
    from ludus.players.strings import file_of, player
    from ludus.registry import game as find

    variant = find(game)
    rival = player(opponent, variant)
    born = shipped("social").get(file.removeprefix("social:")) if file.startswith("social:") else None
    path = born or file_of(file)
    if save:
        player(str(path), variant)  # whoever does not play this game is told before there is a copy
        path = _copied(path, Path(save))
    elif born:
        raise LudusError(f"{file} comes with Ludus and stays as it is; let a copy learn with --save FILE")
    played = []
    for each in adapted(path, rival, variant, games, seed):
        played.append(asdict(each))
        if not as_json:
            change = f", goes on with {each.next_strategy}" if each.next_strategy != each.strategy else ""
            print(f"game {len(played)}: {RESULTS[each.score]} with strategy {each.strategy}{change}", flush=True)
    points = sum(each["score"] for each in played)
    if as_json:
        print_json({"player": str(path), "opponent": opponent, "game": variant.name, "games": played})
    else:
        print(f"{points:g} points of {games} games against {opponent}")


def _copied(path: Path, copy: Path) -> Path:
    from ludus.players.social import read_strategies

    if present(copy):
        raise LudusError(f"{copy} is there already; `ludus adapt {copy}` goes on with it")
    read_strategies(path)
    write_whole(copy, path.read_bytes())
    return copy
