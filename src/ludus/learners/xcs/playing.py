"""Rules that go on learning while they play, after their training: a player file is where they come from.

The authors' program has no test mode: whomever it plays, it updates and breeds its rules after every game. The time of
the genetic algorithm goes on where training ended, or it would not be due for as many games as the training had.

A file keeps what learning needs besides the rules themselves: when each last took part in the genetic algorithm, the
estimated size of its action sets, and how many games and turns there have been. The settings are those of the run that
made it. For a file that lacks some of this, as those of older versions do, all rules took part in the genetic algorithm
just now and have action sets of size 1, like new ones, and settings that nobody knows are the defaults.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import key
from ludus.errors import DamagedFile, InvalidSetting
from ludus.games.game import Game
from ludus.learners.base import PlayerSpec, copy_arrays, parse_settings
from ludus.learners.xcs.learner import XCSLearner, XCSState, empty_state, rule_set
from ludus.learners.xcs.rule_set import FREE, TIME, TOTAL
from ludus.learners.xcs.settings import XCSSettings
from ludus.learners.xcs.training import train, training_setup
from ludus.play.games import GameResults, Schedule, play_games
from ludus.players.base import CompiledPlayer
from ludus.players.files import Header, load_player, read_player
from ludus.players.noisy import Noisy
from ludus.players.random import Random
from ludus.players.xcs import PARAMETERS, RuleSet

LEARNER = XCSLearner()


@dataclass(frozen=True)
class LearnedRules:
    """Rules with all that is needed to learn on."""

    game: Game
    settings: XCSSettings
    state: XCSState

    @property
    def parts(self) -> RuleSet:
        """The player who plays by the rules as they are."""
        return rule_set(self.settings, self.game, self.state)

    @property
    def player(self) -> PlayerSpec:
        """The same as a player file holds it."""
        return LEARNER.player(self.settings, self.game, self.state)

    def after_game(self, moves: Sequence[int], side: int) -> "LearnedRules":
        """The rules after a whole game that has been played, in which they were that side.

        They learn as if they had chosen its moves: random moves of an opening count as exploration.
        """
        state, colours = copy_arrays(self.state), ("first", "second")[side]
        settings = self.settings.model_copy(update={"colours": colours})
        setup = training_setup(settings, self.game, key(1, "play on"), replays=True)
        results = GameResults(np.empty(1), np.empty(1, np.int64), np.array([moves], np.int64))
        train(self.game.rules, Random(), state.population, setup, state.games, results)
        wins = state.wins + int(results.scores[0] == 1)
        return replace(self, state=state._replace(games=state.games + 1, wins=wins))


@dataclass(frozen=True)
class PlayedOn:
    """Games after training."""

    scores: NDArray[np.float64]
    """[games]: 1.0, 0.5 or 0.0."""
    moves: NDArray[np.int64]
    """[games, most moves], of both sides; -1 behind the end of a game."""
    rules: LearnedRules
    """The rules after the games."""


def read_rules(path: Path, game: Game) -> LearnedRules:
    """The rules in a player file, which `ludus train xcs` or `ludus adapt` has made."""
    header, arrays = read_player(path)
    if header.kind != LEARNER.name:
        raise InvalidSetting(
            f"{path} holds a player of kind {header.kind}, which can't go on learning; name a player that "
            "`ludus train xcs` has made"
        )
    load_player(path, game)  # which looks at all that a player needs
    count, linear = len(arrays["prediction"]), arrays["weights"].shape[1] > 0
    settings = _settings(header, count, linear)
    games, steps = (header.settings.get(name, default) for name, default in (("games", settings.games), ("steps", 0)))
    now = steps if settings.ga == "step" else games
    stamp, niche = arrays.get("stamp", np.full(count, now)), arrays.get("niche", np.ones(count))
    if not (isinstance(games, int) and isinstance(steps, int) and games >= 0 and steps >= 0):
        raise DamagedFile(f"{path} can't go on learning: games and steps must be whole numbers, 0 or more")
    for name, array, kind in (("stamp", stamp, np.int64), ("niche", niche, np.float64)):
        if array.dtype != kind or array.shape != (count,):
            raise DamagedFile(f"{path} can't go on learning: it needs an array {name!r} of {count} {kind.__name__}")
    state = empty_state(settings, game)
    state.conditions[:, :count], state.starts[:] = arrays["conditions"], arrays["starts"]
    state.ids[:count] = state.slots[:count] = np.arange(count)
    state.action[:count] = np.repeat(np.arange(len(state.starts) - 1), np.diff(state.starts))
    for name in (*PARAMETERS, "weights"):
        getattr(state, name)[:count] = arrays[name]
    state.stamp[:count], state.niche[:count] = stamp, niche
    state.counts[FREE] -= count
    state.counts[TOTAL], state.counts[TIME] = arrays["numerosity"].sum(), steps
    return LearnedRules(game, settings, state._replace(games=games))


def _settings(header: Header, count: int, linear: bool) -> XCSSettings:
    """The settings of the run that made a file; what the rules themselves tell goes before."""
    given = header.provenance.get("settings") if header.provenance.get("learner") == LEARNER.name else None
    told = {name: header.settings[name] for name in ("after", "symmetric")}
    told |= {"prediction": "linear" if linear else "number", "prediction_0": header.settings["unknown"]}
    settings: XCSSettings = parse_settings(LEARNER, (given if isinstance(given, dict) else {}) | told)
    return settings.model_copy(update={"rules": max(settings.rules, count)})


def play_on(
    rules: LearnedRules,
    opponent: CompiledPlayer,
    games: int,
    *,
    exploit: float = 1.0,
    side: int = 0,
    seed: int = 1,
    learns: bool = True,
) -> PlayedOn:
    """Play from the start position, as the first or the second player (`side`), and learn from each game.

    `exploit` is the chance of the best move; otherwise any is drawn. With `learns` off the rules stay as they are; then
    one of equally good moves is drawn, as their player does, while in training it is the first.
    """
    state, moves = copy_arrays(rules.state), np.full((games, rules.game.max_plies), -1)
    results = GameResults(np.empty(games), np.empty(games, np.int64), moves)
    stream_key = key(seed, "play on")
    if learns:
        constant = {"schedule": "constant", "exploit": exploit, "colours": ("first", "second")[side]}
        setup = training_setup(rules.settings.model_copy(update=constant), rules.game, stream_key)
        train(rules.game.rules, opponent.parts, state.population, setup, state.games, results)
        state = state._replace(games=state.games + games, wins=state.wins + int(np.sum(results.scores == 1)))
    else:
        frozen: Any = rules.parts if exploit == 1 else Noisy(1 - exploit, rules.parts)
        players = (frozen, opponent.parts) if side == 0 else (opponent.parts, frozen)
        schedule = Schedule(state.games, np.array([0, stream_key], np.uint64), swaps=False)
        play_games(rules.game.rules, *players, schedule, results)
        if side == 1:
            results.scores[:] = 1 - results.scores
    return PlayedOn(results.scores, moves, replace(rules, state=state))


def repeated(moves: NDArray[np.int64]) -> float:
    """The share of games [games, most moves] that repeat an earlier one move for move."""
    return 1 - len(np.unique(moves, axis=0)) / len(moves) if len(moves) else 0.0
