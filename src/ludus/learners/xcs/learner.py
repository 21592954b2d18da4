"""XCS, a learning classifier system: it plays by rules, each a condition on the board, a move and its expected payoff.

Jain, Verma, Kumar and Aggarwal (2018), "An evolutionary learning approach to play Othello using XCS", sections III
and IV; Butz and Wilson (2000), "An Algorithmic Description of XCS", where that is silent.

On its turn the learner finds the rules that match the position (the match set), makes one for each legal move that has
none (covering), and predicts a payoff for each move (the prediction array). The rules for the move it makes are the
action set. They are updated twice: on the next turn by the reward for the position they led to plus the best prediction
then, and at the end of the game by its result. Then the genetic algorithm runs in each niche, that is in each action
set of the game, where it is due.

Where we decided, since the paper is silent or does not say it all:

- A symbol of a new condition is # with chance 0.4, as in the authors' program; the paper does not say. `preset=general`
  has 0.95: fewer and more general rules, which win more games. It was chosen after seeing results.
- Covering is for legal moves, since the paper counts "valid actions" (III-B, step 4). The authors' program covers every
  square that can be an action (`covers=all`). Only legal moves are chosen and predicted even so; the other rules just
  take room. Rules that see the afterstate can't do that: a move that is not legal leads to none.
- At the end of a game, fitness is shared in each action set by itself, as on every turn. Algorithm 1 can be read as
  sharing it among all rules of the game (`end_fitness=game`): predictions and errors are updated once for each action
  set that a rule stands in, and then its fitness once.
- Mutation with 0.4 changes one symbol of a child, not each with that chance, which in an early trial gave ten times
  the paper's mean fitness. It turns # into what is on the board and anything else into #.
- Rewards are for the position after one's own move. They add up over the game, so predictions leave -1 to 1.
- Errors are averaged over the first 10 experiences and then follow at the rate 0.1, predictions likewise. Accuracies
  are summed by numerosity. A new rule's action sets count as of size 1, or it could never be deleted.
- All that is deleted after a game is drawn at once. Rules whose move is not legal are left out of the match set.
- On other boards the values of squares are those of the game's usual evaluator; where it has none, the reward is the
  lead divided by the squares. Go's pass is a move like others, a forced pass in Othello is none.
- Action-set subsumption is a switch, off as in the authors' program.

Beyond the paper, predictions can be computed from the board, as its outlook proposes and Wilson's XCSF (2002) does;
rules can see the board that a move leads to; and symmetric moves can share their rules. `preset=strong` uses all of it.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import key
from ludus.errors import InvalidSetting
from ludus.games.game import Game
from ludus.learners.base import Learner, PlayerSpec, Row, copy_arrays
from ludus.learners.xcs.rule_set import TIME, TOTAL, Population, empty_population
from ludus.learners.xcs.settings import XCSSettings
from ludus.learners.xcs.training import covered_actions, train, training_setup
from ludus.play.games import NO_MOVES, GameResults
from ludus.players.base import CompiledPlayer
from ludus.players.learning import Knowledge
from ludus.players.names import player
from ludus.players.xcs import PARAMETERS, RuleSet, as_arrays, as_settings
from ludus.players.xcs_matching import action_count, make_detectors, words_for

MOST_BYTES = 200 << 20
"""Of a state; a step works on a copy."""
TOP = 100
"""Of how many of the fittest rules the mean error is reported (Fig. 7)."""


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
    description = "rules that predict what a move will bring, bred for accuracy (jain2018)"
    settings = XCSSettings
    usual_game = "othello6"

    def start(self, settings: XCSSettings, game: Game, seed: int) -> XCSState:
        _opponents(settings, game)
        return empty_state(settings, game)

    def step(self, settings: XCSSettings, game: Game, seed: int, state: XCSState) -> tuple[XCSState, Row]:
        state = copy_arrays(state)
        games = min(settings.step_games, settings.games - state.games)
        scores, lengths, opponents = np.empty(games), np.empty(games, np.int64), _opponents(settings, game)
        setup = training_setup(settings, game, key(seed, "xcs"))
        for i, opponent in enumerate(opponents):
            begin, end = games * i // len(opponents), games * (i + 1) // len(opponents)
            against = opponent or rule_set(settings, game, state)
            results = GameResults(scores[begin:end], lengths[begin:end], NO_MOVES)
            train(game.rules, against, state.population, setup, state.games + begin, results)
        state = state._replace(games=state.games + games, wins=state.wins + int(np.sum(scores == 1)))
        return state, {
            "games": state.games,
            "wins": float(np.mean(scores == 1)),
            "draws": float(np.mean(scores == 0.5)),
            "all_wins": state.wins / state.games,
            **_metrics(state.population),
        }

    def done(self, settings: XCSSettings, state: XCSState) -> float:
        return state.games / settings.games

    def player(self, settings: XCSSettings, game: Game, state: XCSState) -> PlayerSpec:
        rules, ids = rule_set(settings, game, state), state.ids[: state.starts[-1]]
        learning = {"stamp": state.stamp[ids], "niche": state.niche[ids]}  # which only further learning needs
        times = {"games": state.games, "steps": int(state.counts[TIME])}
        return PlayerSpec("xcs", as_arrays(rules) | learning, as_settings(rules) | times)

    def knowledge(self, file: Path, game: Game) -> Knowledge:
        from ludus.learners.xcs.playing import read_rules  # which needs this module

        return read_rules(file, game)


def empty_state(settings: XCSSettings, game: Game) -> XCSState:
    """The state without rules. Raises InvalidSetting if there is no such population."""
    if settings.covers == "all" and settings.after:
        raise InvalidSetting(
            "invalid covers=all for xcs with after=true: a move that is not legal leads to no board; ask for "
            "covers=legal or after=false"
        )
    # a game can't cover more moves than it has; where that is many, it must do with twice the rules
    covered = game.max_plies * max(game.max_legal_moves, len(covered_actions(settings, game)))
    room = settings.rules + min(covered, settings.rules) + 100
    weights = 4 * game.squares if settings.prediction == "linear" else 0
    if room * (32 * words_for(game) + 8 * (len(Population._fields) + weights)) > MOST_BYTES:
        raise InvalidSetting(f"invalid rules={settings.rules} for {game.name}: too many for memory; ask for fewer")
    return XCSState(*empty_population(action_count(game), words_for(game), room, weights), 0, 0)


def _opponents(settings: XCSSettings, game: Game) -> list[Any]:
    """The parts of the opponents; None is the learner itself."""
    opponents = []
    for name in settings.opponents.split(" + "):
        named = None if name.strip() == "self" else player(name, game)
        if named is not None and not isinstance(named, CompiledPlayer):
            raise InvalidSetting(
                f"invalid opponents={settings.opponents} for xcs: {name} is too slow to learn against; use compiled "
                "players such as random"
            )
        opponents.append(named and named.parts)
    if settings.step_games < len(opponents):
        raise InvalidSetting(
            f"invalid step_games={settings.step_games} for xcs: must be at least {len(opponents)}, a game for each of "
            "the opponents"
        )
    return opponents


def rule_set(settings: XCSSettings, game: Game, state: XCSState) -> RuleSet:
    """The player who plays by the rules as they are."""
    known = {name: getattr(state, name) for name in ("conditions", "ids", "starts", *PARAMETERS, "weights")}
    return RuleSet(
        **known, unknown=settings.prediction_0, detectors=make_detectors(game, settings.after, settings.symmetric)
    )


def _metrics(rules: Population) -> Row:
    """The metrics of the population after a step."""
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


LEARNERS = (XCSLearner(),)
