"""How fast alpha-beta searches."""

import numpy as np

from ludus.benchmarks.turns import Bench, Row, reported_seconds, timed
from ludus.games.game import Game
from ludus.games.names import game
from ludus.games.openings import openings
from ludus.measures.performance import compiled
from ludus.play.games import GameResults, Schedule, play_games
from ludus.players.names import player
from ludus.players.search.alphabeta import search

SEARCHER = "alphabeta:depth=3,value=positional,ties=first"
GAMES = 122


def search_speed(bench: Bench) -> Row:
    """The searcher of moriarty1995 against itself: positions looked at in a second."""
    variant, program = game("othello8"), bench.c_program("othello8")
    parts, table = compiled(player(SEARCHER, variant)).parts, openings(variant).table
    nodes, keys = search_nodes(variant, GAMES), np.zeros(2, np.uint64)
    results = GameResults(np.empty(1), np.empty(1, np.int64))

    def play() -> None:
        for i in range(GAMES):
            play_games(variant.rules, parts, parts, Schedule(0, keys, table[i : i + 1], swaps=False), results)

    play()  # compiles
    return bench.compare(
        "othello8 search nodes",
        lambda: nodes / timed(play),
        (lambda: nodes / reported_seconds([*program, "search", "3", str(GAMES)])) if program else None,
    )


def search_nodes(variant: Game, games: int) -> int:
    """How many positions the searcher looks at when it plays itself from each of the first so many openings."""
    parts, nodes = compiled(player(SEARCHER, variant)).parts, 0
    for opening in openings(variant).table[:games]:
        position = variant.start()
        for move in opening:
            position = position.play(int(move))
        while not position.over:
            budget = np.full(1, 1 << 40, np.int64)
            moves = np.array(list(position.legal.values()), np.int64)
            pick, _ = search(parts, variant.rules, position.state, moves, parts.depth, budget)
            nodes += (1 << 40) - int(budget[0])
            position = position.play(int(pick))
    return nodes
