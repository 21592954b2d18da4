"""Players that go by a fixed ranking of moves: of the legal ones they make the first in it, whatever the position.

They are a control. A player whose choices depend on the position should be stronger than the ranking that comes closest
to it, which `ludus dependence` finds. Moves are ranked as actions of the game (see `protocol.action`): in Othello and
Go these are squares, and the pass; where the second player sees the board turned round, so are its actions.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.generic import implements
from ludus.compile.jit import kernel
from ludus.errors import InvalidSetting
from ludus.evaluators.pictures import Board
from ludus.games import protocol
from ludus.games.game import Game, Position
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.files import save_player
from ludus.players.protocol import Moves, choose


class Ranking(NamedTuple):
    values: NDArray[np.float64]  # [actions] the highest goes first


@implements(choose, Ranking)
def _(player, game, state, moves, n, rng):
    best, pick = -np.inf, moves[0]
    for i in range(n):
        action = protocol.action(game, state, moves[i])
        if action >= 0 and player.values[action] > best:  # of equal ones the first, as policy networks do
            best, pick = player.values[action], moves[i]
    return pick


def action_names(game: Game) -> list[str]:
    """The name of each action."""
    return [game.type.action_text(game.rules, action) for action in range(game.type.actions(game.rules))]


def by_squares(game: Game) -> bool:
    """Whether actions are the squares, and perhaps a pass behind them."""
    names = action_names(game)
    squares = [game.type.square_name(game.rules, square) for square in range(game.squares)]
    return names in (squares, [*squares, "pass"])


def nan_last(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """These values, with those that are nan below all others."""
    known = values[np.isfinite(values)]
    return np.where(np.isfinite(values), values, known.min(initial=0.0) - 1.0)


def ranking_player(game: Game, values: NDArray[np.float64], name: str) -> CompiledPlayer:
    """The player that goes by these values [actions]; those that are nan come last."""
    return CompiledPlayer(name, game, Ranking(nan_last(values)))


def save_ranking(path: Path, given: CompiledPlayer, provenance: Mapping[str, Any] | None = None) -> None:
    """Write a ranking as a player file."""
    save_player(path, "ranking", given.game, {"values": given.parts.values}, provenance=provenance)


@kernel
def _values(player, game, state, moves: Moves, out):
    """Write the value of each of these legal moves [moves]; a forced pass has none, so 0."""
    for i in range(len(moves)):
        action = protocol.action(game, state, moves[i])
        out[i] = player.values[action] if action >= 0 else 0.0


@explains(Ranking)
def _explained(player: Ranking, position: Position) -> Explanation:
    game, moves = position.game, np.array(list(position.legal.values()), np.int64)
    values = np.empty(len(moves))
    _values(player, game.rules, position.state, moves, values)
    boards: tuple[Board, ...] = ()
    if by_squares(game):
        boards = (Board("ranking", tuple(player.values[: game.squares].tolist()), "the value of each square"),)
    return Explanation(
        "It goes by a fixed ranking of moves, whatever the position.",
        "what the move has in the ranking",
        ranked(dict(zip(position.legal, values.tolist(), strict=True))),
        boards=boards,
    )


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    names = action_names(game)
    wanted = [each.strip() for each in arguments.split(",")]
    unknown = [each for each in wanted if each not in names]
    if unknown or len(set(wanted)) < len(wanted):
        raise InvalidSetting(
            f"invalid ranking {text!r}: write the moves that go first in their order, as "
            f"ranking:{','.join(names[:2])}; {f'{unknown[0]!r} is none' if unknown else 'one is named twice'}"
        )
    values = np.zeros(len(names))  # whatever is not named comes after
    values[[names.index(each) for each in wanted]] = np.arange(len(wanted), 0, -1)
    return CompiledPlayer(text, game, Ranking(values))


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Ranking:
    values, count = arrays["values"], game.type.actions(game.rules)
    if values.shape != (count,) or values.dtype != np.float64:
        raise ValueError(f"it needs an array 'values' of {count} float64")
    return Ranking(values)


PLAYERS = (
    PlayerKind(
        "ranking",
        "the first legal move of a fixed ranking, whatever the position",
        "ranking:a1,h1,a8,h8",
        _make,
        _loaded,
    ),
)
