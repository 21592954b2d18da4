"""What the page offers: games, and the players that are safe to ask for.

A player string that comes from the page is never looked up as a path and never starts a program. Safe are kinds that
are listed here, with bounded options; players that come with the package; and `run:ID`, where the server has found the
run in its own folder.
"""

import hashlib
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ludus.errors import LudusError, WrongGame
from ludus.games.game import Game, GameType
from ludus.games.names import game as find_game
from ludus.interfaces.web.gallery import CHARACTERS, level_character
from ludus.interfaces.web.limits import DEPTH, LISTED_RUNS, LONGEST_GAME, SIMULATIONS, THINKING_SECONDS
from ludus.measures.strengths import strengths
from ludus.players.base import CompiledPlayer, Player
from ludus.players.files import Header, load_player, read_header, read_player
from ludus.players.learning import Knowledge, knowledge_in
from ludus.players.levels import levels
from ludus.players.names import player as named_player
from ludus.players.noisy import Noisy, NoisyPlayer
from ludus.players.search.alphabeta import Search
from ludus.players.search.iterative_deepening import TimedSearch
from ludus.players.search.mcts import TimedMCTS
from ludus.players.search.uct import MCTS
from ludus.players.shipped import shipped
from ludus.players.social import after_game
from ludus.records.arena import PERSON, Strategies
from ludus.registry import evaluators, game_types, player_kinds
from ludus.runs.store import run_folders

PLAIN = ("random", "discs", "mobility", "heuristic", "positional", "jain2018", "pieces", "wally", "influence")
OPTIONED = ("greedy", "weights", "ntuples", "alphabeta", "minimax", "mcts")
"""Kinds whose options are names, words and numbers; `value`, `depth` and others are looked at more closely."""

BUILT_IN = (
    *("random", "discs", "pieces", "greedy:value=area", "jain2018", "heuristic", "positional", "mobility", "wally"),
    *("influence", "alphabeta:depth=2", "alphabeta:depth=4", "alphabeta:depth=6", "mcts:simulations=1000"),
)
"""What is offered wherever it plays the game."""

LEARNING, LEARNS = "learning:", "xcs"
"""What a player string that learns begins with, and the kind of player that can."""

WIDE = 30
"""With more moves than this to begin with, a search gets nowhere near 6 moves ahead in the time it has."""

REMEMBERED = 200
"""Variants, and what is known of them and of files: komi alone has thousands of values."""

FIRST_GAME = "othello"
"""The game that the page suggests to newcomers."""


@cache
def built_in() -> dict[str, str]:
    """The same with their names, and what other packages offer to the page: players, and evaluators to be greedy by."""
    players = {text: text for kind in player_kinds().values() for text in kind.arena}
    known = {"lead", *(text.partition("value=")[2] or text for text in BUILT_IN)}
    greedy = {f"greedy:value={name}": f"Greedy for {name}" for name in evaluators() if name not in known}
    return {**{text: CHARACTERS[text].name for text in BUILT_IN}, **players, **greedy}


_OPTIONS = re.compile(r"[a-z]{1,20}=[a-z0-9.-]{1,20}(,[a-z]{1,20}=[a-z0-9.-]{1,20}){0,7}")
_NOISY = re.compile(r"noisy:(0|1|0?\.\d{1,4}),(.+)")
_LEVEL = re.compile(r"level:[1-9]\d?")
_RUN = re.compile(r"run:[0-9a-f]{12}")
_SHIPPED = re.compile(r"([a-z0-9-]{1,30}):([a-z0-9.-]{1,40})(?:,depth=(\d{1,2}))?")


@lru_cache(REMEMBERED)
def offered_game(name: str) -> Game:
    """The game of that name, if the arena plays it."""
    if len(name) > 100:
        raise LudusError("this name is too long for a game; games have names such as othello8")
    game = find_game(name)
    if game.max_plies > LONGEST_GAME:
        raise LudusError(
            f"a game of {game.name} may have {game.max_plies} moves; at most {LONGEST_GAME} are allowed here"
        )
    return game


def sides_of(name: str) -> tuple[str, str]:
    """How the sides are called in the game of that name; as usual, if it was another package's, which is gone."""
    try:
        return offered_game(name).type.sides
    except LudusError:
        return GameType.sides


