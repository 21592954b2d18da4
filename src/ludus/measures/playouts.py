"""Whole games between two compiled players, many in one call of a kernel."""

from typing import Any, NamedTuple

import numpy as np

from ludus import vocabulary as words
from ludus.dice import key, stream, throw
from ludus.games.game import Game, Position
from ludus.kernels import kernel
from ludus.players.random import Random


class Tally(NamedTuple):
    """What came of some games, for the player who moved first."""

    games: int
    moves: int
    wins: int
    draws: int
    losses: int


def play_out(game: Game, first: Any, second: Any, games: int, seed: int = 1) -> Tally:
    """Play `games` games, `first` always moving first. Game i throws the dice of index i, whatever else is played."""
    counts = np.zeros(4, np.int64)
    _play_out(game.rules, first, second, key(seed, "playout"), games, counts)
    moves, wins, draws, losses = (int(count) for count in counts)
    return Tally(games, moves, wins, draws, losses)


def random_game(game: Game, seed: int = 1) -> tuple[list[str], Position]:
    """The moves and the last position of one random game: the first that `play_out` plays with that seed."""
    room, dice = np.empty(game.width, np.int64), stream(seed, "playout")
    moves, position = [], game.start()
    while not position.over:
        move = int(_chosen(Random(), game.rules, position.state, room, dice))
        moves.append(game.family.move_text(game.rules, position.state, move))
        position = position.play(move)
    return moves, position


@kernel
def _play_out(game, first, second, seed, games, counts):
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    for index in range(games):
        throw(dice, seed, index)
        state = words.initial(game)
        while True:
            n = words.moves(game, state, moves)
            if n == 0:
                break
            if words.mover(game, state) == 0:
                move = words.choose(first, game, state, moves, n, dice)
            else:
                move = words.choose(second, game, state, moves, n, dice)
            state = words.play(game, state, move)
            counts[0] += 1
        outcome = words.outcome(game, state)
        counts[1 if outcome == 1.0 else (2 if outcome == 0.5 else 3)] += 1


@kernel
def _chosen(player, game, state, moves, dice):
    return words.choose(player, game, state, moves, words.moves(game, state, moves), dice)
