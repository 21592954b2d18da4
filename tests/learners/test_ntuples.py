"""N-tuple networks: what they compute, and that they learn. And gradients, for every representation."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.jit import kernel
from ludus.compile.rng import stream
from ludus.errors import InvalidSetting, LudusError
from ludus.evaluators.ntuples import NTuples, ntuples, table_sizes
from ludus.evaluators.placements import NO_SQUARE, neighbours, padded, place_tuples, snakes
from ludus.evaluators.protocol import evaluate, gradient_step
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer
from ludus.players.files import load_player, read_player, save_player
from ludus.players.greedy import random_weights
from ludus.players.names import player
from ludus.testing import random_positions
from tests.effort import nightly
from tests.learners.learning import GAMES, generalization, trained

every_game = pytest.mark.parametrize("game", [ludus.game(name) for name in [*GAMES, *nightly("go9")]], ids=str)


def network(game: Game, symmetric: bool = True, stages: int = 1) -> tuple[NTuples, Any]:
    """With tuples of several lengths."""
    places = padded([*snakes(game, 3, 3, stream(4, "test")), *snakes(game, 3, 2, stream(5, "test"))])
    weights = np.random.default_rng(1).normal(size=(stages, table_sizes(game, places).sum()))
    return ntuples(game, places, weights, symmetric), places


@kernel
def value(evaluator, game, state):
    return evaluate(evaluator, game, state)


@kernel
def step(evaluator, game, state, amount):
    gradient_step(evaluator, game, state, amount)


def naive_value(position: Position, places: Any, weights: Any, symmetric: bool) -> float:
    """Turns the board instead of the tuples."""
    game, total = position.game, 0.0
    pieces = int(np.sum(position.cells != 0))
    weights = weights[min(len(weights) - 1, pieces * len(weights) // game.type.max_pieces(game.rules))]
    tables = np.split(weights, np.cumsum(table_sizes(game, places))[:-1])
    views = [i for i in range(len(game.symmetries)) if symmetric or i == 0]
    if game.type.name == "checkers":
        views = [position.current_player]  # the second player sees the board turned round
    for view in views:
        seen = position.mirrored(view)
        own = seen.cells * (1 - 2 * seen.current_player)
        for i, snake in enumerate(places):
            digits = [
                {0: "0", 1: "1", -1: "2", 2: "3", -2: "4"}[own[square]] for square in snake if square != NO_SQUARE
            ]
            total += tables[i][int("".join(digits), 5 if game.type.name == "checkers" else 3)]
    return total


@every_game
@pytest.mark.parametrize("symmetric", [True, False])
def test_values(game: Game, symmetric: bool) -> None:
    """In any order, since what a network saw last must not matter."""
    evaluator, places = network(game, symmetric, stages=3)
    positions = random_positions(game, 1, games=1)
    for position in [*positions, *np.random.default_rng(2).permutation(np.array(positions, object))]:
        expected = naive_value(position, places, evaluator.weights, symmetric)
        assert value(evaluator, game.rules, position.state) == pytest.approx(expected, abs=1e-12)


@every_game
def test_symmetric_positions_are_worth_the_same(game: Game) -> None:
    evaluator, _ = network(game)
    for position in random_positions(game, 2, games=1)[::7]:
        worth = value(evaluator, game.rules, position.state)
        for symmetry in range(len(game.symmetries)):
            state = position.mirrored(symmetry).state
            assert value(evaluator, game.rules, state) == pytest.approx(worth, abs=1e-12)


@every_game
@pytest.mark.parametrize("kind", ["weights", "ntuples"])
def test_a_gradient_step_goes_along_the_gradient(game: Game, kind: str) -> None:
    evaluator: Any = random_weights(game, 1) if kind == "weights" else network(game)[0]
    for position in random_positions(game, 3, games=1)[::15]:
        worth = value(evaluator, game.rules, position.state)
        gradient = np.empty_like(evaluator.weights)
        for index in np.ndindex(gradient.shape):
            changed = evaluator._replace(weights=evaluator.weights.copy())
            changed.weights[index] += 1.0  # values are linear, so the step need not be small
            gradient[index] = value(changed, game.rules, position.state) - worth
        stepped = evaluator._replace(weights=evaluator.weights.copy())
        step(stepped, game.rules, position.state, 0.25)
        np.testing.assert_allclose(stepped.weights, evaluator.weights + 0.25 * gradient, rtol=0, atol=1e-12)


@every_game
def test_snakes_are_walks(game: Game) -> None:
    near = neighbours(game)
    assert all(i in near[j] for i in range(game.squares) for j in near[i])
    for snake in snakes(game, 50, 6, stream(1, "test")):
        assert len(set(snake)) == 6
        assert all(after in near[before] for before, after in pairwise(snake))


def test_neighbours() -> None:
    assert neighbours(ludus.game("checkers"))[0] == [4, 5]
    assert neighbours(ludus.game("checkers"))[9] == [5, 6, 13, 14]
    assert neighbours(ludus.game("othello8"))[0] == [1, 8, 9]
    assert len(neighbours(ludus.game("go5"))[12]) == 8


@pytest.mark.parametrize(("placement", "tuples"), [("lines:1", 10), ("lines:2", 32), ("lines:3", 24), ("lines:4", 21)])
def test_systematic_placements_have_the_published_numbers_of_tuples(placement: str, tuples: int) -> None:
    """Jaśkowski (2014), on systematic n-tuple networks."""
    assert len(place_tuples(ludus.game("othello8"), placement, True, stream(1, "test"))) == tuples


def test_placements() -> None:
    othello, checkers, rng = ludus.game("othello6"), ludus.game("checkers"), stream(1, "test")
    assert len(place_tuples(othello, "lines:6", False, rng)) == 6 + 6 + 2
    assert len(place_tuples(othello, "rectangles:2x3", False, rng)) == 2 * 5 * 4
    logistello = place_tuples(ludus.game("othello8"), "full:4+corners:3x3+corners:2x5+edges", True, rng)
    assert sorted(int(np.sum(each != NO_SQUARE)) for each in logistello) == [4, 5, 6, 7, 8, 8, 8, 8, 8, 9, 10, 10]
    assert [place_tuples(othello, each, False, rng).shape for each in ("full:1", "corners:2x3", "edges")] == [
        (6 + 6 + 11 + 11, 6), (8, 6), (4, 8),
    ]  # fmt: skip
    joined = place_tuples(othello, "rectangles:2x2 + list:a1 b1/c1 + snakes:2x5", True, rng)
    assert [int(np.sum(each != NO_SQUARE)) for each in joined] == [4] * 6 + [2, 1, 5, 5]
    assert joined[-4][:2].tolist() == [0, 1]
    assert [len(set(each)) for each in place_tuples(checkers, "lines:8", False, rng)] == [8]
    for wrong in (
        "lines", "lines:", "lines:0", "lines:9", "lines:2x2", "rectangles:2", "rectangles:0x1", "snakes:4",
        "snakes:0x4", "snakes:4x11", "full:9", "edges:2", "list:", "list:a1 a1", "list:a1/z9", "circles:3", "",
        "lines:3+", "snakes:999x3+lines:3",
    ):  # fmt: skip
        with pytest.raises(InvalidSetting):
            place_tuples(othello, wrong, False, rng)
    with pytest.raises(InvalidSetting, match="no such tuple"):
        place_tuples(checkers, "rectangles:2x2", True, rng)


def test_files(tmp_path: Path) -> None:
    game, path = ludus.game("othello6"), tmp_path / "player"
    evaluator, places = network(game, stages=2)
    arrays = {"places": places, "weights": evaluator.weights}
    save_player(path, "ntuples", game, arrays, {"symmetric": True})
    loaded = load_player(path, game)
    assert isinstance(loaded, CompiledPlayer)
    for one, other in zip(loaded.parts.evaluator, evaluator, strict=True):
        assert np.array_equal(one, other)
    assert isinstance(player(f"alphabeta:depth=2,value={path}", game), CompiledPlayer)
    wrong: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"places": places + 36}, {"symmetric": True}),
        ({"places": places - 36}, {"symmetric": True}),
        ({"places": places.astype(np.int32)}, {"symmetric": True}),
        ({"places": places[:, :2]}, {"symmetric": True}),
        ({"places": places[:, ::-1]}, {"symmetric": True}),
        ({"places": places[:0]}, {"symmetric": True}),
        ({"weights": evaluator.weights[:, :4]}, {"symmetric": True}),
        ({"weights": evaluator.weights[:0]}, {"symmetric": True}),
        ({"weights": evaluator.weights[0]}, {"symmetric": True}),
        ({}, {"symmetric": 2}),
        ({}, {}),
    ]
    for changes, settings in wrong:
        save_player(path, "ntuples", game, arrays | changes, settings)
        with pytest.raises(LudusError, match="not a whole player of kind ntuples"):
            load_player(path, game)


def test_files_of_tuples_of_one_length(tmp_path: Path) -> None:
    """As they were before there were stages: a row of weights for each tuple."""
    game, path = ludus.game("othello6"), tmp_path / "player"
    places, weights = np.array([[0, 1], [6, 7]]), np.arange(18.0).reshape(2, 9)
    save_player(path, "ntuples", game, {"places": places, "weights": weights}, {"symmetric": False})
    loaded = load_player(path, game)
    assert isinstance(loaded, CompiledPlayer)
    assert value(loaded.parts.evaluator, game.rules, game.start().state) == 0.0 + 9.0


def test_files_that_had_kings_count_as_men(tmp_path: Path) -> None:
    game, path = ludus.game("checkers"), tmp_path / "player"
    places, weights = np.array([[0, 5], [9, NO_SQUARE]]), np.arange(24.0).reshape(2, 12)
    save_player(path, "ntuples", game, {"places": places, "weights": weights}, {"symmetric": False})
    loaded = load_player(path, game)
    assert isinstance(loaded, CompiledPlayer)
    men, kings = (ludus.game("checkers").position(text) for text in ("B:W6,29:B1,10", "B:WK6,29:BK1,K10"))
    assert value(loaded.parts.evaluator, game.rules, men.state) == 3 * 1 + 2 + 9 + 1
    assert value(loaded.parts.evaluator, game.rules, kings.state) == 3 * 1 + 2 + 9 + 1


def test_compact_files(tmp_path: Path) -> None:
    """The same player but for rounding; what the file lacks is refused."""
    game, path = ludus.game("checkers"), tmp_path / "small.safetensors"
    evaluator, places = network(game, stages=2)
    evaluator.weights[evaluator.weights < 0.5] = 0
    save_player(
        tmp_path / "player", "ntuples", game, {"places": places, "weights": evaluator.weights}, {"symmetric": True}
    )
    ludus.convert(tmp_path / "player", path)
    assert path.stat().st_size < (tmp_path / "player").stat().st_size / 3
    loaded = load_player(path, game)
    assert isinstance(loaded, CompiledPlayer)
    assert np.array_equal(loaded.parts.evaluator.weights, evaluator.weights.astype(np.float16))
    ludus.convert(path, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == path.read_bytes()
    header, arrays = read_player(path)
    for changes, settings in (
        ({"present": arrays["present"][:-1]}, {}),
        ({"present": arrays["present"].astype(np.int64)}, {}),
        ({"weights": arrays["weights"][:-1]}, {}),
        ({"weights": arrays["weights"].astype(float)}, {}),
        ({}, {"stages": 1}),
        ({}, {"stages": 10**9}),
        ({}, {"stages": "2"}),
    ):
        save_player(path, "ntuples", game, arrays | changes, header.settings | settings)
        with pytest.raises(LudusError, match="not a whole player of kind ntuples"):
            load_player(path, game)
    large = {"places": places, "weights": evaluator.weights + 40}
    save_player(tmp_path / "large", "ntuples", game, large, {"symmetric": True})
    save_player(tmp_path / "damaged", "ntuples", game, {"places": places, "weights": evaluator.weights[:, :4]}, {})
    for wrong in ("heuristic", "blondie24:c0", player("ntuples", game), tmp_path / "large", tmp_path / "damaged"):
        with pytest.raises(LudusError):
            ludus.convert(wrong, tmp_path / "out.safetensors")
    assert not (tmp_path / "out.safetensors").exists()


def test_player_strings() -> None:
    made = player("ntuples:seed=3,tuples=2,length=5", ludus.game("checkers"))
    assert isinstance(made, CompiledPlayer)
    assert made.parts.evaluator.weights.shape == (1, 2 * 5**5)
    with pytest.raises(InvalidSetting, match="too many"):
        player("ntuples:tuples=2,length=10", ludus.game("checkers"))


@pytest.mark.parametrize(
    ("one", "opponent"),
    [
        ("ntuples:othello8", "alphabeta:depth=2,value=positional"),
        ("ntuples:othello6", "alphabeta:depth=2"),
        ("ntuples:checkers", "alphabeta:depth=1,extend=captures"),
        ("ntuples:go5", "wally"),
        *nightly(("ntuples:go7", "wally"), ("ntuples:go9", "wally")),
    ],
)
def test_the_shipped_players_are_strong(one: str, opponent: str) -> None:
    """One move ahead, against a search or a program."""
    assert np.mean(ludus.match(one, opponent, games=200).scores) > 0.7


def test_shipped_players_play_their_own_game() -> None:
    with pytest.raises(LudusError, match="plays othello8"):
        player("ntuples:othello8", ludus.game("othello6"))


def test_they_learn_othello() -> None:
    learned = trained("tdl", "othello6", games=5_000, representation="ntuples", alpha=0.01)
    assert generalization(learned) > 0.75
