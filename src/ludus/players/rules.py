"""Players that go by rules, as XCS learns them: the move whose rules predict the highest payoff.

A rule is a condition on the squares, an action that it advises where the condition holds, and the payoff that it
predicts. What a move is worth is the mean over all rules that advise it here, weighed by their fitness.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import below
from ludus.games.game import Game, Position
from ludus.kernels import inlined, kernel
from ludus.players.explanations import Board, Explanation, Weighed, explains
from ludus.players.matching import Sight, actions, computed, eyes, look, mark, matching, sight, turn, words_for
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.shipped import shipped_player
from ludus.vocabulary import says

SHOWN = 3
"""How many rules are shown for each move."""


class RuleSet(NamedTuple):
    conditions: NDArray[np.uint64]  # [4 * words, room]: see `matching`
    ids: NDArray[np.int64]  # [room]: where what is known of a rule stands in the arrays of numbers
    starts: NDArray[np.int64]  # [actions + 1]: where the rules of each action begin
    prediction: NDArray[np.float64]
    error: NDArray[np.float64]
    fitness: NDArray[np.float64]
    experience: NDArray[np.int64]
    numerosity: NDArray[np.int64]
    weights: NDArray[np.float64]  # [room, 4 * squares], or no columns where a rule's prediction is but a number
    unknown: float  # what a move is worth for which no rule speaks
    sight: Sight


class Work(NamedTuple):
    """Room for matching."""

    views: NDArray[np.uint64]
    misses: NDArray[np.uint64]
    found: NDArray[np.int64]
    marks: NDArray[np.int64]


@inlined
def workroom(rules):
    most = 0
    for action in range(len(rules.starts) - 1):
        most = max(most, rules.starts[action + 1] - rules.starts[action])
    return Work(
        np.zeros((1, len(rules.conditions) // 2), np.uint64),
        np.empty(most, np.uint64),
        np.empty(most + 1, np.int64),
        np.empty(rules.weights.shape[1] // 4, np.int64),
    )


@inlined
def speaking(rules, game, state, move, eyes, work):
    """Write the numbers of the rules that speak for `move` into `work.found` and return how many."""
    action = look(rules.sight, game, state, move, eyes, work.views, 0)
    begin, end = rules.starts[action], rules.starts[action + 1]
    return matching(rules.conditions, begin, end, work.views[0], work.misses, work.found, 0)


@inlined
def payoff(rules, game, state, move, eyes, work):
    """The payoff that the rules predict for `move`."""
    total, weight = 0.0, 0.0
    n = speaking(rules, game, state, move, eyes, work)
    mark(work.views[0], work.marks)
    for i in range(n):
        rule = rules.ids[work.found[i]]
        total += computed(rules.prediction, rules.weights, rule, work.marks) * rules.fitness[rule]
        weight += rules.fitness[rule]
    return total / weight if weight > 0.0 else rules.unknown


@says(words.choose, RuleSet)
def _(player, game, state, moves, n, dice):
    if n == 1:
        return moves[0]
    view, work = eyes(player.sight), workroom(player)
    best, pick, ties = -np.inf, moves[0], 1
    for i in range(n):
        worth = payoff(player, game, state, moves[i], view, work)
        if worth > best:
            best, pick, ties = worth, moves[i], 1
        elif worth == best:
            ties += 1
            if below(dice, ties) == 0:
                pick = moves[i]
    return pick


@kernel
def _speakers(rules, game, state, move):
    """What the rules about `move` see, the numbers of those that speak for it, and the payoff they predict."""
    state, view, work = words.detached(game, state), eyes(rules.sight), workroom(rules)
    worth = payoff(rules, game, state, move, view, work)
    n = speaking(rules, game, state, move, view, work)
    return work.views[0], work.found[:n], worth


@kernel
def _seen(game, state, move, after, out):
    state = words.detached(game, state)
    words.planes(game, words.play(game, state, move) if after else state, out)
    return words.action(game, state, move)


@explains(RuleSet)
def _explained(player: RuleSet, position: Position) -> Explanation:
    weighed = [_weighed(player, position, text, move) for text, move in position.legal.items()]
    seen = " as the move leaves it, where `legal` is what the opponent may answer" if player.sight.after else ""
    return Explanation(
        "It makes the move whose rules predict the highest payoff. Conditions are about the board"
        f"{seen}; a square that has no word but `any` does not matter.",
        "the payoff that the rules for the move predict, weighed by their fitness",
        tuple(sorted(weighed, key=lambda each: -each.value)),
    )


def _weighed(player: RuleSet, position: Position, text: str, move: int) -> Weighed:
    """A legal move with the strongest of the rules that speak for it."""
    game = position.game
    plain, turned = np.zeros((2, 2 * words_for(game)), np.uint64)
    action = _seen(game.rules, position.state, move, player.sight.after, plain)
    if action < 0:
        return Weighed(text, player.unknown, "the only move there is")
    view, found, worth = _speakers(player, game.rules, position.state, move)
    if not len(found):
        return Weighed(text, player.unknown, "no rule speaks for it")
    for k in player.sight.ways[action, : player.sight.ways_there[action]]:
        turn(player.sight.turns, k, plain, turned)
        if np.array_equal(turned, view):
            break
    places = player.sight.turns[k]  # where the squares of the board stand in the conditions
    viewer = 1 - position.mover if player.sight.after else position.mover
    swaps = [i for i in range(len(game.symmetries)) if game.family.swaps(i)]
    if viewer == 1 and swaps:
        places = places[game.symmetries[swaps[0]]]
    best = found[np.argsort(-player.fitness[player.ids[found]], kind="stable")]
    marks = np.empty(player.weights.shape[1] // 4, np.int64)
    mark(view, marks)
    shown = [
        Board(
            f"rule {i} of {len(found)}",
            squares_of(player, game, int(rule), places),
            numbers_of(player, int(rule), marks),
        )
        for i, rule in enumerate(best[:SHOWN], 1)
    ]
    if len(marks):
        ids = player.ids[found]
        adds = player.fitness[ids] @ player.weights[ids][:, marks] / player.fitness[ids].sum()
        shown.append(Board("what each square adds", tuple(adds[places].tolist()), "the mean of all rules for the move"))
    return Weighed(text, worth, f"{len(found)} rule{'s' * (len(found) > 1)}", tuple(shown))


def squares_of(player: RuleSet, game: Game, rule: int, places: NDArray[np.int64] | None = None) -> tuple[str, ...]:
    """What a rule asks of each square, in words: `mine`, `theirs`, ..., two of them, or `any`.

    `places` are where the squares of the board stand in the condition, if not each in its own place.
    """
    symbols = list(game.family.symbols)
    if player.sight.after:  # seen with the eyes of the other side
        symbols[0], symbols[1] = symbols[1], symbols[0]
    cares = [symbol_bits(player, game, rule, which) for which in range(4)]
    told = []
    for square in range(game.squares) if places is None else places:
        care, want, care_too, want_too = (bits[square] for bits in cares)
        fitting = [
            name
            for i, name in enumerate(symbols)
            if (not care or want == i // 2) and (not care_too or want_too == i % 2)
        ]
        told.append("any" if len(fitting) == 4 else "/".join(fitting))
    return tuple(told)


def symbol_bits(player: RuleSet, game: Game, rule: int, which: int) -> NDArray[np.int64]:
    """One of the four masks of a rule's condition, square by square."""
    masks = np.ascontiguousarray(player.conditions[which::4, rule])
    return np.unpackbits(masks.view(np.uint8), bitorder="little")[: game.squares].astype(np.int64)


