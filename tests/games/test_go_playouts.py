"""Playouts of Go by chains of stones against the rules that all else goes by."""

import random

import pytest

import ludus
from ludus.compile.rng import stream
from ludus.games.game import Position
from ludus.games.go_playouts import play_out_chains

PLAYOUTS, LEFT = 10_000, 4
"""Playouts from each position, and moves before the end of the game: few enough to go through all."""


def expected(position: Position) -> tuple[float, float]:
    """The mean outcome and number of moves, if each legal move is as likely."""
    if position.outcome is not None:
        return position.outcome, 0.0
    after = [expected(position.play(move)) for move in position.legal_moves]
    return sum(each[0] for each in after) / len(after), 1 + sum(each[1] for each in after) / len(after)


def late_positions(name: str, plies: int, count: int) -> list[Position]:
    """Positions of random games, LEFT moves before their last, with many captures behind them."""
    choice, found = random.Random(name), list[Position]()
    while len(found) < count:
        position = ludus.game(name).start()
        for _ in range(plies - LEFT):
            if not position.over:
                position = position.play(choice.choice(position.legal_moves))
        if not position.over and ("simple" not in name or has_ko(position)):
            found.append(position)
    return found


def has_ko(position: Position) -> bool:
    """Whether simple ko forbids something, now or after the next move."""
    return position.state.ko >= 0 or any(position.play(move).state.ko >= 0 for move in position.legal_moves)


@pytest.mark.parametrize(("size", "plies", "ko"), [(2, 12, "superko"), (3, 30, "superko"), (3, 30, "simple")])
def test_every_legal_move_is_as_likely(size: int, plies: int, ko: str) -> None:
    """The mean of many playouts is what all possible games add up to, within five standard errors."""
    for position in late_positions(f"go{size}:komi=0.5,plies={plies},ko={ko}", plies, 6):
        rng, games = stream(1, "test"), list[tuple[float, int]]()
        for _ in range(PLAYOUTS):
            games.append(play_out_chains(position.game.rules, position.state, rng))
        outcome, length = expected(position)
        assert sum(each[0] for each in games) / PLAYOUTS == pytest.approx(outcome, abs=5 * 0.5 / PLAYOUTS**0.5)
        assert sum(each[1] for each in games) / PLAYOUTS == pytest.approx(length, abs=5 * 2 / PLAYOUTS**0.5)
