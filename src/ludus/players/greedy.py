"""Players that look one move ahead: the move after which they like the position best, ties by lot."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import below, stream, uniform
from ludus.errors import LudusError
from ludus.games.game import Game, Option, Position
from ludus.kernels import kernel
from ludus.players.endings import WIN, prospect
from ludus.players.evaluators import PieceCounter, evaluator, evaluators, usual
from ludus.players.explanations import Explanation, boards, explains, ranked
from ludus.players.player import CompiledPlayer, PlayerKind
from ludus.players.strings import player, settings
from ludus.storage import present
from ludus.vocabulary import says


class Greedy(NamedTuple):
    evaluator: Any
    ties_by_lot: bool = True


@says(words.choose, Greedy)
def _(player, game, state, moves, n, dice):
    best, pick, ties = -np.inf, moves[0], 1
    for i in range(n):
        worth = prospect(player.evaluator, game, state, moves[i])
        if worth > best:
            best, pick, ties = worth, moves[i], 1
        elif worth == best and player.ties_by_lot:
            ties += 1
            if below(dice, ties) == 0:
                pick = moves[i]
    return pick


@kernel
def _gains(evaluator, game, state, moves, out):
    for i in range(len(moves)):
        out[i] = prospect(evaluator, game, words.detached(game, state), moves[i])


@explains(Greedy)
def _explained(player: Greedy, position: Position) -> Explanation:
    moves, gains = np.array(list(position.legal.values()), np.int64), np.empty(len(position.legal))
    _gains(player.evaluator, position.game.rules, position.state, moves, gains)
    ends = "; a won game counts a billion" if np.any(np.abs(gains) >= WIN / 2) else ""
    return Explanation(
        "It makes the move after which it likes the position best.",
        f"what the move gains, up to a constant{ends}",
        ranked(dict(zip(position.legal, gains.tolist(), strict=True))),
        boards=boards(player.evaluator, position),
    )


def random_weights(game: Game, seed: int) -> PieceCounter:
    """Weights drawn uniformly from -1 to 1."""
    dice = stream(seed, "random weights")
    return PieceCounter(np.array([2 * uniform(dice) - 1 for _ in range(game.squares)]))


VALUE = Option("value", "usual", "what to look through: an evaluator (`ludus players`), or a player file that judges")
SEED = Option("seed", 1, "which weights", low=0, high=2**53)
TIES = Option("ties", "random", "among equal moves, one by lot or the first", ("random", "first"))


def chosen_evaluator(name: str, game: Game) -> Any:
    """The evaluator that a player string asks for."""
    if name == "usual":
        return usual(game)
    if name not in evaluators() and present(Path(name)) and Path(name).is_file():
        judge = getattr(getattr(player(name, game), "parts", None), "evaluator", None)
        if judge is None:
            raise LudusError(f"{name} can't be looked through; value names a player file that judges positions")
        return judge
    return evaluator(name, game)


def _greedy(text: str, game: Game, arguments: str) -> CompiledPlayer:
    chosen = settings("greedy", arguments, (VALUE, TIES))
    parts = Greedy(chosen_evaluator(chosen["value"], game), chosen["ties"] == "random")
    return CompiledPlayer(text, game, parts)


def _named(text: str, game: Game, arguments: str) -> CompiledPlayer:
    settings(text, arguments, ())
    return CompiledPlayer(text, game, Greedy(evaluator(text.partition(":")[0], game)))


def _weights(text: str, game: Game, arguments: str) -> CompiledPlayer:
    seed = settings("weights", arguments, (SEED,))["seed"]
    return CompiledPlayer(text, game, Greedy(random_weights(game, seed)))


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Greedy:
    weights = arrays.get("weights")
    if weights is None or weights.shape != (game.squares,) or weights.dtype != np.float64:
        raise ValueError(f"it needs an array 'weights' of {game.squares} float64")
    return Greedy(PieceCounter(np.ascontiguousarray(weights)))


PLAYERS = (
    PlayerKind(
        "greedy", "one move ahead by a chosen evaluator, ties by lot", "greedy:value=mobility", _greedy,
        options=(VALUE, TIES),
    ),
    PlayerKind("heuristic", "8x8 Othello: one move ahead by the standard weights", "heuristic", _named),
    PlayerKind("positional", "8x8 Othello: one move ahead by Iago-like weights", "positional", _named),
    PlayerKind("jain2018", "6x6 Othello: one move ahead by that paper's weights", "jain2018", _named),
    PlayerKind("discs", "Othello: the move with the most discs", "discs", _named),
    PlayerKind(
        "mobility", "Othello: the move that leaves it the most moves, the opponent the fewest", "mobility", _named
    ),
    PlayerKind("pieces", "checkers: one move ahead by men and kings", "pieces", _named),
    PlayerKind(
        "weights", "one move ahead by random weights of the squares", "weights:seed=7", _weights, _loaded, (SEED,)
    ),
)  # fmt: skip
