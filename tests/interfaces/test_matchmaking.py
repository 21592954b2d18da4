"""How strong somebody plays, by their own results, and who would be an even match."""

import pytest

from ludus.interfaces.web.matchmaking import FIRST_GUESS, RECENT, estimate, even_match, reason
from ludus.players.levels import Rating

LEVELS = {f"level:{n}": Rating("othello8", n, "", 200.0 * n, 0.0, 0.0, 100) for n in range(1, 9)}


def test_wins_lead_to_stronger_opponents_and_losses_to_weaker_ones() -> None:
    assert estimate([]).elo == pytest.approx(FIRST_GUESS, abs=0.1)
    results, met = list[tuple[float, float]](), list[float]()
    for game in range(30):  # somebody who beats all below 900 and nobody else
        rating = LEVELS[even_match(estimate(results), LEVELS)]
        met.append(rating.elo)
        results.append((rating.elo, 1.0 if rating.elo < 900 else 0.0))
        assert game or rating.elo == 200.0
    assert set(met[-10:]) <= {800.0, 1000.0}
    found = estimate(results)
    assert found.games == RECENT
    assert found.low < 900 < found.high
    assert estimate([*results, *[(200.0, 0.0)] * RECENT]).elo < 300  # only the last games count


def test_the_reason_is_told_in_a_sentence() -> None:
    assert "no rated games here yet" in reason(estimate([]), LEVELS["level:1"])
    told = reason(estimate([(400.0, 1.0)]), LEVELS["level:2"])
    assert told.startswith("By your one rated game, with 1 point, you play at about ")
    assert "this one has 400. It adapts after every game." in told
