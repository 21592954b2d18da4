"""What the page offers: games, and the players that are safe to ask for.

A player string that comes from the page is never looked up as a path and never starts a program. Safe are kinds that
are listed here, with bounded options; players that come with the package; and `run:ID`, where the server has found the
run in its own folder.
"""

import hashlib
import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import LudusError
from ludus.games.game import Family, Game
from ludus.interfaces.web.limits import DEPTH, LISTED_RUNS, LONGEST_GAME, THINKING_SECONDS
from ludus.lab.arena_games import PERSON, Strategies
from ludus.players.evaluators import evaluators
from ludus.players.files import read_player
from ludus.players.noisy import Noisy, NoisyPlayer
from ludus.players.player import CompiledPlayer, Player
from ludus.players.search import Search, TimedSearch
from ludus.players.shipped import shipped
from ludus.players.social import after_game
from ludus.players.strings import kinds
from ludus.players.strings import player as named_player
from ludus.registry import families
from ludus.registry import game as find_game

PLAIN = ("random", "discs", "mobility", "heuristic", "positional", "jain2018", "pieces", "wally", "influence")
OPTIONED = ("greedy", "weights", "ntuples", "alphabeta", "minimax")
"""Kinds whose options are names, words and numbers; `value` and `depth` are looked at more closely."""

LEVELS: Mapping[str, str] = {
    "random": "Random mover",
    "discs": "Greedy for discs",
    "pieces": "Greedy for pieces",
    "greedy:value=area": "Greedy for area",
    "jain2018": "Square values",
    "heuristic": "Standard heuristic",
    "positional": "Positional weights",
    "mobility": "Mobility",
    "wally": "Wally",
    "influence": "Influence",
    "alphabeta:depth=2": "Search, 2 moves ahead",
    "alphabeta:depth=4": "Search, 4 moves ahead",
    "alphabeta:depth=6": "Search, 6 moves ahead",
}
"""What is offered by name, wherever it plays the game."""


@cache
def levels() -> dict[str, str]:
    """The same with what other packages offer to the page: players, and evaluators to be greedy by."""
    players = {text: text for kind in kinds().values() for text in kind.arena}
    known = {"lead", *(text.partition("value=")[2] or text for text in LEVELS)}
    greedy = {f"greedy:value={name}": f"Greedy for {name}" for name in evaluators() if name not in known}
    return {**LEVELS, **players, **greedy}


_OPTIONS = re.compile(r"[a-z]{1,20}=[a-z0-9.-]{1,20}(,[a-z]{1,20}=[a-z0-9.-]{1,20}){0,7}")
_NOISY = re.compile(r"noisy:(0|1|0?\.\d{1,4}),(.+)")
_RUN = re.compile(r"run:[0-9a-f]{12}")
_SHIPPED = re.compile(r"([a-z0-9-]{1,30}):([a-z0-9.-]{1,40})(?:,depth=(\d{1,2}))?")


@cache
def offered_game(name: str) -> Game:
    """The game of that name, if the arena plays it."""
    if len(name) > 100:
        raise LudusError("the name of a game is not that long; a game is named like othello8")
    game = find_game(name)
    if game.longest > LONGEST_GAME:
        raise LudusError(f"a game of {game.name} may have {game.longest} moves; here they have {LONGEST_GAME} at most")
    return game


def sides_of(name: str) -> tuple[str, str]:
    """How the sides are called in the game of that name; as usual, if it was another package's, which is gone."""
    try:
        return offered_game(name).family.sides
    except LudusError:
        return Family.sides


