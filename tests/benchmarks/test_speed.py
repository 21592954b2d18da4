"""The C programs of the benchmark play the same games: what they count is what the kernels count."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import ludus
from ludus.benchmarks.codebooks import compare_often, random_codebook
from ludus.benchmarks.networks import activate_rounds, chromosome_work, network_work
from ludus.benchmarks.ntuples import ntuple_work
from ludus.benchmarks.rules import match_passes
from ludus.benchmarks.search import search_nodes
from ludus.benchmarks.turns import Bench
from ludus.play.games import play_out
from ludus.players.marker import marker_network
from ludus.players.random import Random

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")


def output(tmp_path: Path, name: str, *arguments: str) -> dict[str, float]:
    """What the C program of that name prints."""
    done = subprocess.run(
        [*Bench(1.0, 1, tmp_path).c_program(name), *arguments], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(("name", "depth"), [("othello8", 7), ("othello6", 7), ("othello4", 8), ("checkers", 8)])
def test_c_counts_the_same(tmp_path: Path, name: str, depth: int) -> None:
    assert output(tmp_path, name, "perft", str(depth))["nodes"] == ludus.perft(ludus.game(name).start(), depth)


def test_c_searches_the_same(tmp_path: Path) -> None:
    assert output(tmp_path, "othello8", "search", "3", "5")["nodes"] == search_nodes(ludus.game("othello8"), 5)


def test_c_activates_the_same(tmp_path: Path) -> None:
    game, (chromosome, boards) = ludus.game("othello8"), chromosome_work()
    (tmp_path / "network").write_bytes(chromosome.tobytes() + boards.tobytes())
    theirs, ours = (
        output(tmp_path, "othello8", "network", str(tmp_path / "network"), "3"),
        marker_network(game, chromosome, "logistic", 64.0),
    )
    assert theirs["units"] == len(ours.wiring.initial)
    assert theirs["total"] == pytest.approx(activate_rounds(ours, game.rules, boards, 3), rel=1e-6)


@pytest.mark.parametrize("name", ["othello8", "othello6", "checkers", "go5", "go7", "go9"])
def test_c_plays_alike(tmp_path: Path, name: str) -> None:
    """Random games of the same length and with the same chances for the first player, within six standard errors."""
    games, plies = 4000, 100
    theirs = output(tmp_path, name, "random", str(games), "1", *([str(plies)] if name.startswith("go") else []))
    variant = ludus.game(f"{name}:plies={plies}" if name.startswith("go") else name)
    ours = play_out(variant, Random(), Random(), games)
    assert ours.games == theirs["games"] == games
    assert ours.wins / games == pytest.approx(theirs["first_wins"] / games, abs=6 * (0.5 / games) ** 0.5)
    draws = theirs["draws"] / games
    assert ours.draws / games == pytest.approx(draws, abs=6 * (2 * draws * (1 - draws) / games) ** 0.5)
    assert ours.moves / games == pytest.approx(theirs["moves"] / games, rel=0.03)


def test_c_judges_alike(tmp_path: Path) -> None:
    work = network_work(tmp_path, games=4)
    theirs = output(tmp_path, "blondie24", str(work.file), "2")
    assert theirs["judgements"] == 2 * len(work.states)
    assert theirs["mean"] == pytest.approx(work.evaluate(2), abs=1e-5)


def test_c_looks_up_the_same_weights(tmp_path: Path) -> None:
    work = ntuple_work(tmp_path, games=2)
    assert output(tmp_path, "ntuples", str(work.file), "2")["total"] == pytest.approx(work.evaluate(2), abs=1e-9)


def test_c_finds_the_same_similarities(tmp_path: Path) -> None:
    book, buffers = random_codebook(ludus.game("go7"), 50, 1)
    compare_often(book, buffers, 1)
    ours = sum(buffers.similarities[i] for i in range(50) if buffers.moves[i] >= 0)
    assert ours == pytest.approx(output(tmp_path, "lvq7", "match", "1", "1", "50")["checked"], abs=1e-8)


def test_c_finds_the_same_rules(tmp_path: Path) -> None:
    assert match_passes(20, 3, 5000) == output(tmp_path, "xcs", "match", "20", "3", "5000")["found"] > 1000
