"""`ludus bench`."""

from typing import Annotated, Any

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(min=0.01, max=60, help="how long each turn of each program lasts")] = 0.3,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="how many turns each program gets")] = 5,
    first_use: Annotated[
        bool, typer.Option("--first-use", help="instead, how long each learner compiles when it is first used")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure speed on one core, beside C programs and OpenSpiel where they are present.

    Seconds are those of the processor. A ratio of 2 means that Ludus is twice as fast. Example: ludus bench --rounds 3
    """
    if first_use:
        _first_use(as_json)
        return

    from ludus.benchmarks.speed import measure, start_seconds

    rows = []
    for row in measure(seconds, rounds):
        rows.append(row)
        if not as_json:
            print(_speed_line(row), flush=True)
    starts = start_seconds()
    if as_json:
        print_json({"rows": rows, "start": starts})
    else:
        print(f"start: {starts['cold_seconds']} s compiling anew, {starts['warm_seconds']} s afterwards")


def _first_use(as_json: bool) -> None:
    from ludus.benchmarks.first_use import first_use

    rows = []
    for row in first_use():
        rows.append(row)
        if not as_json:
            cold, warm = row["cold_seconds"], row["warm_seconds"]
            print(
                f"{row['learner']:<16}{row['game']:<10}{cold:>6.1f} s compiling anew, {warm:.1f} s afterwards",
                flush=True,
            )
    if as_json:
        print_json({"first_use": rows})


def _speed_line(row: dict[str, Any]) -> str:
    """One row of the benchmark as a person reads it."""
    ratios = [
        f"{row[key]:.2f} of C" if key == "vs_c" else f"{row[key]:,.0f} times OpenSpiel"
        for key in ("vs_c", "vs_openspiel")
        if row[key] is not None
    ]
    moves = f"{row['moves_per_second']:>12,} moves/s" if "moves_per_second" in row else ""
    return f"{row['work']:<22}{row['per_second']:>12,} /s {moves:<20}  {', '.join(ratios)}".rstrip()