def games() -> list[dict[str, Any]]:
    """Every kind of game with its sizes and options, as the page wants them."""
    return [
        {
            "name": family.name,
            "title": family.title,
            "sizes": list(family.sizes),
            "shapes": [" × ".join(map(str, Game(family, size).shape[::-1])) for size in family.sizes],
            "default_size": family.default_size,
            "sides": list(family.sides),
            "options": [
                {
                    "name": option.name,
                    "says": option.says,
                    "default": option.default,
                    "choices": list(option.choices),
                    "low": option.low,
                    "high": option.high,
                }
                for option in family.options
            ],
        }
        for family in families().values()
    ]


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

    def runs(self) -> dict[str, Run]:
        """The runs in the folder by id, those begun last first; looked for anew every other second."""
        with self._lock:
            if time.monotonic() - self._looked > 2:
                files = sorted(self.folder.rglob("run.json"), key=_age) if self.folder.is_dir() else []
                found = [self.run(file.parent) for file in files[:LISTED_RUNS]]
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

    def players(self, game: Game) -> list[dict[str, str]]:
        """Who plays this game: what the page sends, what it shows, and a sentence about each."""
        found = []
        for text, title in levels().items():
            if text == "alphabeta:depth=6" and game.family.name == "go":
                continue  # too many moves to look so far ahead in the time
            kind = kinds().get(text.partition(":")[0])
            if kind and _makes(text, game.name):
                found.append({"player": text, "title": title, "says": kind.says, "group": "Built in"})
        # the longest kind that a file's name begins with is its own: sarsa-lvq-go5 is no sarsa named lvq-go5
        come = {file: (kind, name) for kind in sorted(kinds(), key=len) for name, file in shipped(kind).items()}
        for file, (kind_name, name) in come.items():
            if _board(file) == game.board:
                text, says = f"{kind_name}:{name}", kinds()[kind_name].says
                found.append({"player": text, "title": text, "says": says, "group": "Grown, shipped"})
        for run in self.runs().values():
            file = run.folder / "player.safetensors"
            if file.exists() and _board(file) == game.board:
                told = _header(file)
                says = kinds()[told["kind"]].says
                found.append({"player": f"run:{run.id}", "title": run.name, "says": says, "group": "Grown here"})
        return found

    def check(self, text: str, game: Game) -> str:
        """The player string, if it is safe and plays this game; raises LudusError otherwise."""
        if text == PERSON:
            return text
        self.make(text, game)
        return text

    def make(self, text: str, game: Game, strategy: int | None = None) -> Machine:
        """The player of a safe string; one that searches is bounded in time."""
        if noisy := _NOISY.fullmatch(text):
            if noisy[2].startswith("noisy"):
                raise LudusError("noise within noise is not offered here; name the player once")
            rate, inner = float(noisy[1]), self.make(noisy[2], game, strategy)
            return Machine(NoisyPlayer(text, game, rate, inner.player), Noisy(rate, inner.parts))
        file = self._safe(text)
        made = _loaded(file, text, game, strategy) if file else named_player(text, game)
        if not isinstance(made, CompiledPlayer):  # it may start a program, or watch the clock
            raise LudusError(f"{text} is no compiled player, so it can't be asked here; choose another")
        if isinstance(made.parts, Search):
            if made.parts.depth > DEPTH:
                raise LudusError(f"{text} looks {made.parts.depth} moves ahead; here it is {DEPTH} at most")
            return Machine(TimedSearch(text, game, made.parts, THINKING_SECONDS), made.parts)
        return Machine(made, made.parts)

    def _safe(self, text: str) -> Path | None:
        """Raises LudusError unless the string may come from the page; the player's file, if it names one."""
        kind, _, options = text.partition(":")
        if len(text) <= 200:
            if text in PLAIN or text in levels():
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
        raise LudusError(f"the player {text!r:.60} is not offered here; choose one of the list")

    def file(self, text: str) -> Path | None:
        """The file of a player that has one."""
        return None if text == PERSON or text.startswith("noisy") else self._safe(text)

    def title(self, text: str) -> str:
        """How the page and game records call a player."""
        kind, _, id = text.partition(":")
        if kind == "run":
            return self.runs()[id].name if id in self.runs() else "a run that is gone"
        return levels().get(text, text)

    def about(self, text: str) -> str:
        """What a player does, in a few words."""
        file = None if text.startswith("noisy") else self.file(text)
        kind = kinds().get(_header(file)["kind"] if file else text.partition(":")[0])
        return kind.says if kind else ""

    def strategies(self, text: str) -> Strategies | None:
        """What the file of a player with several strategies tells of them; None for all others."""
        file = self.file(text)
        if file is None or _header(file)["kind"] != "social":
            return None
        told, arrays = read_player(file)
        record = tuple((int(won), int(drawn), int(lost)) for won, drawn, lost in arrays["record"])
        return Strategies(int(told["settings"]["current"]), record)


def learned(before: Strategies, score: float) -> Strategies:
    """What a player with several strategies makes of a game's score."""
    record, current = after_game(np.array(before.record, np.int64), before.current, score)
    return Strategies(current, tuple((int(won), int(drawn), int(lost)) for won, drawn, lost in record))


def _check_options(options: str) -> None:
    for option in filter(None, options.split(",")):
        name, _, value = option.partition("=")
        if name == "value" and value not in evaluators() and value != "usual":
            raise LudusError(f"value={value} is not offered here; it is one of {', '.join(evaluators())}")
        if name == "depth" and not (value.isdigit() and int(value) <= DEPTH):
            raise LudusError(f"depth={value} is not offered here; it is {DEPTH} at most")
        if name in ("exact", "seconds"):
            raise LudusError(f"{name} is not offered here; a move takes {THINKING_SECONDS:g} seconds at most")
        if name in ("tuples", "length") and not (value.isdigit() and int(value) <= 12):
            raise LudusError(f"{name}={value} is not offered here; it is 12 at most")


def _loaded(file: Path, text: str, game: Game, strategy: int | None) -> CompiledPlayer:
    told, arrays = read_player(file)
    if told["game"].partition(":")[0] != game.board or told["game_version"] != game.family.version:
        raise LudusError(f"this player plays {told['game']}, not {game.name}; choose one that does")
    kind, settings = kinds()[told["kind"]], dict(told["settings"])
    if strategy is not None and "current" in settings:
        settings["current"] = strategy
    assert kind.load is not None
    try:
        return CompiledPlayer(text, game, kind.load(game, arrays, settings))
    except (KeyError, TypeError, ValueError) as problem:
        raise LudusError(f"this player's file is not whole: {problem}") from problem


@cache
def _makes(text: str, game: str) -> bool:
    try:
        named_player(text, find_game(game))
    except LudusError:
        return False
    return True


def _header(file: Path) -> dict[str, Any]:
    return _header_then(file, file.stat().st_mtime_ns)


@cache
def _header_then(file: Path, changed: int) -> dict[str, Any]:
    """What a player file tells of itself, without its arrays."""
    try:
        with open(file, "rb") as content:
            size = int.from_bytes(content.read(8), "little")
            told = json.loads(json.loads(content.read(min(size, 1 << 20)))["__metadata__"]["ludus"])
        return {"kind": str(told["kind"]), "game": str(told["game"])} if told["kind"] in kinds() else NOBODY
    except (OSError, ValueError, KeyError, TypeError):
        return NOBODY


NOBODY = {"kind": "", "game": ""}


def _board(file: Path) -> str:
    """The board that the player in that file plays on."""
    return str(_header(file)["game"]).partition(":")[0]


def _age(file: Path) -> float:
    try:
        return -file.stat().st_mtime
    except OSError:
        return 0.0
