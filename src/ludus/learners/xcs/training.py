"""The games that XCS learns from: choosing moves, rewards, and when the rules are updated and bred.

`train` plays whole games in one kernel. It can also go through games that have been played already, and learn from them
as if the moves had been its own.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.jit import keep_alive, kernel, without_refcount
from ludus.compile.rng import randint, seek, uniform
from ludus.evaluators.base import evaluator
from ludus.evaluators.piece_counter import PieceCounter
from ludus.evaluators.protocol import evaluate
from ludus.games import protocol
from ludus.games.game import Game
from ludus.learners.xcs.rule_set import (
    TIME,
    ActionSet,
    Constants,
    Population,
    cover,
    delete_excess,
    distinct,
    match,
    release_ids,
    run_ga,
    subsume_set,
    system_prediction,
    update_fitness,
    update_predictions,
    update_set,
)
from ludus.learners.xcs.settings import XCSSettings
from ludus.play.games import GameResults
from ludus.play.positions import after_move
from ludus.players.protocol import choose, with_fresh_memory
from ludus.players.xcs_matching import (
    Detectors,
    action_count,
    detect,
    detect_action,
    index_weights,
    make_detectors,
    view_buffers,
)


class Training(NamedTuple):
    """How games are played and rewarded, for kernels."""

    key: np.uint64  # of the games' random streams
    games: int
    squares: int
    turns: int  # at most how many a player has in a game
    gamma: float
    phased: bool
    by_margin: bool
    broadcasts: bool
    pools: bool  # whether the end of a game updates fitness over all its action sets at once
    bootstraps: bool
    each_step: bool  # whether the genetic algorithm runs on each step
    colour: int  # 2 is both in turn
    sigmoid: bool
    exploit: float
    replays: bool  # whether the moves are those of the record, not the players' own


class TrainingSetup(NamedTuple):
    """All that does not change during training, for kernels."""

    constants: Constants
    training: Training
    detectors: Detectors
    values: PieceCounter  # of squares; see `square_values`
    covered: NDArray[np.int64]  # actions to cover besides the legal moves; see `covered_actions`


def training_setup(settings: XCSSettings, game: Game, games_key: np.uint64, *, replays: bool = False) -> TrainingSetup:
    """The settings as kernels know them."""
    chosen = settings.model_dump() | {"mutates_each": settings.mutates == "each", "symbols": 2 * game.squares}
    constants = Constants(**{name: chosen[name] for name in Constants._fields})
    training = Training(
        key=games_key,
        games=settings.games,
        squares=game.squares,
        turns=game.max_plies // 2 + 1,
        gamma=settings.gamma,
        phased=settings.rewards == "phased",
        by_margin=settings.end_reward == "margin",
        broadcasts=settings.broadcast,
        pools=settings.end_fitness == "game",
        bootstraps=settings.bootstrap,
        each_step=settings.ga == "step",
        colour=("first", "second", "both").index(settings.colours),
        sigmoid=settings.schedule == "sigmoid",
        exploit=settings.exploit,
        replays=replays,
    )
    detectors = make_detectors(game, settings.after, settings.symmetric)
    return TrainingSetup(constants, training, detectors, square_values(game), covered_actions(settings, game))


def covered_actions(settings: XCSSettings, game: Game) -> NDArray[np.int64]:
    """The actions that are covered whether they are legal or not: none, or all that the game can have.

    Of squares that are taken when the game begins, as the four in the middle of Othello are, there will be none.
    """
    actions = np.arange(action_count(game) if settings.covers == "all" else 0)
    if action_count(game) in (game.squares, game.squares + 1):
        taken = np.flatnonzero(game.start().cells)
        return np.setdiff1d(actions, taken)
    return actions


def square_values(game: Game) -> PieceCounter:
    """The values of squares that are rewarded; zeros if the game's usual evaluator is no piece counter."""
    usual = evaluator("usual", game)
    return usual if isinstance(usual, PieceCounter) else PieceCounter(np.zeros(game.squares))


@kernel
def step_reward(game: Any, setup: TrainingSetup, value_sum: float, state: Any, side: int):
    """The reward of `side` for a position while the game goes on, from -1 to 1 (eqs. 2 and 3).

    `value_sum` is the sum of the absolute values of squares.
    """
    if not setup.training.phased:
        return 0.0
    if value_sum > 0.0 and protocol.remaining(game, state) > 0.2 * setup.training.squares:
        value = evaluate(setup.values, game, state) / value_sum
        return value if protocol.current_player(game, state) == side else -value
    lead = protocol.margin(game, state) / setup.training.squares
    return lead if side == 0 else -lead


@kernel
def exploit_chance(training: Training, index: int) -> float:
    """The chance to make the best move in game number `index`."""
    if training.sigmoid:
        return 1.0 / (1.0 + math.exp(6.0 - 12.0 * index / training.games))
    return training.exploit


@kernel
def _with_room(numbers: ActionSet, n: int, more: int) -> ActionSet:
    """The same numbers with room for `more` behind the first `n`."""
    if n + more <= len(numbers):
        return numbers
    larger = empty(2 * (n + more), np.int64)
    for i in range(n):  # a slice makes numba compile its error messages too, which takes seconds
        larger[i] = numbers[i]
    return larger  # type: ignore[no-any-return]


