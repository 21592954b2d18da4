"""The Boolean multiplexer, on which classifier systems are compared: address bits choose one of the data bits."""

import numba
import numpy as np

from ludus.compile.rng import randint, stream, uniform
from ludus.learners.xcs.rule_set import (
    TIME,
    Constants,
    Population,
    cover,
    delete_excess,
    empty_population,
    match,
    release_ids,
    run_ga,
    subsume_set,
    system_prediction,
    update_set,
)

BUTZ_AND_WILSON = Constants(
    symbols=6,
    rules=400, alpha=0.2, beta_error=0.2, beta_fitness=0.2, error_0=10.0, accuracy=0.1, power=5.0, ga_time=25.0,
    crossover=0.8, mutation=0.04, mutates_each=True, mutates_action=True, delete_experience=20, delete_fitness=0.1,
    subsume_experience=20, ga_subsumption=True, set_subsumption=True, any_chance=0.33, prediction_0=10.0,
    error_start=0.0, fitness_0=0.01, child_error=0.25, child_fitness=0.1,
)  # fmt: skip


def learned(bits: int, rules: int, problems: int, any_chance: float, seed: int = 1) -> tuple[Population, np.ndarray]:
    """The rules after so many problems to explore, and whether each of as many to exploit, in between, was right."""
    population = empty_population(2, 1, rules + 10)
    right = np.zeros(problems, np.bool_)
    constants = BUTZ_AND_WILSON._replace(symbols=bits, rules=rules, any_chance=any_chance)
    _learn(population, constants, {6: 2, 11: 3}[bits], right, stream(seed, "multiplexer"))
    return population, right


# not a kernel of the package: those are kept on disk by the package's sources, which this is none of
@numba.njit
def _learn(rules, constants, address, right, rng):
    """Two bits make a square."""
    bits, view, actions, no_indices = constants.symbols, np.zeros(2, np.uint64), np.arange(2), np.empty(0, np.int64)
    found, starts = np.empty(4 * constants.rules, np.int64), np.zeros(3, np.int64)
    misses, votes = np.empty(constants.rules + 10, np.uint64), np.empty(constants.rules + 10)
    for trial in range(2 * len(right)):
        word = randint(rng, 1 << bits)
        answer = (word >> (address + (word & ((1 << address) - 1)))) & 1
        view[:] = 0
        for bit in range(bits):
            view[bit % 2] |= np.uint64((word >> bit & 1) << (bit // 2))
        time, predictions = rules.counts[TIME], np.zeros(2)
        for action in range(2):
            starts[action + 1] = match(rules, action, view, misses, found, starts[action])
            if starts[action + 1] == starts[action]:
                found[starts[action]] = cover(rules, constants, action, view, time, rng)
                starts[action + 1] += 1
            members = found[starts[action] : starts[action + 1]]
            predictions[action] = system_prediction(rules, constants, members, no_indices)
        if trial % 2:
            right[trial // 2] = (predictions[1] > predictions[0]) == (answer == 1)
        else:
            chosen = 1 if uniform(rng) < 0.5 else 0
            members = found[starts[chosen] : starts[chosen + 1]]
            update_set(rules, constants, members, no_indices, 1000.0 if chosen == answer else 0.0)
            subsume_set(rules, constants, members)
            run_ga(rules, constants, members, view, actions, time, rng)
            rules.counts[TIME] += 1
        delete_excess(rules, constants, votes, rng)
        release_ids(rules)