def condition_text(player: RuleSet, game: Game, rule: int) -> str:
    """A rule's condition as the literature writes it: 0, 1 or # for each of the two bits of each square."""
    care, want, care_too, want_too = (symbol_bits(player, game, rule, which) for which in range(4))
    pairs = zip(np.where(care, want, 2), np.where(care_too, want_too, 2), strict=True)
    return "".join("01#"[first] + "01#"[second] for first, second in pairs)


def numbers_of(player: RuleSet, rule: int, marks: NDArray[np.int64] | None = None) -> str:
    """What is known of a rule; `marks` are those of the position, if there is one."""
    i = player.ids[rule]
    predicts = player.prediction[i] + (0 if marks is None else player.weights[i, marks].sum())
    return (
        f"predicts {predicts:.3f}; fitness {player.fitness[i]:.2g}, error {player.error[i]:.2g}, "
        f"experience {player.experience[i]}, numerosity {player.numerosity[i]}"
    )


def action_of(player: RuleSet, rule: int) -> int:
    return int(np.searchsorted(player.starts, rule, side="right")) - 1


def chosen_rules(player: RuleSet, numbers: NDArray[np.int64]) -> RuleSet:
    """The player who knows only these rules, given by their numbers in rising order."""
    ids = player.ids[numbers]
    return RuleSet(
        np.ascontiguousarray(player.conditions[:, numbers]),
        np.arange(len(ids)),
        np.searchsorted(numbers, player.starts),
        **{name: np.ascontiguousarray(getattr(player, name)[ids]) for name in (*NUMBERS, "weights")},
        unknown=player.unknown,
        sight=player.sight,
    )


NUMBERS = {
    "prediction": np.float64,
    "error": np.float64,
    "fitness": np.float64,
    "experience": np.int64,
    "numerosity": np.int64,
}
"""What is known of each rule."""


def as_arrays(player: RuleSet) -> dict[str, NDArray[Any]]:
    """The rules as a player file holds them."""
    kept = chosen_rules(player, np.arange(player.starts[-1]))
    return {name: getattr(kept, name) for name in ("conditions", "starts", *NUMBERS, "weights")}


def as_settings(player: RuleSet) -> dict[str, Any]:
    """How the rules are used, as a player file holds it."""
    symmetric = len(player.sight.turns) > 1
    return {"after": player.sight.after, "symmetric": symmetric, "unknown": player.unknown}


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
    if starts.dtype != np.int64 or starts.shape != (actions(game) + 1,):
        raise ValueError(f"it needs an array 'starts' of {actions(game) + 1} int64")
    if starts[0] != 0 or starts[-1] != count or np.any(np.diff(starts) < 0):
        raise ValueError("its rules are not sorted by action")
    for name, kind in NUMBERS.items():
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
        **{name: np.ascontiguousarray(arrays[name]) for name in (*NUMBERS, "weights")},
        unknown=unknown,
        sight=sight(game, after, symmetric),
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    return shipped_player(text, game)


PLAYERS = (PlayerKind("xcs", "goes by rules that XCS has learned", "xcs:othello6", _make, _loaded),)
