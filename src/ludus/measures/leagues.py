"""Leagues: everybody against everybody, resumable.

A league is a folder: `league.json` says what was asked, `results.csv` has a line for each match that was finished. The
same command goes on where the last one stopped; a match that was interrupted is played anew, to the same games.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from ludus.errors import LudusError
from ludus.measures.matches import match
from ludus.measures.ratings import Result, read_results, write_results
from ludus.players.player import Player
from ludus.storage import begun, present


def league(
    players: Sequence[Player], games: int, folder: Path, *, seed: int = 1, workers: int = 1, opening: str = "usual"
) -> Iterator[Result]:
    """Play what is still to be played, and give the result of every match in turn."""
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise LudusError(
            f"a league of {', '.join(names) or 'nobody'} can't be played; name two or more different players"
        )
    asked = {"game": players[0].game.name, "players": names, "games": games, "seed": seed, "opening": opening}
    begun(folder / "league.json", asked, "league")
    file = folder / "results.csv"
    results = read_results(file) if present(file) else []
    done = {(result.a, result.b): result for result in results}
    for number, (a, b) in enumerate(combinations(players, 2)):
        if (a.name, b.name) not in done:
            played = match(a, b, games, seed=seed * 1_000_003 + number, workers=workers, opening=opening)
            results.append(Result(a.name, b.name, played.wins, played.draws, played.losses))
            write_results(file, results)
            done[a.name, b.name] = results[-1]
        yield done[a.name, b.name]
