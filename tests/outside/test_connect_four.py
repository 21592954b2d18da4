"""The example packages with all of Ludus; `tests/interfaces/test_outside.py` runs this where they are installed."""

from pathlib import Path

import pytest

pytest.importorskip("connect_four", reason="run by tests/interfaces/test_outside.py, which installs it")

import ludus
from ludus.compile.rng import stream
from ludus.games.names import game as find
from ludus.interfaces.batch import Batch
from ludus.measures.performance import generalization, heuristic
from ludus.play.matches import match
from ludus.players.explanations import explanation
from ludus.players.names import player
from ludus.registry import learners
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.effort import nightly
from tests.games.test_twins import compare
from tests.interfaces.arena import Client, arena
from tests.naive.connect_four import NaiveConnectFour

GAME = find("connectfour")

SMALL = {
    "tdl": {"games": 100, "step_games": 50, "representation": "ntuples", "tuples": 4, "length": 4},
    "cel": {"games": 100, "population": 4, "sample": 2},
    "ctdl": {"games": 100, "population": 4, "sample": 2, "lesson_games": 5},
    "cma-es": {"games": 100, "population": 4, "step_games": 50},
    "blondie24": {"generations": 2, "population": 2, "opponents": 1, "depth": 1, "hidden": "2"},
    "blondie24-rr": {"generations": 2, "population": 2, "depth": 1, "hidden": "2"},
    "social": {"generations": 2, "population": 2, "opponents": 1, "depth": 1, "hidden": "2", "social": 1},
    "sarsa-linear": {"games": 20, "step_games": 10},
    "sarsa-lvq": {"games": 20, "step_games": 10, "capacity": 50},
    "xcs": {"games": 20, "step_games": 10, "rules": 200},
    "marker": {"opponents": "random", "generations": "2", "trial_games": 4, "games": 2, "population": 4, "parents": 2},
    "fixed-network": {
        "opponents": "random", "generations": "2", "trial_games": 4, "games": 2, "population": 4, "parents": 2,
        "hidden": 2,
    },
    "hill-climber": {"steps": 2, "games": 10},
}  # fmt: skip


def test_same_game_as_the_twin() -> None:
    compare("connectfour", NaiveConnectFour(), 30)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("......./......./......./......./.......", "write 6 rows of 7 squares"),
        ("......./......./......./......./......./...O...", "has as many discs as Yellow, or one more"),
        ("......./......./......./......./...X.../.......", "nothing below it"),
        ("......./......./......./OO...../OO...../XXXX...", "was over a move before"),
    ],
)
def test_texts_that_are_no_positions_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ludus.LudusError, match=sentence):
        GAME.position(text)


def test_moves_are_written_by_square_or_column() -> None:
    position = GAME.start()
    assert position.play("d") == position.play("D1") == position.play("4")
    with pytest.raises(ludus.LudusError, match="'d2' is not legal for Red here; legal moves: a1, b1"):
        position.play("d2")
    with pytest.raises(ludus.LudusError, match="moves look like d1"):
        position.play("h1")


@pytest.mark.parametrize("name", ["weights:seed=3", "ntuples:seed=3", "greedy", "greedy:value=lead"])
def test_whoever_looks_one_move_ahead_sees_a_win(name: str) -> None:
    red = GAME.position("......./......./......./......O/......O/XXX...O")
    yellow = red.play("e1")
    for position in (red, yellow):
        (wins,) = [text for text in position.legal_moves if position.play(text).over]
        seat = player(name, GAME).seat()
        assert position.legal[wins] == seat.choose(position, stream(1, "sudden"))
        best, *others = explanation(player(name, GAME), position).moves
        assert (best.move, best.value > 1e8, max(each.value for each in others) < 1e8) == (wins, True, True)


def test_monte_carlo_tree_search_proves_a_win() -> None:
    position, one = GAME.position("......./......./......./......O/......O/XXX...O"), player("mcts", GAME)
    assert one.seat().choose(position, stream(1, "sudden")) == position.legal["d1"]
    best = explanation(one, position).moves[0]
    assert (best.move, best.value) == ("d1", 1.0)


SIBLINGS = ("cel", "ctdl", "cma-es", "fit", "fixed-network", "blondie24", "blondie24-rr", "social", "sarsa-linear")
"""Learners that ask of a game what others ask too."""


@pytest.mark.parametrize("name", [name for name in learners() if name not in SIBLINGS or name in nightly(*SIBLINGS)])
def test_every_learner_trains_on_it(name: str, tmp_path: Path) -> None:
    Run(RunSpec.create(name, "connectfour", SMALL[name]), tmp_path).complete()
    assert player(str(tmp_path), GAME).name.startswith(str(tmp_path))


def test_measures_know_it() -> None:
    ours = player("greedy", GAME)
    assert generalization(ours, 100).value > 60
    assert heuristic(player("random", GAME), 100).value < 30
    assert match(player("cautious", GAME), player("alphabeta:depth=2", GAME), 10).losses > 5


def test_outside_agents_can_learn_it() -> None:
    batch = Batch(GAME, 2)
    while not batch.over.all():
        batch.step(batch.random_moves())
    assert set(batch.outcome) <= {0.0, 0.5, 1.0}
    game_v0 = pytest.importorskip("ludus.interfaces.pettingzoo.game_v0")
    env = game_v0.raw_env("connectfour")
    env.reset()
    env.step(3)
    assert env.observe("player_1")["observation"][0, 3].tolist() == [0, 1]
    assert env.observe("player_1")["action_mask"].nonzero()[0].tolist() == [0, 1, 2, 4, 5, 6, 10]


def test_the_arena_plays_it(tmp_path: Path) -> None:
    client = Client(arena(tmp_path))
    (told,) = [each for each in client.get("/api/games")["games"] if each["name"] == "connectfour"]
    assert (told["title"], told["sides"], told["sizes"]) == ("Connect Four", ["Red", "Yellow"], [])
    offered = {each["player"] for each in client.get("/api/players?game=connectfour")["players"]}
    assert offered == {
        "random", "cautious", "greedy:value=lines", "alphabeta:depth=2", "alphabeta:depth=4", "alphabeta:depth=6",
        "mcts:simulations=1000",
    }  # fmt: skip
    assert "hill-climber" in {each["name"] for each in client.get("/api/learners")["learners"]}
    table = client.begin("connectfour", "person", "greedy:value=lines")
    layout = table["layout"]
    assert (layout["style"]["piece"], layout["rows"], layout["columns"], layout["falls"]) == ("counter", 6, 7, True)
    assert layout["squares"][0] == {"name": "a1", "row": 5, "column": 0}
    assert table["now"]["legal"][3] == {"move": "d1", "path": [3]}
    table = client.step(client.step(table, "d1"))
    why = client.get(f"/api/tables/{table['id']}/why/1")["why"]
    assert [board["title"] for board in why["boards"]] == ["open lines"]
    assert {each["move"] for each in why["moves"]} == {"a1", "b1", "c1", "d2", "e1", "f1", "g1"}
    status, told = client.ask("GET", f"/api/tables/{table['id']}/record/sgf")
    assert (status, "there is no format for them" in str(told)) == (400, True)
