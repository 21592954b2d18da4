"""`ludus replay`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.cells import cell_len

from ludus.errors import LudusError
from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson
from ludus.interfaces.cli.records import PdnResult, Strict, reading, report

if TYPE_CHECKING:
    from ludus.records.record import Games, Record


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="games in .sgf, .pdn, .ggf or .wtb")],
    game: Annotated[int, typer.Option(min=0, help="show this game move by move; the first is 1")] = 0,
    pdn_result: PdnResult = "",
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Check and list the games in a file, or show one of them.

    Games that can't be read are reported with their place and left out. The exit code is 0 if all were read, 1 if some
    were left out, and 2 if none could be read, or with --strict any could not. Example: ludus replay games.pdn
    """
    from ludus.records.files import read_games
    from ludus.records.record import BadRecord, Games

    stopped = None
    try:
        with reading(file) as progress:
            games = read_games(file, strict=strict, pdn_result=pdn_result, progress=progress)
    except BadRecord as bad:
        games, stopped = Games(bad.records), bad
    if game and game not in games.numbers:
        raise next(
            (bad for bad in (stopped, *games.problems) if bad and bad.number == game),
            stopped or LudusError(f"there is no game {game} in {file}; it holds {len(games) + len(games.problems)}"),
        )
    if as_json:
        print_json(_report(file, games, game))
    elif game:
        _show(games[games.numbers.index(game)])
    else:
        _list(games)
    if stopped:
        raise stopped
    report([] if game else games.problems, games.remark)


def _list(games: "Games") -> None:
    """A row for each game, however many there are."""
    rows = [["", "game", "Black", "White", "moves", "result"]]
    for number, record in zip(games.numbers, games, strict=True):
        names = [name or "?" for name in record.players]
        rows.append([str(number), record.game.name, *names, str(len(record.moves)), _result(record)])
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(
            "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        )


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
    for ply, _ in record.setups:
        print(f"\nSet up after {ply} moves:\n{positions[ply]}")
    last = positions[-1]
    print(f"\n{last}")
    final = last.game.type.final_margin(last)
    if last.over and final != last.margin:
        print(f"Tournament score, the empty squares to the winner: {final:+g} for {last.game.type.sides[0]}")


def _result(record: "Record") -> str:
    result = {1.0: "Black won", 0.5: "a draw", 0.0: "White won", None: "no result"}[record.outcome]
    return f"{result} ({record.reason})" if record.reason else result


def _report(file: Path, games: "Games", game: int) -> dict[str, Any]:
    shown = [(number, record) for number, record in zip(games.numbers, games, strict=True) if game in (0, number)]
    return {
        "file": str(file),
        "games": [{"number": number} | _described(record) for number, record in shown],
        "problems": [
            {"number": bad.number, "where": bad.where, "problem": bad.problem} for bad in games.problems if not game
        ],
        "remark": games.remark or None,
    }


def _described(record: "Record") -> dict[str, Any]:
    from ludus.records.replaying import replay_record

    last = replay_record(record)[0].last
    return {
        "game": record.game.name,
        "start": record.start or None,
        "setups": [list(setup) for setup in record.setups],
        "moves": list(record.moves),
        "players": list(record.players),
        "outcome": record.outcome,
        "reason": record.reason,
        "tags": [list(tag) for tag in record.tags],
        "last": last.text,
        "score": {"margin": last.margin, "tournament": last.game.type.final_margin(last)} if last.over else None,
    }
