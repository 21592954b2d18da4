"""Leagues: everybody against everybody, resumable.

A league is a folder: `league.json` says what was asked, `results.csv` has a line for each finished match. Interrupted
leagues resume: repeat the command. A match that was interrupted, or whose line is cut off, is played anew, to the same
games. A player whose file has changed since the league began, such as a run that was trained on, is another player, so
the league is refused.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from ludus.errors import AlreadyAsked, InvalidSetting
from ludus.games.openings import openings
from ludus.measures.performance import check_amount
from ludus.measures.ratings import Ratings, Result, read_results, write_results
from ludus.play.matches import match
from ludus.players.base import Player
from ludus.players.names import player_file
from ludus.players.shipped import shipped_in
from ludus.registry import player_kinds
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
    begun = _begun(folder)
    names = _names(players, begun)
    if len(names) < 2 or len(set(names)) < len(names):
        raise InvalidSetting(f"a league takes two or more different players, not {', '.join(names) or 'none'}")
    check_amount(games, workers)
    openings(players[0].game, opening)  # what can't be played is refused before the folder remembers it
    asked = {"game": players[0].game.name, "players": names, "games": games, "seed": seed, "opening": opening}
    files = {name: found for name, player in zip(names, players, strict=True) if (found := _content(player.name))}
    if not begun:
        asked["files"] = files
    record_request(folder / "league.json", asked, "league")
    _check_files(folder, begun.get("files"), files)
    file = folder / "results.csv"
    results = read_results(file, whole_lines=True) if present(file) else []
    done = {(result.a, result.b): result for result in results}
    pairs = list(combinations(zip(names, players, strict=True), 2))
    for number, ((first, a), (second, b)) in enumerate(pairs):
        if (first, second) not in done:
            played = match(
                a,
                b,
                games,
                seed=seed * 1_000_003 + number,
                workers=workers,
                opening=opening,
                progress=lambda scores, n=number, who=f"{first} - {second}": progress(  # type: ignore[misc]
                    (n + len(scores) / games) / len(pairs), who
                ),
            )
            results.append(Result(first, second, played.wins, played.draws, played.losses))
            write_results(file, results)
            done[first, second] = results[-1]
        yield done[first, second]


def _begun(folder: Path) -> dict[str, Any]:
    """What was asked of the league in this folder; nothing if none has begun."""
    with suppress(OSError, ValueError, RecursionError):
        if isinstance(found := json.loads((folder / "league.json").read_text()), dict):
            return found
    return {}


def _names(players: Sequence[Player], begun: Mapping[str, Any]) -> list[str]:
    """What the league calls its players: as they were given, or by their files if it has begun so."""
    names, labels = [player.name for player in players], [player.label for player in players]
    if begun.get("players") == names:
        return names
    return labels if len(set(labels)) == len(labels) else names


def _content(text: str) -> str:
    """A hash of the player files that a player string names, anywhere in it; empty if there are none."""
    parts = dict.fromkeys([text, *re.split("[:,=]", text)])
    paths = [player_file(part) for part in parts if part and part not in player_kinds()]
    files = [*(path for path in paths if present(path) and path.is_file()), *shipped_in(text)]
    return " ".join(hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in files)


def _check_files(folder: Path, before: Any, files: Mapping[str, str]) -> None:
    """Refuse players that are others than when the league began; a league of an older Ludus doesn't know."""
    changed = [name for name, found in files.items() if isinstance(before, dict) and before.get(name) != found]
    if changed:
        raise AlreadyAsked(
            f"{folder} holds a league with an earlier {' and '.join(changed)}, whose file has changed since; name "
            "another folder to play all matches anew"
        )
