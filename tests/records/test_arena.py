"""The arena's games survive, and add up to the table of a paper."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from ludus.errors import LudusError
from ludus.records.arena import ArenaGames, Ending, StoredGame, StoredMove, Strategies, Tally, results_by_skill

GAME = StoredGame("first", "me", "othello4", "person", "discs", skill="new", moves=(StoredMove("b1", 0.0, True),))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "arena.sqlite"


def test_what_was_kept_is_there_again(file: Path) -> None:
    games = ArenaGames(file)
    games.add_visitor("me")
    games.add(GAME)
    game = games.add_move(GAME, StoredMove("a3", 1.5, False))
    game = games.take_back(games.add_hint(game), 1)
    learned = ("discs", Strategies(1, ((0, 0, 1), (0, 0, 0))))
    game = games.add_move(game, StoredMove("a1", 2.0, False), Ending(1.0, "", "it lost", learned))
    # as if killed: never closed
    again = ArenaGames(file)
    assert again.game("me", "first") == game
    assert again.game("somebody", "first") is None
    assert (game.undone, game.hints, game.outcome, [made.move for made in game.moves]) == (1, 1, 1.0, ["b1", "a1"])
    assert again.strategies("discs", "othello4") == learned[1]
    assert again.games_of("me", 10)[0][1] == 2
    assert (again.has_visitor("me"), again.has_visitor("you"), again.count_unfinished(0), again.count()) == (
        True,
        False,
        0,
        1,
    )
    with pytest.raises(sqlite3.IntegrityError):  # one move for each ply, whatever the server believes
        games.add_move(replace(game, moves=()), StoredMove("c4", 0.0, False))
    assert again.game("me", "first") == game
    games.close()
    again.close()


def test_pieces_are_agreed_to_be_dead_together_with_the_end_of_the_game_or_not_at_all(file: Path) -> None:
    games = ArenaGames(file)
    games.add_visitor("me")
    games.add(GAME)
    with pytest.raises(sqlite3.IntegrityError):
        games.agree(GAME, [3, 4], Ending(7.0))  # there is no such outcome
    assert games.game("me", "first") == GAME
    assert games.agree(GAME, [3, 4], Ending(1.0)) == games.game("me", "first")
    games.close()


def test_results_by_skill_are_table_1_of_jain2018(file: Path) -> None:
    games = ArenaGames(file)
    games.add_visitor("me")
    ends = [
        ("new", "person", "xcs:j", 0.0, {}),
        ("new", "xcs:j", "person", 1.0, {}),
        ("strong", "xcs:j", "person", 0.0, {}),
        ("strong", "xcs:j", "person", 0.5, {}),
        ("average", "xcs:j", "person", 1.0, {"handicap": 0.1}),
        ("average", "xcs:j", "person", 1.0, {"hints": 1}),
        ("average", "xcs:j", "random", 1.0, {}),
        ("", "xcs:j", "person", 1.0, {}),
    ]
    for i, (skill, black, white, outcome, more) in enumerate(ends):
        game = StoredGame(f"game{i}", "me", "othello6", black, white, skill=skill, **more)
        games.add(game)
        games.end(game, Ending(outcome))
    games.close()
    found = results_by_skill(file, "xcs:j", "othello6")
    assert found == {"new": Tally(2, 0, 0), "average": Tally(), "strong": Tally(0, 1, 1)}
    assert results_by_skill(file, "xcs:j", "othello6", aided=True)["average"] == Tally(1, 0, 0)
    assert results_by_skill(file, "xcs:j", "othello8")["new"] == Tally()


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="no games against people"):
        results_by_skill(tmp_path / "nothing", "a", "b")
    (tmp_path / "text").write_text("this is no database at all" * 100)
    with pytest.raises(LudusError, match="can't hold"):
        ArenaGames(tmp_path / "text")
    with pytest.raises(LudusError, match="does not hold"):
        results_by_skill(tmp_path / "text", "a", "b")
    with sqlite3.connect(tmp_path / "later") as base:
        base.execute("pragma user_version = 99")
    with pytest.raises(LudusError, match="another version of Ludus"):
        ArenaGames(tmp_path / "later")
