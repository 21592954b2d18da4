"""Ladders: named opponents of growing strength on one Elo scale, and how high a player climbs.

The ladder of a board is a file of results, `ludus/shipped/ladder-othello8.csv`, which docs/ladders.py plays: the rungs
are the players in it, and BayesElo rates them (`ludus rate FILE` shows the same), shifted so that `random` has 0. Some
rungs are other people's programs; where these are not installed or do not work, a climb leaves them out.

A climb plays a few games at a time, against the rung that is nearest to what it knows so far, until the player's rating
is known well enough. The ratings of the rungs are taken as known, and its own is the likeliest one, by the logistic
curve of Elo with a draw as half a point.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import stream
from ludus.errors import InvalidSetting, LudusError, UnknownName
from ludus.games.game import Game, Position
from ludus.measures.ratings import rate, read_results
from ludus.play.intervals import Z95, Estimate, expected, summary
from ludus.play.matches import Match, match, pair_scores
from ludus.play.tables import html_table
from ludus.players.base import Player
from ludus.players.engines.process import CRASHED, DID_NOT_START, NONSENSE, TIME, Forfeit
from ludus.players.names import player as named
from ludus.players.shipped import FOLDER

BATCH = 20
"""Games that are played before the next rung is chosen: ten openings with both colours."""

SPREAD = 15.0
"""Elo by which a rung seems further away for each batch that was played there: so that neighbours get their turn."""

WIDE = 1000.0
"""The standard deviation, in Elo, of what a rating may be before any game; it matters where all games are won."""

TIMED_GAMES, TIMED_SECONDS = 4, 10.0
"""How many games, or how long, a player is timed in."""

POINT = math.log(10) / 400

FAILURES = (DID_NOT_START, CRASHED, NONSENSE, TIME)
"""How programs lose games without playing them. Who resigns or makes an illegal move has played."""


@dataclass(frozen=True)
class Rung:
    """An opponent with a published rating; 95% of what that may be lies from `elo - minus` to `elo + plus`."""

    player: str
    elo: float
    plus: float
    minus: float
    games: int


@dataclass(frozen=True)
class Standing:
    """How a player fared against one rung."""

    rung: Rung
    wins: int
    draws: int
    losses: int
    score: Estimate


@dataclass(frozen=True)
class Climb:
    """How high a player has climbed."""

    player: str
    game: str
    elo: Estimate
    standings: tuple[Standing, ...]
    """Against each rung that it met, the highest first."""
    missing: tuple[str, ...]
    """Rungs that are not installed here, or failed."""
    seconds_a_move: float

    @property
    def games(self) -> int:
        return sum(each.wins + each.draws + each.losses for each in self.standings)

    def __repr__(self) -> str:
        return f"Climb({self.player!r}, {self.elo:.0f} Elo, {self.games} games)"

    def _repr_html_(self) -> str:
        rows = [
            [each.rung.player, round(each.rung.elo), each.wins, each.draws, each.losses, f"{each.score.value:.1%}"]
            for each in self.standings
        ]
        found = [self.player, f"{self.elo:.0f}", "", "", "", ""]
        return html_table(["player", "Elo", "wins", "draws", "losses", "score"], [found, *rows])

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "player": self.player,
            "elo": self.elo.value,
            "elo_interval": list(self.elo.interval),
            "games": self.games,
            "seconds_a_move": self.seconds_a_move,
            "rungs": [
                {
                    "player": each.rung.player,
                    "elo": each.rung.elo,
                    "wins": each.wins,
                    "draws": each.draws,
                    "losses": each.losses,
                    "score": each.score.value,
                    "score_interval": list(each.score.interval),
                }
                for each in self.standings
            ],
            "missing": list(self.missing),
        }


def ladder_file(game: Game) -> Path:
    """Where the results behind a game's ladder are kept."""
    return FOLDER / f"ladder-{game.board}.csv"


def ladders() -> list[str]:
    """The boards that have a ladder."""
    return sorted(file.stem.removeprefix("ladder-") for file in FOLDER.glob("ladder-*.csv"))


def ladder(game: Game) -> tuple[Rung, ...]:
    """The rungs of a game's ladder, the highest first."""
    if game.name not in ladders():  # with other rules the rungs would have other ratings
        raise UnknownName(f"{game.name} has no ladder; there are ladders for {', '.join(ladders())}")
    ratings = rate(read_results(ladder_file(game))).ratings
    (ground,) = [each.elo for each in ratings if each.name == "random"]
    return tuple(Rung(each.name, each.elo - ground, each.plus, each.minus, each.games) for each in ratings)


