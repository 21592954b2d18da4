"""Games from a given position between two compiled players, counted by how much of the board is won or lost."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import keep_alive, kernel, without_refcount
from ludus.compile.rng import Rng, seek
from ludus.games import protocol
from ludus.games.protocol import Moves
from ludus.players.protocol import choose, with_fresh_memory


class Series(NamedTuple):
    """Games from one position: who is which side, how they are counted, and their random streams."""

    side: int  # of the player: 0 first, 1 second, 2 both in turn
    max_margin: float  # the lead that counts as the whole board
    key: np.uint64  # of the random stream
    begin: int = 0  # the number of the first game


# each so much work that a call costs nothing beside it, while compiling them into every caller would take long


@kernel
def list_moves(game: Any, state: Any, moves: Moves) -> Any:
    """Write the legal moves and return how many there are."""
    return protocol.legal_moves(game, state, moves)


@kernel
def after_move(game: Any, state: Any, move: int) -> Any:
    """The position after a move."""
    return protocol.play(game, state, move)


@kernel
def choose_move(player: Any, game: Any, state: Any, moves: Moves, n: int, rng: Rng) -> Any:
    """The move that a player makes."""
    return choose(player, game, state, moves, n, rng)


@kernel
def play_from(game: Any, start: Any, player: Any, opponent: Any, series: Series, lost: NDArray[np.float64]) -> None:
    """Play from `start`, as many games as `lost` [games] has room for; write the part of the board lost in each."""
    game, player, opponent = without_refcount(game), without_refcount(player), without_refcount(opponent)
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    for i in range(len(lost)):
        index = series.begin + i
        seek(rng, series.key, index)
        ours = index % 2 if series.side == 2 else series.side
        owners = protocol.copy_state(game, start), with_fresh_memory(player, game), with_fresh_memory(opponent, game)
        state, one, other = without_refcount(owners)
        while True:
            n = list_moves(game, state, moves)
            if n == 0:
                break
            if protocol.current_player(game, state) == ours:
                move = choose_move(one, game, state, moves, n, rng)
            else:
                move = choose_move(other, game, state, moves, n, rng)
            state = after_move(game, state, move)
        lead = protocol.margin(game, state) / series.max_margin
        lost[i] = lead if ours == 1 else -lead
        keep_alive(owners)
