"""All kernels, in two processes: what the first compiles, the second finds on disk."""

from pathlib import Path

import pytest

from ludus.compile.cache import cache_home
from tests.compile.test_cache import printed

# runs every kernel there is, tells what came out and how much had to be compiled
EVERY_KERNEL = """
import importlib, pathlib, pkgutil
import numpy
import numba
import numba.core.event as event
import ludus, ludus.compile.rng
from ludus.interfaces.batch import Batch
from ludus.interfaces.web.positions import Positions
from ludus.compile.cache import kernels_on_disk
from ludus.testing import check_board, check_shortcuts
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.registry import learners
from ludus.learners.sarsa.seed_games import read_seeds
from ludus.measures.behaviour import behaviour
from ludus.measures.compaction import compacted
from ludus.measures.dependence import dependence
from ludus.play.matches import match
from ludus.measures.performance import generalization
from ludus.measures.profiles import build, profile
from ludus.benchmarks.codebooks import compare_often, random_codebook
from ludus.benchmarks.networks import activate_rounds, chromosome_work, network_work
from ludus.benchmarks.ntuples import ntuple_work
from ludus.benchmarks.rules import match_passes
from ludus.players.sarsa_lvq import codebook, nearest_similarities
from ludus.players.explanations import explanation
from ludus.games.influence import influence_of
from ludus.players.fixed_network import fixed_network
from ludus.players.marker import marker_network
from ludus.players.base import CompiledPlayer
from ludus.play.games import play_out
from ludus.players.random import Random
from ludus.registry import player_kinds
from ludus.players.names import player
from ludus.compile.parts import Kernel
from tests.learners.learning import trained
from tests.small import SMALL

with event.install_recorder("numba:compile") as recorder:
    for name in ("othello6", "checkers", "go3", "go9"):
        game = ludus.game(name)
        anybody = player("random", game)
        (record,) = match(anybody, anybody, 1, record=True).records()
        again = game.position(record.positions()[-1].text)
        print(name, record.moves, again.mirrored(1).text, Positions(game, record.moves)[1].text)
        print(ludus.perft(game.start(), 3), play_out(game, Random(), Random(), 20))
        check_board(game, 1)
        check_shortcuts(game, 1)
    for name, text in (
        ("othello6", "alphabeta:depth=2"),
        ("othello6", "noisy:0.5,weights"),
        ("othello6", "softmax:1,alphabeta:depth=2"),
        ("othello6", "mcts:simulations=20,seconds=10"),
        ("checkers", "alphabeta:depth=2,seconds=10"),
        ("go3", "influence"),
        ("go3", "restrained:wally"),
    ):
        position, seat = ludus.game(name).start(), player(text, ludus.game(name)).seat()
        for index in range(4):
            position = position.play(seat.choose(position, ludus.compile.rng.stream(1, "x", index)))
        print(name, text, position.text)
    print(position.game.type.dead_pieces(position))
    game = ludus.game("othello6")
    for representation in ("weights", "ntuples"):
        for decay in (0, 0.5):
            method = learner("ctdl")
            asked = {"population": 2, "sample": 2, "lesson_games": 2, "decay": decay, "representation": representation}
            asked["mutation"] = "uniform" if decay else "gaussian"
            settings = parse_settings(method, asked)
            state = method.start(settings, game, 1)
            for _ in range(2):
                state, row = method.step(settings, game, 1, state)
            print(row)
    for method in learners().values():
        settings = parse_settings(method, SMALL[method.name])
        state = method.start(settings, game, 1)
        for _ in range(2):  # the second breeds, where there is breeding
            state, row = method.step(settings, game, 1, state)
        print(row)
    method = learner("tdl")
    settings = parse_settings(method, {"games": 2, "rates": "coherent", "representation": "ntuples"})
    print(method.step(settings, game, 1, method.start(settings, game, 1))[1])
    late = game.position("---XX-OOOXXX-OOO-O-XOXOO--OO-O---XO- X")
    print(ludus.solve("othello4").score, ludus.solve(late).score, ntuple_work(pathlib.Path("."), 2).evaluate(1))
    print(ludus.solve("go2").score)
    for text in ("discs", "alphabeta:depth=2", "noisy:0.5,discs", "mcts:simulations=20"):
        print(explanation(player(text, game), game.start()).moves)
    print(explanation(player("influence", position.game), position).moves)
    for name in ("sarsa-lvq", "sarsa-linear"):
        board, method = ludus.game("checkers:moves=5"), learner(name)
        settings = parse_settings(method, {"games": 2, "test_games": 1, "opponent": "random"})
        learned = method.player(settings, board, method.step(settings, board, 1, method.start(settings, board, 1))[0])
        parts = player_kinds()[name].load(board, learned.arrays, learned.settings)
        print(explanation(CompiledPlayer(name, board, parts), board.start()).moves)
    print(len(read_seeds("shipped", ludus.game("go5"), codebook(ludus.game("go5"), 1, 1.0, 0.0)).starts))
    book, room = random_codebook(ludus.game("go5"), 5, 1)
    compare_often(book, room, 1)
    print(room.similarities, nearest_similarities(book, [ludus.game("go5").start()]))
    print(influence_of(ludus.game("checkers").start()))
    print(match_passes(2, 1, 100), network_work(pathlib.Path("."), 2).evaluate(1))
    rules = trained("xcs", "othello6", games=10, rules=100)
    print(explanation(rules, game.start()).moves, compacted(rules, player("random", game), 4).kept)
    batch = Batch(game, 3)
    batch.step(batch.random_moves())
    batch.reset(batch.over)
    print(batch.cells.sum(), batch.legal_moves.sum())
    chromosome, boards = chromosome_work()
    network = marker_network(game, chromosome)
    for parts in (network, fixed_network(game, chromosome[:365], 5)):
        print(explanation(CompiledPlayer("network", game, parts), game.start()).moves)
    found = dependence(CompiledPlayer("network", game, network), 8)
    print(found, explanation(found.ranking_player(), game.start()).moves)
    print(activate_rounds(network, game.rules, boards[:36], 1))
    one = player("discs", game)
    print(generalization(one, 10), behaviour(match(one, one, 2, record=True)))
    opponents = build(game, pathlib.Path("opponents"), 1, width=20.0, games=500_000)
    print(profile(one, opponents))
    field = influence_of(position)
    rng = ludus.compile.rng
    print(field, rng.randint(rng.stream(1, "x"), 10), rng.next_uint64(rng.stream(1, "x")))
names = [each.name for each in pkgutil.walk_packages(ludus.__path__, "ludus.") if "__main__" not in each.name]
found = [each for name in names for each in vars(importlib.import_module(name)).values()]
kernels = [each for each in found if isinstance(each, Kernel)]
kept = kernels_on_disk()  # other processes may have compiled what this one finds there
print("unused", sorted({each.__name__ for each in kernels if f"{each.__module__}.{each.__qualname__}" not in kept}))
with event.install_recorder("numba:compile") as control:
    numba.njit(lambda: 1)()
print("compiled", len(recorder.buffer), "and", len(control.buffer) > 0)
"""


@pytest.mark.last
def test_every_kernel_runs_in_two_processes_and_the_second_compiles_nothing(tmp_path: Path) -> None:
    """The machine code is kept where all other tests find it: compiling everything takes minutes."""
    first, second = (printed(EVERY_KERNEL, cache_home(), folder=tmp_path) for _ in range(2))
    *results, unused, _ = first.splitlines()
    assert unused == "unused []"
    *again, _, compiled = second.splitlines()
    assert (again, compiled) == (results, "compiled 0 and True")
