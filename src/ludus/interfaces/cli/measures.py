"""`ludus measure`, `ludus profile`, `ludus behaviour` and `ludus strategies`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.errors import LudusError
from ludus.interfaces.cli.app import AsJson, app, console, print_json
from ludus.interfaces.cli.matches import CORES, GameOption, Games, Opening, PlayerName, Seed, Workers

if TYPE_CHECKING:
    from ludus.games.game import Game
    from ludus.measures.profiles import Database, Profile

Figure = Annotated[str, typer.Option(metavar="FILE", help="draw it: FILE.svg, and FILE.png beside it")]


@app.command()
def measure(
    name: PlayerName,
    game: GameOption = "othello8",
    games: Annotated[int, typer.Option(min=2, max=10_000_000, help="how many games for each measure")] = 50_000,
    seed: Seed = 1,
    workers: Workers = CORES,
    as_json: AsJson = False,
) -> None:
    """Measure a player in percent of all points: against random weights, and against the game's standard player.

    Example: ludus measure heuristic --game othello8 --games 50000
    """
    from ludus.measures import performance
    from ludus.players.strings import player
    from ludus.registry import game as find

    measured = performance.compiled(player(name, find(game)))
    found = {
        "generalization": performance.generalization(measured, games, seed, workers),
        "heuristic": performance.heuristic(measured, games, seed, workers),
    }
    if as_json:
        print_json({what: {"percent": each.percent, "interval": each.interval} for what, each in found.items()})
        return
    told = {
        "generalization": "one-ply players with random weights",
        "heuristic": f"{measured.game.name}'s standard player, 10% random moves on both sides",
    }
    for what, each in found.items():
        low, high = each.interval
        print(f"{what:14} {each.percent:5.2f}% (95% from {low:.2f}% to {high:.2f}%) against {told[what]}")


@app.command()
def profile(
    names: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="player strings or player files")],
    game: GameOption = "othello8",
    build: Annotated[bool, typer.Option("--build", help="make the opponents, if they are not there yet")] = False,
    per_bin: Annotated[int, typer.Option(min=1, max=1000, help="opponents of each strength")] = 10,
    bin_width: Annotated[float, typer.Option(min=0.5, max=20, help="percent between one strength and the next")] = 5.0,
    games: Annotated[int, typer.Option(min=2, max=10_000, help="games against each opponent, an even number")] = 10,
    seed: Seed = 1,
    workers: Workers = CORES,
    figure: Figure = "",
    as_json: AsJson = False,
) -> None:
    """Show how players fare against opponents of each strength, from the weakest to the strongest.

    The opponents are made once, with --build: in a minute as they are by default, in a quarter of an hour with
    --per-bin 50 --bin-width 1. Example: ludus profile heuristic discs --build --figure profile.svg
    """
    from ludus.measures.performance import compiled
    from ludus.measures.profiles import profile as profiled
    from ludus.players.strings import player
    from ludus.registry import game as find

    variant = find(game)
    measured = {name: compiled(player(name, variant)) for name in names}
    _check_figure(figure)
    database = _opponents(variant, build, per_bin, bin_width, workers, quiet=as_json)
    found = {name: profiled(each, database, games, seed, workers) for name, each in measured.items()}
    if figure:
        from ludus.measures.figures import profile_curves

        profile_curves(Path(figure), found)
    if as_json:
        print_json({"profiles": {name: _rows(each) for name, each in found.items()}})
        return
    print(database)
    table = Table("strength", *found, box=None, pad_edge=False)
    columns = [each.percent for each in found.values()]
    for i, strength in enumerate(next(iter(found.values())).strength):
        table.add_row(f"{strength:.1f}%", *(f"{column[i]:.1f}%" for column in columns))
    console().print(table)


@app.command()
def behaviour(
    a: PlayerName,
    b: PlayerName,
    game: GameOption = "othello8",
    games: Games = 1000,
    seed: Seed = 1,
    workers: Workers = CORES,
    opening: Opening = "usual",
    won: Annotated[bool, typer.Option("--won", help="only the games that the first player wins")] = False,
    figure: Figure = "",
    as_json: AsJson = False,
) -> None:
    """Show, move by move, the pieces that two players have and the moves that they can choose from.

    Example: ludus behaviour mobility random --games 1000 --won --figure behaviour.svg
    """
    from ludus.measures.behaviour import behaviour as watched
    from ludus.measures.matches import match
    from ludus.players.strings import player
    from ludus.registry import game as find

    variant = find(game)
    one, other = player(a, variant), player(b, variant)
    _check_figure(figure)
    found = watched(match(one, other, games, seed=seed, workers=workers, opening=opening, record=True), won)
    if figure:
        from ludus.measures.figures import behaviour_curves

        behaviour_curves(Path(figure), found, (a, b))
    pieces, choices = (_without_nan(each.tolist()) for each in (found.pieces, found.choices))
    if as_json:
        told = {"reached": found.reached.tolist(), "pieces": pieces, "turns": found.turns.tolist(), "choices": choices}
        turns = {"turning_point": found.turning_point, "overtaking": found.overtaking}
        print_json({"games": found.games, "players": [a, b], **turns, **told})
        return
    print(f"{found.games} games; A {a}, B {b}; averages after so many moves")
    table = Table("moves", "games", "A pieces", "B pieces", "A choices", "B choices", box=None, pad_edge=False)
    for move, (reached, counted, free) in enumerate(zip(found.reached, pieces, choices, strict=True)):
        shown = ["-" if each is None else f"{each:.1f}" for each in (*counted, *free)]
        table.add_row(str(move), str(reached), *shown)
    console().print(table)
    if found.turning_point is not None:
        print(f"B has the most pieces after {found.turning_point} moves and loses some from then on.")
    if found.overtaking is not None:
        print(f"A has more pieces than B from {found.overtaking} moves on.")


@app.command()
def strategies(
    names: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="three or more players with weights, as runs")
    ],
    game: GameOption = "othello8",
    quantile: Annotated[float, typer.Option(min=0.01, max=1, help="of all distances: how near makes a cluster")] = 0.3,
    figure: Figure = "",
    boards: Annotated[str, typer.Option(metavar="FILE", help="draw the mean weights of each cluster as boards")] = "",
    as_json: AsJson = False,
) -> None:
    """Find out which players have learned alike: clusters of their weights, on a map of two principal components.

    Example: ludus strategies runs/tdl/seed-1 runs/tdl/seed-2 runs/tdl/seed-3 --figure map.svg
    """
    import numpy as np

    from ludus.measures import figures
    from ludus.measures.strategies import strategies as analysed
    from ludus.players.evaluators import PieceCounter
    from ludus.players.strings import player
    from ludus.registry import game as find

    variant = find(game)
    _check_figure(figure)
    _check_figure(boards)
    weights = []
    for name in names:
        judge = getattr(getattr(player(name, variant), "parts", None), "evaluator", None)
        if not isinstance(judge, PieceCounter):
            raise LudusError(f"{name} has no weights of squares to compare; name runs or files of piece counters")
        weights.append(judge.weights)
    found = analysed(np.array(weights), quantile=quantile)
    if figure:
        figures.clusters(Path(figure), found.points, found.labels)
    if boards:
        drawn = {f"cluster {i + 1}": centre for i, centre in enumerate(found.centres)}
        figures.boards(Path(boards), variant, drawn)
    if as_json:
        players = [
            {"player": name, "cluster": int(label) + 1, "point": point.tolist()}
            for name, label, point in zip(names, found.labels, found.points, strict=True)
        ]
        print_json({"bandwidth": found.bandwidth, "explained": found.explained, "players": players})
        return
    shares = " and ".join(f"{share:.0%}" for share in found.explained)
    print(f"{len(found.centres)} clusters; the map shows {shares} of the variance")
    for label in range(len(found.centres)):
        inside = [name for name, each in zip(names, found.labels, strict=True) if each == label]
        print(f"cluster {label + 1}: {', '.join(inside)}")


def _opponents(variant: "Game", build: bool, per_bin: int, bin_width: float, workers: int, quiet: bool) -> "Database":
    from ludus.measures import profiles

    path = profiles.usual_path(variant, per_bin, bin_width)
    if path.exists() or not build:
        return profiles.load(path, variant)
    if quiet:
        return profiles.build(variant, path, per_bin, width=bin_width, workers=workers)
    from rich.progress import Progress

    with Progress(console=console(), transient=True) as bar:
        task = bar.add_task("opponents", total=1.0)
        return profiles.build(
            variant, path, per_bin, width=bin_width, workers=workers,
            progress=lambda done, what: bar.update(task, completed=done, description=what),
        )  # fmt: skip


def _rows(found: "Profile") -> list[dict[str, Any]]:
    columns = (found.strength, found.percent, found.interval, found.opponents)
    names = ("strength", "percent", "interval", "opponents")
    return [dict(zip(names, row, strict=True)) for row in zip(*(each.tolist() for each in columns), strict=True)]


def _check_figure(figure: str) -> None:
    """Tells before the work, not after it, that a figure can't be written so."""
    if figure:
        from ludus.measures.figures import check_name

        check_name(Path(figure))


def _without_nan(rows: list[list[float]]) -> list[list[Any]]:
    """JSON has no nan: what was never seen is null."""
    return [[None if each != each else each for each in row] for row in rows]
