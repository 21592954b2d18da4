"""How fast games are played, beside C programs and OpenSpiel in the same run.

Machines are noisy, so the three take turns in short rounds and each is judged by its best round: what slowed one
of them down for a while does not decide the ratio.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import below, mixed, roll, stream, uniform
from ludus.games.checkers import CheckersState
from ludus.games.game import Game
from ludus.games.openings import openings
from ludus.games.othello import OthelloState
from ludus.games.perft import perft
from ludus.kernels import kernel
from ludus.measures.matches import match
from ludus.measures.performance import compiled
from ludus.players.codebook import UNIT, Codebook, Sight, codebook, compare, enter_all, sight
from ludus.players.evaluators import evaluator
from ludus.players.greedy import Greedy, random_weights
from ludus.players.marker import activate, marker
from ludus.players.matching import matching
from ludus.players.playouts import NO_OPENINGS, UNRECORDED, Tally, play_games, play_out
from ludus.players.random import Random
from ludus.players.search import searched
from ludus.players.strings import player
from ludus.players.subsquares import Subsquares, judged, network, seen, shape
from ludus.registry import game

C_SOURCES = Path(__file__).parents[3] / "benchmarks"
"""Where the C programs are in a checkout; an installed package has none."""

GAMES = ("othello8", "othello6", "checkers", "go5", "go7", "go9")
PERFT_DEPTH = 11
RULES, BOARD = 50_000, np.uint64((1 << 36) - 1)
"""For matching: jain2018's number of rules, and its board."""

Turn = Callable[[], float]
"""Does a share of the work and returns how much of it was done a second."""


def measure(seconds: float = 0.3, rounds: int = 5) -> Iterator[dict[str, Any]]:
    """A row for each kind of work: how much is done a second on one core, and the ratio to what others do."""
    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as folder:
        for name in GAMES:
            variant, program = _variant(name), _compiled(name, Path(folder))
            yield _random_games(name, variant, program, seconds, rounds)
            if name == "othello8":
                yield _perft(name, variant, program, rounds)
                yield _piece_counters(variant, program, seconds, rounds)
                yield _search(variant, program, rounds)
                yield _network(variant, program, rounds, Path(folder))
        yield _judgements(Path(folder), seconds, rounds)
        yield _codebook(_compiled("lvq7", Path(folder)), seconds, rounds)
        yield _rules(_compiled("xcs", Path(folder)), seconds, rounds)


def start_seconds() -> dict[str, float]:
    """How long the smallest command takes: with an empty cache of compiled code, and with a full one."""
    with tempfile.TemporaryDirectory(prefix="ludus-bench-") as cache:
        command = [sys.executable, "-m", "ludus", "perft", "othello8", "--depth", "1"]
        cold, warm, again = (_seconds(command, os.environ | {"LUDUS_CACHE": cache}) for _ in range(3))
    return {"cold_seconds": round(cold, 2), "warm_seconds": round(min(warm, again), 2)}


def _variant(name: str) -> Game:
    """The game as OpenSpiel plays it: there a game of Go ends after two moves for each point."""
    return game(f"{name}:plies={2 * int(name[2:]) ** 2}") if name.startswith("go") else game(name)


def _random_games(name: str, variant: Game, program: list[str], seconds: float, rounds: int) -> dict[str, Any]:
    plies = [str(variant.rules.plies)] if name.startswith("go") else []

    def play(games: int) -> Tally:
        return play_out(variant, Random(), Random(), games)

    row = _games(f"{name} random games", play, program, "random", plies, seconds, rounds, _openspiel(name, seconds))
    tally = play(1000)
    return row | {"moves_per_second": round(row["per_second"] * tally.moves / tally.games)}


def _piece_counters(variant: Game, program: list[str], seconds: float, rounds: int) -> dict[str, Any]:
    """The standard heuristic against random weights, both one move ahead, after four random moves."""
    a, b = Greedy(evaluator("heuristic", variant)), Greedy(random_weights(variant, 1))
    keys = np.array([1, 2], np.uint64)

    def play(games: int) -> None:
        scores, lengths = np.empty(games), np.empty(games, np.int64)
        play_games(variant.rules, a, b, True, NO_OPENINGS, 4, keys, 0, scores, lengths, UNRECORDED)

    return _games("othello8 piece counters", play, program, "greedy", [], seconds, rounds, None)


