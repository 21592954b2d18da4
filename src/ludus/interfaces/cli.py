"""The command line. What is heavy to import is imported by the command that needs it."""

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ludus import __version__
from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.games.game import Family

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game, such as othello8, checkers or go9:komi=5.5")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object instead of text")]

WHAT_NEXT = f"""\
Ludus {__version__}, a school for board-game players.

  ludus demo                        see what there is: the games, how fast they are, a short game
  ludus games                       the games, their sizes and options
  ludus perft othello8 --depth 9    check the rules by counting
  ludus bench                       speed, beside C and OpenSpiel

`ludus COMMAND --help` tells more about each."""


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version and stop")] = False,
) -> None:
    """A school for board-game players: grow them, measure them, play against them."""
    if version:
        print(f"ludus {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(WHAT_NEXT)


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their sizes and their options.

    Example: ludus games
    """
    from ludus.registry import families

    if as_json:
        _print_json({"games": [_described(family) for family in families().values()]})
        return
    table = Table("game", "name", "sizes", "a move", "option", "meaning (default)", box=None, pad_edge=False)
    for family in families().values():
        sizes = (
            f"{family.sizes[0]} to {family.sizes[-1]}" if len(family.sizes) > 3 else ", ".join(map(str, family.sizes))
        )
        options = [(option.name, f"{option.says} ({option.default})") for option in family.options] or [("", "")]
        shown = f"{family.name}{family.default_size or ''}"
        table.add_row(family.title, shown, sizes or "one", family.move_example, *options[0])
        for option in options[1:]:
            table.add_row("", "", "", "", *option)
    _console().print(table)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=1, max=30, help="the longest sequences to count")] = 6,
    position: Annotated[str, typer.Option(help="count from this position instead of the start")] = "",
    divide: Annotated[bool, typer.Option("--divide", help="count for each first move")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of moves, and compare with the published counts.

    Example: ludus perft checkers --depth 8
    """
    from ludus.games.perft import divided
    from ludus.games.perft import perft as count
    from ludus.registry import game as find

    variant = find(game)
    start = variant.position(position) if position else variant.start()
    if divide:
        parts = divided(start, depth)
        if as_json:
            _print_json({"game": variant.name, "depth": depth, "moves": parts, "nodes": sum(parts.values())})
        else:
            print("\n".join(f"{move}: {nodes:,}" for move, nodes in parts.items()))
            print(f"all {len(parts)} moves: {sum(parts.values()):,}")
        return
    published = () if position else variant.family.perft.get(variant.name, ())
    rows, differs = [], False
    for plies in range(1, depth + 1):
        begin = time.perf_counter()
        nodes = count(start, plies)
        seconds = time.perf_counter() - begin
        known = published[plies - 1] if plies <= len(published) else None
        differs |= known not in (None, nodes)
        rows.append({"depth": plies, "nodes": nodes, "seconds": round(seconds, 6), "published": known})
        if not as_json:
            verdict = "" if known is None else ("as published" if known == nodes else f"PUBLISHED {known:,}")
            print(f"{plies:>3} {nodes:>18,} {seconds:>9.3f} s  {verdict}".rstrip(), flush=True)
    if as_json:
        _print_json({"game": variant.name, "rows": rows})
    if differs:
        raise typer.Exit(1)


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help="how long each turn of each program lasts")] = 0.3,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="how many turns each program gets")] = 5,
    as_json: AsJson = False,
) -> None:
    """Measure speed on one core, beside C programs and OpenSpiel where they are present.

    A ratio of 2 means that Ludus is twice as fast. Example: ludus bench --rounds 3
    """
    from ludus.measures.speed import measure, start_seconds

    rows = []
    for row in measure(seconds, rounds):
        rows.append(row)
        if not as_json:
            print(_speed_line(row), flush=True)
    starts = start_seconds()
    if as_json:
        _print_json({"rows": rows, "start": starts})
    else:
        print(f"start: {starts['cold_seconds']} s compiling anew, {starts['warm_seconds']} s afterwards")


@app.command()
def demo(seed: Annotated[int, typer.Option(help="which random game to show")] = 1) -> None:
    """Show the games, how fast they are played, and a short random game.

    Example: ludus demo --seed 7
    """
    from ludus.measures.playouts import play_out, random_game
    from ludus.players.random import Random
    from ludus.registry import game as find

    games()
    print("\nRandom games a second on one core:")
    for name in ("othello8", "othello6", "checkers", "go5", "go7", "go9"):
        variant = find(name)
        play_out(variant, Random(), Random(), 1)
        begin = time.perf_counter()
        tally = play_out(variant, Random(), Random(), 10000, seed)
        taken = time.perf_counter() - begin
        print(
            f"  {name:<10}{tally.games / taken:>10,.0f}   the first player wins {tally.wins / tally.games:.1%}",
            flush=True,
        )
    moves, last = random_game(find("othello6"), seed)
    print(f"\nA random game of 6x6 Othello: {' '.join(moves)}\n\n{last}")
    print("\nNext: `ludus perft checkers --depth 8`, `ludus bench`, or in Python `import ludus; help(ludus)`.")


def main() -> None:
    """Run a command; whatever is wrong with its input is told in one sentence, with exit code 2."""
    try:
        status = app(standalone_mode=False)
    except (LudusError, typer.TyperException) as problem:
        print(
            f"ludus: {problem.format_message() if isinstance(problem, typer.TyperException) else problem}",
            file=sys.stderr,
        )
        status = 2
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    except BrokenPipeError:  # whoever reads our output has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - stays open while the process ends
        status = 0
    sys.exit(status)


def _described(family: "Family") -> dict[str, Any]:
    return {
        "name": family.name,
        "title": family.title,
        "version": family.version,
        "sizes": list(family.sizes),
        "default_size": family.default_size or None,
        "options": [{"name": option.name, "default": option.default, "says": option.says} for option in family.options],
    }


def _speed_line(row: dict[str, Any]) -> str:
    """One row of the benchmark as a person reads it."""
    ratios = [
        f"{row[key]:.2f} of C" if key == "vs_c" else f"{row[key]:,.0f} times OpenSpiel"
        for key in ("vs_c", "vs_openspiel")
        if row[key] is not None
    ]
    moves = f"{row['moves_per_second']:>12,} moves/s" if "moves_per_second" in row else ""
    return f"{row['work']:<22}{row['per_second']:>12,} /s {moves:<20}  {', '.join(ratios)}".rstrip()


def _console() -> Console:
    """Lines are as long as they need to be where nobody watches."""
    return Console() if sys.stdout.isatty() else Console(width=200)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))