def climb(
    player: Player,
    *,
    games: int = 400,
    precision: float = 30.0,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[int, Estimate], None] = lambda played, elo: None,
) -> Climb:
    """Let a player climb its game's ladder: until its rating is known to `precision` Elo either way, or games are out.

    `progress` is called with the games so far and what they tell.
    """
    if games < 1 or not 0 <= precision < math.inf:
        raise InvalidSetting(
            f"invalid climb of {games} games to {precision:g} Elo: play 1 game or more, to a precision of 0 or more"
        )
    rungs, here, missing = ladder(player.game), list[tuple[Rung, Player]](), []
    for rung in rungs:
        try:
            here.append((rung, named(rung.player, player.game)))
        except LudusError:  # a program that is not installed
            missing.append(rung.player)
    middle = here[len(here) // 2][0].elo
    met: dict[str, list[Match]] = {rung.player: [] for rung, _ in here}
    elo, played = Estimate(middle, (-math.inf, math.inf)), 0
    while played < games and elo.interval[1] - elo.interval[0] > 2 * precision:
        rung, opponent = min(here, key=lambda each: abs(each[0].elo - elo.value) + SPREAD * len(met[each[0].player]))
        batch = min(BATCH, games - played)
        found = match(player, opponent, batch, seed=seed * 1_000_003 + played, workers=workers, record=True)
        if any(found.scores[game] == 1 and reason in FAILURES for game, reason in found.reasons.items()):
            here.remove((rung, opponent))  # who can't play here has another rating than the published one
            missing.append(rung.player)
            continue
        met[rung.player].append(found)
        played += batch
        results = [(each.elo, _scores(met[each.player])) for each in rungs if met.get(each.player)]
        elo = likeliest(results, middle)
        progress(played, elo)
    standings = tuple(_standing(rung, met[rung.player]) for rung in rungs if met.get(rung.player))
    last = next(found[-1] for found in reversed(met.values()) if found)
    return Climb(player.label, player.game.name, elo, standings, tuple(missing), _seconds_a_move(player, last))


def likeliest(results: Sequence[tuple[float, NDArray[np.float64]]], middle: float) -> Estimate:
    """The rating that the scores of games tell, each list of them against an opponent of that rating."""
    low, high = middle - 10 * WIDE, middle + 10 * WIDE
    while high - low > 1e-6:
        elo = (low + high) / 2
        pull = (middle - elo) / WIDE**2
        pull += POINT * sum(float(np.sum(scores - expected(elo - rung))) for rung, scores in results)
        low, high = (elo, high) if pull > 0 else (low, elo)
    chances = [(expected(elo - rung), len(scores)) for rung, scores in results]
    information = 1 / WIDE**2 + POINT**2 * sum(n * chance * (1 - chance) for chance, n in chances)
    half = Z95 / math.sqrt(information)
    return Estimate(elo, (elo - half, elo + half))


def _scores(matches: Sequence[Match]) -> NDArray[np.float64]:
    return np.concatenate([each.scores for each in matches])


def _standing(rung: Rung, matches: Sequence[Match]) -> Standing:
    pairs = np.concatenate([pair_scores(each.scores) for each in matches])
    found = summary(pairs, float(_scores(matches).mean()))
    wins, draws, losses = (sum(getattr(each, what) for each in matches) for what in ("wins", "draws", "losses"))
    return Standing(rung, wins, draws, losses, Estimate(found.score, found.interval))


def _seconds_a_move(player: Player, played: Match) -> float:
    """How long the player thinks in positions of its own games; as far as it gets, if it is a program that fails."""
    seat, rng, begin, moves, seconds = player.seat(), stream(1, "ladder"), time.perf_counter(), 0, 0.0

    def choose(position: Position, before: Sequence[str]) -> float:
        """Ask for a move, which may be another than in the game: so each time the seat begins anew."""
        seat.begin(position, before)
        asked = time.perf_counter()
        seat.choose(position, rng)
        return time.perf_counter() - asked

    try:
        for number, record in zip(range(TIMED_GAMES), played.records(), strict=False):
            positions = record.positions()
            if number == 0:
                choose(positions[0], ())  # compiles
            for i, position in enumerate(positions[:-1]):
                if position.current_player == number % 2 and time.perf_counter() - begin < TIMED_SECONDS:
                    taken = choose(position, record.moves[:i])
                    moves, seconds = moves + 1, seconds + taken
    except Forfeit:
        pass
    finally:
        seat.close()
    return seconds / max(1, moves)
