"""Reviews, puzzles and progress survive with the games they belong to."""

from pathlib import Path

from ludus.records.arena import ArenaGames, StoredGame, StoredMove
from ludus.records.training import Attempt, Training

GAME = StoredGame("first", "me", "othello4", "person", "discs", moves=(StoredMove("b1", 0.0, False),))


def test_what_was_learned_is_there_again(tmp_path: Path) -> None:
    games = ArenaGames(tmp_path / "arena.sqlite")
    games.add_visitor("me")
    games.add(GAME)
    training = Training(games)
    for ply, move in enumerate(["b1", "a1", "a2"]):
        training.add_reviewed("first", "judge", ply, move, {"ply": ply})
    training.add_mistake("me", {"id": "a puzzle", "game": "othello4"}, "first", 1)
    training.add_names("first", "Ann", "Bob")
    assert training.attempt("me", "a puzzle", False) == Attempt(1, False)
    assert training.attempt("me", "a puzzle", True) == Attempt(2, True)
    assert training.attempt("me", "a puzzle", False) == Attempt(3, True)  # it stays solved
    again = Training(ArenaGames(tmp_path / "arena.sqlite"))
    assert again.reviewed("first", "judge", ("b1", "a1", "a2")) == [{"ply": 0}, {"ply": 1}, {"ply": 2}]
    assert again.reviewed("first", "judge", ("b1", "c1", "a2")) == [{"ply": 0}]  # the second was taken back
    assert again.reviewed("first", "another", ("b1",)) == []
    assert (again.mistakes("me"), again.mistakes("you")) == ([{"id": "a puzzle", "game": "othello4"}], [])
    assert (again.attempts("me"), again.names("first")) == ({"a puzzle": Attempt(3, True)}, ("Ann", "Bob"))
    assert again.first_moves("me", 5) == {"first": ("b1",)}
