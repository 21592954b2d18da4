"""Puzzles have one clearly best move, and their proofs hold."""

from collections import Counter
from pathlib import Path

import pytest

import ludus
from ludus.measures.judges import judge
from ludus.measures.puzzles import DIFFICULTIES, Puzzle, difficulty, puzzle, shape, shipped_puzzles
from ludus.measures.review import grade_of
from ludus.players.search.solver import empty_squares
from tests.effort import EFFORT


def proved_again(found: Puzzle) -> None:
    again = puzzle(judge(ludus.game(found.game)), found.start(), found.source)
    assert again is not None
    assert again.id == found.id
    about = 5.0 if found.unit == "percent" else 0.01  # simulations differ where superko knew more of the game
    assert again.move == found.move
    assert [again.value, again.second] == pytest.approx([found.value, found.second], abs=about)


def test_shipped_puzzles_can_be_played() -> None:
    puzzles = shipped_puzzles()
    shapes = {(each.game, shape(each.start())) for each in puzzles}
    assert len({each.id for each in puzzles}) == len(shapes) == len(puzzles)
    counts = Counter((each.game, each.difficulty) for each in puzzles)
    for game in ("othello8", "othello6", "checkers"):
        assert all(counts[game, each] >= 10 for each in DIFFICULTIES), game
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "review.md").read_text()
    assert f" {len(puzzles)} come with Ludus" in page
    assert all(counts[game, "easy"] and counts[game, "medium"] for game in ("go5", "go7"))
    for each in puzzles:
        position = each.start()
        assert len(position.legal) >= 3
        by = judge(position.game)
        assert each.unit == by.unit
        decides = each.exact and each.value >= 0 >= each.second
        assert decides or grade_of(each.value - each.second, by.grades) >= 2, each
        for move in each.line:
            position = position.play(move)


def test_exact_proofs_hold() -> None:
    exact = [each for each in shipped_puzzles() if each.exact and each.game.startswith("othello")]
    quick = [each for each in exact if empty_squares(each.start()) <= 8]
    assert quick
    for each in quick if EFFORT > 1 else quick[:3]:
        position = each.start()
        scores = {move: -_score(each, move) for move in position.legal}
        assert max(scores, key=scores.__getitem__) == each.move
        assert sorted(scores.values())[-2:] == [each.second, each.value]


def _score(found: Puzzle, move: str) -> float:
    """The final score of the other side after a move."""
    after = found.start().play(move)
    if after.over:
        return after.game.type.final_margin(after) * (1 if after.current_player == 0 else -1)
    score = ludus.solve(after).score
    assert score is not None
    return score


@pytest.mark.skipif(EFFORT == 1, reason="nightly")
@pytest.mark.parametrize("game", ["othello8", "othello6", "checkers", "go5", "go7"])
def test_every_proof_can_be_repeated(game: str) -> None:
    for each in [each for each in shipped_puzzles() if each.game == game][::5]:
        proved_again(each)
        assert difficulty(each.start(), each.move) == each.difficulty


def test_a_position_with_equal_moves_is_no_puzzle() -> None:
    game = ludus.game("othello4")
    assert puzzle(judge(game), game.start(), "") is None