@kernel
def train(game: Any, opponent: Any, rules: Population, setup: TrainingSetup, begin: int, results: GameResults) -> None:
    """Play the games from number `begin` on, as many as there is room for results, and learn from each."""
    scores, record = results.scores, results.moves
    constants, training, detectors = setup.constants, setup.training, setup.detectors
    width, turns, view_words = protocol.max_legal_moves(game), training.turns, len(rules.conditions) // 2
    room = rules.conditions.shape[1]
    moves, rng, buffers = empty(width, np.int64), empty(4, np.uint64), view_buffers(detectors)
    misses, votes = empty(room, np.uint64), empty(room, np.float64)
    # of the turn: the view of each move, and the match set, in which its rules begin at `starts`
    views = zeros((width + 1, view_words), np.uint64)
    matched, starts = empty(1024, np.int64), zeros(width + 1, np.int64)
    # of the game: the action sets one behind the other, where each begins, its view and reward, and the legal actions
    members, begins = empty(1024, np.int64), zeros(turns + 1, np.int64)
    set_views, rewards = zeros((turns, view_words), np.uint64), empty(turns, np.float64)
    legal, legal_counts = empty((turns, width), np.int64), empty(turns, np.int64)
    marked, pooled, shares = zeros(room, np.bool_), empty(room, np.int64), empty(room, np.float64)
    indices = empty(rules.weights.shape[1] // 4, np.int64)
    value_sum = 0.0
    for i in range(len(setup.values.weights)):
        value_sum += abs(setup.values.weights[i])
    for index in range(begin, begin + len(scores)):
        seek(rng, training.key, index)
        side = index % 2 if training.colour == 2 else training.colour
        exploit = exploit_chance(training, index)
        state, sets, length = protocol.initial(game), 0, 0
        owner = with_fresh_memory(opponent, game)
        rival = without_refcount(owner)
        while True:
            n = protocol.legal_moves(game, state, moves)
            if n == 0:
                break
            own, move = protocol.current_player(game, state) == side, moves[0]
            acts = own and protocol.action(game, state, move) >= 0  # a forced pass is no action
            if training.replays:
                move = record[index - begin, length]
            elif not own:
                move = choose(rival, game, state, moves, n, rng)
            if acts:
                time = rules.counts[TIME] if training.each_step else index
                best, pick, legal_counts[sets] = -np.inf, 0, n
                for i in range(n + len(setup.covered)):
                    row = min(i, n)  # all that are covered besides the legal moves take turns in the last row
                    if i < n:
                        action = detect(detectors, game, state, moves[i], buffers, views, i)
                        legal[sets, i] = action
                    else:  # of the board as it is, which `detect` has left in the buffers
                        action = detect_action(detectors, setup.covered[i - n], buffers, views, n)
                    matched = _with_room(matched, starts[row], rules.starts[action + 1] - rules.starts[action] + 2)
                    end = match(rules, action, views[row], misses, matched, starts[row])
                    if end == starts[row]:
                        matched[end] = cover(rules, constants, action, views[row], time, rng)
                        end += matched[end] >= 0
                    if i < n:
                        starts[i + 1] = end
                        index_weights(views[i], indices)
                        prediction = system_prediction(rules, constants, matched[starts[i] : end], indices)
                        if prediction > best:
                            best, pick = prediction, i
                if training.replays:
                    for i in range(n):
                        if moves[i] == move:
                            pick = i
                elif uniform(rng) >= exploit:
                    pick = randint(rng, n)
                move, last = moves[pick], sets - 1
                if sets > 0 and training.bootstraps:
                    payoff = rewards[last] + training.gamma * best
                    index_weights(set_views[last], indices)
                    update_set(rules, constants, members[begins[last] : begins[sets]], indices, payoff)
                if sets > 0 and training.each_step:
                    actions = legal[last, : legal_counts[last]]
                    run_ga(rules, constants, members[begins[last] : begins[sets]], set_views[last], actions, time, rng)
                    delete_excess(rules, constants, votes, rng)
                size = starts[pick + 1] - starts[pick]
                members, begins[sets + 1] = _with_room(members, begins[sets], size), begins[sets] + size
                for i in range(size):
                    members[begins[sets] + i] = matched[starts[pick] + i]
                for i in range(view_words):
                    set_views[sets, i] = views[pick, i]
            if len(record) > 0:
                record[index - begin, length] = move
            state, length = after_move(game, state, move), length + 1
            if acts:
                rewards[sets] = step_reward(game, setup, value_sum, state, side)
                if constants.set_subsumption:
                    subsume_set(rules, constants, members[begins[sets] : begins[sets + 1]])
                sets += 1
                rules.counts[TIME] += 1
        outcome = protocol.outcome(game, state)
        results.lengths[index - begin] = length
        scores[index - begin] = outcome if side == 0 else 1.0 - outcome
        end_reward = 2.0 * scores[index - begin] - 1.0
        if training.by_margin:
            end_reward = protocol.margin(game, state) / training.squares * (1.0 - 2.0 * side)
        last = max(sets - 1, 0)
        first = 0 if training.broadcasts else last
        for each in range(first, sets):
            index_weights(set_views[each], indices)
            acted = members[begins[each] : begins[each + 1]]
            if training.pools:
                update_predictions(rules, constants, acted, indices, end_reward, shares)
            else:
                update_set(rules, constants, acted, indices, end_reward)
        if training.pools:
            n = distinct(members[begins[first] : begins[sets]], marked, pooled)
            update_fitness(rules, constants, pooled[:n])
        time = rules.counts[TIME] if training.each_step else index
        for each in range(last if training.each_step else 0, sets):
            actions = legal[each, : legal_counts[each]]
            run_ga(rules, constants, members[begins[each] : begins[each + 1]], set_views[each], actions, time, rng)
        delete_excess(rules, constants, votes, rng)
        release_ids(rules)
        keep_alive(owner)
