"""Profiles: a database that is what it says, and players in the right order."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.evaluators.piece_counter import PieceCounter
from ludus.measures.performance import compiled, generalization
from ludus.measures.profiles import Database, _Builder, build, load, over_players, profile
from ludus.players.base import CompiledPlayer
from ludus.players.greedy import Greedy
from ludus.players.names import player

GAME = ludus.game("othello6")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profiles") / "some.safetensors"
    build(GAME, path, 6, width=10, games=1_000_000, workers=2)
    return path


@pytest.fixture(scope="module")
def database(file: Path) -> Database:
    return load(file, GAME)


def test_bins_are_filled_to_the_extremes_and_never_overfilled(database: Database) -> None:
    held = database.held
    assert (len(held), held.max(), held.sum()) == (10, 6, len(database.percent))
    assert np.all(held[1:9] >= 3)
    assert database.percent.min() < 15
    assert database.percent.max() > 80
    assert f"{len(database.percent)} opponents of othello6" in str(database)


def test_mixtures_fill_a_bin_between_others(database: Database) -> None:
    builder, others = _Builder(GAME, 6, 10, 1, 1), database.bins != 3
    builder.weights, builder.percent = list(database.weights[others]), database.percent[others].tolist()
    builder.room = 6 - np.bincount(database.bins[others], minlength=10)
    builder.add_mixtures()
    found = builder.database()
    assert (found.held[3], found.held.max()) == (6, 6)
    mixed = [compiled(CompiledPlayer("mixed", GAME, Greedy(PieceCounter(w)))) for w in found.weights[found.bins == 3]]
    again = [generalization(each, 1000, seed=99).value for each in mixed]
    assert np.mean(again) == pytest.approx(35, abs=5)


def test_opponents_are_as_strong_as_the_database_says(database: Database) -> None:
    """Measured again with other games: neither selection nor evolution has flattered them."""
    again = [
        generalization(CompiledPlayer("again", GAME, Greedy(PieceCounter(weights))), 1000, seed=99).value
        for weights in database.weights
    ]
    assert np.mean(again - database.percent) == pytest.approx(0, abs=1)
    assert np.max(np.abs(again - database.percent)) < 10


def test_building_gives_the_same_bytes_for_any_workers(tmp_path: Path) -> None:
    files = [tmp_path / f"{workers}.safetensors" for workers in (1, 3)]
    for workers, path in zip((1, 3), files, strict=True):
        build(ludus.game("othello4"), path, 2, width=20, games=500_000, workers=workers)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_large_bins_are_filled_by_more_runs_and_more_children(tmp_path: Path) -> None:
    found = build(ludus.game("othello4"), tmp_path / "large", 100, width=20, games=500_000)
    assert found.held.tolist() == [100] * 5


def test_the_stronger_player_is_above_and_both_fall(database: Database) -> None:
    strong, weak = (compiled(player(name, GAME)) for name in ("jain2018", "random"))
    above, below = (profile(each, database, games=20, seed=2) for each in (strong, weak))
    assert np.mean(above.percent) > np.mean(below.percent) + 10
    assert below.percent[0] > below.percent[-1] + 30
    assert np.all(np.diff(above.strength) > 0)
    assert above.opponents.sum() == len(database.percent)
    assert np.all((above.interval[:, 0] <= above.percent) & (above.percent <= above.interval[:, 1]))
    again = profile(strong, database, games=20, seed=2, workers=3)
    assert np.array_equal(again.percent, above.percent)
    between = over_players([above, below])
    assert between.percent == pytest.approx((above.percent + below.percent) / 2)


def test_files_that_do_not_fit_are_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ludus.LudusError, match="another game"):
        load(file, ludus.game("othello8"))
    with pytest.raises(ludus.LudusError, match="no opponents in"):
        load(tmp_path / "none.safetensors", GAME)
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ludus.LudusError, match="only a part"):
        load(damaged, GAME)
    with pytest.raises(ludus.LudusError, match="invalid per_bin=0"):
        build(GAME, tmp_path / "x", 0)
    with pytest.raises(ludus.LudusError, match="invalid width=0 "):
        build(GAME, tmp_path / "x", width=0)


def test_candidates_may_all_be_equally_strong(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the komi decides every game."""
    monkeypatch.setattr(_Builder, "_screened", lambda builder, table: np.full(len(table), 50.0))
    builder = _Builder(GAME, 1, 20.0, 1, 1)
    builder.add_random()
    assert builder.percent
