"""Arguments that are not what the front door's annotations say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.errors import InvalidSetting, UnknownName, WrongGame

GO = ludus.game("go2")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: ludus.game(None), "invalid name=None: must be a string or a Game"),
    (lambda: ludus.player(7), "invalid given=7: must be a string, a path, a Player or a Run"),
    (lambda: ludus.match("random", "random", "go2", games=4.0), "invalid games=4.0: must be a whole number"),
    (lambda: ludus.match("random", "random", "go2", games=True), "invalid games=True: must be a whole number"),
    (lambda: ludus.match("random", "random", "go2", seed=1.5), "invalid seed=1.5: must be a whole number, 0 or more"),
    (lambda: ludus.match("random", "random", "go2", seed=-1), "invalid seed=-1: must be a whole number, 0 or more"),
    (lambda: ludus.match("random", "random", "go2", workers=float("nan")), "invalid workers=nan: must be a whole numb"),
    (lambda: ludus.match("random", "random", "go2", opening=None), "invalid opening=None: must be a string"),
    (
        lambda: ludus.match("random", "random", "go2", sprt=(0,)),
        r"invalid sprt=\(0,\): must be 2 values, each a number",
    ),
    (lambda: ludus.match("random", "random", "go2", save=1), "invalid save=1: must be a string, a path or None"),
    (lambda: ludus.ladder("random", precision="30"), "invalid precision='30': must be a number"),
    (lambda: ludus.league(None), "invalid players=None: must be a list, each a string, a path, a Player or a Run"),
    (lambda: ludus.league([None, "random"]), "invalid players="),
    (lambda: ludus.league(np.array("random")), "invalid players="),
    (lambda: ludus.profile("random", None), "invalid players=None: must be a string"),
    (lambda: ludus.rate(None), "invalid results: must be matches"),
    (lambda: ludus.rate([1]), "invalid results: must be matches"),
    (lambda: ludus.read_games(None), "invalid path=None: must be a string or a path"),
    (lambda: ludus.review([]), r"invalid given=\[\]: must be a string, a path or a Record"),
    (lambda: ludus.explain("random", moves=[1], game="go2"), r"invalid moves=\[1\]: must be a string or a list, each"),
    (lambda: ludus.solve("othello4", position=GO.start()), "invalid position="),
    (lambda: ludus.perft(GO.start(), 2.0), "invalid depth=2.0: must be a whole number"),
    (lambda: ludus.train("tdl", seeds="12"), "invalid seeds='12': must be several, such as range"),
    (lambda: ludus.train("tdl", settings=[]), r"invalid settings=\[\]: must be a Mapping or None"),
    (lambda: ludus.tune("tdl", fresh=2.5), "invalid fresh=2.5: must be a whole number, 0 or more"),
    (lambda: ludus.reproduce("jain2018", seed=-1), "invalid seed=-1"),
]


@pytest.mark.parametrize(("mistake", "sentence"), WRONG)
def test_wrong_arguments_are_refused_in_a_sentence(mistake: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InvalidSetting, match=sentence):
        mistake()


def test_what_means_the_same_is_taken() -> None:
    played = ludus.match("random", "discs", "othello4", games=np.int64(4), seed=np.uint8(3), workers=np.int32(1))
    assert played.to_json() == ludus.match("random", "discs", "othello4", games=4, seed=3, workers=1).to_json()
    assert type(played.seed) is int
    everybody = np.array(["random", "discs", "mobility"])
    found = ludus.league(everybody, "othello4", games=4, folder="league", progress=False)
    assert {each.name for each in ludus.rate(found).ratings} == set(everybody)
    with pytest.raises(UnknownName):
        ludus.player(Path("no such file"))


def test_a_setting_may_have_the_name_of_an_argument() -> None:
    small = {"games": 2, "step_games": 1, "seeds": "none"}
    run = ludus.train("sarsa-lvq", "go2", settings=small, folder="run", progress=False)
    assert run.spec.settings["seeds"] == "none"


def test_a_player_made_for_other_rules_is_refused() -> None:
    """It plays what it was made for, whatever is asked."""
    one = ludus.player("greedy", "go2:komi=3.5")
    for asked in (lambda: ludus.measure(one, "go2", games=4), lambda: ludus.explain(one, game="go9")):
        with pytest.raises(WrongGame, match=r"greedy plays go2:komi=3\.5, not go"):
            asked()
    assert ludus.measure(one, games=4) == ludus.measure("greedy", "go2:komi=3.5", games=4)


def test_matches_of_two_games_are_not_rated_together() -> None:
    both = [ludus.match("random", "discs", game, games=2) for game in ("othello4", "othello6")]
    with pytest.raises(WrongGame, match="othello4 and othello6"):
        ludus.rate(both)
    assert len(ludus.rate(both[0]).ratings) == 2


def test_a_file_with_the_name_of_a_player_is_not_meant() -> None:
    Path("discs").write_text("a file of mine")
    assert ludus.match("discs", "random", games=2).a.game.name == "othello8"


def test_regret_of_nothing_is_no_regret() -> None:
    with pytest.raises(InvalidSetting, match="take more than 1 nodes to solve"):
        ludus.regret("random", "othello6", games=4, empty=14, nodes=1)
