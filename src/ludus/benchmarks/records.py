"""How fast files of games are read: every game parsed, replayed and checked."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from ludus.benchmarks.turns import Bench, Row
from ludus.games.names import game
from ludus.play.matches import match
from ludus.players.names import player
from ludus.records.files import FORMATS

FILES = (("othello8", ".wtb"), ("checkers:moves=30", ".pdn"), ("go19:plies=250", ".sgf"))
"""Games about as long as those in archives, and formats that hold them."""

GAMES = 20


def record_reading(bench: Bench) -> Iterator[Row]:
    """Games a second that are read from each format."""
    for name, ending in FILES:
        row = bench.compare_repeated(f"{ending[1:]} records", partial(_read, ending, random_file(name, ending)))
        yield row | {"per_second": GAMES * row["per_second"]}


def random_file(name: str, ending: str) -> Any:
    """The content of a file of random games."""
    anybody = player("random", game(name))
    played = match(anybody, anybody, GAMES, seed=1, opening="none", record=True)
    return FORMATS[ending].write(played.records())


def _read(ending: str, content: Any, times: int) -> None:
    for _ in range(times):
        FORMATS[ending].read(content, strict=True)
