"""The generic functions of an evaluator: what a position is worth, and a gradient step to change that.

An evaluator must implement `evaluate`. The others have default bodies made from it, and are implemented where an
evaluator can do better.
"""

from typing import Any

from ludus.compile.generic import generic, implements
from ludus.compile.jit import inlined
from ludus.games import protocol


@generic(optimised=True)
def evaluate(evaluator: Any, game: Any, state: Any) -> Any:
    """The value of the state for the current player. The game is not over."""


@generic(optimised=True)
def evaluate_within(evaluator: Any, game: Any, state: Any, alpha: Any, beta: Any) -> Any:
    """Bounds of what `evaluate` gives: the value twice, or two that are both at most alpha or both at least beta.

    For a search that asks no more; an evaluator implements it where bounds are cheaper than the value.
    """


@generic(optimised=True)
def move_value(evaluator: Any, game: Any, state: Any, move: Any) -> Any:
    """The value of `move` for the player who makes it, up to a constant that all moves of the state share."""


@generic(optimised=True)
def parent_eval(evaluator: Any, game: Any, state: Any) -> Any:
    """What `child_eval` needs of the state before a move, computed once for all its moves."""


@generic(optimised=True)
def child_eval(evaluator: Any, game: Any, state: Any, parent: Any, move: Any, after: Any) -> Any:
    """The value of the afterstate `after` of `move` for the player who makes the move. The game is not over."""


@generic(optimised=True)
def gradient_step(evaluator: Any, game: Any, state: Any, amount: Any) -> Any:
    """Add `amount` times the gradient of the state's value to the evaluator's weights, in place."""


@generic(optimised=True)
def coherent_step(evaluator: Any, errors: Any, sizes: Any, game: Any, state: Any, amount: Any) -> Any:
    """As `gradient_step`, each weight by its own part of `amount`: its `coherence` so far.

    `errors` and `sizes` are two more evaluators of the same kind: their weights are the sums of all amounts that a
    weight was changed for, and of their absolute values.
    """


@generic
def with_own_memory(evaluator: Any) -> Any:
    """The evaluator with memory that no other thread uses, if it has any."""


@generic(optimised=True)
def member(population: Any, i: Any) -> Any:
    """Evaluator `i` of a population: an evaluator whose arrays have one more axis in front."""


@inlined
def coherence(error, size):
    """The rate of a weight in temporal coherence learning (Beal and Smith 1999).

    It is 1 as long as all changes went one way, and falls towards 0 where they cancel out.
    """
    return abs(error) / size if size > 0.0 else 1.0


@implements(with_own_memory)
def _(evaluator):
    return evaluator


@implements(evaluate_within)
def _(evaluator, game, state, alpha, beta):
    value = float(evaluate(evaluator, game, state))
    return value, value


@implements(parent_eval)
def _(evaluator, game, state):
    return 0.0


@implements(child_eval)
def _(evaluator, game, state, parent, move, after):
    value = evaluate(evaluator, game, after)
    return value if protocol.current_player(game, after) == protocol.current_player(game, state) else -value


@implements(move_value)
def _(evaluator, game, state, move):
    parent = parent_eval(evaluator, game, state)
    return child_eval(evaluator, game, state, parent, move, protocol.play(game, state, move))
