"""Batches of games take the course that single positions take."""

import numpy as np
import pytest

import ludus
from ludus.interfaces.batch import Batch


@pytest.mark.parametrize("name", ["othello6", "checkers:moves=20", "go4", "go9:plies=60"])
def test_a_batch_plays_as_positions_do(name: str) -> None:
    batch, positions = Batch(name, 12, seed=3), [ludus.game(name).start()] * 12
    finished = 0
    for _ in range(150):
        for i, position in enumerate(positions):
            assert batch.legal_moves[i, : batch.num_legal[i]].tolist() == list(position.legal.values())
            assert np.all(batch.legal_moves[i, batch.num_legal[i] :] == -1)
            assert np.array_equal(batch.cells[i], position.cells)
            assert (batch.over[i], batch.current_player[i]) == (position.over, position.current_player)
            assert batch.outcome[i] == position.outcome or (np.isnan(batch.outcome[i]) and position.outcome is None)
        moves = batch.random_moves()
        batch.step(moves)
        positions = [each if each.over else each.play(int(move)) for each, move in zip(positions, moves, strict=True)]
        if batch.over.sum() > 5:
            finished += int(batch.over.sum())
            positions = [each.game.start() if each.over else each for each in positions]
            batch.reset()
    assert finished > 5


def test_what_is_wrong_is_told_and_nothing_is_played() -> None:
    batch = Batch("othello8", 3)
    before = batch.cells.copy()
    with pytest.raises(ludus.LudusError, match="move 0 is not legal in game 1; legal moves:"):
        batch.step(np.array([batch.legal_moves[0, 0], 0, 0]))
    assert np.array_equal(batch.cells, before)
    with pytest.raises(ludus.LudusError, match="one for each of the 3 games"):
        batch.step(np.zeros(2))
    with pytest.raises(ludus.LudusError, match="invalid batch of 0 games"):
        Batch("othello8", 0)
