"""`ludus games` and `ludus perft`."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from ludus.interfaces.cli.app import AsJson, GameName, app, console, print_json

if TYPE_CHECKING:
    from ludus.games.game import Family


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their sizes and their options.

    Example: ludus games
    """
    from ludus.registry import families

    if as_json:
        print_json({"games": [_described(family) for family in families().values()]})
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
    console().print(table)


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
            print_json({"game": variant.name, "depth": depth, "moves": parts, "nodes": sum(parts.values())})
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
        print_json({"game": variant.name, "rows": rows})
    if differs:
        raise typer.Exit(1)


def _described(family: "Family") -> dict[str, Any]:
    return {
        "name": family.name,
        "title": family.title,
        "version": family.version,
        "sizes": list(family.sizes),
        "default_size": family.default_size or None,
        "options": [{"name": option.name, "default": option.default, "says": option.says} for option in family.options],
    }
