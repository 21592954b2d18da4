"""Wally against its slow, obvious twin, by its rules one at a time, and in whole games."""

import random

import numpy as np
import pytest

import ludus
from ludus.compile.jit import kernel
from ludus.compile.rng import stream
from ludus.games import protocol
from ludus.play.games import play_out
from ludus.players.base import CompiledPlayer
from ludus.players.influence import Influence
from ludus.players.names import player
from ludus.players.protocol import choose
from ludus.players.random import Random
from ludus.players.wally import Wally
from tests.effort import EFFORT, nightly
from tests.naive.go import NaiveGo
from tests.naive.wally import candidates


@kernel
def throw_often(player, game, state, moves, rng, times, out):
    n = protocol.legal_moves(game, state, moves)
    for _ in range(times):
        out[choose(player, game, state, moves, n, rng)] += 1


VARIANTS = [("millen", 2, False), ("abramson2001", 0, False), ("millen", 1, True), ("abramson2001", 2, False)]


def choices(position: ludus.Position, source: str = "millen", defends: int = 2, edge: bool = False) -> set[str]:
    """The moves that Wally makes when it is asked very often."""
    counts = np.zeros(position.game.squares + 1, np.int64)
    room, rng = np.empty(position.game.max_legal_moves, np.int64), stream(1, "test")
    wally = Wally(attacks=source == "millen", defended=defends, edge=edge)
    throw_often(wally, position.game.rules, position.state, room, rng, 30 * len(position.legal_moves), counts)
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
    rng = random.Random(name)
    for i in range(games * EFFORT):
        ours, theirs, wild = ludus.game(name).start(), twin.start(), i % games / games
        variant = VARIANTS[i % len(VARIANTS)]
        while not ours.over:
            wanted = choices(ours, *variant)
            if len(theirs.history) % every == i % every:
                assert wanted == candidates(twin, theirs, *variant), ours.text
            move = rng.choice(ours.legal_moves if rng.random() < wild else sorted(wanted))
            ours, theirs = ours.play(move), twin.play(theirs, move)


LISTED = [
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


MILLEN = [
    ("OX.../...../..O../.OXO./..... X", "A4"),  # a capture before all else
    ("......./...O.../..OXO../......./..X.X../...O.../....... X", "D4"),  # saves the stone in atari; then the pattern
    ("......./..OXO../...O.../......./..X.X../...O.../....... X", "D3"),  # not by a stone on the edge line
    ("......./......./..X.X../...O.../......./......./O...... X", "D5"),  # the pattern rather than the corner
    ("......./......./...O.../..OX.../......./......./O...... X", "A2 B1"),  # attacks two liberties, then saves its own
    ("......./......./...O.../..OX.../......./......./....... X", "D3 E4"),
    ("......./......./...O.../......./.X...../......./...O... X", "C1 D2 E1"),  # the fewest liberties
    (".../.../... X", "A1 A2 A3 B1 B2 B3 C1 C2 C3"),  # nothing to do
]


@pytest.mark.parametrize(
    ("source", "text", "wanted"),
    [*(("millen", *each) for each in MILLEN), *(("abramson2001", *each) for each in LISTED)],
)
def test_rules(source: str, text: str, wanted: str) -> None:
    position = ludus.game(f"go{text.index('/')}").position(text)
    defends = 2 if source == "millen" else 0
    assert choices(position, source, defends) == set(wanted.split())


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("wally", (True, 2, False)),
        ("wally:defends=no,edge=yes", (True, 0, True)),
        ("wally:source=abramson2001", (False, 0, False)),
        ("wally:source=abramson2001,defends=yes", (False, 1, False)),
    ],
)
def test_player_strings(text: str, fields: tuple[bool, int, bool]) -> None:
    named = player(text, ludus.game("go5"))
    assert isinstance(named, CompiledPlayer)
    assert named.parts[1:] == fields


@kernel
def whole_game(game, first, second, moves, rng):
    """The plies of a game; -1 if a player made an illegal move or passed though it could do otherwise."""
    state = protocol.initial(game)
    while True:
        n = protocol.legal_moves(game, state, moves)
        if n == 0:
            return state.ply
        if protocol.current_player(game, state) == 0:
            move = choose(first, game, state, moves, n, rng)
        else:
            move = choose(second, game, state, moves, n, rng)
        if move not in moves[:n] or (move == game.size * game.size and n > 1):
            return -1
        state = protocol.play(game, state, move)


# each number of words that boards take is compiled by itself, so every commit is tested without four and five
@pytest.mark.parametrize("size", [*range(2, 12), *nightly(*range(12, 20))])
def test_wally_and_influence_play_whole_games(size: int) -> None:
    for rules in ("area", "abramson2001"):
        game = ludus.game(f"go{size}:rules={rules}")
        for seed in range(3):
            room, rng = np.empty(game.max_legal_moves, np.int64), stream(seed, "test")
            assert whole_game(game.rules, Wally(), Influence(), room, rng) > 0


@pytest.mark.parametrize("size", [5, 7])
def test_beats_the_random_player(size: int) -> None:
    game = ludus.game(f"go{size}:komi=0")
    assert play_out(game, Wally(), Random(), 500).wins > 350
    assert play_out(game, Random(), Wally(), 500).losses > 350


def test_wally_says_why() -> None:
    position = ludus.game("go5").position("...../..O../.OX../..O../..... O")
    found = ludus.explain("wally", position)
    assert [each.move for each in found.moves if each.value] == ["D3"]
    assert found.sentence == "It captures one stone: captures come first."
    start = ludus.explain("wally", ludus.game("go5").start())
    assert start.moves[0].description == "there is nothing to do on its list"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("wally", "(captures, saves its stones, plays a pattern, attacks)"),
        ("wally:defends=no", "(captures, plays a pattern, attacks)"),
        ("wally:source=abramson2001", "(captures, attacks, plays a pattern)"),
    ],
)
def test_wally_tells_its_list(text: str, order: str) -> None:
    assert order in ludus.explain(text, ludus.game("go5").start()).description