def board_title(game: Game) -> str:
    """How people call the game on its board, with its size."""
    return f"{game.type.title} {_shape(game)}" if game.type.sizes else game.type.title


def _shape(game: Game) -> str:
    return " × ".join(map(str, game.shape[::-1]))


def games() -> list[dict[str, Any]]:
    """Every kind of game with its sizes and options, as the page wants them."""
    return [
        {
            "name": game_type.name,
            "title": game_type.title,
            "sizes": list(game_type.sizes),
            "shapes": [_shape(Game(game_type, size)) for size in game_type.sizes],
            "default_size": game_type.default_size,
            "sides": list(game_type.sides),
            "rules": game_type.rules_summary,
            "stones": [len(game_type.handicap_squares(Game(game_type, size).rules, 9)) for size in game_type.sizes],
            "options": [
                {
                    "name": option.name,
                    "title": option.title or option.name.capitalize(),
                    "labels": list(option.labels),
                    "description": option.description,
                    "default": option.default,
                    "choices": list(option.choices),
                    "low": option.low,
                    "high": option.high,
                }
                for option in game_type.options
            ],
        }
        for game_type in sorted(game_types().values(), key=lambda game_type: game_type.name != FIRST_GAME)
    ]


def suggested_opponent(game: Game, players: Sequence[Mapping[str, Any]]) -> str:
    """Whom to suggest to a person: the game's standard opponent, or whoever of `players` comes closest."""
    offered = [each["player"] for each in players]
    wanted = (game.defaults.opponent, "alphabeta:depth=2")
    return next((text for text in wanted if text in offered), offered[0] if offered else "")


@dataclass(frozen=True)
class Run:
    """A run that the server has found."""

    id: str
    folder: Path
    name: str


@dataclass(frozen=True)
class Machine:
    """A player with the parts by which it can be explained."""

    player: Player
    parts: Any


