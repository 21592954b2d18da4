"""Evaluators fitted to the results of games: logistic regression over the positions of an archive.

Buro (1995), "Statistical feature combination for the evaluation of game positions", fits evaluation functions of
Othello so. The player to move wins with probability 1 / (1 + exp(-2 v)) if v is the value of the position, which is how
`tdl` understands values too: its tanh(v) is the expected result between -1 and 1. The weights are changed along the
gradient of the log likelihood, position by position.

In each epoch every game gives one position, drawn at random, and the games come in random order: successive positions
of one game are much alike and share its result, so that learning from all of them would learn the games by heart.

Some games are held out: nothing is learned from them, and after every step all their positions tell how well results
are predicted, beside a control that looks at no position: a constant, the mean result of the other games. A draw is
half a win.

Where we decided: left out are games that can't be read, that begin elsewhere than usual, that have no result, or that
are longer than the rules allow.
"""

import math
import re
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludus.compile.arrays import empty
from ludus.compile.elementary import logistic
from ludus.compile.jit import inlined, kernel, without_refcount
from ludus.compile.rng import key, randint, seek, shuffle, stream
from ludus.errors import DamagedFile, InvalidSetting
from ludus.evaluators.placements import Places
from ludus.evaluators.protocol import evaluate, gradient_step
from ludus.games import protocol
from ludus.games.game import Game
from ludus.learners.base import Learner, PlayerSpec, Row, copy_arrays
from ludus.learners.representations import (
    MOST_BYTES,
    RepresentationSettings,
    Weights,
    evaluator,
    player_spec,
    zero_weights,
)
from ludus.play.matches import match
from ludus.players.names import player
from ludus.records.files import read_games
from ludus.records.replaying import move_numbers

Moves = NDArray[np.int64]

FEWEST_GAMES = 10
"""With fewer there is nothing to hold out."""


class FitSettings(RepresentationSettings):
    records: str = Field(
        "random:2000",
        max_length=1000,
        description="the games: a file (.sgf, .pdn, .ggf, .wtb), or random:N for N games of random players",
    )
    pdn_result: str = Field("", max_length=20, description="PDN: whose win 1-0 is, first-mover or white")
    alpha: float = Field(0.002, gt=0, le=1, description="learning rate at first; it falls to 0 by the last position")
    epochs: int = Field(200, ge=1, le=10**6, description="how often a position is drawn from every game")
    held_out: float = Field(0.1, gt=0, lt=1, description="share of the games that nothing is learned from")
    step_positions: int = Field(100_000, ge=1, le=10**7, description="positions between two rows of metrics")


class Archive(NamedTuple):
    """The games, as kernels know them."""

    moves: Moves  # of all games, one after another
    begins: Moves  # [games + 1]: where each begins
    outcomes: NDArray[np.float64]  # [games]: for the first player


class FitState(NamedTuple):
    weights: Weights
    places: Places
    digest: NDArray[np.uint8]  # of the archive
    positions: int  # that were learned from so far
    in_all: int


