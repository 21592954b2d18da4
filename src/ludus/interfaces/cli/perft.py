"""`ludus perft`."""

import time
from typing import Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson, GameName


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
    from ludus.games.names import game as find
    from ludus.games.perft import divide as count_each
    from ludus.games.perft import perft as count

    variant = find(game)
    start = variant.position(position) if position else variant.start()
    if divide:
        parts = count_each(start, depth)
        if as_json:
            print_json({"game": variant.name, "depth": depth, "moves": parts, "nodes": sum(parts.values())})
        else:
            print("\n".join(f"{move}: {nodes:,}" for move, nodes in parts.items()))
            print(f"all {len(parts)} moves: {sum(parts.values()):,}")
        return
    published = () if position else variant.type.perft.get(variant.name, ())
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
