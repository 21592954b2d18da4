"""Games of a player that goes on learning from them, against one opponent; its file remembers.

A player with several strategies (`social`) may change its own after a game. Rules (`xcs`) are updated and bred, as in
their training: they play from the start position, the colours they were trained for, and always their best move.
"""

import time
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import InvalidSetting, StorageError
from ludus.games.game import Game
from ludus.games.names import game as find_game
from ludus.learners.xcs.learner import XCSState
from ludus.learners.xcs.playing import LearnedRules, play_on, read_rules
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer, Player
from ludus.players.files import Header, read_header, save_player
from ludus.players.learning import trained_file
from ludus.players.names import player, player_file
from ludus.players.shipped import FOLDER
from ludus.players.social import record_result
from ludus.registry import player_kinds
from ludus.storage import present, write_whole

KINDS = ("social", "xcs")
"""Players that learn from their games."""
OPENING = "random:2"
"""How games of strategies begin, or one would play the same game again."""
SAVE_SECONDS = 2.0
"""How much learning of rules is lost at the most when the process is killed."""


@dataclass(frozen=True)
class Played:
    """One game of a player with several strategies."""

    strategy: int
    """The one it played by."""
    score: float
    """1.0, 0.5 or 0.0."""
    next_strategy: int
    """The one it will play by."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class PlayedByRules:
    """One game of rules that learn."""

    score: float
    """1.0, 0.5 or 0.0."""
    rules: int
    """How many there are after the game."""
    added: int
    """How many of them were not there before."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def learning_file(name: str) -> Path:
    """The file of a player that learns from its games, which is named by it, by its run, or comes with Ludus."""
    file = trained_file(name) or player_file(name)
    if not present(file) and name.partition(":")[0] in player_kinds():
        raise InvalidSetting(f"{name} does not learn from its games; name a player of kind {' or '.join(KINDS)}")
    kind = read_header(file).kind
    if kind not in KINDS:
        raise InvalidSetting(
            f"{file} holds a player of kind {kind}, which does not learn from its games; name a player of kind "
            f"{' or '.join(KINDS)}"
        )
    return file


def file_to_adapt(name: str, game: Game, copy: Path | None = None) -> Path:
    """The file of the player of that name, which is to learn; or a copy of it there, so that the original stays."""
    file = learning_file(name)
    if copy is None:
        if file.parent == FOLDER:
            raise StorageError(f"{name} comes with Ludus and stays as it is; let a copy learn with --save FILE")
        return file
    player(str(file), game)  # whoever does not play this game is refused before there is a copy
    if present(copy):
        raise StorageError(f"{copy} exists already; `ludus adapt {copy}` continues with it")
    write_whole(copy, file.read_bytes())
    return copy


def adapted(
    name: str, opponent: Player, game: Game, games: int, seed: int = 1, copy: Path | None = None
) -> Generator[Played | PlayedByRules, None, None]:
    """Play so many games; the file of the player of that name remembers each, or a copy of it there."""
    header = read_header(learning_file(name))
    if header.kind == "social":
        return _strategies_adapted(file_to_adapt(name, game, copy), opponent, game, games, seed)
    if not isinstance(opponent, CompiledPlayer):
        raise InvalidSetting(f"{opponent.name} is too slow to learn against; name a compiled player such as random")
    file = file_to_adapt(name, game, copy)
    return _rules_adapted(file, header, opponent, read_rules(file, game), games, seed)


def _strategies_adapted(
    file: Path, opponent: Player, game: Game, games: int, seed: int
) -> Generator[Played, None, None]:
    """Colours alternate."""
    for number in range(games):
        one = player(str(file), game)
        if number % 2 == 0:
            score = float(match(one, opponent, 1, seed=seed + number, opening=OPENING).scores[0])
        else:
            score = 1 - float(match(opponent, one, 1, seed=seed + number, opening=OPENING).scores[0])
        strategy, following = record_result(file, score)
        yield Played(strategy, score, following)


def _rules_adapted(
    file: Path, header: Header, opponent: CompiledPlayer, rules: LearnedRules, games: int, seed: int
) -> Generator[PlayedByRules, None, None]:
    """What is learned is stored every other second, and however the games end."""
    sides = {"first": (0, 0), "second": (1, 1), "both": (0, 1)}[rules.settings.colours]
    known, stored, saved = _known(rules.state), rules, time.monotonic()
    try:
        for number in range(games):
            found = play_on(rules, opponent, 1, side=sides[number % 2], seed=seed)
            rules, before, known = found.rules, known, _known(found.rules.state)
            if time.monotonic() - saved > SAVE_SECONDS:
                _save(file, header, rules)
                stored, saved = rules, time.monotonic()
            yield PlayedByRules(float(found.scores[0]), len(known), len(known - before))
    finally:
        if rules is not stored:
            _save(file, header, rules)


def _known(state: XCSState) -> set[bytes]:
    """The rules by what they are: an action and a condition."""
    size = state.starts[-1]
    actions = state.action[state.ids[:size]].astype(np.uint64)
    return {row.tobytes() for row in np.column_stack([actions, state.conditions[:, :size].T])}


def _save(file: Path, header: Header, rules: LearnedRules) -> None:
    made = rules.player
    save_player(file, made.kind, find_game(header.game), made.arrays, made.settings, header.provenance)
