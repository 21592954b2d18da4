"""XCS players: the move whose rules predict the highest payoff.

A rule (a classifier of XCS) is a condition on the squares, an action that it advocates where the condition matches, and
the payoff that it predicts. The system prediction for a move is the mean over the matching rules that advocate it, its
action set, weighed by their fitness.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty, zeros
from ludus.compile.generic import implements
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import randint
from ludus.evaluators.pictures import Board
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, MoveValue, explains
from ludus.players.protocol import choose
from ludus.players.shipped import shipped_player
from ludus.players.xcs_matching import (
    Detectors,
    ViewBuffers,
    action_count,
    computed_prediction,
    detect,
    index_weights,
    make_detectors,
    match_rules,
    turn,
    view_buffers,
    words_for,
)

SHOWN = 3
"""How many rules are shown for each move."""


class RuleSet(NamedTuple):
    """Rules (macro-classifiers), sorted by action; their parameters stand by id."""

    conditions: NDArray[np.uint64]  # [4 * words, room]: see `xcs_matching`
    ids: NDArray[np.int64]  # [room]: where the parameters of a rule stand in the arrays below
    starts: NDArray[np.int64]  # [actions + 1]: where the rules of each action begin
    prediction: NDArray[np.float64]  # [room]
    error: NDArray[np.float64]  # [room]
    fitness: NDArray[np.float64]  # [room]
    experience: NDArray[np.int64]  # [room]
    numerosity: NDArray[np.int64]  # [room]
    weights: NDArray[np.float64]  # [room, 4 * squares], or no columns where a rule's prediction is but a number
    unknown: float  # the prediction for a move whose action set is empty
    detectors: Detectors


class MatchBuffers(NamedTuple):
    """Room for the action set of one move."""

    views: NDArray[np.uint64]  # [1, 2 * words]
    misses: NDArray[np.uint64]  # [most rules of an action]
    found: NDArray[np.int64]  # [most rules of an action + 1]: the numbers of the rules in the action set
    weight_indices: NDArray[np.int64]  # [squares], or empty where predictions are but numbers


@inlined
def match_buffers(rules: RuleSet) -> MatchBuffers:
    """Room for the action set of any move."""
    most = 0
    for action in range(len(rules.starts) - 1):
        most = max(most, rules.starts[action + 1] - rules.starts[action])
    return MatchBuffers(
        zeros((1, len(rules.conditions) // 2), np.uint64),
        empty(most, np.uint64),
        empty(most + 1, np.int64),
        empty(rules.weights.shape[1] // 4, np.int64),
    )


@inlined
def action_set(rules: RuleSet, game: Any, state: Any, move: int, views: ViewBuffers, matches: MatchBuffers):
    """Write the numbers of the rules that match and advocate `move` into `matches.found` and return how many."""
    action = detect(rules.detectors, game, state, move, views, matches.views, 0)
    begin, end = rules.starts[action], rules.starts[action + 1]
    return match_rules(rules.conditions, begin, end, matches.views[0], matches.misses, matches.found, 0)


@inlined
def system_prediction(rules: RuleSet, game: Any, state: Any, move: int, views: ViewBuffers, matches: MatchBuffers):
    """The payoff that the rules predict for `move`."""
    total, weight = 0.0, 0.0
    n = action_set(rules, game, state, move, views, matches)
    index_weights(matches.views[0], matches.weight_indices)
    for i in range(n):
        rule = rules.ids[matches.found[i]]
        total += (
            computed_prediction(rules.prediction, rules.weights, rule, matches.weight_indices) * rules.fitness[rule]
        )
        weight += rules.fitness[rule]
    return total / weight if weight > 0.0 else rules.unknown


@implements(choose, RuleSet)
def _(player, game, state, moves, n, rng):
    if n == 1:
        return moves[0]
    views, matches = view_buffers(player.detectors), match_buffers(player)
    best, pick, ties = -np.inf, moves[0], 1
    for i in range(n):
        value = system_prediction(player, game, state, moves[i], views, matches)
        if value > best:
            best, pick, ties = value, moves[i], 1
        elif value == best:
            ties += 1
            if randint(rng, ties) == 0:
                pick = moves[i]
    return pick


@kernel
def _action_set(rules: RuleSet, game: Any, state: Any, move: int):
    """What the rules about `move` see, the numbers of those in its action set, and the payoff they predict."""
    state, views, matches = protocol.copy_state(game, state), view_buffers(rules.detectors), match_buffers(rules)
    value = system_prediction(rules, game, state, move, views, matches)
    n = action_set(rules, game, state, move, views, matches)
    return matches.views[0], matches.found[:n], value


@kernel
def _plain_view(game: Any, state: Any, move: int, after, out):
    state = protocol.copy_state(game, state)
    protocol.planes(game, protocol.play(game, state, move) if after else state, out)
    return protocol.action(game, state, move)


@explains(RuleSet)
def _explained(player: RuleSet, position: Position) -> Explanation:
    values = [_move_value(player, position, text, move) for text, move in position.legal.items()]
    seen = " as the move leaves it, where `legal` is what the opponent may answer" if player.detectors.after else ""
    return Explanation(
        "It makes the move whose rules predict the highest payoff. Conditions are about the board"
        f"{seen}; a square that has no word but `any` does not matter.",
        "the payoff that the rules for the move predict, weighed by their fitness",
        tuple(sorted(values, key=lambda each: -each.value)),
    )


def _move_value(player: RuleSet, position: Position, text: str, move: int) -> MoveValue:
    """A legal move with the fittest rules of its action set."""
    game = position.game
    plain, turned = np.zeros((2, 2 * words_for(game)), np.uint64)
    action = _plain_view(game.rules, position.state, move, player.detectors.after, plain)
    if action < 0:
        return MoveValue(text, player.unknown, "the only move there is")
    view, found, value = _action_set(player, game.rules, position.state, move)
    if not len(found):
        return MoveValue(text, player.unknown, "no rule speaks for it")
    detectors = player.detectors
    for k in detectors.to_canonical[action, : detectors.to_canonical_counts[action]]:
        turn(detectors.symmetries, k, plain, turned)
        if np.array_equal(turned, view):
            break
    places = detectors.symmetries[k]  # where the squares of the board stand in the conditions
    viewer = 1 - position.current_player if player.detectors.after else position.current_player
    swaps = [i for i in range(len(game.symmetries)) if game.type.swaps_sides(i)]
    if viewer == 1 and swaps:
        places = places[game.symmetries[swaps[0]]]
    best = found[np.argsort(-player.fitness[player.ids[found]], kind="stable")]
    indices = np.empty(player.weights.shape[1] // 4, np.int64)
    index_weights(view, indices)
    shown = [
        Board(
            f"rule {i} of {len(found)}",
            describe_condition(player, game, int(rule), places),
            describe_parameters(player, int(rule), indices),
        )
        for i, rule in enumerate(best[:SHOWN], 1)
    ]
    if len(indices):
        ids = player.ids[found]
        adds = player.fitness[ids] @ player.weights[ids][:, indices] / player.fitness[ids].sum()
        shown.append(Board("what each square adds", tuple(adds[places].tolist()), "the mean of all rules for the move"))
    return MoveValue(text, value, f"{len(found)} rule{'s' * (len(found) > 1)}", tuple(shown))


def describe_condition(
    player: RuleSet, game: Game, rule: int, places: NDArray[np.int64] | None = None
) -> tuple[str, ...]:
    """What a rule asks of each square, in words: `mine`, `theirs`, ..., two of them, or `any`.

    `places` are where the squares of the board stand in the condition, if not each in its own place.
    """
    symbols = list(game.type.symbols)
    if player.detectors.after:  # seen with the eyes of the other side
        symbols[0], symbols[1] = symbols[1], symbols[0]
    cares = [symbol_bits(player, game, rule, which) for which in range(4)]
    words = []
    for square in range(game.squares) if places is None else places:
        care, want, care_too, want_too = (bits[square] for bits in cares)
        fitting = [
            name
            for i, name in enumerate(symbols)
            if (not care or want == i // 2) and (not care_too or want_too == i % 2)
        ]
        words.append("any" if len(fitting) == 4 else "/".join(fitting))
    return tuple(words)


def symbol_bits(player: RuleSet, game: Game, rule: int, which: int) -> NDArray[np.int64]:
    """One of the four masks of a rule's condition, square by square."""
    masks = np.ascontiguousarray(player.conditions[which::4, rule])
    return np.unpackbits(masks.view(np.uint8), bitorder="little")[: game.squares].astype(np.int64)


