"""What is particular to checkers."""

import pytest

import ludus

GAME = ludus.game("checkers")

CAPTURES = [
    # a man may go on from where it landed, in either forward direction
    ("B:W6,14,15:B1", ["1x10x17", "1x10x19"]),
    # a man that reaches the last row is crowned and stops, though a king could go on
    ("B:W26,27:B22", ["22x31"]),
    ("B:W26,27:BK22", ["22x31x24"]),
    # a king may come back to where it began, over squares it has left
    ("B:W14,15,22,23:BK10", ["10x17x26x19x10", "10x19x26x17x10"]),
    # nothing is jumped twice
    ("B:W6:BK1", ["1x10"]),
    # whoever can capture must
    ("W:W22,32:B18", ["22x15"]),
    # men never capture backwards
    ("B:W6:B10", ["10-14", "10-15"]),
]


@pytest.mark.parametrize(("text", "moves"), CAPTURES)
def test_captures(text: str, moves: list[str]) -> None:
    assert sorted(GAME.position(text).legal_moves) == moves


def test_a_short_form_is_enough_unless_it_is_ambiguous() -> None:
    assert GAME.position("B:W6,14,15:B1").play("1x17").text == "W:W15:B17:F1"
    assert (
        GAME.start().play("11-15").play("22-18").play("15-22").text
        == GAME.start().play("11-15").play("22-18").play("15x22").text
    )
    with pytest.raises(ludus.LudusError, match="is ambiguous; write one of 10x17x26x19x10, 10x19x26x17x10"):
        GAME.position("B:W14,15,22,23:BK10").play("10x10")


def test_who_cannot_move_loses() -> None:
    blocked = GAME.position("B:W9,13,14,18:B5")
    assert (blocked.over, blocked.outcome) == (True, 0.0)
    assert GAME.position("W:W:B1").outcome == 1.0


def test_draw_when_each_side_has_made_its_moves() -> None:
    game = ludus.game("checkers:moves=2")
    position = game.start()
    for move in ("11-15", "22-18", "15x22", "25x18"):
        assert not position.over
        position = position.play(move)
    assert (position.over, position.outcome) == (True, 0.5)


def test_a_last_move_that_wins_is_no_draw() -> None:
    position = ludus.game("checkers:moves=5").position("W:W22:B18:F5").play("22x15")
    assert (position.over, position.outcome, position.legal_moves) == (True, 0.0, [])


BAD_POSITIONS = [
    ("B:W21-32", "write FEN"),
    ("B:W21-32:W1-12", "write FEN"),
    ("B:W33:B1", "squares are numbered 1 to 32"),
    ("B:W0:B1", "squares are numbered 1 to 32"),
    ("B:W21-40:B1", "squares are numbered 1 to 32"),
    ("B:W32-21:B1", "squares are numbered 1 to 32"),
    ("B:W30:B40", "squares are numbered 1 to 32"),
    ("B:W21-99999999999:B1", "write FEN"),
    ("B:W1,1:B2", "last row|named twice"),
    ("B:W5:B5", "square 5 is named twice"),
    ("B:W1:B12", "white man on its last row"),
    ("B:W21:B30", "black man on its last row"),
    ("B:W21:B1-13", "more than 12 black"),
]


@pytest.mark.parametrize(("text", "description"), BAD_POSITIONS)
def test_bad_positions(text: str, description: str) -> None:
    with pytest.raises(ludus.LudusError, match=description):
        GAME.position(text)
