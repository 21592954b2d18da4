"""Evolution of networks: who plays whom, who survives, how children differ, and what the pool is for."""

import numpy as np
import pytest

import ludus
from ludus.dice import stream
from ludus.learners.blondie24 import Blondie24Learner, Crowd, bred, newcomers
from ludus.learners.learner import parse_settings
from ludus.learners.names import learner
from ludus.learners.social import SocialState, learned_from_others, published
from ludus.players.social import after_game
from ludus.players.subsquares import shape

CHECKERS = ludus.game("checkers")
COUNT = shape(CHECKERS, (1,)).count
FAST = {"population": 6, "opponents": 2, "depth": 1, "hidden": "3", "generations": 3}


def settings(name: str = "blondie24", **chosen: object):
    return parse_settings(learner(name), FAST | chosen)


@pytest.mark.parametrize("name", ["blondie24", "social"])
def test_any_number_of_workers_learns_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    method, found = learner(name), []
    for workers in ("1", "3"):
        monkeypatch.setenv("LUDUS_WORKERS", workers)
        state = method.start(settings(name), CHECKERS, 5)
        for _ in range(3):
            state, row = method.step(settings(name), CHECKERS, 5, state)
        found.append((state, row))
    (one, first), (other, second) = found
    assert first == second
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_everybody_chooses_different_others_or_meets_all() -> None:
    pairs = learner("blondie24").meetings(settings(population=8, opponents=5), stream(1, "test"))
    for one in range(8):
        chosen = pairs[pairs[:, 0] == one, 1].tolist()
        assert len(set(chosen)) == 5
        assert one not in chosen
    everybody = learner("blondie24-rr").meetings(parse_settings(learner("blondie24-rr"), {}), stream(1, "test"))
    assert len({tuple(pair) for pair in everybody.tolist()}) == len(everybody) == 870


def test_points_are_those_of_the_games_played() -> None:
    """Of points for games alone, all share equally many; of wins and losses, one side wins what the other loses."""
    method = learner("blondie24")
    crowd = newcomers(settings(), CHECKERS, 6, stream(1, "test"))
    games, _ = method.judged(settings(win=1, draw=1, loss=1), CHECKERS, 1, 1, crowd)
    assert games.sum() == 2 * 12
    balance, row = method.judged(settings(win=1, draw=0, loss=-1), CHECKERS, 1, 1, crowd)
    assert balance.sum() == 0
    assert np.any(balance)
    points, _ = method.judged(settings(), CHECKERS, 1, 1, crowd)
    assert points.sum() == -12 * (1 - row["draws"])


def test_children_differ_by_steps_that_adapt_themselves() -> None:
    crowd = newcomers(settings(hidden="40,10"), CHECKERS, 4, stream(1, "test"))
    after = bred(crowd, np.array([1.0, 5.0, 3.0, 3.0]), stream(2, "test"))
    assert np.array_equal(after.numbers[:2], crowd.numbers[[1, 2]])  # the better half survives, the best first
    rate = 1 / np.sqrt(2 * np.sqrt(5046))
    growth = np.log(after.steps[2:] / crowd.steps[[1, 2]])
    assert growth.std() == pytest.approx(rate, rel=0.05)
    moved = (after.numbers[2:] - crowd.numbers[[1, 2]]) / after.steps[2:]
    assert (moved.mean(), moved.std()) == (pytest.approx(0, abs=0.05), pytest.approx(1, rel=0.05))
    assert set(np.round(after.kings[2:] - crowd.kings[[1, 2]], 6)) <= {-0.1, 0.0, 0.1}
    kings = crowd._replace(kings=np.full(4, 3.0))
    assert max(bred(kings, np.zeros(4), stream(i, "test")).kings.max() for i in range(9)) == 3.0


def made_up(points: list[float], source: list[int], pool: list[float]) -> SocialState:
    """Networks of which each has its own number everywhere; those of the pool have 100 and more."""

    def crowd(first: int, count: int) -> Crowd:
        numbers = np.repeat(np.arange(first, first + count, dtype=np.float32)[:, None], COUNT, 1)
        return Crowd(numbers, numbers + 0.5, np.full(count, 2.0))

    return SocialState(
        *crowd(0, len(points)), np.array(source), np.array(points), *crowd(100, len(pool)), np.array(pool), 10, 0
    )


