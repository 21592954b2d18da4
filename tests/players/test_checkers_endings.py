"""Solved endings of checkers against a slow, obvious solution, and in play."""

from functools import cache
from itertools import product

import pytest

import ludus
from ludus.compile.rng import stream
from ludus.errors import LudusError
from ludus.players.search.checkers_endings import plies_to_end
from tests.naive.checkers import KING, MAN, NaiveCheckers, Position

RULES = NaiveCheckers(10**6)


@cache
def naive_positions() -> list[Position]:
    """Every position of two pieces, Black or White to move."""
    pieces = [(square, kind) for square, kind in product(range(32), (MAN, KING, -MAN, -KING)) if _stands(square, kind)]
    return [
        Position(tuple({one[0]: one[1], other[0]: other[1]}.get(square, 0) for square in range(32)), turn, 0)
        for one, other in product(pieces, repeat=2)
        if one[1] > 0 > other[1] and one[0] != other[0]
        for turn in (0, 1)
    ]


def naive_endings() -> dict[Position, int]:
    """The plies to the end of those that are decided: odd for a win."""
    positions = naive_positions()
    after = {each: [_timeless(RULES.play(each, move)) for move in RULES.legal_moves(each)] for each in positions}
    plies: dict[Position, int] = {}
    for number in range(40):
        found = {}
        for position in positions:
            if position in plies:
                continue
            replies = [0 if sum(map(bool, each.board)) < 2 else plies.get(each, -1) for each in after[position]]
            wins = number % 2 == 1 and number - 1 in replies
            loses = number % 2 == 0 and all(0 <= each < number and each % 2 == 1 for each in replies)
            if wins or loses:
                found[position] = number
        plies |= found
    return plies


def _stands(square: int, kind: int) -> bool:
    """A man does not stand where it would have been crowned."""
    return not (kind == MAN and square >= 28) and not (kind == -MAN and square < 4)


def _timeless(position: Position) -> Position:
    return Position(position.board, position.turn, 0)


def fen(position: Position) -> str:
    def side(sign: int) -> str:
        squares = [i for i, piece in enumerate(position.board) if piece * sign > 0]
        return ",".join(f"{'K' if abs(position.board[i]) == KING else ''}{i + 1}" for i in squares)

    return f"{'BW'[position.turn]}:W{side(-1)}:B{side(1)}"


def test_endings_of_two_pieces_are_those_of_a_slow_solution() -> None:
    game, decided = ludus.game("checkers"), naive_endings()
    for position in naive_positions():
        assert plies_to_end(game.position(fen(position))) == decided.get(position), fen(position)
    assert 1000 < len(decided) < len(naive_positions())


def test_one_side_alone_has_won() -> None:
    assert plies_to_end(ludus.game("checkers").position("B:W:B1")) == 1
    assert plies_to_end(ludus.game("checkers").position("W:WK3,30:B")) == 1


def test_a_won_ending_is_won() -> None:
    """Two kings against one at home in a double corner: two moves ahead there is nothing to see."""
    position, rng = ludus.game("checkers").position("B:WK32:BK1,K2"), stream(1, "test")
    searcher = ludus.player("alphabeta:depth=2,endings=3", "checkers")
    assert "it wins in 17 moves" in ludus.explain(searcher, position).description
    seat = searcher.seat()
    for _ in range(33):
        assert not position.over
        position = position.play(seat.choose(position, rng))
    assert position.over
    assert position.outcome == 1


def test_only_checkers_has_them() -> None:
    with pytest.raises(LudusError, match="invalid endings=4 for othello8"):
        ludus.player("alphabeta:endings=4", "othello8")
