"""`ludus rules`."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.errors import InvalidSetting, UnknownName
from ludus.interfaces.cli.app import app, columns, console, print_json, same_decimals
from ludus.interfaces.cli.arguments import CORES, AsJson, PlayerName, PlayersGame
from ludus.interfaces.cli.explain import drawn
from ludus.storage import check_place, write_whole

if TYPE_CHECKING:
    from ludus.games.game import Game
    from ludus.measures.compaction import Compaction
    from ludus.players.base import CompiledPlayer
    from ludus.players.xcs import RuleSet

COLUMNS = ("number", "action", "prediction", "error", "fitness", "experience", "numerosity", "specific")
SORTED = ("fitness", "prediction", "error", "experience", "numerosity", "specific")


@app.command()
def rules(
    player: PlayerName,
    game: PlayersGame = "",
    sort: Annotated[
        str, typer.Option(help=f"the largest first: {', '.join(SORTED)}; or -NAME, the smallest")
    ] = "fitness",
    action: Annotated[str, typer.Option(help="only rules for this move, such as a1")] = "",
    top: Annotated[int, typer.Option(min=0, help="how many to list")] = 10,
    boards: Annotated[int, typer.Option(min=0, help="how many to draw as boards")] = 0,
    csv_file: Annotated[str, typer.Option("--csv", metavar="FILE", help="write all of them as a table")] = "",
    compact: Annotated[str, typer.Option(metavar="FILE", help="write a player with few rules that plays as well")] = "",
    loss: Annotated[float, typer.Option(min=0, max=100, help="--compact: percent of the points it may cost")] = 1.0,
    opponent: Annotated[str, typer.Option(help="--compact: against whom that is measured")] = "random",
    games: Annotated[int, typer.Option(min=2, max=10**6, help="--compact: games for each measurement")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="--compact: the same seed gives the same rules")] = 1,
    workers: Annotated[
        int,
        typer.Option(min=1, max=1024, help="--compact: games under way at once", show_default="the number of cores"),
    ] = CORES,
    as_json: AsJson = False,
) -> None:
    """Browse the rules of a player that XCS has made; sort them, write them as CSV, or make do with fewer.

    Conditions in the CSV have two of 0, 1, # for each square; `specific` counts those that are not #. Where predictions
    are computed, it also has what each rule adds for each square, from 1 on, and what may stand there.

    Example: ludus rules xcs:othello6 --sort numerosity --boards 2
    """
    from ludus import api
    from ludus.measures.compaction import compacted, rule_player

    if sort.removeprefix("-") not in SORTED:
        raise InvalidSetting(f"rules can't be sorted by {sort}; sort by {', '.join(SORTED)}")
    for file in filter(None, (csv_file, compact)):
        check_place(Path(file))
    whole = rule_player(api.player(player, game or None))
    variant = whole.game
    rows = _rows(whole.parts, variant)
    if action:
        known = {row["action"] for row in rows}
        rows = [row for row in rows if row["action"] == action.strip().lower()]
        if not rows:
            raise UnknownName(f"there is no rule for {action}; there are rules for {', '.join(sorted(known))}")
    name, sign = sort.removeprefix("-"), 1 if sort.startswith("-") else -1
    rows.sort(key=lambda row: sign * row[name])
    if csv_file:
        _write_csv(Path(csv_file), rows, whole.parts, variant)
    made = None
    if compact:
        tell = (lambda kept, percent: None) if as_json else _tell
        made = compacted(whole, api.player(opponent, variant), games, loss, seed, workers, tell)
        _save(Path(compact), made, whole, variant)
    if as_json:
        summary: dict[str, Any] = {"player": player, "rules": len(rows), "listed": rows[:top]}
        print_json(summary | ({"compact": made.to_json()} if made else {}))
        return
    heads = columns(*(each if each == "action" else f"{each}#" for each in COLUMNS))
    table = Table(*heads, box=None, pad_edge=False)
    listed = rows[:top]
    shown = {each: [str(row[each]) for row in listed] for each in COLUMNS}
    shown |= {each: same_decimals([row[each] for row in listed]) for each in ("prediction", "error", "fitness")}
    shown |= {each: [f"{row[each]:,}" for row in listed] for each in ("experience", "numerosity")}
    for cells in zip(*shown.values(), strict=True):
        table.add_row(*cells)
    console().print(table)
    print(f"{len(rows):,} rules{f' for {action}' if action else ''}")
    if whole.parts.weights.size:
        print("What they predict is computed: to the prediction, each square adds a weight for what stands on it.")
    for row in rows[:boards]:
        print(f"\n{drawn(_board(whole.parts, variant, row), variant)}")
    if csv_file:
        print(f"written to {csv_file}")
    if made:
        print(
            f"{made.kept:,} of {made.rules:,} rules are in {compact}\n"
            f"in other games against {opponent}: {made.before.value:.1f}% of the points with all, "
            f"{made.after.value:.1f}% with these; against all: {made.head_to_head.value:.1f}%"
        )


def _rows(rules: "RuleSet", game: "Game") -> list[dict[str, Any]]:
    """What is known of each rule."""
    import numpy as np

    from ludus.players.xcs import PARAMETERS

    counts = np.diff(rules.starts)
    names = [game.type.action_text(game.rules, action) for action in range(len(counts))]
    of = np.repeat(np.arange(len(counts)), counts)
    cares = np.bitwise_count(rules.conditions[::2, : len(of)]).sum(axis=0)
    columns = {name: getattr(rules, name)[rules.ids[: len(of)]].tolist() for name in PARAMETERS}
    return [
        {"number": i, "action": names[of[i]], **{name: column[i] for name, column in columns.items()}}
        | {"specific": int(cares[i])}
        for i in range(len(of))
    ]


def _board(rules: "RuleSet", game: "Game", row: dict[str, Any]) -> Any:
    from ludus.evaluators.pictures import Board
    from ludus.players.xcs import describe_condition, describe_parameters

    number = row["number"]
    condition, parameters = describe_condition(rules, game, number), describe_parameters(rules, number)
    return Board(f"rule {number} for {row['action']}", condition, parameters)


def _write_csv(file: Path, rows: list[dict[str, Any]], rules: "RuleSet", game: "Game") -> None:
    """All that is known of the rules; computed predictions have a column for each square and symbol."""
    from ludus.players.xcs import condition_text

    weights = rules.weights[rules.ids[: rules.starts[-1]]]
    mine, theirs, *others = game.type.symbols
    symbols = (theirs, mine, *others) if rules.detectors.after else (mine, theirs, *others)  # seen by the other side
    names = [f"{square + 1} {symbol}" for square in range(game.squares) for symbol in symbols]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*COLUMNS, "condition", *names[: weights.shape[1]]])
    for row in rows:
        number = row["number"]
        table.writerow([*row.values(), condition_text(rules, game, number), *weights[number].tolist()])
    write_whole(file, text.getvalue().encode())


def _save(file: Path, made: "Compaction", whole: "CompiledPlayer", game: "Game") -> None:
    """Write the compact player, which remembers where the whole one came from."""
    from ludus.players.files import read_player, save_player
    from ludus.players.xcs import as_arrays, as_settings

    provenance = read_player(Path(whole.name))[0].provenance if Path(whole.name).is_file() else {"player": whole.name}
    provenance |= {"compaction": made.to_json()}
    save_player(file, "xcs", game, as_arrays(made.compact.parts), as_settings(made.compact.parts), provenance)


def _tell(kept: int, percent: float) -> None:
    print(f"{kept:>8,} rules: {percent:.1f}%", flush=True)
