"""Wally against its slow, obvious twin, by its rules one at a time, and in whole games."""

import random

import numpy as np
import pytest

import ludus
from ludus import vocabulary as words
from ludus.dice import stream
from ludus.kernels import kernel
from ludus.players.influence import Influence
from ludus.players.playouts import play_out
from ludus.players.random import Random
from ludus.players.wally import Wally
from tests.effort import EFFORT
from tests.naive.go import NaiveGo
from tests.naive.wally import candidates


@kernel
def throw_often(player, game, state, moves, dice, times, out):
    n = words.moves(game, state, moves)
    for _ in range(times):
        out[words.choose(player, game, state, moves, n, dice)] += 1


def choices(position: ludus.Position) -> set[str]:
    """The moves that Wally makes when it is asked very often."""
    counts = np.zeros(position.game.squares + 1, np.int64)
    room, dice = np.empty(position.game.width, np.int64), stream(1, "test")
    throw_often(Wally(), position.game.rules, position.state, room, dice, 30 * len(position.moves), counts)
    return {move for move, number in position.legal.items() if counts[number]}


TWINS = [
    ("go5", NaiveGo(5), 10, 3),
    ("go5:ko=simple", NaiveGo(5, ko="simple"), 5, 3),
    ("go5:rules=abramson2001", NaiveGo(5, restricted=True), 10, 2),
    ("go7", NaiveGo(7), 4, 5),
    ("go7:rules=abramson2001", NaiveGo(7, restricted=True), 4, 3),
    ("go9", NaiveGo(9), 2, 10),
]


@pytest.mark.parametrize(("name", "twin", "games", "every"), TWINS, ids=[name for name, *_ in TWINS])
def test_same_choices_as_the_twin(name: str, twin: NaiveGo, games: int, every: int) -> None:
    """Over games of which some moves are random and some are Wally's, so that quiet positions come about, too."""
    dice = random.Random(name)
    for i in range(games * EFFORT):
        ours, theirs, wild = ludus.game(name).start(), twin.start(), i % games / games
        while not ours.over:
            wanted = choices(ours)
            if len(theirs.history) % every == i % every:
                assert wanted == candidates(twin, theirs), ours.text
            move = dice.choice(ours.moves if dice.random() < wild else sorted(wanted))
            ours, theirs = ours.play(move), twin.play(theirs, move)


RULES = [
    ("XO.../...../...../OOO../XX.O. O", "C1"),  # two stones rather than one
    ("XO.../...../...../OO.../X.... O", "A4 B1"),  # captures of the same size
    ("OO.../X..../...../...../....O X", "B4 C5"),  # no capture: two stones in atari rather than one
    ("..O/.O./O.O X", "A2 A3 B3"),  # every atari would itself be in atari, so any move
    ("......./......./..X.X../...O.../......./......./....... X", "D5"),  # the patterns in their order
    ("......./......./..X..../...OX../......./......./....... X", "D5"),
    ("......./...O.../..XOX../......./......./......./....... X", "D4"),
    ("......./......./..X..X./...O.../......./......./....... X", "D5"),
    ("......./......./.X...X./...O.../......./......./....... X", "D5"),
    ("......./......./..XO.../.X...../......./......./....... X", "D4"),
    ("......./......./.X.X.../...O.../......./......./....... X", "C4"),
    ("......./..O..../.X.X.../......./.X...X./...O.../....... X", "C5"),  # the more urgent of two
    ("......./..X..../...O.../..X..X./...O.../..X..../....... X", "C3 C5"),  # one pattern, two ways
    (".../.X./... O", "A1 A2 A3 B1 B3 C1 C2 C3"),  # nothing to do
    (".XX/XXX/XX. X", "A3 C1"),  # fills its own eyes
    (".XX/XXX/XX. O", "pass"),
]


@pytest.mark.parametrize(("text", "wanted"), RULES)
def test_rules(text: str, wanted: str) -> None:
    position = ludus.game(f"go{text.index('/')}").position(text)
    assert choices(position) == set(wanted.split())


@kernel
def whole_game(game, first, second, moves, dice):
    """The plies of a game; -1 if a player made an illegal move or passed though it could do otherwise."""
    state = words.initial(game)
    while True:
        n = words.moves(game, state, moves)
        if n == 0:
            return state.ply
        if words.mover(game, state) == 0:
            move = words.choose(first, game, state, moves, n, dice)
        else:
            move = words.choose(second, game, state, moves, n, dice)
        if move not in moves[:n] or (move == game.size * game.size and n > 1):
            return -1
        state = words.play(game, state, move)


# each number of words that boards take is compiled by itself, so every commit is tested without four and five
@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18, 19] if EFFORT == 1 else range(2, 20))
def test_wally_and_influence_play_whole_games(size: int) -> None:
    for rules in ("area", "abramson2001"):
        game = ludus.game(f"go{size}:rules={rules}")
        for seed in range(3):
            room, dice = np.empty(game.width, np.int64), stream(seed, "test")
            assert whole_game(game.rules, Wally(), Influence(), room, dice) > 0


@pytest.mark.parametrize("size", [5, 7])
def test_beats_the_random_player(size: int) -> None:
    game = ludus.game(f"go{size}:komi=0")
    assert play_out(game, Wally(), Random(), 500).wins > 350
    assert play_out(game, Random(), Wally(), 500).losses > 350
