"""XCS learns to play by rules: a condition on the board, a move, and the payoff to expect of it.

Jain, Verma, Kumar and Aggarwal (2018), "An evolutionary learning approach to play Othello using XCS", sections III
and IV; Butz and Wilson (2000), "An Algorithmic Description of XCS", where that is silent.

On its turn the learner finds the rules that hold (the match set), makes one for each legal move that has none, and
predicts a payoff for each move. The rules for the move it makes are the action set. They are taught twice: on the next
turn the reward for the position they led to plus the best prediction then, and at the end of the game its result.
Then the genetic algorithm runs in each action set of the game that it has left alone for long enough.

Where we decided, since the paper is silent or does not say it all:

- A symbol of a new condition is # with chance 0.95. The paper does not tell; the authors' program has 0.4, with which
  about as many games are won, but the mean fitness is far above the paper's. 0.95 was chosen after seeing results.
- Mutation with 0.4 changes one symbol of a child, not each with that chance, which in an early trial gave ten times
  the paper's mean fitness. It turns # into what is on the board and anything else into #.
- Rewards are for the position after one's own move. They add up over the game, so predictions leave -1 to 1.
- Errors are averaged over the first 10 experiences and then follow at the rate 0.1, predictions likewise. Accuracies
  are summed by numerosity. A new rule's action sets count as of size 1, or it could never be deleted.
- All that is deleted after a game is chosen at once. Rules whose move is not legal are not looked at.
- On other boards the values of squares are those the usual judge of the game has; where it has none, the reward is the
  lead divided by the squares. Go's pass is a move like others, a forced pass in Othello is none.
- Action-set subsumption is a switch, off as in the authors' program.

Beyond the paper, predictions can be computed from the board, as its outlook proposes and Wilson's XCSF (2002) does;
rules can see the board that a move leads to; and symmetric moves can share their rules. `preset=strong` uses all of it.
"""

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ludus import vocabulary as words
from ludus.dice import below, key, throw, uniform
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.kernels import kernel
from ludus.learners.classifiers import (
    TIME,
    TOTAL,
    Constants,
    Population,
    breed,
    cover,
    cull,
    match,
    predicted,
    release,
    subsume,
    unpopulated,
    update,
)
from ludus.learners.learner import Learned, Learner, Row, Settings, copied
from ludus.players.evaluators import PieceCounter, usual
from ludus.players.matching import actions, eyes, look, mark, sight, words_for
from ludus.players.player import CompiledPlayer
from ludus.players.rules import NUMBERS, RuleSet, as_arrays, as_settings
from ludus.players.strings import player

MOST_BYTES = 200 << 20
"""Of a state; a step works on a copy."""
TOP = 100
"""Of how many of the fittest rules the error is told (Fig. 7)."""

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "jain2018": {},
    "standard": {
        "alpha": 0.2, "beta_error": 0.2, "gamma": 0.71, "ga": "step", "ga_time": 25, "mutation": 0.04,
        "mutates": "each", "mutates_action": True, "delete_experience": 20, "any_chance": 0.33, "broadcast": False,
        "set_subsumption": True,
    },
    "strong": {
        "prediction": "linear", "symmetric": True, "after": True, "rewards": "none", "bootstrap": False,
        "opponents": "random + minimax:depth=1", "rules": 1000,
    },
}  # fmt: skip
"""By name, the settings in which a preset differs from the defaults."""


