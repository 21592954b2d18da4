"""Reviews: what a move loses is what perfect play says, and grades follow the stated thresholds."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.compile.rng import randint, stream
from ludus.errors import LudusError
from ludus.games.game import Position
from ludus.measures.judges import EXACT, Judgement, judge
from ludus.measures.review import GRADES, grade_of, reviewed_move
from ludus.players.search.solver import solve
from ludus.players.search.uct import simulate
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


@pytest.mark.parametrize("by", ["", "mcts:simulations=4000"])
def test_certain_results_are_certain_chances(by: str) -> None:
    """Won, drawn or lost by best play, whatever such a value means elsewhere."""
    record = random_game("othello4", 3)
    certain = [each for each in ludus.review(record, judge=by, progress=False).moves[4:] if each.exact]
    results = [best_score(record.positions()[each.ply]) * (1 if each.side == 0 else -1) for each in certain]
    assert [each.chance for each in certain] == [(1 + (score > 0) - (score < 0)) / 2 for score in results]
    assert len(certain) >= 6


def test_a_judge_does_what_its_name_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """All simulations, and the end of the game from so many empty squares on."""
    made = list[int]()

    def counted(*given: Any) -> None:
        made.append(given[4])
        simulate(*given)

    monkeypatch.setattr("ludus.players.search.mcts.simulate", counted)
    judge(ludus.game("othello4"), "mcts:simulations=10001").judge(ludus.game("othello4").start())
    assert set(made) == {10_001}
    late = next(each for each in random_game("othello6").positions() if np.sum(each.cells == 0) == EXACT + 1)
    found = [judge(late.game, f"alphabeta:depth=1,exact={exact}").judge(late) for exact in (0, EXACT + 1)]
    assert [each.exact for each in found] == [False, True]
    assert found[1].value == solve(late).score


def test_a_search_that_was_calibrated_to_results_counts_in_percent() -> None:
    game = ludus.game("checkers")
    judging = judge(game, "alphabeta:depth=2,value=ntuples:checkers,extend=captures")
    assert (judging.unit, judging.grades, judging.most) == ("percent", (5, 10, 20), 50)
    even, won = (judging.judge(game.position(text)) for text in ("B:W21-32:B1-12", "B:W32:B1-12"))
    assert abs(even.value) < 10 < won.value <= 50
    assert judging.chance(even) == 0.5 + even.value / 100
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
    for timed in ("alphabeta:seconds=1", "mcts:seconds=1"):
        with pytest.raises(LudusError, match="a judge can't play against the clock; leave out seconds="):
            judge(record.game, timed)
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
