"""Plays the games behind the ladders (`ludus ladder`) and writes src/ludus/shipped/ladder-*.csv; about half an hour.

    python docs/ladders.py [BOARD...]

Each rung plays those next to it, since games that everybody can foretell say nothing. It needs gtp-rhino and gnugo
(Debian's packages grhino and gnugo); results that are there already are kept.
"""

import sys

import ludus
from ludus.measures.ladder import ladder_file
from ludus.measures.ratings import Result, read_results, write_results

NEIGHBOURS, GAMES = 3, 100
NETWORK = "ntuples:othello8"
RHINO = "gtp:gtp-rhino -l {}"
GNUGO = "gtp:gnugo --mode gtp --level {} --chinese-rules --positional-superko --capture-all-dead --never-resign"


def go_rungs(board: str) -> list[str]:
    """From the weakest to the strongest. GNU Go's usual level takes too long on larger boards."""
    engines = [GNUGO.format(level) for level in ((1, 10) if board == "go5" else (1,))]
    return ["random", "wally", f"ntuples:{board}", "mcts:simulations=100", *engines, "mcts:simulations=1000"]


RUNGS = {
    "othello8": [
        "random",
        "discs",
        "mobility",
        "positional",
        "heuristic",
        "alphabeta:depth=2,value=positional",
        "mcts:simulations=100",
        "alphabeta:depth=4,value=positional",
        "mcts:simulations=1000",
        RHINO.format(1),
        NETWORK,
        RHINO.format(2),
        f"alphabeta:depth=2,value={NETWORK}",
        f"alphabeta:depth=4,value={NETWORK}",
        RHINO.format(3),
        f"alphabeta:depth=6,value={NETWORK}",
    ],
    "othello6": [
        "random",
        "discs",
        "xcs:othello6",
        "mobility",
        "alphabeta:depth=2",
        "mcts:simulations=100",
        "alphabeta:depth=4",
        "mcts:simulations=1000",
        "alphabeta:depth=6",
        "mcts:simulations=10000",
        "alphabeta:depth=8",
        "alphabeta:depth=6,value=ntuples:othello6",
    ],
    "checkers": [
        "random",
        "pieces",
        "mcts:simulations=100",
        "alphabeta:depth=2,extend=captures",
        "mcts:simulations=1000",
        "alphabeta:depth=4,extend=captures",
        "blondie24:c10",
        "alphabeta:depth=6,extend=captures",
        "alphabeta:depth=8,extend=captures",
        "alphabeta:depth=6,value=ntuples:checkers,extend=captures",
    ],
    "go5": go_rungs("go5"),
    "go7": go_rungs("go7"),
    "go9": go_rungs("go9"),
}
"""From the weakest to the strongest, as far as that was known before."""


def play(board: str) -> None:
    """All matches of a ladder that are left."""
    file, rungs = ladder_file(ludus.game(board)), RUNGS[board]
    results = read_results(file) if file.exists() else []
    done = {(each.a, each.b) for each in results}
    for i, a in enumerate(rungs):
        for j, b in enumerate(rungs[i + 1 : i + 1 + NEIGHBOURS]):
            if (a, b) not in done:
                played = ludus.match(a, b, board, games=GAMES, seed=1000 + 20 * i + j, progress=False)
                results.append(Result(a, b, played.wins, played.draws, played.losses))
                write_results(file, results)
                print(board, results[-1], flush=True)


if __name__ == "__main__":
    for each in sys.argv[1:] or RUNGS:
        play(each)