class XCSSettings(Settings):
    preset: Literal["jain2018", "standard", "strong"] = Field(
        "jain2018",
        description="where settings that are not given come from: jain2018, standard for Butz and Wilson's XCS, or "
        "strong for the best we have found",
    )
    games: int = Field(60_000, ge=1, le=10**9, description="games in all (section IV)")
    rules: int = Field(50_000, ge=10, le=10**6, description="the most rules, counted by numerosity: N (section IV)")
    opponents: str = Field(
        "random",
        description="whom it learns against (section IV): a player string, self, or several joined by ' + ', "
        "who play an equal part of each step",
    )
    colours: Literal["first", "second", "both"] = Field("first", description="which side it takes (authors' program)")
    alpha: float = Field(0.1, gt=0, le=1, description="learning rate of predictions (III-B)")
    gamma: float = Field(1.0, ge=0, le=1, description="discount of the next prediction (III-B)")
    beta_error: float = Field(0.1, gt=0, le=1, description="learning rate of errors (authors' program)")
    beta_fitness: float = Field(0.2, gt=0, le=1, description="learning rate of fitness (eq. 7)")
    error_0: float = Field(0.01, gt=0, le=1000, description="error below which a rule is accurate (authors' program)")
    accuracy: float = Field(0.1, gt=0, le=1, description="accuracy just above that error (authors' program)")
    power: float = Field(5.0, ge=0, le=100, description="how fast accuracy falls with the error (authors' program)")
    ga: Literal["game", "step"] = Field(
        "game",
        description="when the genetic algorithm runs: after a game, in all its action sets, timed in games (III-B), "
        "or on each step in the last action set, timed in steps (Butz and Wilson)",
    )
    ga_time: float = Field(50, ge=0, le=10**9, description="mean age of an action set before it runs there (IV)")
    crossover: float = Field(0.8, ge=0, le=1, description="chance of two-point crossover (III-B)")
    mutation: float = Field(0.4, ge=0, le=1, description="chance of mutation (III-B)")
    mutates: Literal["one", "each"] = Field(
        "one", description="one symbol of a child with that chance, or each (silent; see the learner's notes)"
    )
    mutates_action: bool = Field(False, description="mutate the action too (Butz and Wilson)")
    delete_experience: int = Field(
        25, ge=0, le=10**9, description="experience from which on low fitness speaks for deletion (authors' program)"
    )
    delete_fitness: float = Field(
        0.1, ge=0, le=1, description="the part of the mean fitness that counts as low (authors' program)"
    )
    subsume_experience: int = Field(20, ge=0, le=10**9, description="experience a subsumer has (authors' program)")
    ga_subsumption: bool = Field(True, description="parents may subsume their children (III-B)")
    set_subsumption: bool = Field(False, description="the most general rule of an action set subsumes others (Alg. 1)")
    any_chance: float = Field(0.95, ge=0, le=1, description="chance of # in a new condition (silent; see the notes)")
    prediction_0: float = Field(1e-4, ge=-1000, le=1000, description="a new rule's prediction (authors' program)")
    error_start: float = Field(0.0, ge=0, le=1000, description="a new rule's error (authors' program)")
    fitness_0: float = Field(1e-4, gt=0, le=1, description="a new rule's fitness (authors' program)")
    child_error: float = Field(
        0.25, ge=0, le=1, description="part of its parents' error a child has (authors' program)"
    )
    child_fitness: float = Field(0.1, gt=0, le=1, description="the same of their fitness (authors' program)")
    rewards: Literal["phased", "none"] = Field(
        "phased",
        description="while the game goes on: values of squares until 80% of them are filled, then the lead (eqs. 2, 3)",
    )
    end_reward: Literal["result", "margin"] = Field(
        "result", description="at the end: 1, 0 or -1 (III-B), or the lead divided by the squares"
    )
    prediction: Literal["number", "linear"] = Field(
        "number",
        description="what a rule predicts: a number, or a sum of weights for what stands on the squares (section VI)",
    )
    broadcast: bool = Field(
        True, description="all action sets of the game get the end reward, not the last alone (III-B)"
    )
    bootstrap: bool = Field(True, description="action sets also learn from the next prediction (eq. 1)")
    schedule: Literal["sigmoid", "constant"] = Field(
        "sigmoid", description="the chance to make the best move: from 0 to 1 over the games (section IV), or constant"
    )
    exploit: float = Field(0.5, ge=0, le=1, description="that chance, where it is constant")
    symmetric: bool = Field(False, description="turn the board such that symmetric moves share their rules")
    after: bool = Field(False, description="conditions are about the board that the move leads to")
    step_games: int = Field(500, ge=1, le=10**6, description="games between two rows of figures")

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, given: Any) -> Any:
        """Settings that are not given come from the preset."""
        if isinstance(given, Mapping):
            return {**PRESETS.get(str(given.get("preset")), {}), **given}
        return given