def condition_text(player: RuleSet, game: Game, rule: int) -> str:
    """A rule's condition as the literature writes it: 0, 1 or # for each of the two bits of each square."""
    care, want, care_too, want_too = (symbol_bits(player, game, rule, which) for which in range(4))
    pairs = zip(np.where(care, want, 2), np.where(care_too, want_too, 2), strict=True)
    return "".join("01#"[first] + "01#"[second] for first, second in pairs)


def describe_parameters(player: RuleSet, rule: int, weight_indices: NDArray[np.int64] | None = None) -> str:
    """The parameters of a rule in words; `weight_indices` are those of the position, if there is one."""
    i = player.ids[rule]
    predicts = player.prediction[i] + (0 if weight_indices is None else player.weights[i, weight_indices].sum())
    return (
        f"predicts {predicts:.3f}; fitness {player.fitness[i]:.2g}, error {player.error[i]:.2g}, "
        f"experience {player.experience[i]}, numerosity {player.numerosity[i]}"
    )


def subset(player: RuleSet, numbers: NDArray[np.int64]) -> RuleSet:
    """The player who knows only these rules, given by their numbers in rising order."""
    ids = player.ids[numbers]
    return RuleSet(
        np.ascontiguousarray(player.conditions[:, numbers]),
        np.arange(len(ids)),
        np.searchsorted(numbers, player.starts),
        **{name: np.ascontiguousarray(getattr(player, name)[ids]) for name in (*PARAMETERS, "weights")},
        unknown=player.unknown,
        detectors=player.detectors,
    )


