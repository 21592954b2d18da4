"""Rates the levels of each board and the players that come with Ludus on the ladders; writes
src/ludus/shipped/ratings.csv and the table in docs/strength.md; about a quarter of an hour.

    python docs/ratings.py

Ratings that are there already are kept. A level that is a rung has the rung's rating.
"""

import csv
import re
from pathlib import Path

import ludus
from ludus.measures.ladder import ladders
from ludus.players.levels import FILE, Rating, ratings
from ludus.storage import write_whole

LEVEL = {"games": 160, "precision": 40.0, "seed": 3}
CLIMB = {"games": 300, "seed": 2}
"""As docs/strength.py has the players that come with Ludus climb."""
NETWORK = "ntuples:othello8"
CAPTURES = "alphabeta:depth={},extend=captures"
SEARCHED_NETWORK = "alphabeta:depth=6,value=ntuples:checkers,extend=captures"
LIGHT = ["softmax:2,mcts:simulations=10,playouts=random", "softmax:1,mcts:simulations=40,playouts=random"]
SEARCHES = [f"mcts:simulations={n}" for n in (100, 1000, 10000)]


def shapes(board: str) -> list[str]:
    """Levels of a larger board: playouts alone, an n-tuple network, and searches."""
    return [*LIGHT, f"softmax:0.03,ntuples:{board}", f"ntuples:{board}", *SEARCHES[:2]]


LEVELS = {
    "othello8": [
        *(f"softmax:{temperature},{NETWORK}" for temperature in ("3.5", "2", "1", "0.5", "0.25")),
        NETWORK,
        *(f"alphabeta:depth={depth},value={NETWORK}" for depth in (2, 4, 6)),
    ],
    "othello6": [
        *(f"softmax:{temperature},alphabeta:depth=2" for temperature in (50, 20)),
        *(f"alphabeta:depth={depth}" for depth in (2, 4, 6)),
        "mcts:simulations=10000",
        "alphabeta:depth=6,value=ntuples:othello6",
    ],
    "checkers": [
        *(f"softmax:{temperature},{CAPTURES.format(2)}" for temperature in ("20", "2", "1", "0.5")),
        *(CAPTURES.format(depth) for depth in (2, 4, 6, 8)),
        SEARCHED_NETWORK,
    ],
    "go5": [*LIGHT, "mcts:simulations=100,playouts=random", *SEARCHES],
    "go7": shapes("go7"),
    "go9": shapes("go9"),
}
"""From the weakest to the strongest, about evenly apart."""
SHIPPED = {
    "othello8": ["marker:mobility", "marker:positional", "fixed-network:searcher"],
    "othello6": ["ntuples:othello6", "xcs:othello6"],
    "checkers": ["ntuples:checkers", "blondie24:c0", "blondie24:c1", "blondie24:c10", "blondie24:rr", "social:c10"],
    "go5": ["ntuples:go5", "sarsa-lvq:go5", "sarsa-linear:go5"],
    "go7": ["ntuples:go7", "sarsa-lvq:go7"],
    "go9": ["ntuples:go9", "sarsa-lvq:go9"],
}
PAGE = Path(__file__).parent / "strength.md"


def rated(board: str, level: int, name: str, known: dict[tuple[str, str], Rating]) -> Rating:
    rung = next((each for each in ludus.rungs(board) if each.player == name), None)
    if rung:
        return Rating(board, level, name, rung.elo, rung.elo - rung.minus, rung.elo + rung.plus, rung.games)
    if (board, name) in known:
        return Rating(board, level, *list(vars(known[board, name]).values())[2:])
    found = ludus.ladder(name, board, **(LEVEL if level else CLIMB), workers=1, progress=False)
    print(board, level, found, flush=True)
    return Rating(board, level, name, found.elo.value, *found.elo.interval, found.games)


def write(rows: list[Rating]) -> None:
    with FILE.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(vars(rows[0]))
        out.writerows(
            [[round(value) if isinstance(value, float) else value for value in vars(row).values()] for row in rows]
        )


def main() -> None:
    known = {(each.board, each.player): each for each in ratings()} if FILE.exists() else {}
    rows = []
    for board in ladders():
        rows += [rated(board, i + 1, name, known) for i, name in enumerate(LEVELS.get(board, ()))]
        rows += [rated(board, 0, name, known) for name in SHIPPED.get(board, ())]
    write(rows)
    lines = ["| board | level | Elo (95% interval) | the player | games |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {row.board} | {row.level} | {row.elo:.0f} ({row.low:.0f} to {row.high:.0f}) "
        f"| `{row.player}` | {row.games} |"
        for row in rows
        if row.level
    ]
    begin, end = "<!-- begin levels -->", "<!-- end levels -->"
    table = f"{begin}\n\n{chr(10).join(lines)}\n\n{end}"
    write_whole(PAGE, re.sub(f"{begin}.*{end}", lambda _: table, PAGE.read_text(), flags=re.DOTALL).encode())


if __name__ == "__main__":
    main()
