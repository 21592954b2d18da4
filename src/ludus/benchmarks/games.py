"""How fast whole games are played, and positions counted."""

import time

import numpy as np

from ludus.benchmarks.turns import Bench, Row, Turn, reported_seconds, timed
from ludus.evaluators.base import evaluator
from ludus.games.game import Game
from ludus.games.names import game
from ludus.games.perft import perft
from ludus.play.games import GameResults, Schedule, Tally, play_games, play_out
from ludus.players.greedy import Greedy, random_weights
from ludus.players.random import Random

GAMES = ("othello8", "othello6", "checkers", "go5", "go7", "go9")
PERFT_DEPTH = 11


def as_openspiel_plays(name: str) -> Game:
    """The game of that name; in Go, as in OpenSpiel's, it ends after two moves for each point."""
    return game(f"{name}:plies={2 * int(name[2:]) ** 2}") if name.startswith("go") else game(name)


def random_games(bench: Bench, name: str) -> Row:
    """Games between random players."""
    variant, program = as_openspiel_plays(name), bench.c_program(name)
    plies = [str(variant.rules.plies)] if name.startswith("go") else []

    def play(games: int) -> Tally:
        return play_out(variant, Random(), Random(), games)

    row = bench.compare_repeated(
        f"{name} random games",
        play,
        (lambda games: [*program, "random", str(games), "1", *plies]) if program else None,
        _openspiel(name, bench.seconds),
    )
    tally = play(1000)
    return row | {"moves_per_second": round(row["per_second"] * tally.moves / tally.games)}


def piece_counters(bench: Bench) -> Row:
    """Games of the standard heuristic against random weights, both one move ahead, after four random moves."""
    variant, program = game("othello8"), bench.c_program("othello8")
    a, b = Greedy(evaluator("heuristic", variant)), Greedy(random_weights(variant, 1))
    schedule = Schedule(0, np.array([1, 2], np.uint64), plies=4)

    def play(games: int) -> None:
        play_games(variant.rules, a, b, schedule, GameResults(np.empty(games), np.empty(games, np.int64)))

    command = (lambda games: [*program, "greedy", str(games), "1"]) if program else None
    return bench.compare_repeated("othello8 piece counters", play, command)


def perft_nodes(bench: Bench) -> Row:
    """Positions of 8x8 Othello that perft counts."""
    position, program = game("othello8").start(), bench.c_program("othello8")
    nodes = perft(position, PERFT_DEPTH)
    return bench.compare(
        "othello8 perft",
        lambda: nodes / timed(lambda: perft(position, PERFT_DEPTH)),
        (lambda: nodes / reported_seconds([*program, "perft", str(PERFT_DEPTH)])) if program else None,
    )


def _openspiel(name: str, seconds: float) -> Turn | None:
    """OpenSpiel's own loop over its own random players, where it is installed and has the game."""
    try:
        import pyspiel
    except ImportError:
        return None
    names = {"othello8": "othello", "checkers": "checkers"}
    if name not in names and not name.startswith("go"):
        return None
    rules = pyspiel.load_game(names.get(name) or f"go(board_size={name[2:]})")
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]

    def turn() -> float:
        games, begin = 0, time.process_time()
        while (taken := time.process_time() - begin) < seconds:
            for _ in range(10):
                pyspiel.evaluate_bots(rules.new_initial_state(), bots, games)
                games += 1
        return games / taken

    return turn
