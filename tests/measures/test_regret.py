"""Regret: what perfect play in endings loses, and what other players lose."""

import pytest

import ludus
from ludus.errors import LudusError


def test_who_searches_to_the_end_loses_nothing() -> None:
    """The searcher and the solver are two programs."""
    found = ludus.regret("alphabeta:depth=2,exact=8", "othello6", games=20, empty=8)
    assert found.choices > 20
    assert found.mistakes == 0 == found.per_game.value
    # of whose ending on the smallest board the opening is a part, which others have chosen
    assert ludus.regret("alphabeta:depth=2,exact=8", "othello4", games=8).mistakes == 0


def test_others_lose() -> None:
    found = ludus.regret("random", "othello6", games=40, empty=8)
    assert found.per_game.value > 2
    assert 0.2 < found.mistakes / found.choices < 0.95
    assert found.to_json()["games"] == 40
    assert found == ludus.regret("random", "othello6", games=40, empty=8, workers=1)


@pytest.mark.parametrize(
    ("game", "asked", "wrong"),
    [("checkers", {}, "does not play checkers"), ("othello6", {"games": 5}, "even"), ("othello6", {"empty": 25}, "24")],
)
def test_what_can_not_be_measured(game: str, asked: dict[str, int], wrong: str) -> None:
    with pytest.raises(LudusError, match=wrong):
        ludus.regret("random", game, **asked)