PARAMETERS = {
    "prediction": np.float64,
    "error": np.float64,
    "fitness": np.float64,
    "experience": np.int64,
    "numerosity": np.int64,
}
"""The parameters that a rule has by the literature, and how they are kept."""


def as_arrays(player: RuleSet) -> dict[str, NDArray[Any]]:
    """The rules as a player file holds them."""
    compact = subset(player, np.arange(player.starts[-1]))
    return {name: getattr(compact, name) for name in ("conditions", "starts", *PARAMETERS, "weights")}


def as_settings(player: RuleSet) -> dict[str, Any]:
    """How the rules are used, as a player file holds it."""
    symmetric = len(player.detectors.symmetries) > 1
    return {"after": player.detectors.after, "symmetric": symmetric, "unknown": player.unknown}


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> RuleSet:
    conditions, starts = arrays["conditions"], arrays["starts"]
    rows, count = 4 * words_for(game), arrays["prediction"].size
    if conditions.dtype != np.uint64 or conditions.shape != (rows, count) or not count:
        raise ValueError(f"it needs an array 'conditions' of {rows} by as many uint64 as there are predictions")
    for w in range(words_for(game)):
        beyond = ~np.uint64((1 << min(64, game.squares - 64 * w)) - 1)
        if np.any(conditions[4 * w : 4 * w + 4] & beyond):
            raise ValueError("its conditions are about squares that the board does not have")
    for row in range(0, rows, 2):
        if np.any(conditions[row + 1] & ~conditions[row]):
            raise ValueError("its conditions want what they do not care for")
    if starts.dtype != np.int64 or starts.shape != (action_count(game) + 1,):
        raise ValueError(f"it needs an array 'starts' of {action_count(game) + 1} int64")
    if starts[0] != 0 or starts[-1] != count or np.any(np.diff(starts) < 0):
        raise ValueError("its rules are not sorted by action")
    for name, kind in PARAMETERS.items():
        if arrays[name].dtype != kind or arrays[name].shape != (count,):
            raise ValueError(f"it needs an array {name!r} of {count} {kind.__name__}")
    weights = arrays["weights"]
    if weights.dtype != np.float64 or weights.shape not in ((count, 0), (count, 4 * game.squares)):
        raise ValueError(f"it needs an array 'weights' of {count} by 0 or {4 * game.squares} float64")
    if np.any(arrays["fitness"] < 0):
        raise ValueError("its rules have fitness below 0")
    after, symmetric, unknown = chosen["after"], chosen["symmetric"], chosen["unknown"]
    if not isinstance(after, bool) or not isinstance(symmetric, bool) or not isinstance(unknown, float):
        raise ValueError("after and symmetric are true or false, unknown is a number")
    return RuleSet(
        np.ascontiguousarray(conditions),
        np.arange(count),
        np.ascontiguousarray(starts),
        **{name: np.ascontiguousarray(arrays[name]) for name in (*PARAMETERS, "weights")},
        unknown=unknown,
        detectors=make_detectors(game, after, symmetric),
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


PLAYERS = (PlayerKind("xcs", "goes by rules that XCS has learned", "xcs:othello6", _make, _loaded),)