@dataclass(frozen=True)
class NetworkWork:
    """A random network of Blondie24's kind, and positions of random games of checkers for it to judge."""

    network: Subsquares
    states: NDArray[np.uint64]  # [positions, 4]: own, opp, kings, mover
    file: Path
    """The same for the C program."""

    def judged(self, rounds: int) -> float:
        """The mean judgement, having judged all positions so many times."""
        return float(_judged_all(self.network, game("checkers").rules, self.states, rounds))


def network_work(folder: Path, games: int = 20) -> NetworkWork:
    """Work for us and for C."""
    variant, dice = game("checkers"), stream(1, "benchmark network")
    plan = shape(variant)
    numbers = np.array([0.4 * uniform(dice) - 0.2 for _ in range(plan.count)], np.float32)
    one, anybody = network(plan, numbers, 2.0), player("random", variant)
    positions = [
        each for record in match(anybody, anybody, games, record=True).records() for each in record.positions()
    ]
    states = [(each.state.own, each.state.opp, each.state.kings, each.mover) for each in positions]
    inputs = np.array([seen(one, each) for each in positions], np.float32)
    file = folder / "network"
    file.write_bytes(np.int32(len(positions)).tobytes() + numbers.tobytes() + inputs.tobytes())
    return NetworkWork(one, np.array(states, np.uint64), file)


def _judgements(folder: Path, seconds: float, rounds: int) -> dict[str, Any]:
    work, program = network_work(folder), _compiled("blondie24", folder)
    count = len(work.states)
    work.judged(1)  # compiles
    times = max(1, int(seconds / max(_timed(lambda: work.judged(1)), 1e-9)))
    turns: dict[str, Turn] = {"ours": lambda: times * count / _timed(lambda: work.judged(times))}
    if program:
        turns["c"] = lambda: times * count / _told(program, [str(work.file), str(times)])
    return _compared("blondie24 networks", turns, rounds)


@kernel
def _judged_all(network, rules, states, rounds):
    total = 0.0
    for _ in range(rounds):
        for i in range(len(states)):
            state = CheckersState(states[i, 0], states[i, 1], states[i, 2], 0, int(states[i, 3]))
            total += judged(network, rules, state)
    return total / (rounds * len(states))


def random_codebook(variant: Game, vectors: int, seed: int) -> tuple[Codebook, Sight]:
    """A codebook and a position of random numbers, every second point a legal move, as benchmarks/lvq.c draws them."""
    begins = [np.uint64((seed + i * 0x9E3779B97F4A7C15) % 2**64) for i in range(1, 5)]
    dice, squares = np.array([mixed(each) for each in begins], np.uint64), variant.squares
    book = codebook(variant, vectors, 1.0, 0.0)
    book.size[0] = vectors
    moves = np.empty(vectors, np.int64)
    for i in range(vectors):
        book.vectors[i] = [below(dice, UNIT + 1) for _ in range(2 * squares)]
        moves[i] = below(dice, squares)
    enter_all(book, moves, moves)
    shown = np.array([below(dice, UNIT + 1) for _ in range(2 * squares)], np.int32)
    room = sight(book, variant.width)
    for way, goes in enumerate(book.ways[0, :, :squares]):
        room.views[0, way] = np.concatenate([shown[goes], shown[squares + goes]])
    room.legal[:] = -1
    for i, point in enumerate(range(0, squares, 2)):
        room.legal[point * (squares + 2)] = i
        room.totals[i] = shown.sum() / UNIT
        room.saliences[i] = book.near[point] @ (shown[:squares] + shown[squares:]) / UNIT
    return book, room


def _codebook(program: list[str], seconds: float, rounds: int) -> dict[str, Any]:
    """A position beside a codebook of a thousand vectors."""
    book, room = random_codebook(game("go7"), 1000, 1)

    def repeat(times: int) -> None:
        compare_often(book, room, times)

    return _games("go7 codebook of 1,000 vectors", repeat, program, "match", ["1000"], seconds, rounds, None)


