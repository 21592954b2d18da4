"""The front door: each task of a researcher in one call, with strings or objects, as the commands do it."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import api, errors
from tests.interfaces.conftest import say  # noqa: F401 - a fixture

SMALL = {"games": 3000, "step_games": 500}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_everything_public_is_listed_documented_and_there() -> None:
    for name in ludus.__all__:
        assert name in dir(ludus)
        assert getattr(ludus, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        ludus.chess  # noqa: B018


def test_a_run_is_trained_measured_and_matched() -> None:
    run = ludus.train("tdl", "othello6", seed=2, **SMALL)
    assert (run.folder, run.finished) == (Path("runs/tdl-othello6-2"), True)
    assert [row["games"] for row in run.metrics] == [500, 1000, 1500, 2000, 2500, 3000]
    assert repr(run) == "Run('runs/tdl-othello6-2', tdl on othello6, seed 2, finished)"
    assert repr(run.player) == "CompiledPlayer('runs/tdl-othello6-2', 'othello6')"
    played = ludus.match(run, "random", games=40)  # the run knows its game
    assert played.a.game.name == "othello6"
    assert repr(played).startswith(f"Match({played.wins}-{played.draws}-{played.losses}, ")
    assert "<table" in played._repr_html_()
    measured = ludus.measure(run, games=200)
    assert 0 < measured.generalization.value <= 100
    again = ludus.train("tdl", "othello6", seed=2, **SMALL)  # nothing is left to do
    assert again == run
    with pytest.raises(errors.AlreadyAsked):
        ludus.train("tdl", "othello6", seed=2, folder=run.folder, games=5)


def test_the_command_and_the_function_do_the_same(say) -> None:
    code, _, _ = say("train", "tdl", "--game", "othello6", "--set", "games=3000", "--set", "step_games=500")
    assert code == 0
    run = ludus.train("tdl", "othello6", folder="elsewhere", **SMALL)
    assert (Path("runs/tdl-othello6-1/player.safetensors").read_bytes()) == (
        run.folder / "player.safetensors"
    ).read_bytes()
    summary = json.loads(say("match", str(run.folder), "random", "--games", "40", "--json")[1])
    played = ludus.match(run, "random", games=40)
    assert (summary["game"], summary["wins"], summary["losses"]) == ("othello6", played.wins, played.losses)


def test_several_seeds() -> None:
    runs = ludus.train("tdl", "othello6", seeds=range(2), workers=1, progress=False, **SMALL)
    assert [run.spec.seed for run in runs] == [0, 1]
    assert {run.folder for run in runs} == {run.folder for run in ludus.find_runs()}
    with pytest.raises(errors.InvalidSetting, match="no seeds"):
        ludus.train("tdl", seeds=[])


def test_one_tracker_may_be_named_alone() -> None:
    pytest.importorskip("tensorboard")
    (run,) = api.plan_runs("tdl", None, {}, [1], log="tensorboard")
    assert run.trackers == ("tensorboard",)


def test_seeds_are_whole_numbers_of_any_kind(tmp_path: Path) -> None:
    (run,) = ludus.train("tdl", "othello6", seeds=np.arange(1, 2), folder="runs", progress=False, **SMALL)
    assert json.loads((run.folder / "run.json").read_text())["seed"] == 1
    ludus.league(["random", "discs"], "othello6", games=2, seed=np.int64(3), progress=False)
    for seed in (1.0, "1", -1, None):
        with pytest.raises(errors.InvalidSetting, match="must be a whole number, 0 or more"):
            ludus.train("tdl", "othello6", seed=seed, **SMALL)
    with pytest.raises(errors.InvalidSetting, match=r"such as range\(1, 11\)"):
        ludus.train("tdl", "othello6", seeds=3, **SMALL)
    with pytest.raises(errors.InvalidSetting, match="a seed is given twice"):
        ludus.train("tdl", "othello6", seeds=[1, 1], **SMALL)


def test_results_come_back_from_other_processes() -> None:
    """An exception that doesn't would let a multiprocessing.Pool wait for ever."""
    Path("games.sgf").write_text("(;GM[1]SZ[5];B[aa])(;GM[1]SZ[5];B[zz])")
    with pytest.warns(UserWarning, match="games that can't be read: 1"):
        games = ludus.read_games("games.sgf")
    again = pickle.loads(pickle.dumps(games))
    assert [str(bad) for bad in again.problems] == [str(bad) for bad in games.problems]
    with pytest.raises(errors.DamagedFile) as stopped:
        ludus.read_games("games.sgf", strict=True)
    bad = pickle.loads(pickle.dumps(stopped.value))
    assert (type(bad), str(bad), bad.number) == (type(stopped.value), str(stopped.value), 2)


