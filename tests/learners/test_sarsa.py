"""Sarsa with a codebook and with weights: what they compute, in every game, and that they learn."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.errors import LudusError
from ludus.learners.base import parse_settings
from ludus.learners.names import learner
from ludus.learners.sarsa.seed_games import read_seeds
from ludus.measures.territory import territory_lost
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.players.sarsa_lvq import codebook
from tests.effort import nightly
from tests.learners.learning import as_player, trained
from tests.naive.sarsa import SlowCodebook, SlowWeights

RULES = "rules=abramson2001,komi=0"
TWINS = [
    ("go3:komi=0,plies=12", {}),
    (f"go3:{RULES},plies=30", {"from_opponent": True}),
    (f"go3:{RULES},plies=30", {"from_opponent": True, "from_forced": True}),
    *nightly(("checkers:moves=6", {"from_opponent": True})),
]


def stepped(name: str, game: ludus.Game, given: dict[str, Any], seed: int = 5) -> Any:
    method = learner(name)
    settings = parse_settings(method, given)
    return settings, method.step(settings, game, seed, method.start(settings, game, seed))[0]


@pytest.mark.parametrize("noise", ["front", "vectors"])
@pytest.mark.parametrize(("name", "learns"), TWINS)
def test_the_codebook_learns_what_its_naive_twin_learns(name: str, learns: dict[str, bool], noise: str) -> None:
    game = ludus.game(name)
    rates = {"alpha": 0.5, "cooling": 0.7, "cooling_step": 0.8, "exploration": 0.5, "noise": noise}
    given = {"games": 6, "opponent": "random", "capacity": 300, "test_games": 1, **rates, **learns}
    settings, state = stepped("sarsa-lvq", game, given)
    slow = SlowCodebook(game, settings, 5, [])
    for index in range(6):
        slow.play("sarsa-lvq", index)
    assert state.size == len(slow.vectors) > 2
    assert np.ptp(state.values[: state.size]) > 0.05
    for i, (memberships, start, end, value, wins) in enumerate(slow.vectors):
        assert (state.starts[i], state.ends[i], state.wins[i]) == (start, end, wins)
        assert state.values[i] == pytest.approx(value, abs=1e-12)
        np.testing.assert_allclose(state.vectors[i], memberships, rtol=0, atol=1e-12)


@pytest.mark.parametrize("reading", ["move", "board"])
@pytest.mark.parametrize(("name", "learns"), TWINS)
def test_weights_learn_what_their_naive_twin_learns(name: str, learns: dict[str, bool], reading: str) -> None:
    game = ludus.game(name)
    given = {"games": 6, "opponent": "random", "reading": reading, "exploration": 0.5, **learns}
    settings, state = stepped("sarsa-linear", game, given)
    slow = SlowWeights(game, settings, 5)
    for index in range(6):
        slow.play("sarsa-linear", index)
    expected = np.array([[slow.weights[kind, square] for square in range(game.squares + 1)] for kind in range(3)])
    assert np.ptp(expected) > 0.05
    np.testing.assert_allclose(state.weights, expected, rtol=0, atol=1e-12)


def test_forced_moves_teach_nothing() -> None:
    """By the paper's rules whoever passes must, and every game ends in passes: no vector passes, no weight changes."""
    game = ludus.game(f"go3:{RULES}")
    given = {"games": 30, "opponent": "wally", "from_opponent": True}
    _, book = stepped("sarsa-lvq", game, given)
    assert book.size > 2
    assert book.ends[: book.size].max() < game.squares
    _, linear = stepped("sarsa-linear", game, given)
    assert np.ptp(linear.weights) > 0.05
    assert np.all(linear.weights[:, game.squares] == 1.0)


def test_the_codebook_does_better_than_weights() -> None:
    """The paper's main claim, with a tenth of the games."""
    game, lost = ludus.game(f"go5:{RULES}"), {}
    wally = player("wally", game)
    assert isinstance(wally, CompiledPlayer)
    for name in ("sarsa-lvq", "sarsa-linear"):
        one = trained(name, game.name, games=200, opponent="wally")
        assert isinstance(one, CompiledPlayer)
        lost[name] = territory_lost(one, wally, 100).mean()
    assert lost["sarsa-linear"] > 0.5
    assert lost["sarsa-lvq"] < lost["sarsa-linear"] - 0.2