@kernel
def compare_often(book, room, times):
    """Do the same so many times; a call from Python takes half as long as the work."""
    for _ in range(times):
        compare(book, 0, room)


def _rules(program: list[str], seconds: float, rounds: int) -> dict[str, Any]:
    """Positions of 6x6 Othello a second that 50,000 random rules of XCS are held against."""

    def hold(passes: int) -> None:
        match_passes(passes, 1, RULES)

    return _games("xcs 50,000 rules", hold, program, "match", [str(RULES)], seconds, rounds, None)


def match_passes(passes: int, seed: int, rules: int) -> int:
    """Hold random rules against random positions, as benchmarks/xcs.c does; how often one held."""
    dice, word = np.empty(4, np.uint64), np.array([seed], np.uint64)
    for i in range(4):
        word += np.uint64(0x9E3779B97F4A7C15)
        dice[i] = mixed(word[0])
    return int(_matched(_random_conditions(rules, dice), passes, dice))


@kernel
def _random_conditions(rules, dice):
    """Conditions in which each of 36 symbols is cared for with a chance of 1 in 16."""
    conditions = np.empty((4, rules), np.uint64)
    for i in range(rules):
        for row in range(0, 4, 2):
            care = BOARD
            for _ in range(4):
                care &= roll(dice)
            conditions[row, i] = care
            conditions[row + 1, i] = care & roll(dice)
    return conditions


@kernel
def _matched(conditions, passes, dice):
    rules, found = conditions.shape[1], 0
    view, misses, out = np.empty(2, np.uint64), np.empty(rules, np.uint64), np.empty(rules + 1, np.int64)
    for _ in range(passes):
        view[0] = roll(dice) & BOARD
        view[1] = roll(dice) & BOARD
        found += matching(conditions, 0, rules, view, misses, out, 0)
    return found


SEARCH = "alphabeta:depth=3,value=positional,ties=first"
SEARCH_GAMES = 122
NETWORK_ROUNDS = 2000


def _search(variant: Game, program: list[str], rounds: int) -> dict[str, Any]:
    """The searcher of moriarty1995 against itself: positions looked at in a second."""
    parts, table = compiled(player(SEARCH, variant)).parts, openings(variant).table
    nodes, keys = search_nodes(variant, SEARCH_GAMES), np.zeros(2, np.uint64)
    scores, lengths = np.empty(1), np.empty(1, np.int64)

    def play() -> None:
        for i in range(SEARCH_GAMES):
            play_games(variant.rules, parts, parts, False, table[i : i + 1], 0, keys, 0, scores, lengths, UNRECORDED)

    play()  # compiles
    turns: dict[str, Turn] = {"ours": lambda: nodes / _timed(play)}
    if program:
        turns["c"] = lambda: nodes / _told(program, ["search", "3", str(SEARCH_GAMES)])
    return _compared("othello8 search nodes", turns, rounds)


def search_nodes(variant: Game, games: int) -> int:
    """How many positions the searcher looks at when it plays itself from each of the first so many openings."""
    parts, nodes = compiled(player(SEARCH, variant)).parts, 0
    for opening in openings(variant).table[:games]:
        position = variant.start()
        for move in opening:
            position = position.play(int(move))
        while not position.over:
            budget = np.full(1, 1 << 40, np.int64)
            moves = np.array(list(position.legal.values()), np.int64)
            pick, _ = searched(parts, variant.rules, position.state, moves, parts.depth, budget)
            nodes += (1 << 40) - int(budget[0])
            position = position.play(int(pick))
    return nodes


def _network(variant: Game, program: list[str], rounds: int, folder: Path) -> dict[str, Any]:
    """A network on a random chromosome with markers: activations in a second."""
    chromosome, boards = chromosome_work()
    parts = marker(variant, chromosome, "logistic", 64.0)
    file = folder / "chromosome"
    file.write_bytes(chromosome.tobytes() + boards.tobytes())
    activations = NETWORK_ROUNDS * len(boards)
    activate_rounds(parts, variant.rules, boards, 1)  # compiles
    turns: dict[str, Turn] = {
        "ours": lambda: activations / _timed(lambda: activate_rounds(parts, variant.rules, boards, NETWORK_ROUNDS))
    }
    if program:
        turns["c"] = lambda: activations / _told(program, ["network", str(file), str(NETWORK_ROUNDS)])
    return _compared("othello8 network activations", turns, rounds)