@pytest.mark.parametrize(
    ("player", "game"),
    [
        ("xcs:othello6", "othello6"),
        ("noisy:0.1,xcs:othello6", "othello6"),
        ("alphabeta:depth=2,value=ntuples:othello8", "othello8"),
        ("restrained:sarsa-lvq:go5", "go5"),
        ("pieces", "checkers"),
        ("influence", "go9"),
        ("heuristic", "othello8"),
    ],
)
def test_the_game_follows_from_the_player(player: str, game: str) -> None:
    assert ludus.player(player).game.board == game


@pytest.mark.parametrize(("learner", "game"), [("tdl", "othello8"), ("social", "checkers"), ("sarsa-lvq", "go5")])
def test_a_learner_has_a_usual_game(learner: str, game: str) -> None:
    assert ludus.game(api.plan_runs(learner, None, {}, [1])[0].spec.game).board == game


def test_leagues_and_ratings() -> None:
    found = ludus.league(["random", "discs", "jain2018"], "othello6", games=20)
    assert len(found.results) == 3
    assert ludus.rate(found.results) == found.ratings
    assert found.ratings.ratings[0].name in repr(found)
    assert "<table" in found._repr_html_()
    matches = [
        ludus.match("discs", "random", "othello6", games=20),
        ludus.match("jain2018", "random", "othello6", games=20),
    ]
    assert {each.name for each in ludus.rate(matches).ratings} == {"discs", "jain2018", "random"}
    matches[0:] = [ludus.match("discs", "random", "othello6", games=4, save="games.sgf")]
    assert len(ludus.read_games("games.sgf")) == 4
    assert ludus.rate("games.sgf").ratings[0].games == 4


def test_explanations() -> None:
    position = ludus.game("othello6").start().play("d5")
    found = ludus.explain("discs", position)
    assert {each.move for each in found.moves} == set(position.legal_moves)
    assert ludus.explain("discs", game="othello6", moves="d5").moves == found.moves


def test_boards_in_a_notebook() -> None:
    position = ludus.game("othello6").start()
    assert position._repr_svg_().startswith("<svg")
    assert repr(position) == f"Position('othello6', {position.text!r})"


@pytest.mark.parametrize(
    ("mistake", "kind"),
    [
        (lambda: ludus.game("chess"), errors.UnknownName),
        (lambda: ludus.player("nobody"), errors.UnknownName),
        (lambda: ludus.train("tdl", alpha=5), errors.InvalidSetting),
        (lambda: ludus.compare("tdl", "cel", workers=0), errors.InvalidSetting),
        (lambda: ludus.compare("tdl", "cel", snapshots=-1), errors.InvalidSetting),
        (lambda: ludus.game("go9:komi=many"), errors.InvalidSetting),
        (lambda: ludus.game("othello6").start().play("a1"), errors.IllegalMove),
        (lambda: ludus.game("othello6").start().play("z9"), errors.InvalidMove),
        (lambda: ludus.game("othello6").position("nonsense"), errors.InvalidPosition),
        (lambda: ludus.player("heuristic", "othello6"), errors.WrongGame),
        (lambda: ludus.match(ludus.player("random", "go5"), ludus.player("random", "go7")), errors.WrongGame),
        (lambda: ludus.read_games("nowhere.sgf"), errors.StorageError),
        (lambda: ludus.player(_damaged()), errors.DamagedFile),
    ],
)
def test_mistakes_have_kinds(mistake, kind: type[ludus.LudusError]) -> None:
    with pytest.raises(kind):
        mistake()


def _damaged() -> str:
    Path("player.safetensors").write_bytes(b"no player")
    return "player.safetensors"