def test_the_shipped_codebook_beats_whom_it_was_trained_against() -> None:
    """With either colour; it lost 0.38 less than nothing when it was trained."""
    game = ludus.game(f"go5:{RULES}")
    ours, wally = player("sarsa-lvq:go5", game), player("wally:source=abramson2001", game)
    assert isinstance(ours, CompiledPlayer)
    assert isinstance(wally, CompiledPlayer)
    assert territory_lost(ours, wally, 200, side="both").mean() < -0.2
    assert isinstance(player("sarsa-linear:go5", game), CompiledPlayer)


def test_weights_of_the_whole_board_learn() -> None:
    """From losing most of the board to a random mover's level or better, if boards after forced passes teach, too."""
    game = ludus.game(f"go5:{RULES}")
    wally = player("wally", game)
    assert isinstance(wally, CompiledPlayer)
    before, after = (
        trained("sarsa-linear", game.name, games=games, opponent="wally", reading="board", from_forced=True)
        for games in (1, 1500)
    )
    lost = [territory_lost(one, wally, 100).mean() for one in (before, after) if isinstance(one, CompiledPlayer)]
    assert lost[1] < lost[0] - 0.3


def test_all_sides_and_a_full_codebook() -> None:
    """With room for no more than it has, a codebook still learns; second and both sides are played."""
    game = ludus.game("go3:komi=0")
    for side in ("second", "both"):
        given = {
            "games": 20,
            "step_games": 20,
            "opponent": "random",
            "capacity": 4,
            "side": side,
            "start": "X../.../... O",
        }
        _, state = stepped("sarsa-lvq", game, given)
        assert state.size == 4
        assert state.wins.sum() > 20


@pytest.mark.parametrize(("board", "count"), [("go5", 483), ("go7", 1546)])
def test_shipped_games_give_seeds(board: str, count: int) -> None:
    game = ludus.game(board)
    seeds = read_seeds("shipped", game, codebook(game, 1, 1.0, 0.0))
    assert len(seeds.starts) == count
    assert seeds.vectors.min() == 0
    assert seeds.vectors.max() == 1
    assert np.array_equal(seeds.starts, seeds.ends)


def test_seeds_of_another_board_or_too_many(tmp_path: Path) -> None:
    (tmp_path / "other.sgf").write_text("(;GM[1]SZ[5]RE[B+3];B[cc];W[bb])")
    with pytest.raises(LudusError, match=r"other.sgf, game 1, is a game of go5:komi=0.0, not of go7"):
        stepped("sarsa-lvq", ludus.game("go7"), {"seeds": str(tmp_path / "other.sgf")})
    with pytest.raises(
        LudusError, match="invalid capacity=5 for sarsa-lvq: must be at least 483, the vectors of the seed games"
    ):
        stepped("sarsa-lvq", ludus.game("go5"), {"capacity": 5})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"opponent": "nobody"}, "unknown player 'nobody'"),
        ({"opponent": "alphabeta:seconds=1"}, "it is too slow to learn against; use a compiled player such as wally"),
        ({"start": "x"}, "'x' is not a position"),
        ({"start": ".../.../... X passes=2"}, "the game is over in this position"),
        ({"seeds": "nowhere.sgf"}, "nowhere.sgf can't be read"),
    ],
)
def test_invalid_settings(given: dict[str, str], message: str) -> None:
    with pytest.raises(LudusError, match=message):
        stepped("sarsa-lvq", ludus.game("go3"), given)


def test_a_saved_codebook_plays_as_it_was_learned() -> None:
    """Memberships are rounded when they are learned, not when they are saved."""
    game, method = ludus.game("go3:komi=0"), learner("sarsa-lvq")
    settings, state = stepped("sarsa-lvq", game, {"games": 40, "opponent": "wally", "focus": 0.5})
    one = as_player(method.player(settings, game, state), game)
    assert isinstance(one, CompiledPlayer)
    assert np.array_equal(one.parts.vectors, np.rint(state.vectors[: state.size] * 16384))
    again = method.step(settings.model_copy(update={"games": 41}), game, 5, state)
    assert again[1]["games"] == 41
