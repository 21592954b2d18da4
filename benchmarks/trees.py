"""What a search that remembers saves: nodes and seconds, with and without a transposition table, in one run.

python benchmarks/trees.py [--json]

Both searches find the same move and value for each of the positions, to which random moves from the start lead.
"""

import json
import random
import sys
import time
from typing import Any

import numpy as np

import ludus
from ludus.games.game import Position
from ludus.players.names import player
from ludus.players.search.alphabeta import search
from ludus.players.search.transposition import remembering

CASES = (
    ("othello8", "positional", 20, 8),
    ("othello8", "positional", 20, 10),
    ("othello8", "ntuples:othello8", 20, 8),
    ("checkers", "pieces", 20, 8),
    ("checkers", "pieces", 20, 12),
    ("go5", "area", 10, 6),
)
POSITIONS, MOST = 12, 1 << 60


def positions(name: str, plies: int) -> list[Position]:
    choice, found = random.Random(1), []
    while len(found) < POSITIONS:
        position = ludus.game(name).start()
        for _ in range(plies):
            if not position.over:
                position = position.play(choice.choice(position.legal_moves))
        if len(position.legal_moves) > 1:
            found.append(position)
    return found


def searched(parts: Any, position: Position, depth: int) -> tuple[tuple[int, float], int, float]:
    moves, budget = np.array(list(position.legal.values()), np.int64), np.full(1, MOST, np.int64)
    begin = time.perf_counter()
    found = search(parts, position.game.rules, position.state, moves, depth, budget)
    return found, MOST - int(budget[0]), time.perf_counter() - begin


def compared(name: str, value: str, plies: int, depth: int) -> dict[str, Any]:
    plain = player(f"alphabeta:value={value}", ludus.game(name)).parts
    kinds = [plain, plain._replace(evaluator=remembering(plain.evaluator, 1 << 18))]
    for parts in kinds:
        searched(parts, ludus.game(name).start(), 1)  # compiles
    nodes, seconds = [0, 0], [0.0, 0.0]
    for position in positions(name, plies):
        found = []
        for i, parts in enumerate(kinds):
            best, looked_at, taken = searched(parts, position, depth)
            found.append(best)
            nodes[i], seconds[i] = nodes[i] + looked_at, seconds[i] + taken
        assert found[0] == found[1], position.text
    return {"game": name, "value": value, "depth": depth, "nodes": nodes, "seconds": seconds}


def main() -> None:
    rows = [compared(*case) for case in CASES]
    if "--json" in sys.argv:
        print(json.dumps(rows))
        return
    print(f"{POSITIONS} positions each; nodes and seconds without a table, with one, and how many times fewer")
    for row in rows:
        nodes, seconds = row["nodes"], row["seconds"]
        print(
            f"{row['game']:9} {row['value']:16} depth {row['depth']:2}"
            f" {nodes[0]:13,} {nodes[1]:12,} {nodes[0] / nodes[1]:5.1f}"
            f" {seconds[0]:8.2f} {seconds[1]:8.2f} {seconds[0] / seconds[1]:5.1f}"
        )


if __name__ == "__main__":
    main()