class Catalog:
    """The players there are, those of the runs in a folder included."""

    def __init__(self, runs: Path) -> None:
        self.folder = runs
        self._lock, self._runs, self._looked = threading.Lock(), dict[str, Run](), -1e9
        self._shared = WeakValueDictionary[tuple[Any, ...], CompiledPlayer | TimedSearch | TimedMCTS]()

    def runs(self) -> dict[str, Run]:
        """The runs in the folder by id, those begun last first; looked for anew every other second."""
        with self._lock:
            if time.monotonic() - self._looked > 2:
                folders = sorted(run_folders(self.folder), key=_age) if self.folder.is_dir() else []
                found = [self.run(folder) for folder in folders[:LISTED_RUNS]]
                self._runs, self._looked = {run.id: run for run in found}, time.monotonic()
            return self._runs

    def look_again(self) -> None:
        """Forget what runs there were."""
        with self._lock:
            self._looked = -1e9

    def run(self, folder: Path) -> Run:
        """How a run in that folder, which is one below ours, is known."""
        name = folder.relative_to(self.folder).as_posix()
        return Run(hashlib.blake2b(name.encode(), digest_size=6).hexdigest(), folder, name)

    def players(self, game: Game) -> list[dict[str, Any]]:
        """Who plays this game: what the page sends, what it shows, a sentence about each, and its Elo where known."""
        rated = strengths(game)
        for each in (found := self._offered(game)):
            if rating := rated.get(each["player"]):
                each |= {"elo": round(rating.elo), "interval": [round(rating.low), round(rating.high)]}
        return found

    def _offered(self, game: Game) -> list[dict[str, Any]]:
        found = list[dict[str, Any]]()
        for each in levels(game.board):
            name, description = level_character(game.board, each.level)
            level = {"player": f"level:{each.level}", "level": each.level, "title": name, "description": description}
            found.append(level | {"group": "Levels"})
        for text in built_in():
            if text == "alphabeta:depth=6" and len(game.start().legal_moves) > WIDE:
                continue
            kind = player_kinds().get(text.partition(":")[0])
            if kind and _makes(text, game.name):
                found.append(self._character(text, kind.description) | {"group": "Built in"})
        # the longest kind that a file's name begins with is its own: sarsa-lvq-go5 is no sarsa named lvq-go5
        come = {file: (kind, name) for kind in sorted(player_kinds(), key=len) for name, file in shipped(kind).items()}
        for file, (kind_name, name) in come.items():
            if _board(file) == game.board:
                text, description = f"{kind_name}:{name}", player_kinds()[kind_name].learned_description
                found.append(self._character(text, description) | {"group": "Trained"})
                if kind_name == LEARNS:
                    found.append(self._learning(text))
        for run in self.runs().values():
            file = run.folder / "player.safetensors"
            if file.exists() and _board(file) == game.board:
                header = _header(file)
                description = player_kinds()[header.kind].learned_description if header else ""
                found.append(
                    {"player": f"run:{run.id}", "title": run.name, "description": description, "group": "Trained here"}
                )
                if header and header.kind == LEARNS:
                    found.append(self._learning(f"run:{run.id}"))
        return found

    def _character(self, text: str, description: str) -> dict[str, Any]:
        """How the page offers a player; one that nobody has described goes by its own words."""
        known = CHARACTERS.get(text)
        return {"player": text, "title": self.title(text), "description": known.description if known else description}

    def _learning(self, text: str) -> dict[str, Any]:
        """How the page offers a player who learns from people."""
        learning, about = LEARNING + text, "learns from every game that people finish with it here"
        return {"player": learning, "title": self.title(learning), "description": about, "group": "Learns from you"}

    def check(self, text: str, game: Game) -> str:
        """The player string, if it is safe and plays this game; raises LudusError otherwise."""
        if text == PERSON:
            return text
        self.make(text, game)
        return text

    def make(self, text: str, game: Game, strategy: int | None = None) -> Machine:
        """The player of a safe string; one that searches is bounded in time. Tables share it."""
        if noisy := _NOISY.fullmatch(text):
            if noisy[2].startswith(("noisy", LEARNING)):
                raise LudusError("noisy players can be neither noisy nor learning; name the player itself")
            rate, inner = float(noisy[1]), self.make(noisy[2], game, strategy)
            return Machine(NoisyPlayer(text, game, rate, inner.player), Noisy(rate, inner.parts))
        if text.startswith(LEARNING):
            parts = self.knowledge(text, game).parts
            return Machine(CompiledPlayer(text, game, parts), parts)
        file = self._safe(text)
        key = text, game, strategy, file and file.stat().st_mtime_ns
        # a table may stand for hours, and a trained player takes megabytes
        made = self._shared.get(key) or self._shared.setdefault(key, _bounded(file, text, game, strategy))
        return Machine(made, made.parts)

    def knowledge(self, text: str, game: Game) -> Knowledge:
        """What a learning player knows before its first game here."""
        file = self._safe(text.removeprefix(LEARNING))
        if file is None:
            raise LudusError(f"{text.removeprefix(LEARNING)} can't learn; choose a player with rules")
        return knowledge_in(file, game)

    def _safe(self, text: str) -> Path | None:
        """Raises LudusError unless the string may come from the page; the player's file, if it names one."""
        kind, _, options = text.partition(":")
        if len(text) <= 200:
            if text in PLAIN or text in built_in() or _LEVEL.fullmatch(text):
                return None
            if kind in OPTIONED and (not options or _OPTIONS.fullmatch(options)):
                _check_options(options)
                return None
            if _RUN.fullmatch(text) and options in self.runs():
                file = self.runs()[options].folder / "player.safetensors"
                if file.exists():
                    return file
                raise LudusError("this run is not finished, so it has no player yet")
            if (parts := _SHIPPED.fullmatch(text)) and parts[2] in shipped(parts[1]):
                return None if parts[3] else shipped(parts[1])[parts[2]]
        raise LudusError(f"the player {text!r:.60} is not available here; choose one from the list")

    def file(self, text: str) -> Path | None:
        """The file of a player that has one."""
        return None if text == PERSON or text.startswith("noisy") else self._safe(text.removeprefix(LEARNING))

    def title(self, text: str) -> str:
        """How the page and game records call a player."""
        kind, _, id = text.partition(":")
        if text.startswith(LEARNING):
            return f"{self.title(id)}, learning"
        if kind == "run":
            return self.runs()[id].name if id in self.runs() else "a run that is gone"
        if _LEVEL.fullmatch(text):
            return f"Level {id}"
        return CHARACTERS[text].name if text in CHARACTERS else built_in().get(text, text)

    def about(self, text: str) -> str:
        """What a player does, in a few words."""
        file = None if text.startswith("noisy") else self.file(text)
        header = _header(file) if file else None
        if text in CHARACTERS:
            return CHARACTERS[text].description.rstrip(".")
        if header:
            return player_kinds()[header.kind].learned_description
        kind = player_kinds().get(text.partition(":")[0])
        return kind.description if kind else ""

    def strategies(self, text: str) -> Strategies | None:
        """What the file of a player with several strategies tells of them; None for all others."""
        file = self.file(text)
        header = _header(file) if file else None
        if file is None or header is None or header.kind != "social":
            return None
        header, arrays = read_player(file)
        record = tuple((int(won), int(drawn), int(lost)) for won, drawn, lost in arrays["record"])
        return Strategies(int(header.settings["current"]), record)


