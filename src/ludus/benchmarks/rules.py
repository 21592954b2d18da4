"""How fast the rules of XCS are matched against positions."""

import numpy as np

from ludus.benchmarks.turns import Bench, Row
from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.compile.rng import mix, next_uint64
from ludus.players.xcs_matching import match_rules

RULES, BOARD = 50_000, np.uint64((1 << 36) - 1)
"""jain2018's number of rules, and its board."""


def rule_matching(bench: Bench) -> Row:
    """Positions of 6x6 Othello a second that 50,000 random rules of XCS are matched against."""
    program = bench.c_program("xcs")
    return bench.compare_repeated(
        "xcs 50,000 rules",
        lambda passes: match_passes(passes, 1, RULES),
        (lambda passes: [*program, "match", str(passes), "1", str(RULES)]) if program else None,
    )


def match_passes(passes: int, seed: int, rules: int) -> int:
    """Match random rules against random positions, as xcs.c does; how often one matched."""
    rng, word = np.empty(4, np.uint64), np.array([seed], np.uint64)
    for i in range(4):
        word += np.uint64(0x9E3779B97F4A7C15)
        rng[i] = mix(word[0])
    return int(_matches(_random_conditions(rules, rng), passes, rng))


@kernel
def _random_conditions(rules, rng):
    """Conditions [4, rules] in which each of 36 symbols is cared for with a chance of 1 in 16."""
    conditions = empty((4, rules), np.uint64)
    for i in range(rules):
        for row in range(0, 4, 2):
            care = BOARD
            for _ in range(4):
                care &= next_uint64(rng)
            conditions[row, i] = care
            conditions[row + 1, i] = care & next_uint64(rng)
    return conditions


@kernel
def _matches(conditions, passes, rng):
    rules, found = conditions.shape[1], 0
    view, misses, out = empty(2, np.uint64), empty(rules, np.uint64), empty(rules + 1, np.int64)
    for _ in range(passes):
        view[0] = next_uint64(rng) & BOARD
        view[1] = next_uint64(rng) & BOARD
        found += match_rules(conditions, 0, rules, view, misses, out, 0)
    return found
