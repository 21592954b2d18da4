"""Player files are data: what is damaged or does not fit is refused by one error, and nothing runs."""

import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

import ludus
from ludus.players.base import CompiledPlayer
from ludus.players.files import load_player, read_player, save_player
from ludus.players.greedy import random_weights
from ludus.players.names import player
from tests.effort import EFFORT

GAME = ludus.game("othello8")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "player.safetensors"
    save_player(path, "weights", GAME, {"weights": random_weights(GAME, 5).weights}, {}, {"seed": 5})
    return path


def test_a_file_plays_as_the_player_that_was_saved(whole: Path) -> None:
    loaded = player(str(whole), GAME)
    assert isinstance(loaded, CompiledPlayer)
    assert np.array_equal(loaded.parts.evaluator.weights, random_weights(GAME, 5).weights)
    assert read_player(whole)[0].provenance == {"seed": 5}


def test_a_search_looks_through_its_weights(whole: Path) -> None:
    searcher = player(f"alphabeta:depth=2,value={whole}", GAME)
    assert isinstance(searcher, CompiledPlayer)
    assert np.array_equal(searcher.parts.evaluator.weights, random_weights(GAME, 5).weights)


def test_the_same_player_gives_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    save_player(again, "weights", GAME, {"weights": random_weights(GAME, 5).weights}, {}, {"seed": 5})
    assert again.read_bytes() == whole.read_bytes()


def test_another_game_or_version_is_refused(whole: Path) -> None:
    with pytest.raises(ludus.LudusError, match=r"plays othello8 \(version 1\), not othello6"):
        load_player(whole, ludus.game("othello6"))


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (Path.touch, (Path("exploded"),))  # type: ignore[return-value]


def header(**changes: object) -> dict[str, str]:
    told = {"format": 1, "kind": "weights", "game": "othello8", "game_version": 1, "settings": {}, "provenance": {}}
    return {"ludus": json.dumps(told | changes)}


WRONG = {
    "empty": b"",
    "text": b"weights = 1, 2, 3",
    "pickle": pickle.dumps(Bomb()),
    "huge header": (1 << 62).to_bytes(8, "little") + b"{}",
    "no metadata": save({"weights": np.zeros(64)}),
    "header is a list": save({"weights": np.zeros(64)}, {"ludus": "[1]"}),
    "header is not json": save({"weights": np.zeros(64)}, {"ludus": "{"}),
    "deep json": save({"weights": np.zeros(64)}, {"ludus": "[" * 100000}),
    "later format": save({"weights": np.zeros(64)}, header(format=2)),
    "unknown kind": save({"weights": np.zeros(64)}, header(kind="oracle")),
    "kind without files": save({"weights": np.zeros(64)}, header(kind="random")),
    "other game": save({"weights": np.zeros(36)}, header(game="othello6")),
    "other version": save({"weights": np.zeros(64)}, header(game_version=2)),
    "missing array": save({"other": np.zeros(64)}, header()),
    "wrong shape": save({"weights": np.zeros((8, 8))}, header()),
    "wrong type": save({"weights": np.zeros(64, np.float32)}, header()),
    "not finite": save({"weights": np.full(64, np.nan)}, header()),
    "too large to add up": save({"weights": np.full(64, 1e308)}, header()),
}


@pytest.mark.parametrize("content", WRONG.values(), ids=WRONG)
def test_wrong_files_are_refused(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "wrong"
    path.write_bytes(content)
    with pytest.raises(ludus.LudusError, match="wrong"):
        load_player(path, GAME)
    assert not Path("exploded").exists()


def test_damaged_files_are_refused_or_still_whole(whole: Path) -> None:
    """500 random mutants: a changed weight is a weight, everything else is refused by the one error."""
    content, choice, refused = whole.read_bytes(), random.Random(1), 0
    for _ in range(500 * EFFORT):
        mutant = bytearray(content)
        match choice.randrange(4):
            case 0:
                mutant = mutant[: choice.randrange(len(mutant))]
            case 1:
                mutant[choice.randrange(len(mutant))] ^= 1 << choice.randrange(8)
            case 2:
                place = choice.randrange(8 + 250)
                mutant[place : place + choice.randrange(1, 9)] = choice.randbytes(choice.randrange(9))
            case 3:
                mutant += choice.randbytes(choice.randrange(1, 50))
        whole.write_bytes(mutant)
        try:
            loaded = load_player(whole, GAME)
        except ludus.LudusError:
            refused += 1
        else:
            assert isinstance(loaded, CompiledPlayer)
            assert loaded.parts.evaluator.weights.shape == (64,)
            assert np.all(np.isfinite(loaded.parts.evaluator.weights))
    assert refused > 300 * EFFORT


def test_what_cannot_be_written_or_read(tmp_path: Path) -> None:
    with pytest.raises(ludus.LudusError, match="can't be written"):
        save_player(Path("/dev/null/player"), "weights", GAME, {"weights": np.zeros(64)})
    with pytest.raises(ludus.LudusError, match="can't be read"):
        read_player(tmp_path)
    assert not list(tmp_path.iterdir())
