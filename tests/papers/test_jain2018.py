"""Table I of jain2018 beside the games that people play in the arena."""

from pathlib import Path

from ludus.lab.arena_games import ArenaGames, Ending, KeptGame
from ludus.papers.jain2018 import ARENA_PLAYER, people


def test_games_with_people_are_shown_by_the_skill_they_state(tmp_path: Path) -> None:
    file = tmp_path / "arena.sqlite"
    claims, _, _ = people("quick", file)
    assert [(claim.ours, claim.verdict) for claim in claims] == [(None, "not run")] * 3
    games = ArenaGames(file)
    games.welcome("me")
    for number, outcome in enumerate([1.0, 1.0, 0.0]):
        game = KeptGame(f"game{number}", "me", "othello6", ARENA_PLAYER, "person", skill="strong")
        games.add(game)
        games.end(game, Ending(outcome))
    games.close()
    highly, average, low = people("quick", file)[0]
    assert (highly.paper, highly.ours, highly.verdict) == (
        "40 won, 11 lost, 9 tied",
        "2 won, 1 lost, 0 tied",
        "reproduced",
    )
    assert average.ours is low.ours is None
