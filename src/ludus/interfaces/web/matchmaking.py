"""Finding an opponent: how strong a visitor plays, told by their own finished games, and who would be an even match.

Counted are the last games against players whose Elo is known (`ludus.measures.strengths`), without random moves, hints
or moves taken back, and not begun in a position of another game. The estimate is the likeliest rating by Elo's logistic
curve, between what the games say and a modest first guess, so it begins low and climbs as one wins.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.interfaces.web.catalog import Catalog, offered_game
from ludus.measures.strengths import strengths
from ludus.play.intervals import Z95, expected
from ludus.players.levels import Rating
from ludus.records.arena import ArenaGames, Played

RECENT = 20
"""So many of the last games count: people get better."""
FIRST_GUESS, SPREAD = 250.0, 300.0
"""What somebody without games is taken for, in Elo, and the standard deviation of that guess."""
POINT = math.log(10) / 400


@dataclass(frozen=True)
class Strength:
    """How strong somebody plays; 95% of what that may be lies from `low` to `high`."""

    elo: float
    low: float
    high: float
    games: int
    points: float


def estimate(results: Sequence[tuple[float, float]]) -> Strength:
    """What the last of these games tell: the opponent's Elo and the score of each, the oldest first."""
    recent = results[-RECENT:]
    low, high = FIRST_GUESS - 3000.0, FIRST_GUESS + 3000.0
    while high - low > 0.1:
        elo = (low + high) / 2
        pull = (FIRST_GUESS - elo) / SPREAD**2 + POINT * sum(score - expected(elo - rung) for rung, score in recent)
        low, high = (elo, high) if pull > 0 else (low, elo)
    chances = [expected(elo - rung) for rung, _ in recent]
    half = Z95 / math.sqrt(1 / SPREAD**2 + POINT**2 * sum(chance * (1 - chance) for chance in chances))
    return Strength(elo, elo - half, elo + half, len(recent), sum(score for _, score in recent))


def even_match(strength: Strength, offered: Mapping[str, Rating]) -> str:
    """Of these players the one whose Elo is nearest."""
    return min(offered, key=lambda text: abs(offered[text].elo - strength.elo))


def reason(strength: Strength, rating: Rating) -> str:
    """Why this opponent, in a sentence or two."""
    if not strength.games:
        return "You have no rated games here yet, so it begins with an easy one and adapts to your results."
    games = f"your last {strength.games} rated games" if strength.games > 1 else "your one rated game"
    about = f"about {strength.elo:.0f} Elo ({strength.low:.0f} to {strength.high:.0f})".replace("-", "\N{MINUS SIGN}")
    return (
        f"By {games}, with {strength.points:g} {'point' if strength.points == 1 else 'points'}, you play at {about}; "
        f"this one has {rating.elo:.0f}. It adapts after every game."
    )


class Matchmaking:
    """What the stored games tell about the visitors' strength."""

    def __init__(self, games: ArenaGames, catalog: Catalog) -> None:
        self._games, self._catalog = games, catalog

    def opponent(self, visitor: str, game: Game, players: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """An even match for the visitor among the levels of these players, and why; None where no Elo is known."""
        rated = strengths(game)
        levels = {each["player"]: rated[each["player"]] for each in players if each.get("level") and "elo" in each}
        if not levels:
            return None
        played = [each for each in self._games.results_of(visitor) if each.game == game.name and each.rated]
        strength = estimate([(rated[each.opponent].elo, each.score) for each in played if each.opponent in rated])
        text = even_match(strength, levels)
        chosen = {"player": text, "title": self._catalog.title(text), "elo": round(levels[text].elo)}
        return chosen | {"reason": reason(strength, levels[text])}

    def results(self, visitor: str) -> list[dict[str, Any]]:
        """The visitor's finished games with machines, the oldest first, each with the Elo that they tell so far."""
        told, shown = dict[str, list[tuple[float, float]]](), []
        for each in self._games.results_of(visitor):
            payload = vars(each) | {"title": self._catalog.title(each.opponent), "elo": None}
            rating = _rating(each) if each.rated else None
            if rating:
                games = told.setdefault(each.game, [])
                games.append((rating.elo, each.score))
                payload["elo"] = round(estimate(games).elo)
            shown.append(payload)
        return shown


def _rating(played: Played) -> Rating | None:
    """What is known of the strength of the machine in a game; nothing if its game was another package's, now gone."""
    try:
        return strengths(offered_game(played.game)).get(played.opponent)
    except LudusError:
        return None
