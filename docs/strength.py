"""Measures the n-tuple players of Othello against other programs and writes docs/strength.md; about half an hour.

    python docs/strength.py

It needs gtp-rhino (Debian's package grhino). Every opening is played twice, with colours swapped.
"""

import time
from pathlib import Path

import ludus

PAGE = Path(__file__).parent / "strength.md"
BEGIN, END = "<!-- begin figures -->\n", "<!-- end figures -->"

ONE_PLY = "ntuples:othello8"
RHINO = "gtp:gtp-rhino -l {}"
MATCHES = [
    (ONE_PLY, "heuristic", 488),
    (ONE_PLY, "alphabeta:depth=2,value=positional", 488),
    (ONE_PLY, "alphabeta:depth=3,value=positional", 488),
    (ONE_PLY, RHINO.format(1), 488),
    (ONE_PLY, RHINO.format(2), 488),
    (f"alphabeta:depth=4,value={ONE_PLY}", RHINO.format(2), 244),
    (f"alphabeta:depth=6,value={ONE_PLY}", RHINO.format(3), 100),
    (f"alphabeta:depth=8,value={ONE_PLY}", RHINO.format(3), 40),
]
"""Player, opponent, games."""
CONTROLS = ["random", "heuristic", "alphabeta:depth=3,value=positional", ONE_PLY]


def matches() -> list[str]:
    """A row of a table for each match."""
    rows = [
        "| player | opponent | games | won, drawn, lost | score (95% interval) | seconds a game |",
        "| --- " * 6 + "|",
    ]
    for one, other, games in MATCHES:
        begin = time.perf_counter()
        played = ludus.match(one, other, "othello8", games=games, seed=2)
        seconds = (time.perf_counter() - begin) / games
        low, high = played.summary.interval
        counts = f"{played.wins}, {played.draws}, {played.losses}"
        score = f"{played.summary.score:.1%} ({low:.1%} to {high:.1%})"
        rows.append(f"| `{one}` | `{other}` | {games} | {counts} | {score} | {seconds:.2f} |")
        print(rows[-1], flush=True)
    return rows


def regrets() -> list[str]:
    """What players lose to perfect play in endings."""
    rows = ["| player | discs lost per game (95% interval) | moves that lost a disc or more |", "| --- | --- | --- |"]
    for name in CONTROLS:
        found = ludus.regret(name, "othello8", games=200, empty=12, seed=2)
        rows.append(f"| `{name}` | {found.per_game:.1f} | {found.mistakes} of {found.choices} |")
        print(rows[-1], flush=True)
    return rows


if __name__ == "__main__":
    figures = "\n".join(["", *matches(), "", "Endings, from 12 empty squares on, 200 games:", "", *regrets(), "", ""])
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + figures + END + rest.partition(END)[2])