def chromosome_work() -> tuple[NDArray[np.int8], NDArray[np.uint64]]:
    """A chromosome of 5000 integers, and 64 boards: one's own discs and the opponent's."""
    dice = stream(1, "network benchmark")
    chromosome = np.array([below(dice, 256) - 128 for _ in range(5000)], np.int8)
    discs = np.array([[roll(dice), roll(dice)] for _ in range(64)], np.uint64)
    return chromosome, np.stack([discs[:, 0] & discs[:, 1], discs[:, 0] & ~discs[:, 1]], axis=1)


@kernel
def activate_rounds(player, game, boards, rounds):
    """Show a network all boards round after round, and add up what it thinks of square i of board i."""
    player, total = words.seated(player, game), 0.0
    for _ in range(rounds):
        for i in range(len(boards)):
            activate(player, game, OthelloState(boards[i, 0], boards[i, 1], 0))
            total += player.likes[i]
    return total


def _games(
    work: str,
    play: Callable[[int], Any],
    program: list[str],
    mode: str,
    more: list[str],
    seconds: float,
    rounds: int,
    openspiel: Turn | None,
) -> dict[str, Any]:
    """Compares how many games are played a second, in turns of about that many seconds."""
    play(1)  # compiles
    games = 1
    while (taken := _timed(lambda: play(games))) < seconds / 4:  # noqa: B023 - called at once
        games = int(games * max(2, min(100, seconds / 2 / max(taken, 1e-9))))
    turns: dict[str, Turn] = {"ours": lambda: games / _timed(lambda: play(games))}
    if program:
        turns["c"] = lambda: games / _told(program, [mode, str(games), "1", *more])
    if openspiel:
        turns["openspiel"] = openspiel
    return _compared(work, turns, rounds)


def _perft(name: str, variant: Game, program: list[str], rounds: int) -> dict[str, Any]:
    position = variant.start()
    nodes = perft(position, PERFT_DEPTH)
    turns: dict[str, Turn] = {"ours": lambda: nodes / _timed(lambda: perft(position, PERFT_DEPTH))}
    if program:
        turns["c"] = lambda: nodes / _told(program, ["perft", str(PERFT_DEPTH)])
    return _compared(f"{name} perft", turns, rounds)


def _compared(work: str, turns: dict[str, Turn], rounds: int) -> dict[str, Any]:
    best = dict.fromkeys(turns, 0.0)
    for _ in range(rounds):
        best = {who: max(best[who], turn()) for who, turn in turns.items()}
    ratios = {
        f"vs_{other}": round(best["ours"] / best[other], 3) if other in best else None for other in ("c", "openspiel")
    }
    return {"work": work, "per_second": round(best["ours"])} | ratios


def _compiled(name: str, folder: Path) -> list[str]:
    """The command that runs the C program of that name, or nothing where it can't be had.

    A game's size is the program's first argument: `othello8` is run as `othello 8`.
    """
    family, size = name, ""
    if not (C_SOURCES / f"{name}.c").exists():
        family, size = name.rstrip("0123456789"), name.lstrip("abcdefghijklmnopqrstuvwxyz")
    source, program = C_SOURCES / f"{family}.c", folder / f"{family}.program"
    if not source.exists() or not shutil.which("gcc"):
        return []
    if not program.exists():
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
    return [str(program), size] if size else [str(program)]


def _told(program: list[str], arguments: list[str]) -> float:
    """The seconds that the program says it took."""
    done = subprocess.run([*program, *arguments], check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["seconds"])


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
        games, begin = 0, time.perf_counter()
        while (taken := time.perf_counter() - begin) < seconds:
            for _ in range(10):
                pyspiel.evaluate_bots(rules.new_initial_state(), bots, games)
                games += 1
        return games / taken

    return turn


def _timed(work: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    return _timed(lambda: subprocess.run(command, env=environment, check=True, capture_output=True))
