"""What is particular to Othello."""

import pytest

import ludus


def test_first_moves_and_flips() -> None:
    position = ludus.game("othello8").start()
    assert position.legal_moves == ["d3", "c4", "f5", "e6"]
    assert str(position.play("f5").play("d6")).splitlines()[1:7] == [
        "1 . . . . . . . .",
        "2 . . . . . . . .",
        "3 . . + . . . . .",
        "4 . . + O X . . .",
        "5 . . + O X X . .",
        "6 . . + O . . . .",
    ]


def test_a_forced_pass_is_the_only_move() -> None:
    position = ludus.game("othello4").position("OX-------------- X")
    assert position.legal_moves == ["pass"]
    assert position.play("--").legal_moves == ["c1"]
    with pytest.raises(ludus.LudusError, match="'c1' is not legal for Black here; legal moves: pass"):
        position.play("c1")


def test_the_game_ends_when_neither_can_move() -> None:
    position = ludus.game("othello4").position("XX-------------- O")
    assert (position.over, position.outcome, position.margin) == (True, 1.0, 2.0)


def test_perft_goes_no_deeper_than_a_game() -> None:
    position = ludus.game("othello4").position("OX-------------- X")
    assert ludus.perft(position, 10**12) == ludus.perft(position, 3) == 1


def test_it_reads_the_usual_ways_to_write_a_board() -> None:
    game = ludus.game("othello4")
    assert game.position("....\n.OX.\n.XO.\n....\nX") == game.start()
    assert game.start().text == "-----OX--XO----- X"
