"""Leagues: everybody against everybody, resumable.

A league is a folder: `league.json` says what was asked, `results.csv` has a line for each finished match. Interrupted
leagues resume: repeat the command. A match that was interrupted, or whose line is cut off, is played anew, to the same
games.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from ludus.errors import InvalidSetting
from ludus.measures.ratings import Ratings, Result, read_results, write_results
from ludus.play.matches import match
from ludus.players.base import Player
from ludus.storage import present, record_request


@dataclass(frozen=True)
class League:
    """What came of a league: the result of every match, and the ratings."""

    results: tuple[Result, ...]
    ratings: Ratings

    def __repr__(self) -> str:
        best = self.ratings.ratings[0]
        return f"League({len(self.ratings.ratings)} players, {len(self.results)} matches, {best.name} leads)"

    def _repr_html_(self) -> str:
        return self.ratings._repr_html_()


def league(
    players: Sequence[Player],
    games: int,
    folder: Path,
    *,
    seed: int = 1,
    workers: int = 1,
    opening: str = "usual",
    progress: Callable[[float, str], None] = lambda done, match: None,
) -> Iterator[Result]:
    """Play the matches that are left, and yield the result of every match in turn.

    `progress` is called with the share of all games that is played, and the match that is under way.
    """
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise InvalidSetting(f"a league takes two or more different players, not {', '.join(names) or 'none'}")
    asked = {"game": players[0].game.name, "players": names, "games": games, "seed": seed, "opening": opening}
    record_request(folder / "league.json", asked, "league")
    file = folder / "results.csv"
    results = read_results(file, whole_lines=True) if present(file) else []
    done = {(result.a, result.b): result for result in results}
    pairs = list(combinations(players, 2))
    for number, (a, b) in enumerate(pairs):
        if (a.name, b.name) not in done:
            played = match(
                a,
                b,
                games,
                seed=seed * 1_000_003 + number,
                workers=workers,
                opening=opening,
                progress=lambda scores, n=number, a=a, b=b: progress(  # type: ignore[misc]
                    (n + len(scores) / games) / len(pairs), f"{a.label} - {b.label}"
                ),
            )
            results.append(Result(a.name, b.name, played.wins, played.draws, played.losses))
            write_results(file, results)
            done[a.name, b.name] = results[-1]
        yield done[a.name, b.name]
