"""Measures players against other programs and on ladders, and writes docs/strength.md; about an hour and a half.

    python docs/strength.py [ladder] [BOARD...]

It needs gtp-rhino and gnugo (Debian's packages grhino and gnugo). Every opening is played twice, with colours swapped.
"""

import sys
from functools import partial
from pathlib import Path

import ludus
from ludus.progress import brief

PAGE = Path(__file__).parent / "strength.md"

ONE_PLY = "ntuples:othello8"
RHINO = "gtp:gtp-rhino -l {}"
GNUGO = "gtp:gnugo --mode gtp --level {} --chinese-rules --positional-superko --capture-all-dead --never-resign"
CHECKERS = "alphabeta:depth=6,value=ntuples:checkers,extend=captures"
MATCHES = {
    "othello8": [
        (ONE_PLY, "heuristic", 488),
        (ONE_PLY, "alphabeta:depth=2,value=positional", 488),
        (ONE_PLY, "alphabeta:depth=3,value=positional", 488),
        (ONE_PLY, RHINO.format(1), 488),
        (ONE_PLY, RHINO.format(2), 488),
        (f"alphabeta:depth=4,value={ONE_PLY}", RHINO.format(2), 244),
        (f"alphabeta:depth=6,value={ONE_PLY}", RHINO.format(3), 100),
        (f"alphabeta:depth=8,value={ONE_PLY}", RHINO.format(3), 40),
        (f"alphabeta:depth=7,value={ONE_PLY}", RHINO.format(4), 200),
    ],
    "othello6": [
        ("ntuples:othello6", "xcs:othello6", 200),
        ("ntuples:othello6", "alphabeta:depth=4", 200),
        ("ntuples:othello6", "alphabeta:depth=6", 200),
    ],
    "checkers": [
        ("ntuples:checkers", "pieces", 258),
        ("ntuples:checkers", "alphabeta:depth=2,extend=captures", 258),
        ("ntuples:checkers", "alphabeta:depth=4,extend=captures", 258),
        (CHECKERS, "alphabeta:depth=8", 258),
        (CHECKERS, "alphabeta:depth=8,extend=captures", 258),
        (CHECKERS, "blondie24:rr", 258),
    ],
    "go5": [
        ("ntuples:go5", "wally", 200),
        ("ntuples:go5", GNUGO.format(1), 200),
        ("ntuples:go5", GNUGO.format(10), 200),
    ],
    "go7": [
        ("ntuples:go7", "wally", 200),
        ("ntuples:go7", GNUGO.format(1), 200),
        ("mcts:simulations=5000", GNUGO.format(10), 200),
    ],
    "go9": [
        ("ntuples:go9", "wally", 200),
        ("ntuples:go9", GNUGO.format(1), 100),
        ("mcts:simulations=5000", GNUGO.format(10), 60),
    ],
}
"""Player, opponent, games, for each board."""
ENDINGS = {
    "othello8": (12, ["random", "heuristic", "alphabeta:depth=3,value=positional", ONE_PLY]),
    "othello6": (14, ["random", "alphabeta:depth=4", "xcs:othello6", "ntuples:othello6"]),
}
"""How many squares are empty when endings begin, and who plays them."""
CLIMBERS = {
    "othello8": [ONE_PLY, "ntuples:seed=1", "marker:mobility", "marker:positional", "fixed-network:searcher"],
    "othello6": ["ntuples:othello6", "xcs:othello6"],
    "checkers": ["ntuples:checkers", "blondie24:c0", "blondie24:c1", "blondie24:c10", "blondie24:rr", "social:c10"],
    "go5": ["ntuples:go5", "sarsa-lvq:go5", "sarsa-linear:go5"],
    "go7": ["ntuples:go7", "sarsa-lvq:go7"],
    "go9": ["ntuples:go9", "sarsa-lvq:go9"],
}
"""The players that come with Ludus, where there is a ladder, and an n-tuple network that never learned."""


def matches(board: str) -> list[str]:
    """A row of a table for each match."""
    rows = ["| player | opponent | games | won, drawn, lost | score (95% interval) |", "| --- " * 5 + "|"]
    for one, other, games in MATCHES[board]:
        played = ludus.match(one, other, board, games=games, seed=2)
        low, high = played.summary.interval
        counts = f"{played.wins}, {played.draws}, {played.losses}"
        score = f"{played.summary.score:.1%} ({low:.1%} to {high:.1%})"
        rows.append(f"| `{one}` | `{other}` | {games} | {counts} | {score} |")
        print(rows[-1], flush=True)
    return rows


def regrets(board: str) -> list[str]:
    """What players lose to perfect play in endings."""
    empty, names = ENDINGS[board]
    rows = [f"Endings, from {empty} empty squares on, 200 games:", ""]
    rows += ["| player | discs lost per game (95% interval) | moves that lost a disc or more |", "| --- | --- | --- |"]
    for name in names:
        found = ludus.regret(name, board, games=200, empty=empty, seed=2)
        rows.append(f"| `{name}` | {found.per_game:.1f} | {found.mistakes} of {found.choices} |")
        print(rows[-1], flush=True)
    return rows


def climbs() -> list[str]:
    """How high players climb, under the rungs of their ladder."""
    rows = ["| game | Elo | player | games | time a move |", "| --- " * 5 + "|"]
    for board, names in CLIMBERS.items():
        found = [ludus.ladder(name, board, games=300, seed=2, progress=False) for name in names]
        lines = [
            (each.elo.value, f"{each.elo:.0f}", f"**`{each.player}`**", each.games, brief(each.seconds_a_move))
            for each in found
        ]
        lines += [(each.elo, f"{each.elo:.0f}", f"`{each.player}`", each.games, "") for each in ludus.rungs(board)]
        for _, *cells in sorted(lines, key=lambda line: -line[0]):
            rows.append(f"| {board} | {' | '.join(map(str, cells))} |")
            print(rows[-1], flush=True)
    return rows


def figures(board: str) -> list[str]:
    return [*matches(board), *(["", *regrets(board)] if board in ENDINGS else [])]


SECTIONS = {"ladder": climbs, **{board: partial(figures, board) for board in MATCHES}}

if __name__ == "__main__":
    for name in sys.argv[1:] or SECTIONS:
        begin, end, made = (
            f"<!-- begin {name} -->\n",
            f"<!-- end {name} -->",
            "\n".join(["", *SECTIONS[name](), "", ""]),
        )
        before, _, rest = PAGE.read_text().partition(begin)
        PAGE.write_text(before + begin + made + end + rest.partition(end)[2])
