"""`ludus measure`."""

from typing import TYPE_CHECKING, Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import CORES, AsJson, PlayerName, PlayersGame, Seed, Workers

if TYPE_CHECKING:
    from ludus.measures.regret import Regret


@app.command()
def measure(
    name: PlayerName,
    game: PlayersGame = "",
    games: Annotated[
        int | None,
        typer.Option(
            min=2, max=10_000_000, help="how many games for each measure", show_default="50000; 100 with --regret"
        ),
    ] = None,
    seed: Seed = 1,
    workers: Workers = CORES,
    regret: Annotated[
        bool, typer.Option("--regret", help="Othello, and Go up to 5x5: instead, what it loses to perfect play")
    ] = False,
    empty: Annotated[
        int, typer.Option(min=1, max=24, help="with --regret: where so many squares are empty, or fewer")
    ] = 12,
    nodes: Annotated[
        int, typer.Option(min=1, help="with --regret: positions that take more to solve are left out, and counted")
    ] = 1_000_000,
    as_json: AsJson = False,
) -> None:
    """Measure a player in percent of all points: against random weights, and against the game's standard player.

    With --regret: in discs or points a game, by the exact solver. In Go komi does not count, what superko forbids
    does, and since captures empty points again, moves count whenever few enough are empty. `--game go4 --empty 16`
    measures whole games.

    Example: ludus measure heuristic --game othello8 --games 50000
    """
    from ludus import api

    measured = api.player(name, game or None)
    asked = {"player": name, "game": measured.game.name, "seed": seed}
    if regret:
        lost = api.regret(measured, games=games or 100, empty=empty, nodes=nodes, seed=seed, workers=workers)
        if as_json:
            print_json(asked | lost.to_json())
        else:
            _show_regret(lost)
        return
    found = api.measure(
        measured, games=games or 50_000, seed=seed, workers=workers, progress=False if as_json else "lines"
    )
    if as_json:
        print_json(asked | {"games": games or 50_000} | found.to_json())
        return
    opponents = {
        "generalization": "one-ply players with random weights",
        "heuristic": f"{measured.game.name}'s standard player, 10% random moves on both sides",
    }
    for what, each in (("generalization", found.generalization), ("heuristic", found.heuristic)):
        low, high = each.interval
        print(f"{what:14} {each.value:5.2f}% (95% interval {low:.2f}% to {high:.2f}%) against {opponents[what]}")


def _show_regret(found: "Regret") -> None:
    (low, high), share = found.per_game.interval, found.mistakes / max(1, found.choices)
    per_game = f"{found.per_game.value:.2f} {found.unit} a game (95% interval {low:.2f} to {high:.2f})"
    lost = f"{share:.0%} of {found.choices} choices lost a {found.unit.removesuffix('s')} or more"
    print(f"regret  {per_game} in {found.games} games,")
    print(f"        with {found.empty} empty squares or fewer; {lost}")
    if found.unsolved:
        print(f"        choices left out, since the solver was not sure of them: {found.unsolved}")