class Lesson(NamedTuple):
    """How games are played and rewarded, for kernels."""

    games: int
    squares: int
    turns: int  # at most how many a player has in a game
    gamma: float
    phased: bool
    by_margin: bool
    broadcasts: bool
    bootstraps: bool
    each_step: bool  # whether the genetic algorithm runs on each step
    colour: int  # 2 is both in turn
    sigmoid: bool
    exploit: float


class XCSState(NamedTuple):
    conditions: NDArray[np.uint64]  # the fields of Population
    ids: NDArray[np.int64]
    slots: NDArray[np.int64]
    starts: NDArray[np.int64]
    action: NDArray[np.int64]
    prediction: NDArray[np.float64]
    error: NDArray[np.float64]
    fitness: NDArray[np.float64]
    experience: NDArray[np.int64]
    numerosity: NDArray[np.int64]
    stamp: NDArray[np.int64]
    niche: NDArray[np.float64]
    weights: NDArray[np.float64]
    spare: NDArray[np.int64]
    counts: NDArray[np.int64]
    games: int
    wins: int

    @property
    def population(self) -> Population:
        return Population(**{name: getattr(self, name) for name in Population._fields})


class XCSLearner(Learner[XCSSettings, XCSState]):
    name = "xcs"
    says = "rules that predict what a move will bring, bred for accuracy (jain2018)"
    settings = XCSSettings

    def start(self, settings: XCSSettings, game: Game, seed: int) -> XCSState:
        _opponents(settings, game)
        # a game can't cover more moves than it has; where that is many, it must do with twice the rules
        room = settings.rules + min(game.longest * game.width, settings.rules) + 100
        weights = 4 * game.squares if settings.prediction == "linear" else 0
        if room * (32 * words_for(game) + 8 * (len(Population._fields) + weights)) > MOST_BYTES:
            raise LudusError(f"rules={settings.rules} is too many for {game.name}; ask for fewer")
        return XCSState(*unpopulated(actions(game), words_for(game), room, weights), 0, 0)

    def step(self, settings: XCSSettings, game: Game, seed: int, state: XCSState) -> tuple[XCSState, Row]:
        state = copied(state)
        games = min(settings.step_games, settings.games - state.games)
        scores, opponents = np.empty(games), _opponents(settings, game)
        for i, opponent in enumerate(opponents):
            begin, end = games * i // len(opponents), games * (i + 1) // len(opponents)
            teach(
                game.rules, opponent or _rule_set(settings, game, state), state.population, _constants(settings),
                _lesson(settings, game), sight(game, settings.after, settings.symmetric), _values(game),
                key(seed, "xcs"), state.games + begin, scores[begin:end],
            )  # fmt: skip
        state = state._replace(games=state.games + games, wins=state.wins + int(np.sum(scores == 1)))
        return state, {
            "games": state.games,
            "wins": float(np.mean(scores == 1)),
            "draws": float(np.mean(scores == 0.5)),
            "all_wins": state.wins / state.games,
            **_figures(state.population),
        }

    def done(self, settings: XCSSettings, state: XCSState) -> float:
        return state.games / settings.games

    def player(self, settings: XCSSettings, game: Game, state: XCSState) -> Learned:
        rules = _rule_set(settings, game, state)
        return Learned("xcs", as_arrays(rules), as_settings(rules))


def _opponents(settings: XCSSettings, game: Game) -> list[Any]:
    """The parts of those it learns against; None is the learner itself."""
    found = []
    for name in settings.opponents.split(" + "):
        one = None if name.strip() == "self" else player(name, game)
        if one is not None and not isinstance(one, CompiledPlayer):
            raise LudusError(f"{name} is too slow to learn against; choose a player that kernels can ask")
        found.append(one and one.parts)
    return found


