"""Plays the games behind src/ludus/shipped/calibration.csv (see `ludus.players.calibration`); some ten minutes.

    python docs/calibrations.py [GAME or PLAYER...]

Each player meets itself after some random moves, so that the games differ and either side may be ahead. Its own value
of every fourth position after these is compared with how the game ended. Rows of others are kept.
"""

import csv
import math
import sys
from functools import cache

import numpy as np

import ludus
from ludus.players.calibration import FILE, whose_values
from ludus.players.endings import WIN
from ludus.players.explanations import explanation
from ludus.players.greedy import Greedy
from ludus.players.search.alphabeta import search, unlimited_budget
from ludus.players.search.uct import MCTS

PLAYERS = {
    "othello8": [
        ("alphabeta:depth=4,value=ntuples:othello8", 1000),
        ("ntuples:othello8", 1000),
        ("alphabeta:depth=4", 1000),
        ("mcts:simulations=200", 200),
    ],
    "othello6": [
        ("alphabeta:depth=4,value=ntuples:othello6", 1000),
        ("ntuples:othello6", 1000),
        ("alphabeta:depth=4", 1000),
        ("mcts:simulations=200", 200),
    ],
    "checkers": [
        ("alphabeta:depth=6,value=ntuples:checkers,extend=captures", 600),
        ("ntuples:checkers", 600),
        ("alphabeta:depth=6,extend=captures", 600),
        ("blondie24:c10", 200),
        ("mcts:simulations=200", 200),
    ],
    "go5": [("mcts:simulations=500", 200), ("ntuples:go5", 600)],
    "go7": [("mcts:simulations=500", 200), ("ntuples:go7", 600)],
    "go9": [("mcts:simulations=500", 100), ("ntuples:go9", 600)],
}
RANDOM, EVERY, SEED = {"othello8": 12, "othello6": 6, "checkers": 8, "go5": 2, "go7": 4, "go9": 6}, 4, 1
COLUMNS = ("game", "values", "scale", "points", "games", "positions", "log_loss", "baseline")


@cache
def searching(text, game):
    """The search that values a position as a player does that looks one move ahead."""
    return ludus.player(f"alphabeta:depth=1,value={text}", game).parts


def value_of(player, position):
    """The player's value of the position to the side to move."""
    if isinstance(player.parts, MCTS):
        return explanation(player, position).moves[0].value
    moves = np.array(list(position.legal.values()), np.int64)
    parts = searching(player.name, player.game) if isinstance(player.parts, Greedy) else player.parts
    return float(search(parts, player.game.rules, position.state, moves, parts.depth, unlimited_budget())[1])


def fitted(values, results):
    """The logistic scale by Newton's method, its log loss, and that of always saying the mean result."""
    scale = 0.0
    for _ in range(100):
        chances = 1 / (1 + np.exp(-scale * values))
        step = np.sum(values * (results - chances)) / np.sum(values**2 * chances * (1 - chances))
        scale += step
        if abs(step) < 1e-9 * max(abs(scale), 1):
            break

    def loss(chances):
        return float(-np.mean(results * np.log(chances) + (1 - results) * np.log(1 - chances)))

    return scale, loss(np.clip(1 / (1 + np.exp(-scale * values)), 1e-9, 1 - 1e-9)), loss(np.full(len(results), 0.5))


def row(game, text, games):
    player = ludus.player(text, game)
    opening = f"random:{RANDOM[game]}"
    played = ludus.match(text, text, game, games=games, seed=SEED, opening=opening, record=True, progress=False)
    values, results, margins = [], [], []
    for number, record in enumerate(played.records()):
        positions = record.positions()
        for position in positions[RANDOM[game] + number % EVERY : -1 : EVERY]:
            value = value_of(player, position)
            if abs(value) < WIN / 2:  # a certain result needs no scale
                sign = 1 if position.current_player == 0 else -1
                values.append(value)
                results.append(record.outcome if sign == 1 else 1 - record.outcome)
                margins.append(sign * player.game.type.final_margin(positions[-1]))
    values, results, margins = np.array(values), np.array(results), np.array(margins)
    scale, loss, baseline = fitted(values, results)
    points = np.sum(values * margins) / np.sum(values**2) if player.game.type.name == "othello" else 0.0
    if player.game.type.name == "othello" and "mcts" in text:
        points = 0.0
    figures = f"{scale:.4g}", f"{points:.4g}", games, len(values), f"{loss:.4f}", f"{baseline:.4f}"
    return dict(zip(COLUMNS, (game, whose_values(text, player.game), *figures), strict=True))


def main(wanted):
    chosen = [
        (game, text, games)
        for game, players in PLAYERS.items()
        for text, games in players
        if not wanted or {game, text} & set(wanted)
    ]
    made = {(game, whose_values(text, ludus.game(game))) for game, text, _ in chosen}
    with FILE.open(newline="") as file:
        rows = [each for each in csv.DictReader(file) if (each["game"], each["values"]) not in made]
    for each in chosen:
        rows.append(row(*each))
        print(rows[-1], flush=True)
        assert math.isfinite(float(rows[-1]["scale"]))
    order = list(PLAYERS)
    with FILE.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda each: (order.index(each["game"]), each["values"])))


if __name__ == "__main__":
    main(sys.argv[1:])
