"""What is particular to Go: captures, ko, scoring, and the number of legal positions."""

import numpy as np
import pytest

import ludus
from ludus.compile.bitboards import any_set, difference, union
from ludus.compile.jit import kernel
from ludus.games.go_rules import without_liberty


def play(name: str, moves: str) -> ludus.Position:
    position = ludus.game(name).start()
    for move in moves.split():
        position = position.play(move)
    return position


def board(position: ludus.Position) -> str:
    return position.text.split()[0]


@kernel
def count_legal(game):
    """How many of all ways to fill the board leave every group a liberty."""
    points = game.size * game.size
    digits, legal = np.zeros(points, np.int64), 0
    black, white = np.uint64(0), np.uint64(0)
    while True:
        if not any_set(without_liberty(game, (black,), difference(game.board, union((black,), (white,))))):
            legal += not any_set(without_liberty(game, (white,), difference(game.board, union((black,), (white,)))))
        i = 0
        while i < points and digits[i] == 2:
            digits[i] = 0
            white &= ~(np.uint64(1) << np.uint64(i))
            i += 1
        if i == points:
            return legal
        digits[i] += 1
        bit = np.uint64(1) << np.uint64(i)
        if digits[i] == 1:
            black |= bit
        else:
            black &= ~bit
            white |= bit


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12675), (4, 24318165)])
def test_number_of_legal_positions(size: int, legal: int) -> None:
    assert count_legal(ludus.game(f"go{size}").rules) == legal


CAPTURES = [
    ("go3", "A1 A2 C3 B1", "..X/O../.O."),  # a stone in the corner
    ("go3", "B1 B2 A2 pass C2 pass B3", ".X./X.X/.X."),  # in the middle
    ("go3", "A1 A2 B1 B2 pass C1", ".../OO./..O"),  # a group
    ("go5", "A1 A2 C1 C2 pass D1 pass B1", "...../...../...../O.O../.O.O."),  # two groups at once
]


@pytest.mark.parametrize(("name", "moves", "result"), CAPTURES)
def test_captures(name: str, moves: str, result: str) -> None:
    assert board(play(name, moves)) == result


def test_suicide_is_illegal_unless_it_captures() -> None:
    assert "A3" not in ludus.game("go3").position(".X./X../... O").legal_moves
    assert (
        "B1" not in ludus.game("go3").position(".../XXX/O.O O").legal_moves
    )  # would join two groups and fill their last point
    assert board(ludus.game("go3").position("XX./OX./.OX X").play("A1")) == "XX./.X./X.X"


@pytest.mark.parametrize("ko", ["superko", "simple"])
def test_ko_bars_taking_back_at_once(ko: str) -> None:
    game = ludus.game(f"go4:ko={ko}")
    taken = game.position("..../.XO./XO.O/.XO. X").play("C2")
    assert taken.text == "..../.XO./X.XO/.XO. O ko=B2 ply=1"
    for here in (taken, game.position(taken.text)):
        with pytest.raises(ludus.LudusError, match="'b2' is not legal for White here"):
            here.play("b2")
        later = here.play("A4").play("D4")
        assert board(later.play("B2")) == "O..X/.XO./XO.O/.XO."


def test_superko_bars_positions_from_long_ago() -> None:
    moves = "A1 B1 B2 pass A2 B1"  # White has captured three stones; its stone stood there once with Black's on A1
    assert "A1" not in play("go2", moves).legal_moves
    assert "A1" in play("go2:ko=simple", moves).legal_moves


SCORES = [
    (".../.../... X", 0),
    (".../.X./... O", 9),  # a lone stone owns the board
    ("X.O/X.O/X.O X", 0),  # what both touch is nobody's
    (".XO/XXO/OO. X", -1),  # 4 black points, 5 white
    (".X./XO./... X", 2),
]


@pytest.mark.parametrize(("text", "lead"), SCORES)
def test_area_scoring(text: str, lead: int) -> None:
    assert ludus.game("go3:komi=0").position(text).margin == lead
    assert ludus.game("go3:komi=2.5").position(text).margin == lead - 2.5


@pytest.mark.parametrize(("komi", "lead"), [(-0.5, "Black leads by 0.5"), (0, "nobody leads"), (7, "White leads by 7")])
def test_a_diagram_says_who_leads(komi: float, lead: str) -> None:
    last = str(ludus.game(f"go3:komi={komi}").start()).splitlines()[-1]
    assert last == f"Black X, White O, {lead}: Black (X) to move"


def test_the_game_ends_after_two_passes_or_at_its_limit() -> None:
    assert play("go3", "pass pass").over
    assert not play("go3", "pass A1 pass").over
    assert play("go3", "pass pass").outcome == 0.0  # komi decides
    assert play("go3:komi=0", "pass pass").outcome == 0.5
    assert play("go3:plies=2,komi=0", "A1 B2").outcome is not None


def test_restricted_moves_of_abramson2001() -> None:
    game = ludus.game("go5:rules=abramson2001")
    assert "pass" not in game.start().legal_moves
    # B1 and a stone on A1 would have the single liberty A2; a lone stone may have just one
    assert "A1" not in game.position("...../...../...../.O.../.XO.. X").legal_moves
    assert "A1" in ludus.game("go5").position("...../...../...../.O.../.XO.. X").legal_moves
    assert "A1" in game.position("...../...../...../O..../..... X").legal_moves
    # each point left would fill an eye and leave White's whole group with one liberty
    filled_up = ludus.game("go2:rules=abramson2001").position("OO/.. X")
    assert filled_up.legal_moves == ["A1", "B1"]
    assert ludus.game("go2:rules=abramson2001").position(".O/O. O").legal_moves == ["pass"]


BAD_POSITIONS = [
    ("... X", "write 3 rows"),
    (".../.../.../... X", "write 3 rows"),
    (".../..a/... X", "write 3 rows"),
    (".../.../...", "write 3 rows"),
    ("OX./.../X.. O", None),
    ("OX./X../... O", "without a liberty"),
    ("XXX/XXX/XXX O", "without a liberty"),
    (".../.../... X ko=I9", "ko=I9 is not possible"),
    (".../.X./... O ko=B2", "ko=B2 is not possible"),
    (".../.../... X passes=3", "from 0 to 2"),
    (".../.../... X ply=37", "from 0 to 36"),
    (".../.../... X komi=3", "'komi=3' in .* is not understood"),
]


@pytest.mark.parametrize(("text", "description"), BAD_POSITIONS)
def test_bad_positions(text: str, description: str | None) -> None:
    if description is None:
        assert ludus.game("go3").position(text).text == text
    else:
        with pytest.raises(ludus.LudusError, match=description):
            ludus.game("go3").position(text)