def _rule_set(settings: XCSSettings, game: Game, state: XCSState) -> RuleSet:
    """The player who goes by the rules as they are."""
    known = {name: getattr(state, name) for name in ("conditions", "ids", "starts", *NUMBERS, "weights")}
    return RuleSet(**known, unknown=settings.prediction_0, sight=sight(game, settings.after, settings.symmetric))


def _figures(rules: Population) -> Row:
    """What is told of the rules after each step."""
    ids = rules.ids[: rules.starts[-1]]
    fitness, error, prediction = rules.fitness[ids], rules.error[ids], rules.prediction[ids]
    best = np.argsort(-fitness, kind="stable")[:TOP]
    return {
        "rules": len(ids),
        "numerosity": int(rules.counts[TOTAL]),
        "fitness": float(fitness.mean()),
        "fitness_spread": float(fitness.std()),
        "fitness_median": float(np.median(fitness)),
        "best_error": float(error[best[0]]),
        "top_error": float(error[best].mean()),
        "lowest_prediction": float(prediction.min()),
        "highest_prediction": float(prediction.max()),
    }


def _constants(settings: XCSSettings) -> Constants:
    chosen = settings.model_dump() | {"mutates_each": settings.mutates == "each"}
    return Constants(**{name: chosen[name] for name in Constants._fields})


def _lesson(settings: XCSSettings, game: Game) -> Lesson:
    return Lesson(
        games=settings.games,
        squares=game.squares,
        turns=game.longest // 2 + 1,
        gamma=settings.gamma,
        phased=settings.rewards == "phased",
        by_margin=settings.end_reward == "margin",
        broadcasts=settings.broadcast,
        bootstraps=settings.bootstrap,
        each_step=settings.ga == "step",
        colour=("first", "second", "both").index(settings.colours),
        sigmoid=settings.schedule == "sigmoid",
        exploit=settings.exploit,
    )


def _values(game: Game) -> PieceCounter:
    """The values of squares that are rewarded; none where the usual judge of the game has none."""
    judge = usual(game)
    return judge if isinstance(judge, PieceCounter) else PieceCounter(np.zeros(game.squares))


@kernel
def reward_of(game, lesson, values, reach, state, side):
    """What the position is worth to `side` while the game goes on, from -1 to 1 (eqs. 2 and 3)."""
    if not lesson.phased:
        return 0.0
    if reach > 0.0 and words.remaining(game, state) > 0.2 * lesson.squares:
        worth = words.value(values, game, state) / reach
        return worth if words.mover(game, state) == side else -worth
    lead = words.margin(game, state) / lesson.squares
    return lead if side == 0 else -lead


@kernel
def exploiting_at(lesson, index):
    """The chance to make the best move in game number `index`."""
    if lesson.sigmoid:
        return 1.0 / (1.0 + math.exp(6.0 - 12.0 * index / lesson.games))
    return lesson.exploit


@kernel
def played(game, state, move):
    """The state after a move, compiled once: beside the matching, a call costs nothing, and compiling thrice does."""
    return words.play(game, state, move)


@kernel
def grown(numbers, n, more):
    """The same numbers with room for `more` behind the first `n`."""
    if n + more <= len(numbers):
        return numbers
    larger = np.empty(2 * (n + more), np.int64)
    larger[:n] = numbers[:n]
    return larger