class FitLearner(Learner[FitSettings, FitState]):
    name = "fit"
    description = "evaluators fitted to the results of games by logistic regression (buro1995)"
    settings = FitSettings

    def start(self, settings: FitSettings, game: Game, seed: int) -> FitState:
        weights, places = zero_weights(settings, game, seed)
        archive, digest, _ = _archive(settings, game, seed)
        learned, _ = _split(settings, archive, seed)
        return FitState(weights, places, digest, 0, settings.epochs * len(learned))

    def step(self, settings: FitSettings, game: Game, seed: int, state: FitState) -> tuple[FitState, Row]:
        state = copy_arrays(state)
        archive, digest, left_out = _archive(settings, game, seed)
        if not np.array_equal(digest, state.digest):
            raise DamagedFile(f"the games in {settings.records} have changed since the run began; name another folder")
        learned, held_out = _split(settings, archive, seed)
        learning = evaluator(settings, game, state.weights, state.places)
        begin, end = state.positions, min(state.positions + settings.step_positions, state.in_all)
        loss, at = 0.0, begin
        while at < end:
            epoch, first = divmod(at, len(learned))
            order = learned.copy()
            shuffle(stream(seed, "fit", epoch), order, len(order))
            here = order[first : first + end - at]
            lesson = Lesson(key(seed, "fit positions"), at, settings.alpha, settings.alpha / state.in_all)
            loss += learn(game.rules, learning, archive, here, lesson)
            at += len(here)
        held_out_loss, accuracy = predict(game.rules, learning, archive, held_out)
        constant_loss, constant_accuracy = _constant(archive, learned, held_out)
        return state._replace(positions=end), {
            "positions": end,
            "log_loss": loss / (end - begin),
            "held_out_log_loss": held_out_loss,
            "held_out_accuracy": accuracy,
            "constant_log_loss": constant_loss,
            "constant_accuracy": constant_accuracy,
            "games": len(archive.outcomes),
            "left_out": left_out,
        }

    def done(self, settings: FitSettings, state: FitState) -> float:
        return state.positions / state.in_all

    def player(self, settings: FitSettings, game: Game, state: FitState) -> PlayerSpec:
        return player_spec(settings, state.weights, state.places)


class Lesson(NamedTuple):
    """How to learn from positions, number `first` and the next ones; each has the random stream of its number."""

    key: np.uint64
    first: int
    alpha: float
    fall: float  # by how much alpha falls from position to position


@kernel
def learn(game: Any, evaluator: Any, archive: Archive, games: Moves, lesson: Lesson) -> float:
    """Change the weights by a position of each of these games in turn; return the sum of their log losses before."""
    evaluator = without_refcount(evaluator)
    rng, loss = empty(4, np.uint64), 0.0
    for k in range(len(games)):
        begins, ends = archive.begins[games[k]], archive.begins[games[k] + 1]
        seek(rng, lesson.key, lesson.first + k)
        state = protocol.initial(game)
        for i in range(begins, begins + randint(rng, ends - begins)):
            state = protocol.play(game, state, archive.moves[i])
        value = evaluate(evaluator, game, state)
        result = _result(archive.outcomes[games[k]], game, state)
        loss += _log_loss(value, result)
        expected = logistic(2.0 * value)
        alpha = lesson.alpha - lesson.fall * (lesson.first + k)
        gradient_step(evaluator, game, state, 2.0 * alpha * (result - expected))
    return loss


@kernel
def predict(game: Any, evaluator: Any, archive: Archive, games: Moves) -> Any:
    """How well the results of these games are predicted, over all their positions.

    The mean log loss, and the share of positions of games with a winner in which he was the more likely one to win.
    """
    evaluator = without_refcount(evaluator)
    loss, positions, right, decided = 0.0, 0, 0.0, 0
    for k in range(len(games)):
        outcome, state = archive.outcomes[games[k]], protocol.initial(game)
        for i in range(archive.begins[games[k]], archive.begins[games[k] + 1]):
            value, result = evaluate(evaluator, game, state), _result(outcome, game, state)
            loss += _log_loss(value, result)
            positions += 1
            if outcome != 0.5:
                decided += 1
                right += 0.5 if value == 0.0 else (1.0 if (value > 0.0) == (result == 1.0) else 0.0)
            state = protocol.play(game, state, archive.moves[i])
    return loss / max(positions, 1), right / max(decided, 1)


@inlined
def _result(outcome: float, game: Any, state: Any) -> float:
    """The result for the player to move."""
    return outcome if protocol.current_player(game, state) == 0 else 1.0 - outcome


@inlined
def _log_loss(value: float, result: float) -> float:
    """The log loss of a value, given the result, where exp could overflow too."""
    missed = 1.0 - result if value > 0.0 else result
    return math.log1p(math.exp(-2.0 * abs(value))) + 2.0 * abs(value) * missed


