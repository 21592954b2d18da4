"""Greedy players: they look one move ahead and make the move after which the position is worth most, ties by lot."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.generic import implements
from ludus.compile.jit import kernel, without_refcount
from ludus.compile.rng import randint, stream, uniform
from ludus.errors import InvalidSetting
from ludus.evaluators.base import evaluator
from ludus.evaluators.pictures import boards
from ludus.evaluators.piece_counter import PieceCounter
from ludus.evaluators.protocol import with_own_memory
from ludus.games import protocol
from ludus.games.game import Game, Option, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.endings import WIN, one_ply_value
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.names import player, settings
from ludus.players.protocol import Moves, choose, with_fresh_memory
from ludus.players.search.alphabeta import EXTENSIONS, Search
from ludus.players.shipped import shipped
from ludus.registry import evaluators
from ludus.storage import present


class Greedy(NamedTuple):
    evaluator: Any
    random_ties: bool = True


@implements(with_fresh_memory, Greedy)
def _(player, game):
    return Greedy(with_own_memory(player.evaluator), player.random_ties)


@implements(choose, Greedy)
def _(player, game, state, moves, n, rng):
    best, pick, ties = -np.inf, moves[0], 1
    evaluator = without_refcount(player.evaluator)
    for i in range(n):
        value = one_ply_value(evaluator, game, state, moves[i])
        if value > best:
            best, pick, ties = value, moves[i], 1
        elif value == best and player.random_ties:
            ties += 1
            if randint(rng, ties) == 0:
                pick = moves[i]
    return pick


@kernel
def _one_ply_values(evaluator: Any, game: Any, state: Any, moves: Moves, out):
    evaluator = with_own_memory(evaluator)
    for i in range(len(moves)):
        out[i] = one_ply_value(evaluator, game, protocol.copy_state(game, state), moves[i])


@explains(Greedy)
def _explained(player: Greedy, position: Position) -> Explanation:
    moves, values = np.array(list(position.legal.values()), np.int64), np.empty(len(position.legal))
    _one_ply_values(player.evaluator, position.game.rules, position.state, moves, values)
    ends = "; a won game counts a billion" if np.any(np.abs(values) >= WIN / 2) else ""
    return Explanation(
        "It makes the move after which it likes the position best.",
        f"what the move gains, up to a constant{ends}",
        ranked(dict(zip(position.legal, values.tolist(), strict=True))),
        boards=boards(player.evaluator, position),
    )


def random_weights(game: Game, seed: int) -> PieceCounter:
    """Weights drawn uniformly from -1 to 1."""
    rng = stream(seed, "random weights")
    return PieceCounter(np.array([2 * uniform(rng) - 1 for _ in range(game.squares)]))


VALUE = Option(
    "value",
    "usual",
    "the evaluator (`ludus players`), or a player that evaluates positions: its file, or ntuples:othello8",
)
SEED = Option("seed", 1, "which weights", low=0, high=2**53)
TIES = Option("ties", "random", "among equal moves, one by lot or the first", ("random", "first"))


def chosen_evaluator(name: str, game: Game) -> Any:
    """The evaluator that a player string asks for."""
    if name == "usual":
        return evaluator("usual", game)
    kind, _, rest = name.partition(":")
    if rest in shipped(kind) or (name not in evaluators() and present(Path(name)) and Path(name).is_file()):
        found = getattr(getattr(player(name, game), "parts", None), "evaluator", None)
        if found is None:
            raise InvalidSetting(f"{name} has no evaluator; value= takes the file of a player that evaluates positions")
        return found
    return evaluator(name, game)


def one_move_ahead(evaluator: Any, chosen: Mapping[str, Any]) -> Greedy | Search:
    """Who looks one move ahead, and on while captures are forced if `extend` is chosen."""
    extend = chosen.get("extend", "no")
    if extend not in ("no", "captures"):
        raise ValueError("its setting 'extend' is neither 'no' nor 'captures'")
    return Greedy(evaluator) if extend == "no" else Search(evaluator, 1, 0, True, True, EXTENSIONS.index(extend))


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


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Greedy | Search:
    weights = arrays.get("weights")
    if weights is None or weights.shape != (game.squares,) or weights.dtype != np.float64:
        raise ValueError(f"it needs an array 'weights' of {game.squares} float64")
    return one_move_ahead(PieceCounter(np.ascontiguousarray(weights)), chosen)


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
        "weights", "one move ahead by random weights of the squares", "weights:seed=7", _weights, _loaded, (SEED,),
        learned_description="one move ahead by learned weights of the squares",
    ),
)  # fmt: skip