@kernel
def teach(game, opponent, rules, constants, lesson, sight, values, seed, begin, scores):
    """Play the games from number `begin` on, as many as `scores` has room for, and learn from each."""
    width, symbols, view_words = words.width(game), 2 * lesson.squares, len(rules.conditions) // 2
    room = rules.conditions.shape[1]
    moves, dice, view_room = np.empty(width, np.int64), np.empty(4, np.uint64), eyes(sight)
    misses, votes = np.empty(room, np.uint64), np.empty(room)
    # of the turn: for each move what its rules see, and where they begin in `found`
    views = np.zeros((width, view_words), np.uint64)
    found, starts = np.empty(1024, np.int64), np.zeros(width + 1, np.int64)
    # of the game: the action sets one behind the other, where each begins, what it saw and was rewarded with, and the
    # actions that were legal
    members, begins = np.empty(1024, np.int64), np.zeros(lesson.turns + 1, np.int64)
    seen, rewards = np.zeros((lesson.turns, view_words), np.uint64), np.empty(lesson.turns)
    marks = np.empty(rules.weights.shape[1] // 4, np.int64)
    legal, legal_there = np.empty((lesson.turns, width), np.int64), np.empty(lesson.turns, np.int64)
    reach = np.abs(values.weights).sum()
    for index in range(begin, begin + len(scores)):
        throw(dice, seed, index)
        side = index % 2 if lesson.colour == 2 else lesson.colour
        exploiting = exploiting_at(lesson, index)
        state, sets = words.initial(game), 0
        while True:
            n = words.moves(game, state, moves)
            if n == 0:
                break
            if words.mover(game, state) != side:
                state = played(game, state, words.choose(opponent, game, state, moves, n, dice))
                continue
            if words.action(game, state, moves[0]) < 0:
                state = played(game, state, moves[0])
                continue
            time = rules.counts[TIME] if lesson.each_step else index
            best, pick, legal_there[sets] = -np.inf, 0, n
            for i in range(n):
                action = look(sight, game, state, moves[i], view_room, views, i)
                legal[sets, i] = action
                found = grown(found, starts[i], rules.starts[action + 1] - rules.starts[action] + 2)
                starts[i + 1] = match(rules, action, views[i], misses, found, starts[i])
                if starts[i + 1] == starts[i]:
                    found[starts[i]] = cover(rules, constants, action, views[i], symbols, time, dice)
                    if found[starts[i]] >= 0:
                        starts[i + 1] += 1
                mark(views[i], marks)
                worth = predicted(rules, constants, found, starts[i], starts[i + 1], marks)
                if worth > best:
                    best, pick = worth, i
            if uniform(dice) >= exploiting:
                pick = below(dice, n)
            if sets > 0 and lesson.bootstraps:
                payoff = rewards[sets - 1] + lesson.gamma * best
                mark(seen[sets - 1], marks)
                update(rules, constants, members, begins[sets - 1], begins[sets], marks, payoff)
            if sets > 0 and lesson.each_step:
                last = sets - 1
                breed(
                    rules, constants, members, begins[last], begins[sets], seen[last], symbols,
                    legal[last], legal_there[last], time, dice,
                )  # fmt: skip
                cull(rules, constants, votes, dice)
            size = starts[pick + 1] - starts[pick]
            members, begins[sets + 1] = grown(members, begins[sets], size), begins[sets] + size
            for i in range(size):
                members[begins[sets] + i] = found[starts[pick] + i]
            for i in range(view_words):
                seen[sets, i] = views[pick, i]
            state = played(game, state, moves[pick])
            rewards[sets] = reward_of(game, lesson, values, reach, state, side)
            if constants.set_subsumption:
                subsume(rules, constants, members, begins[sets], begins[sets + 1])
            sets += 1
            rules.counts[TIME] += 1
        outcome = words.outcome(game, state)
        scores[index - begin] = outcome if side == 0 else 1.0 - outcome
        end_reward = 2.0 * scores[index - begin] - 1.0
        if lesson.by_margin:
            end_reward = words.margin(game, state) / lesson.squares * (1.0 - 2.0 * side)
        last = max(sets - 1, 0)
        for each in range(0 if lesson.broadcasts else last, sets):
            mark(seen[each], marks)
            update(rules, constants, members, begins[each], begins[each + 1], marks, end_reward)
        time = rules.counts[TIME] if lesson.each_step else index
        for each in range(last if lesson.each_step else 0, sets):
            breed(
                rules, constants, members, begins[each], begins[each + 1], seen[each], symbols,
                legal[each], legal_there[each], time, dice,
            )  # fmt: skip
        cull(rules, constants, votes, dice)
        release(rules)


LEARNERS = (XCSLearner(),)
