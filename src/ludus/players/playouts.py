"""Whole games between two compiled players, many in one call of a kernel."""

from typing import Any, NamedTuple

import numpy as np

from ludus import vocabulary as words
from ludus.dice import below, key, throw
from ludus.games.game import Game
from ludus.kernels import kernel

NO_OPENINGS = np.empty((0, 0), np.int64)
UNRECORDED = np.empty((0, 0), np.int64)


class Tally(NamedTuple):
    """What came of some games, for the player who moved first."""

    games: int
    moves: int
    wins: int
    draws: int
    losses: int


def play_out(game: Game, first: Any, second: Any, games: int, seed: int = 1) -> Tally:
    """Play `games` games from the start, `first` always moving first; both are what `choose` has a body for."""
    scores, lengths = np.empty(games), np.empty(games, np.int64)
    keys = np.array([0, key(seed, "playout")], np.uint64)
    play_games(game.rules, first, second, False, NO_OPENINGS, 0, keys, 0, scores, lengths, UNRECORDED)
    wins, draws = int(np.sum(scores == 1)), int(np.sum(scores == 0.5))
    return Tally(games, int(np.sum(lengths)), wins, draws, games - wins - draws)


@kernel
def play_games(game, a, b, swaps, openings, plies, keys, begin, scores, lengths, record):
    """Play the games from number `begin` on, as many as `scores` has room for.

    scores   [games] for player a: 1.0, 0.5, 0.0
    lengths  [games] moves made, those of the opening included
    record   [games, room for moves], or empty if nobody asks for the moves
    keys     of the random streams for openings and for games
    swaps    whether a and b change colours from one game to the next; the two games of a pair share their opening
    openings [openings, moves], gone through in turn; if there are none, `plies` random moves
    """
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    for i in range(len(scores)):
        index = begin + i
        pair = index // 2
        a_moves = 1 if swaps and index % 2 == 1 else 0
        opening = len(openings[0]) if len(openings) > 0 else plies
        throw(dice, keys[0], pair)
        state, length = words.initial(game), 0
        one, other = words.seated(a, game), words.seated(b, game)
        while True:
            n = words.moves(game, state, moves)
            if n == 0:
                break
            if length < opening:
                if len(openings) > 0:
                    move = openings[pair % len(openings), length]
                else:
                    move = moves[below(dice, n)]
            else:
                if length == opening:
                    throw(dice, keys[1], index)
                if words.mover(game, state) == a_moves:
                    move = words.choose(one, game, state, moves, n, dice)
                else:
                    move = words.choose(other, game, state, moves, n, dice)
            if len(record) > 0:
                record[i, length] = move
            state = words.play(game, state, move)
            length += 1
        outcome = words.outcome(game, state)
        scores[i] = outcome if a_moves == 0 else 1.0 - outcome
        lengths[i] = length
