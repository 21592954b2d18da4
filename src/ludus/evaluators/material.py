"""Evaluators without weights: the lead, mobility, and material in checkers."""

from typing import NamedTuple

from ludus.compile.bitboards import popcount
from ludus.compile.generic import implements
from ludus.evaluators.base import EvaluatorKind
from ludus.evaluators.protocol import evaluate
from ludus.games import othello, protocol
from ludus.games.checkers import Checkers
from ludus.games.othello import Othello


class Lead(NamedTuple):
    """The lead of the current player in discs, pieces or points."""

    nothing: int = 0  # numba needs a field


class Mobility(NamedTuple):
    """The legal moves of the current player in Othello, less those that the opponent would have."""

    nothing: int = 0  # numba needs a field


class Material(NamedTuple):
    """Men and kings in checkers."""

    king: float


@implements(evaluate, Lead)
def _(evaluator, game, state):
    lead = protocol.margin(game, state)
    return lead if protocol.current_player(game, state) == 0 else -lead


@implements(evaluate, Mobility, Othello)
def _(evaluator, game, state):
    ours = popcount(othello.legal_squares(game, state.own, state.opp))
    return float(ours - popcount(othello.legal_squares(game, state.opp, state.own)))


@implements(evaluate, Material, Checkers)
def _(evaluator, game, state):
    more = evaluator.king - 1.0
    own = popcount(state.own) + more * popcount(state.own & state.kings)
    return own - popcount(state.opp) - more * popcount(state.opp & state.kings)


EVALUATORS = (
    EvaluatorKind("discs", "the lead in discs", {"othello": Lead}),
    EvaluatorKind("mobility", "the moves to choose from, less the opponent's", {"othello": Mobility}),
    EvaluatorKind("pieces", "men, and kings as one and a half", {"checkers": lambda: Material(1.5)}),
    EvaluatorKind("area", "the lead in points", {"go": Lead}),
    EvaluatorKind("lead", "the lead as the game counts it", {"any": Lead}),
)
