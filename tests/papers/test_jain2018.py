"""The experiments of jain2018 with a tiny budget, and Table I beside the games that people play in the arena."""

from pathlib import Path

import pytest

from ludus.games.names import game
from ludus.papers.base import Claim, Workspace
from ludus.papers.jain2018 import setup
from ludus.papers.jain2018.opponents import ARENA_PLAYER, people
from ludus.papers.jain2018.setup import BUDGETS, GAME, Budget
from ludus.papers.names import paper
from ludus.papers.report import reproduce
from ludus.papers.study import Study
from ludus.players.files import read_header
from ludus.players.shipped import shipped_in
from ludus.records.arena import ArenaGames, Ending, StoredGame
from tests.effort import EFFORT


@pytest.mark.skipif(EFFORT == 1, reason="compiles two dozen kernels; the nightly effort runs it")
def test_every_claim_and_every_reading_gets_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = Budget(
        runs=2, games=240, minimax_games=6, measured_games=10, search_runs=1, without_runs=2, larger_runs=2,
        slow_runs=2, step_games=20,
    )  # fmt: skip
    monkeypatch.setitem(setup.BUDGETS, "quick", tiny)
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report")
    found = reproduce(paper("jain2018"), "quick", workspace)
    by_id = {claim.id: claim for claim in found.claims}
    assert all(claim.ours is not None for name, claim in by_id.items() if not name.startswith("table1"))
    assert all(reading.ours is not None for claim in found.claims for reading in claim.readings)
    assert len(by_id["fig8-depth-1"].readings) == 19
    assert reproduce(paper("jain2018"), "quick", workspace).claims == found.claims


def claims(file: Path) -> list[Claim]:
    study = Study("quick", BUDGETS["quick"], Workspace(file.parent, file.parent), game(GAME), 3)
    people(study, file)
    return list(study.report().claims)


def test_games_with_people_are_shown_by_the_skill_they_state(tmp_path: Path) -> None:
    file = tmp_path / "arena.sqlite"
    assert [(claim.ours, claim.verdict) for claim in claims(file)] == [(None, "not run")] * 3
    games = ArenaGames(file)
    games.add_visitor("me")
    for number, outcome in enumerate([1.0, 1.0, 0.0]):
        game = StoredGame(f"game{number}", "me", "othello6", ARENA_PLAYER, "person", skill="strong")
        games.add(game)
        games.end(game, Ending(outcome))
    games.close()
    highly, average, low = claims(file)
    assert (highly.paper, highly.ours) == ("40 won, 11 lost, 9 tied", "2 won, 1 lost, 0 tied")
    assert (highly.verdict, highly.over) == ("not settled", "games")  # three games tell nothing
    assert highly.note.startswith("It wins 66.7% (")
    assert average.ours is low.ours is None


def test_the_player_in_the_arena_is_the_one_that_the_report_says() -> None:
    (file,) = shipped_in(ARENA_PLAYER)
    assert read_header(file).provenance["settings"]["preset"] == "strong"
