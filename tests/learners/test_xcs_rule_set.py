"""The rule set of XCS: hand-worked updates, slow twins, and the problem on which classifier systems are compared."""

import random

import numpy as np
import pytest

from ludus.compile.rng import stream
from ludus.learners.xcs.rule_set import (
    FREE,
    TOTAL,
    NewRule,
    Population,
    cover,
    delete_excess,
    empty_population,
    insert,
    match,
    release_ids,
    remove,
    run_ga,
    subsume_set,
    system_prediction,
    update_set,
)
from ludus.players.xcs_matching import index_weights
from tests.learners.multiplexer import BUTZ_AND_WILSON, learned

SQUARES = 70
"""More than a word has bits."""

NO_INDICES = np.empty(0, np.int64)


def view_of(bits: str) -> np.ndarray:
    """Two characters for each square."""
    view = np.zeros(2 * -(-len(bits) // 128), np.uint64)
    for i, bit in enumerate(bits):
        view[i // 128 * 2 + i % 2] |= np.uint64(int(bit) << (i // 2 % 64))
    return view


def condition_of(symbols: str) -> np.ndarray:
    care, want = view_of("".join("01"[s != "#"] for s in symbols)), view_of(symbols.replace("#", "0"))
    return np.stack([care, want], axis=1).reshape(-1)


def symbols_of(rules: Population, rule: int, count: int) -> str:
    text = ""
    for i in range(count):
        row, bit = i // 128 * 4 + i % 2 * 2, i // 2 % 64
        care, want = (int(rules.conditions[row + k, rules.slots[rule]]) >> bit & 1 for k in (0, 1))
        text += str(want) if care else "#"
    return text


def added(rules: Population, action: int, symbols: str, prediction=0.0, error=0.0, fitness=0.1, niche=1.0) -> int:
    return int(insert(rules, condition_of(symbols), NewRule(action, prediction, error, fitness, niche, 0)))


def check(rules: Population, expected: dict[int, tuple[int, str]], count: int) -> None:
    """Every rule stands once in the segment of its action, with its own condition."""
    size = rules.starts[-1]
    assert sorted(rules.ids[:size]) == sorted(expected)
    for action in range(len(rules.starts) - 1):
        there = rules.ids[rules.starts[action] : rules.starts[action + 1]]
        assert sorted(there) == sorted(rule for rule, (for_action, _) in expected.items() if for_action == action)
    for rule, (_, symbols) in expected.items():
        assert rules.ids[rules.slots[rule]] == rule
        assert symbols_of(rules, rule, count) == symbols
    assert rules.counts[TOTAL] == rules.numerosity[list(expected)].sum()


def test_rules_that_come_and_go_stand_where_they_belong() -> None:
    choice, rules, expected = random.Random(1), empty_population(5, 2, 40), dict[int, tuple[int, str]]()
    for step in range(600):
        if expected and choice.random() < 0.48:
            rule = choice.choice(list(expected))
            remove(rules, rule)
            del expected[rule]
        else:
            action, symbols = choice.choice([0, 0, 1, 3, 4]), "".join(choice.choices("01#", k=2 * SQUARES))
            rule = added(rules, action, symbols)
            if rule < 0:
                assert rules.counts[FREE] == 0
            else:
                assert rule not in expected
                expected[rule] = action, symbols
        if step % 50 == 0:
            release_ids(rules)
        check(rules, expected, 2 * SQUARES)


def test_what_matches_is_what_a_slow_look_finds() -> None:
    choice, rules, expected = random.Random(2), empty_population(2, 2, 400), []
    for _ in range(300):
        symbols = "".join(choice.choices("01#", weights=(1, 1, 60), k=2 * SQUARES))
        expected.append((added(rules, 1, symbols), symbols))
    added(rules, 0, "#" * 2 * SQUARES)
    found, misses = np.empty(401, np.int64), np.empty(400, np.uint64)
    some = 0
    for _ in range(20):
        bits = "".join(choice.choices("01", k=2 * SQUARES))
        n = match(rules, 1, view_of(bits), misses, found, 0)
        slow = [rule for rule, symbols in expected if all(s in ("#", b) for s, b in zip(symbols, bits, strict=True))]
        assert sorted(found[:n]) == slow
        some += n
    assert some > 100


def test_an_update_by_hand() -> None:
    """Two rules, one of them twice as numerous, are paid 100 twice."""
    constants = BUTZ_AND_WILSON._replace(alpha=0.2, beta_error=0.2, beta_fitness=0.5, error_0=10.0)
    rules = empty_population(1, 1, 10)
    new, old = added(rules, 0, "##", fitness=0.1), added(rules, 0, "#1", prediction=80.0, error=40.0, fitness=0.3)
    rules.numerosity[old], rules.experience[old], rules.niche[old] = 2, 100, 5.0
    members = np.array([new, old])
    assert system_prediction(rules, constants, members, NO_INDICES) == pytest.approx((0.1 * 0 + 0.3 * 80) / 0.4)
    update_set(rules, constants, members, NO_INDICES, 100.0)
    # the new rule takes the first payoff as it is; the other moves by a fifth of the way
    assert rules.prediction[members] == pytest.approx([100, 84])
    assert rules.error[members] == pytest.approx([0, 40 + 0.2 * (16 - 40)])
    assert rules.niche[members] == pytest.approx([3, 5 + 0.2 * (3 - 5)])
    accuracy = 0.1 * (35.2 / 10) ** -5
    assert rules.fitness[members] == pytest.approx(
        [0.1 + 0.5 * (1 / (1 + 2 * accuracy) - 0.1), 0.3 + 0.5 * (2 * accuracy / (1 + 2 * accuracy) - 0.3)]
    )
    assert list(rules.experience[members]) == [1, 101]
    update_set(rules, constants, members, NO_INDICES, 40.0)
    assert rules.prediction[new] == pytest.approx(70)  # the mean of two payoffs
    assert rules.error[new] == pytest.approx(15)  # of 0 and |40 - 70|


def test_a_computed_prediction_by_hand() -> None:
    """Three squares hold symbols 1, 0 and 3; a rule that knows nothing is paid 8 at half the rate, shared by four."""
    constants = BUTZ_AND_WILSON._replace(alpha=0.5, beta_error=0.5)
    rules = empty_population(1, 1, 10, 12)
    members, indices = np.array([added(rules, 0, "######")]), np.empty(3, np.int64)
    index_weights(view_of("010011"), indices)
    assert list(indices) == [1, 4, 11]
    for payoff, worth, error in ((8.0, 4.0, 4.0), (8.0, 6.0, 3.0)):
        update_set(rules, constants, members, indices, payoff)
        assert system_prediction(rules, constants, members, indices) == pytest.approx(worth)
        assert rules.error[members[0]] == pytest.approx(error)
    assert np.flatnonzero(rules.weights[members[0]]).tolist() == [1, 4, 11]
    assert system_prediction(rules, constants, members, np.array([0, 4, 11])) == pytest.approx(4.5)


def test_new_rules_hold_where_they_are_made() -> None:
    rules, rng, bits = empty_population(1, 2, 300), stream(1, "test"), "01" * 35 + "10" * 35
    constants = BUTZ_AND_WILSON._replace(symbols=2 * SQUARES, any_chance=0.75)
    covering = [
        symbols_of(rules, int(cover(rules, constants, 0, view_of(bits), 0, rng)), 2 * SQUARES) for _ in range(200)
    ]
    assert all(s in ("#", b) for symbols in covering for s, b in zip(symbols, bits, strict=True))
    assert "".join(covering).count("#") / (200 * 2 * SQUARES) == pytest.approx(0.75, abs=0.02)


def test_children_hold_where_their_parents_did() -> None:
    """And have the parents' symbols but for what was mutated."""
    bits, symbols = "0110" * 35, ("01##" * 35, "##1#" * 35)
    for mutation, each in ((0.0, True), (0.1, True), (1.0, False)):
        constants = BUTZ_AND_WILSON._replace(
            symbols=140, crossover=1.0, mutation=mutation, mutates_each=each, mutates_action=False, ga_time=5.0
        )
        rules = empty_population(2, 2, 100)
        members = np.array([added(rules, 1, each, prediction=5.0, error=8.0, fitness=0.5) for each in symbols])
        rng, changed, children = stream(1, "test"), 0, set[int]()
        for time in (5, 6, 12, 20, 30, 40, 50):  # not yet due at 5
            run_ga(rules, constants, members, view_of(bits), np.zeros(1, np.int64), time, rng)
            assert (time == 5) == (rules.starts[-1] == 2)
        children = {int(rule) for rule in rules.ids[: rules.starts[-1]]} - set(members.tolist())
        assert children
        for child in children:
            text = symbols_of(rules, child, 140)
            assert all(s in ("#", b) for s, b in zip(text, bits, strict=True))
            changed += sum(s not in (a, b) for s, a, b in zip(text, *symbols, strict=True))
            assert (rules.prediction[child], rules.error[child], rules.fitness[child]) == pytest.approx((5, 2, 0.05))
            assert rules.action[child] == 1
        if not mutation:
            assert changed == 0
        elif each:
            assert 0.02 < changed / (140 * len(children)) < 0.15
        else:
            assert 0 < changed <= len(children)
        assert rules.counts[TOTAL] == 2 + 2 * 6


def test_an_accurate_parent_subsumes_its_children() -> None:
    constants = BUTZ_AND_WILSON._replace(symbols=4, ga_time=0.0, mutation=0.0)
    rules = empty_population(1, 1, 10)
    parent = added(rules, 0, "1###", error=1.0)
    rules.experience[parent] = 21
    members, view = np.array([parent]), view_of("1010")
    for time in range(1, 20):
        run_ga(rules, constants, members, view, np.zeros(1, np.int64), time, stream(1, "x"))
    assert (rules.starts[-1], rules.numerosity[parent]) == (1, 39)


def test_the_most_general_accurate_rule_subsumes_its_action_set() -> None:
    rules = empty_population(1, 1, 10)
    members = np.array([added(rules, 0, symbols, error=1.0) for symbols in ("1#0#", "1###", "10##", "#0##", "####")])
    rules.experience[members] = 21
    rules.error[members[4]] = 50.0  # general, but wrong
    subsume_set(rules, BUTZ_AND_WILSON, members)
    check(rules, {int(members[1]): (0, "1###"), int(members[3]): (0, "#0##"), int(members[4]): (0, "####")}, 4)
    assert rules.numerosity[members[1]] == 3


def test_deletion_takes_from_large_niches_and_from_the_unfit() -> None:
    constants = BUTZ_AND_WILSON._replace(rules=100)
    lost = np.zeros(3)
    for seed in range(20):
        rules = empty_population(1, 1, 200)
        kinds = [
            added(rules, 0, f"{i:016b}", fitness=0.001 if kind == 2 else 1.0, niche=4.0 if kind == 1 else 1.0)
            for i, kind in enumerate(np.repeat([0, 1, 2], 50))
        ]
        rules.experience[:150] = 21
        delete_excess(rules, constants, np.empty(200), stream(seed, "test"))
        assert rules.counts[TOTAL] == rules.starts[-1] == 100
        lost += [sum(rules.numerosity[kinds[50 * k : 50 * k + 50]] == 0) for k in range(3)]
    # votes are as 1 to 4 to 667, so of 50 deletions nearly all hit the unfit
    assert lost[2] > 40 * 20
    assert lost[1] > 2 * lost[0]


@pytest.mark.parametrize(("bits", "rules", "problems"), [(6, 400, 5000), (11, 800, 15_000)])
def test_the_multiplexer_is_solved(bits: int, rules: int, problems: int) -> None:
    """Within the problems that the literature reports for standard XCS, with a compact set of rules."""
    for seed in range(3):
        population, right = learned(bits, rules, problems, 0.33, seed)
        assert right[:200].mean() < 0.8
        assert right[-1000:].mean() > 0.995
        assert population.starts[-1] < rules / 3
