"""Games of a player with several strategies against one opponent, after each of which it may change its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludus.games.game import Game
from ludus.measures.matches import match
from ludus.players.player import Player
from ludus.players.social import read_strategies, remember
from ludus.players.strings import player

OPENING = "random:2"
"""How games begin, or a strategy would play the same game again."""


@dataclass(frozen=True)
class Played:
    """One game, and what the player made of it."""

    strategy: int
    score: float
    next_strategy: int


def adapted(file: Path, opponent: Player, game: Game, games: int, seed: int = 1) -> Iterator[Played]:
    """Play so many games, colours alternating; the player in `file` remembers each."""
    read_strategies(file)  # what can't learn is told before it plays
    for number in range(games):
        one = player(str(file), game)
        if number % 2 == 0:
            score = float(match(one, opponent, 1, seed=seed + number, opening=OPENING).scores[0])
        else:
            score = 1 - float(match(opponent, one, 1, seed=seed + number, opening=OPENING).scores[0])
        strategy, following = remember(file, game, score)
        yield Played(strategy, score, following)