def learned(before: Strategies, score: float) -> Strategies:
    """What a player with several strategies makes of a game's score."""
    record, current = after_game(np.array(before.record, np.int64), before.current, score)
    return Strategies(current, tuple((int(won), int(drawn), int(lost)) for won, drawn, lost in record))


def _check_options(options: str) -> None:
    for option in filter(None, options.split(",")):
        name, _, value = option.partition("=")
        if name == "value" and value not in evaluators() and value != "usual":
            raise LudusError(f"invalid value={value}: must be one of {', '.join(evaluators())}")
        if name == "depth" and not (value.isdigit() and int(value) <= DEPTH):
            raise LudusError(f"invalid depth={value}: must be at most {DEPTH} here")
        if name == "simulations" and not (value.isdigit() and int(value) <= SIMULATIONS):
            raise LudusError(f"invalid simulations={value}: must be at most {SIMULATIONS} here")
        if name in ("exact", "seconds"):
            raise LudusError(f"{name} is not available here; moves take at most {THINKING_SECONDS:g} seconds")
        if name in ("tuples", "length") and not (value.isdigit() and int(value) <= 12):
            raise LudusError(f"invalid {name}={value}: must be at most 12 here")


def _bounded(
    file: Path | None, text: str, game: Game, strategy: int | None
) -> CompiledPlayer | TimedSearch | TimedMCTS:
    """The player that a safe string names, or that is in its file, bounded in time if it searches."""
    made = _loaded(file, text, game, strategy) if file else named_player(text, game)
    if not isinstance(made, CompiledPlayer):  # it may start a program, or watch the clock
        raise LudusError(f"{text} is not a compiled player, so it is not available here; choose another")
    if isinstance(made.parts, Search):
        if made.parts.depth > DEPTH:
            raise LudusError(f"{text} looks {made.parts.depth} moves ahead; at most {DEPTH} are allowed here")
        return TimedSearch(text, game, made.parts, THINKING_SECONDS)
    if isinstance(made.parts, MCTS):
        return TimedMCTS(text, game, made.parts, THINKING_SECONDS)
    return made


def _loaded(file: Path, text: str, game: Game, strategy: int | None) -> CompiledPlayer:
    if not (header := read_header(file)).plays(game):
        raise WrongGame(f"this player plays {header.game}, not {game.name}; choose one that does")
    settings = {} if strategy is None or "current" not in header.settings else {"current": strategy}
    loaded = load_player(file, game, text, **settings)
    assert isinstance(loaded, CompiledPlayer)
    return loaded


@lru_cache(REMEMBERED)
def _makes(text: str, game: str) -> bool:
    try:
        named_player(text, find_game(game))
    except LudusError:
        return False
    return True


def _header(file: Path) -> Header | None:
    """What a player file says of itself, read anew only when it has changed; nothing if it can't be read."""
    try:
        return _header_then(file, file.stat().st_mtime_ns)
    except (OSError, LudusError):
        return None


@lru_cache(REMEMBERED)
def _header_then(file: Path, changed: int) -> Header:
    return read_header(file)


def _board(file: Path) -> str:
    """The board that the player in that file plays on."""
    header = _header(file)
    return header.board if header else ""


def _age(folder: Path) -> float:
    try:
        return -(folder / "run.json").stat().st_mtime
    except OSError:
        return 0.0
