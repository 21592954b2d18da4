"""What every game must hold to, in every variant that the registry knows."""

import random
import string

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ludus
from ludus.games.game import Game, Position
from tests.effort import EFFORT

VARIANTS = [game for game in ludus.variants() if game.family.name != "go" or game.size in (2, 3, 5, 9, 19)]
VARIANTS += [ludus.game("go5:ko=simple"), ludus.game("go7:komi=0,rules=abramson2001"), ludus.game("checkers:moves=30")]

every_game = pytest.mark.parametrize("game", VARIANTS, ids=str)


def random_positions(game: Game, seed: int, games: int = 3) -> list[Position]:
    """All positions of some random games that seldom pass."""
    choice, found = random.Random(f"{game} {seed}"), []
    for _ in range(games):
        position = game.start()
        while not position.over:
            found.append(position)
            moves = position.moves
            position = position.play(choice.choice([m for m in moves if m != "pass"] or moves))
        found.append(position)
    return found


def signature(position: Position) -> tuple[list[str], bytes, int, float, float | None]:
    return position.moves, position.cells.tobytes(), position.mover, position.margin, position.outcome


@every_game
def test_published_counts(game: Game) -> None:
    for depth, nodes in enumerate(game.family.perft.get(game.name, ()), 1):
        assert ludus.perft(game.start(), depth) == nodes


@every_game
def test_its_name_finds_it(game: Game) -> None:
    assert ludus.game(game.name) == game
    assert ludus.game(game.name.upper()) == game


@every_game
def test_text_of_a_position_parses_back(game: Game) -> None:
    for position in random_positions(game, 1):
        again = game.position(position.text)
        assert signature(again) == signature(position), position.text
        assert again.text == position.text
        assert again == position
        assert hash(again) == hash(position)


@every_game
def test_a_move_changes_only_what_it_returns(game: Game) -> None:
    positions = random_positions(game, 2, games=1)
    for position in positions[:: len(positions) // 15 + 1]:
        before = signature(position)
        for move in position.moves:
            after = position.play(move)
            assert signature(position.play(move)) == signature(after)
            if not after.over:  # playing on must not reach back either
                after.play(after.moves[-1])
        assert signature(Position(game, position.state)) == before, position.text


@every_game
def test_symmetries_keep_the_rules(game: Game) -> None:
    """The positions after each move are the same whether one mirrors before the move or after it."""
    choice = random.Random(str(game))
    table = game.symmetries
    assert all(sorted(row) == list(range(game.squares)) for row in table.tolist())
    assert len({tuple(row) for row in table.tolist()}) == len(table)
    positions = random_positions(game, 3)
    for position in choice.sample(positions, min(len(positions), 20 * EFFORT)):
        symmetry = choice.randrange(len(table))
        mirror = position.mirrored(symmetry)
        before = sorted(after.mirrored(symmetry).cells.tobytes() for after in map(position.play, position.moves))
        after = sorted(after.cells.tobytes() for after in map(mirror.play, mirror.moves))
        assert before == after, (position.text, symmetry)
        swapped = game.family.swaps(symmetry)
        assert mirror.mover == (1 - position.mover if swapped else position.mover)
        # komi belongs to White, so margins can be compared without it only where sides stay
        assert mirror.margin == (-position.margin if swapped else position.margin)


@every_game
def test_illegal_and_malformed_moves_are_refused(game: Game) -> None:
    for position in random_positions(game, 4, games=1)[-8:]:
        before = signature(position)
        for text in ["", " ", "z99", "a0", "A0", "1-", "11x", "resign", "99-98", "９９", "passs", "0", "a1 a2"]:
            with pytest.raises(ludus.LudusError, match=r"not|can't"):
                position.play(text)
        for number in (-1, 10**6, 2**62):
            with pytest.raises(ludus.LudusError, match="not legal"):
                position.play(number)
        assert signature(position) == before
        if position.over:
            with pytest.raises(ludus.LudusError, match="over"):
                position.play("11-15" if game.family.name == "checkers" else "pass")


@every_game
@settings(max_examples=300 * EFFORT, deadline=None)
@given(data=st.data())
def test_whatever_is_accepted_as_a_position_is_one(game: Game, data: st.DataObject) -> None:
    """Damaged texts raise the documented error, or are positions that round-trip and can be played on."""
    text = list(data.draw(st.sampled_from(_texts(game))))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        letter = data.draw(st.sampled_from("XO.-*/:,=BWKF 0123456789" + string.ascii_letters + "\n\0é"))
        kind = data.draw(st.sampled_from(["insert", "replace", "delete"]))
        text[place : place + (kind != "insert")] = [] if kind == "delete" else [letter]
    _check_text(game, "".join(text))


@every_game
@settings(max_examples=100, deadline=None)
@given(text=st.text())
@example("X")
@example("B:W:B")
@example("W:W1:B32")
def test_any_text_is_a_position_or_an_error(game: Game, text: str) -> None:
    _check_text(game, text)


_known_texts: dict[str, list[str]] = {}


def _texts(game: Game) -> list[str]:
    if game.name not in _known_texts:
        _known_texts[game.name] = [position.text for position in random_positions(game, 5, games=2)][::5]
    return _known_texts[game.name]


def _check_text(game: Game, text: str) -> None:
    try:
        position = game.position(text)
    except ludus.LudusError:
        return
    assert signature(game.position(position.text)) == signature(position)
    for move in position.moves[:3]:
        assert np.any(position.play(move).cells != position.cells) or move == "pass"
