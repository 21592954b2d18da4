"""Whole games between two compiled players, many in one call of a kernel."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import inlined, keep_alive, kernel, without_refcount
from ludus.compile.rng import Rng, key, randint, seek
from ludus.games import protocol
from ludus.games.game import Game
from ludus.players.protocol import Moves, choose, with_fresh_memory

NO_OPENINGS = np.empty((0, 0), np.int64)
NO_MOVES = np.empty((0, 0), np.int64)


class Schedule(NamedTuple):
    """Which games are played: those from number `begin` on. Games 2k and 2k + 1 share their opening."""

    begin: int
    keys: NDArray[np.uint64]  # [2] those of the random streams for openings and for games
    openings: NDArray[np.int64] = NO_OPENINGS  # [openings, moves], gone through in turn
    plies: int = 0  # if there are no openings, how many random moves open a game
    swaps: bool = True  # whether the players change colours from one game to the next


class GameResults(NamedTuple):
    """Where the results of games are written."""

    scores: NDArray[np.float64]  # [games] of player a: 1.0, 0.5, 0.0
    lengths: NDArray[np.int64]  # [games] moves made, those of the opening included
    moves: NDArray[np.int64] = NO_MOVES  # [games, most moves], or empty if nobody asks for the moves


class Tally(NamedTuple):
    """How some games ended for the player who moved first."""

    games: int
    moves: int
    wins: int
    draws: int
    losses: int


def play_out(game: Game, first: Any, second: Any, games: int, seed: int = 1) -> Tally:
    """Play `games` games from the start, `first` always moving first; both are what `choose` has a body for."""
    results = GameResults(np.empty(games), np.empty(games, np.int64))
    keys = np.array([0, key(seed, "playout")], np.uint64)
    play_games(game.rules, first, second, Schedule(0, keys, swaps=False), results)
    wins, draws = int(np.sum(results.scores == 1)), int(np.sum(results.scores == 0.5))
    return Tally(games, int(np.sum(results.lengths)), wins, draws, games - wins - draws)


@kernel
def play_games(game: Any, a: Any, b: Any, schedule: Schedule, results: GameResults) -> None:
    """Play a schedule of games between players a and b, as many as there is room for results."""
    openings, plies, keys, swaps = schedule.openings, schedule.plies, schedule.keys, schedule.swaps
    scores, lengths, record = results.scores, results.lengths, results.moves
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    game, a, b = without_refcount(game), without_refcount(a), without_refcount(b)
    for i in range(len(scores)):
        index = schedule.begin + i
        pair = index // 2
        a_moves = 1 if swaps and index % 2 == 1 else 0
        opening = len(openings[0]) if len(openings) > 0 else plies
        seek(rng, keys[0], pair)
        owners = protocol.initial(game), with_fresh_memory(a, game), with_fresh_memory(b, game)
        state, one, other = without_refcount(owners)
        length = 0
        while True:
            n = protocol.legal_moves(game, state, moves)
            if n == 0:
                break
            if length < opening:
                if len(openings) > 0:
                    move = openings[pair % len(openings), length]
                else:
                    move = moves[randint(rng, n)]
            else:
                if length == opening:
                    seek(rng, keys[1], index)
                if protocol.current_player(game, state) == a_moves:
                    move = choose(one, game, state, moves, n, rng)
                else:
                    move = choose(other, game, state, moves, n, rng)
            if len(record) > 0:
                record[i, length] = move
            state = protocol.play(game, state, move)
            length += 1
        outcome = protocol.outcome(game, state)
        scores[i] = outcome if a_moves == 0 else 1.0 - outcome
        lengths[i] = length
        keep_alive(owners)


@inlined
def play_through(game: Any, a: Any, b: Any, a_moves: int, moves: Moves, rng: Rng):
    """One game from the start between players a, who is side `a_moves`, and b: the score of a."""
    owners = protocol.initial(game), with_fresh_memory(a, game), with_fresh_memory(b, game)
    state, a, b = without_refcount(owners)
    n = protocol.legal_moves(game, state, moves)
    while n > 0:
        if protocol.current_player(game, state) == a_moves:
            move = choose(a, game, state, moves, n, rng)
        else:
            move = choose(b, game, state, moves, n, rng)
        state = protocol.play(game, state, move)
        n = protocol.legal_moves(game, state, moves)
    outcome = protocol.outcome(game, state)
    keep_alive(owners)
    return outcome if a_moves == 0 else 1.0 - outcome
