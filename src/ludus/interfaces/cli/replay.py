"""`ludus replay`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.errors import LudusError
from ludus.interfaces.cli.app import app, console, print_json
from ludus.interfaces.cli.arguments import AsJson

if TYPE_CHECKING:
    from ludus.records.record import Record


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="games in .sgf, .pdn, .ggf or .wtb")],
    game: Annotated[int, typer.Option(min=0, help="show this game move by move; the first is 1")] = 0,
    as_json: AsJson = False,
) -> None:
    """Check and list the games in a file, or show one of them.

    If a game can't be read, those before it are listed, and the exit code is 2. Example: ludus replay games.pdn
    """
    from ludus.records.files import read_games
    from ludus.records.record import BadRecord

    problem = None
    try:
        records = read_games(file)
    except BadRecord as bad:
        records, problem = bad.records, bad
    if game > len(records) and not problem:
        raise LudusError(f"there is no game {game} in {file}; it holds {len(records)}")
    if as_json:
        shown = [_described(record) for record in records]
        print_json({"file": str(file), "games": shown[game - 1 : game] if game else shown})
    elif game:
        if game <= len(records):
            _show(records[game - 1])
    else:
        _list(records)
    if problem:
        raise problem


def _list(records: "list[Record]") -> None:
    table = Table("", "game", "Black", "White", "moves", "result", box=None, pad_edge=False)
    for number, record in enumerate(records, 1):
        names = [name or "?" for name in record.players]
        table.add_row(str(number), record.game.name, *names, str(len(record.moves)), _result(record))
    console().print(table)


def _show(record: "Record") -> None:
    black, white = (name or "?" for name in record.players)
    print(f"{record.game.name}: {black} (Black) against {white} (White), {_result(record)}")
    for name, value in record.tags:
        print(f"{name}: {value}")
    positions = record.positions()
    if record.start:
        print(f"\n{positions[0]}")
    # a game that White begins has nothing in its first place
    moves = [*([".."] if positions[0].current_player else []), *record.moves]
    print()
    for i in range(0, len(moves), 2):
        print(f"{i // 2 + 1:>4}. {moves[i]:<12}{moves[i + 1] if i + 1 < len(moves) else ''}".rstrip())
    print(f"\n{positions[-1]}")


def _result(record: "Record") -> str:
    result = {1.0: "Black won", 0.5: "a draw", 0.0: "White won", None: "no result"}[record.outcome]
    return f"{result} ({record.reason})" if record.reason else result


def _described(record: "Record") -> dict[str, Any]:
    return {
        "game": record.game.name,
        "start": record.start or None,
        "moves": list(record.moves),
        "players": list(record.players),
        "outcome": record.outcome,
        "reason": record.reason,
        "tags": [list(tag) for tag in record.tags],
        "last": record.positions()[-1].text,
    }
