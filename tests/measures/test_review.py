"""Reviews: what a move loses is what perfect play says, and grades follow the stated thresholds."""

from collections.abc import Iterable

import pytest

import ludus
from ludus.compile.rng import randint, stream
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.measures.judges import Judgement, judge
from ludus.measures.review import GRADES, grade_of, reviewed_move
from ludus.records.record import Record


def random_game(name: str, seed: int = 1) -> Record:
    """A game of random moves to the end."""
    game, moves, rng = ludus.game(name), list[str](), stream(seed, "test")
    position = game.start()
    while not position.over:
        moves.append(position.legal_moves[randint(rng, len(position.legal))])
        position = position.play(moves[-1])
    return Record(game, "", tuple(moves), ("one", "other"), position.outcome)


def best_score(position: Position) -> float:
    """The final score of the side to move with best play, by trying everything."""
    if position.over:
        return position.game.type.final_margin(position) * (1 if position.current_player == 0 else -1)
    return max(-best_score(position.play(move)) for move in position.legal_moves)


def test_losses_are_those_of_perfect_play() -> None:
    record = random_game("othello4")
    review, positions = ludus.review(record, progress=False), record.positions()
    sign = 1 if positions[-1].current_player == 0 else -1
    assert (review.unit, review.final, len(review.moves)) == (
        "discs",
        best_score(positions[-1]) * sign,
        len(record.moves),
    )
    late = review.moves[4:]
    assert any(each.loss > 0 for each in late)
    for each in late:
        best, made = best_score(positions[each.ply]), -best_score(positions[each.ply + 1])
        assert (each.exact, each.loss) == (True, best - made), each
        assert -best_score(positions[each.ply].play(each.best)) == best
        assert each.value == (best if each.side == 0 else -best)
        wins = [(score > 0) - (score < 0) for score in (best, made)]
        assert each.grade == (3 if wins[1] < wins[0] else grade_of(best - made, (4, 8, 16)))
        if each.grade:
            assert _ends(positions[each.ply], each.line) == (best if each.side == 0 else -best)


def _ends(position: Position, line: Iterable[str]) -> float:
    for move in line:
        position = position.play(move)
    assert position.over
    return position.game.type.final_margin(position)


def test_grades_begin_at_their_thresholds() -> None:
    assert [grade_of(loss, (4, 8, 16)) for loss in (0, 3.9, 4, 7.9, 8, 15.9, 16, 60)] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert GRADES == ("", "inaccuracy", "mistake", "blunder")
    units = {by: judge(ludus.game("othello6"), by) for by in ("alphabeta:depth=2", "mcts:simulations=10")}
    assert [(each.unit, each.grades) for each in units.values()] == [("discs", (4, 8, 16)), ("percent", (10, 20, 35))]
    area = judge(ludus.game("go5"), "alphabeta:depth=2")
    assert (area.unit, area.grades) == ("points", (0.8, 1.5, 3.0))


def test_a_simulating_judge_counts_in_percent_and_knows_certain_results() -> None:
    game = ludus.game("go5:komi=0.5")
    position = game.start()
    for move in ("C3", "pass"):
        position = position.play(move)
    judging = judge(game, "mcts:simulations=200")
    found = reviewed_move(judging, position, "pass", 2)  # which wins at once
    assert (judging.unit, found.loss, found.grade, found.chance) == ("percent", 0, 0, 1.0)
    assert found.exact
    guess = judge(game, "mcts:simulations=1").judge(
        game.start()
    )  # one simulation is a win or a loss, and proves neither
    assert (abs(guess.value), guess.exact) == (50, False)


def test_a_search_that_was_calibrated_to_results_counts_in_percent() -> None:
    game = ludus.game("checkers")
    judging = judge(game, "alphabeta:depth=2,value=ntuples:checkers,extend=captures")
    assert (judging.unit, judging.grades, judging.most) == ("percent", (5, 10, 20), 50)
    even, won = (judging.judge(game.position(text)) for text in ("B:W21-32:B1-12", "B:W32:B1-12"))
    assert abs(even.value) < 10 < won.value <= 50
    assert judging.chance(even.value) == 0.5 + even.value / 100
    certain, likely, level = (Judgement("", value, value == 50) for value in (50.0, 20.0, 1.0))
    assert [judging.loss(certain, each) for each in (likely, level)] == [0, 49]
    assert judging.loss(likely, level) == 19
    pieces = judge(game, "alphabeta:depth=2")
    assert (pieces.unit, pieces.grades) == ("pieces", (0.4, 0.7, 1.4))


def test_who_gives_no_values_can_not_judge() -> None:
    record = random_game("othello6")
    with pytest.raises(
        LudusError, match="random can't judge, since it is not known what its values count; try alphabeta:d"
    ):
        ludus.review(record, judge="random", progress=False)
    with pytest.raises(LudusError, match="alphabeta:depth=2,value=mobility can't judge"):
        judge(record.game, "alphabeta:depth=2,value=mobility")
    with pytest.raises(LudusError, match="no moves, so there is nothing to review"):
        ludus.review(Record(record.game, "", (), ("", ""), None), progress=False)


def test_a_review_shows_itself_in_a_notebook() -> None:
    review = ludus.review(random_game("othello4", 2), progress=False)
    shown = review._repr_html_()
    assert shown.count("<circle") == len(review.mistakes) > 0
    assert f"{len(review.moves)} moves" in repr(review)
    assert sum(sum(review.side(side).grades) for side in (0, 1)) == len(review.mistakes)