def test_the_best_publish_or_confirm_and_the_others_may_change() -> None:
    social = parse_settings(learner("social"), {"hidden": "1"})
    before = made_up([5, 5, 4.6, 2, -3, 0, 1, 2, 3, -1], [-1, 1, -1, -1, 0, -1, -1, -1, -1, -1], [2.0, -4.0])
    ways = set()
    for seed in range(20):
        after = learned_from_others(social, CHECKERS, before, stream(seed, "test"))
        assert after.pool_points.tolist() == [2, 5, 5]  # the second is confirmed, the new one published
        assert after.pool_numbers[:, 0].tolist() == [100, 101, 0]
        assert after.numbers[:3, 0].tolist() == [0, 1, 2]  # satisfied: 4.6 is 0.95 of the way
        for i in range(3, 10):
            if after.source[i] >= 0 and after.source[i] != before.source[i]:
                assert after.numbers[i, 0] == after.pool_numbers[after.source[i], 0]
                ways.add("copied")
            elif after.numbers[i, 0] == i:
                ways.add("kept")
            else:
                assert abs(after.numbers[i, 0]) <= 0.2
                ways.add("new")
    assert ways == {"copied", "kept", "new"}
    assert before.pool_points.tolist() == [2, -4]


def test_strategies_are_drawn_from_the_pool_by_their_points() -> None:
    social = parse_settings(learner("social"), {"hidden": "1"})
    before = made_up([9.0] + [0.0] * 60, [2] + [-1] * 60, [0.0, 3.0, 8.0])
    drawn = np.zeros(3)
    for seed in range(30):
        after = learned_from_others(social, CHECKERS, before, stream(seed, "test"))
        drawn += np.bincount(after.source[1:][after.source[1:] >= 0], minlength=3)
    assert drawn.sum() == pytest.approx(600, rel=0.15)
    assert drawn / drawn.sum() == pytest.approx(np.array([1, 4, 10]) / 15, abs=0.06)  # confirmed with 9 points


def test_a_pool_of_one_holds_the_last_of_the_best() -> None:
    social = parse_settings(learner("social"), {"plan": "C1", "hidden": "1"})
    state = made_up([4, 4, 4, 0], [-1, -1, 0, 0], [1.0])
    kept = set()
    for seed in range(20):
        after = published(social, state, np.array([0, 1, 2]), stream(seed, "test"))
        assert len(after.pool_points) == 1
        assert after.source.tolist() == [-1] * 4  # what they were copies of has left
        kept.add(float(after.pool_numbers[0, 0]))
    assert kept == {0, 1, 2}


class Towards(Blondie24Learner):
    """Evolution in which points are for ten numbers that are near one half, instead of for games."""

    name = "towards"

    def judged(self, settings, game, seed, generation, crowd):
        return -np.square(crowd.numbers[:, :10] - 0.5).mean(axis=1), {"games": 0}


def test_evolution_goes_where_the_points_are() -> None:
    method, asked = Towards(), settings(population=30, hidden="1")
    state = method.start(asked, CHECKERS, 1)
    errors = []
    for _ in range(200):
        state, _ = method.step(asked, CHECKERS, 1, state)
        errors.append(-state.points.max())
    assert errors[0] > 0.15
    assert errors[-1] < 0.1 * errors[0]
    assert errors == sorted(errors, reverse=True)  # survivors are judged alike, so the best is never lost


def test_who_loses_tries_something_else_and_remembers() -> None:
    record, current = np.zeros((3, 3), np.int64), 0
    played = []
    for score in (1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0):
        played.append(current)
        record, current = after_game(record, current, score)
    # won and lost with 0; drew and lost with 1; lost with 2; then back to the best record
    assert played == [0, 0, 1, 1, 2, 0, 1]
    assert record.tolist() == [[1, 0, 2], [0, 1, 2], [0, 0, 1]]
    assert current == 0
