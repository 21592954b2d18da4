"""Measures how fast Ludus is on this machine, and writes docs/speed.md; about four minutes.

python docs/speed.py
"""

from pathlib import Path

import ludus
from ludus.benchmarks.first_use import first_use
from ludus.benchmarks.speed import measure, start_seconds
from ludus.papers.report import machine

PAGE = Path(__file__).parent / "speed.md"

ABOUT = """# Speed

Made by `python docs/speed.py` with Ludus {version}, in one run on one core ({machine}). Ludus, a C program of ours
that does the same work (`src/ludus/benchmarks/c`, gcc -O3), and OpenSpiel take turns, and each counts by its best of
five; seconds are the processor's. Machines differ, so the ratios say more than the rates. `ludus bench` measures the
same on yours.

| work | a second | of C | of OpenSpiel |
| --- | --- | --- | --- |
{rows}

The smallest command (`ludus perft othello8 --depth 1`) takes {cold_seconds} s with an empty cache of machine code and
{warm_seconds} s afterwards.

## First use

The processor's seconds until `ludus train LEARNER` has done its first step, with an empty cache and with a full one
(`ludus bench --first-use`). Some first steps take seconds themselves.

| learner | game | empty cache | full cache |
| --- | --- | --- | --- |
{first}
"""


def main() -> None:
    rows = "\n".join(
        f"| {row['work']} | {row['per_second']:,} | {_ratio(row['vs_c'])} | {_ratio(row['vs_openspiel'])} |"
        for row in measure()
    )
    first = "\n".join(
        f"| `{row['learner']}` | `{row['game']}` | {row['cold_seconds']} | {row['warm_seconds']} |"
        for row in first_use()
    )
    text = ABOUT.format(version=ludus.__version__, machine=machine(), rows=rows, first=first, **start_seconds())
    PAGE.write_text(text, encoding="utf-8")


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.2f}"


if __name__ == "__main__":
    main()