def _constant(archive: Archive, learned: Moves, held_out: Moves) -> tuple[float, float]:
    """Log loss and accuracy in the games held out of whoever always expects the mean result of the others."""
    lengths = np.diff(archive.begins)
    mean = float(np.average(archive.outcomes[learned], weights=lengths[learned]))
    mean = min(max(mean, 1e-9), 1 - 1e-9)
    outcomes, weights = archive.outcomes[held_out], lengths[held_out]
    loss = float(-np.average(outcomes * math.log(mean) + (1 - outcomes) * math.log(1 - mean), weights=weights))
    decided = outcomes != 0.5
    likely = outcomes == (1.0 if mean > 0.5 else 0.0)
    return loss, float(weights[decided & likely].sum() / max(weights[decided].sum(), 1))


def _split(settings: FitSettings, archive: Archive, seed: int) -> tuple[Moves, Moves]:
    """The games that are learned from, and those that are held out, by their numbers."""
    order = np.arange(len(archive.outcomes))
    shuffle(stream(seed, "fit held out"), order, len(order))
    held_out = min(max(1, round(settings.held_out * len(order))), len(order) - 1)
    return np.sort(order[held_out:]), np.sort(order[:held_out])


def _archive(settings: FitSettings, game: Game, seed: int) -> tuple[Archive, NDArray[np.uint8], int]:
    """The games that are asked for, their digest, and how many were left out."""
    if asked := re.fullmatch(r"random:([1-9]\d{0,8})", settings.records):
        most = MOST_BYTES // (8 * game.max_plies)
        if int(asked[1]) > most:
            raise InvalidSetting(f"invalid records={settings.records}: must be at most random:{most} for {game.board}")
        archive, left_out = _random_games(game, int(asked[1]), seed)
    else:
        file = Path(settings.records)
        try:
            changed = file.stat().st_mtime_ns
        except (OSError, ValueError):
            changed = 0  # to read it says what is wrong
        archive, left_out = _games_of(file, changed, game, settings.pdn_result)
    if len(archive.outcomes) < FEWEST_GAMES:
        raise InvalidSetting(
            f"invalid records={settings.records}: of its games {len(archive.outcomes)} are whole games of {game.board} "
            f"from the usual start with a result; at least {FEWEST_GAMES} are needed"
        )
    parts = blake2b(digest_size=16)
    for each in archive:
        parts.update(each.tobytes())
    return archive, np.frombuffer(parts.digest(), np.uint8), left_out


@lru_cache(maxsize=2)
def _games_of(file: Path, changed: int, game: Game, pdn_result: str) -> tuple[Archive, int]:
    """The games of this board in a file, and how many there are that can't be learned from."""
    records = read_games(file, pdn_result=pdn_result)
    usable = [
        record
        for record in records
        if record.game.board == game.board
        and record.outcome is not None
        and not (record.start or record.setups)
        and 0 < len(record.moves) <= game.max_plies
    ]
    numbers = move_numbers(game)
    moves = np.array([numbers[move] for record in usable for move in record.moves], np.int64)
    begins = np.cumsum([0, *(len(record.moves) for record in usable)])
    outcomes = np.array([record.outcome for record in usable], np.float64)
    return Archive(moves, begins, outcomes), len(records) + len(records.problems) - len(usable)


@lru_cache(maxsize=2)
def _random_games(game: Game, games: int, seed: int) -> tuple[Archive, int]:
    """Games of two random players."""
    anybody = player("random", game)
    played = match(anybody, anybody, games, seed=seed, opening="none", record=True)
    moves = [row[:length] for block in played.blocks for row, length in zip(block.moves, block.lengths, strict=True)]
    # a match counts for the player who has the second move in every other game
    outcomes = np.where(np.arange(games) % 2 == 0, played.scores, 1.0 - played.scores)
    return Archive(np.concatenate(moves), np.cumsum([0, *(len(row) for row in moves)]), outcomes), 0


LEARNERS = (FitLearner(),)
