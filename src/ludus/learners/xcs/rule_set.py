"""The population of XCS: matching, covering, prediction, updates, the genetic algorithm, subsumption, deletion.

Butz and Wilson (2000), "An Algorithmic Description of XCS"; names there are in brackets. A rule is what they call a
macro-classifier: a classifier with a numerosity. Whatever pays the rewards, a game or a test problem, uses these same
kernels.

A rule has an id for as long as it lives. Its condition stands in the segment of its action, where all are matched in
one pass; inserting or removing a rule moves one condition of each later segment, so `ids` and `slots` tell which rule
stands where. The id of a removed rule is not reused before `release_ids`, so that the action sets of a game under way
never come to mean another rule.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import inlined, kernel
from ludus.compile.rng import Rng, randint, uniform
from ludus.players.xcs_matching import computed_prediction, match_rules

U = np.uint64

View = NDArray[np.uint64]
"""[2 * words]: what conditions are matched against; see `ludus.players.xcs_matching`."""
Condition = NDArray[np.uint64]
"""[4 * words]: a column of `Population.conditions`."""
ActionSet = NDArray[np.int64]
"""[rules]: ids of the rules that matched and advised the action, some of which may have been removed since."""
WeightIndices = NDArray[np.int64]
"""[squares]: the weights that take part in a computed prediction; empty if predictions are not computed."""

FREE, RETIRED, TOTAL, TIME = 0, 1, 2, 3
"""Places in `counts`: free ids, ids to be released, the numerosity of all rules, and the time in steps."""


class Population(NamedTuple):
    conditions: NDArray[np.uint64]  # [4 * words, room], by slot: see `ludus.players.xcs_matching`
    ids: NDArray[np.int64]  # [room]: which rule stands in a slot
    slots: NDArray[np.int64]  # [room]: where a rule stands
    starts: NDArray[np.int64]  # [actions + 1]: where the rules of each action begin
    action: NDArray[np.int64]  # from here on by id
    prediction: NDArray[np.float64]
    error: NDArray[np.float64]
    fitness: NDArray[np.float64]
    experience: NDArray[np.int64]
    numerosity: NDArray[np.int64]  # 0 if the rule has been removed
    stamp: NDArray[np.int64]  # when it last took part in the genetic algorithm
    niche: NDArray[np.float64]  # estimated size of its action sets [as]
    weights: NDArray[np.float64]  # [room, 4 * squares] for computed predictions; no columns without
    spare: NDArray[np.int64]  # [room]: free ids from the front, retired ones from the back
    counts: NDArray[np.int64]  # see FREE, RETIRED, TOTAL, TIME


class Constants(NamedTuple):
    """What Butz and Wilson call the learning parameters, and the length of conditions."""

    symbols: int  # of a condition: two for each square
    rules: int  # the most rules, counted by numerosity [N]
    alpha: float  # learning rate of predictions
    beta_error: float
    beta_fitness: float
    error_0: float  # the error below which a rule counts as accurate [epsilon_0]
    accuracy: float  # of a rule whose error is just above that [alpha]
    power: float  # how accuracy falls with the error [nu]
    ga_time: float  # mean age of an action set before the genetic algorithm runs in it [theta_GA]
    crossover: float
    mutation: float
    mutates_each: bool  # every symbol with that chance, or with that chance one symbol
    mutates_action: bool
    delete_experience: int  # from which on low fitness speaks for deletion [theta_del]
    delete_fitness: float  # below this part of the mean [delta]
    subsume_experience: int  # [theta_sub]
    ga_subsumption: bool
    set_subsumption: bool
    any_chance: float  # of a symbol of a new condition to be # [P_#]
    prediction_0: float
    error_start: float
    fitness_0: float
    child_error: float  # what a child takes over of its parents' error
    child_fitness: float


class NewRule(NamedTuple):
    """A rule to be inserted, with a numerosity of 1 and no experience."""

    action: int
    prediction: float
    error: float
    fitness: float
    niche: float
    stamp: int


def empty_population(actions: int, words: int, room: int, weights: int = 0) -> Population:
    """A population of no rules, with room for so many, each with that many weights."""
    return Population(
        np.zeros((4 * words, room), np.uint64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(actions + 1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room),
        np.zeros(room),
        np.zeros(room),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room),
        np.zeros((room, weights)),
        np.arange(room - 1, -1, -1),  # the lowest id is given first
        np.array([room, 0, 0, 0]),
    )


@inlined
def _move_condition(rules: Population, source: int, target: int) -> None:
    """Move a condition from one slot to another."""
    for row in range(len(rules.conditions)):
        rules.conditions[row, target] = rules.conditions[row, source]
    rules.ids[target] = rules.ids[source]
    rules.slots[rules.ids[target]] = target


@kernel
def insert(rules: Population, condition: Condition, new: NewRule):
    """Insert a rule and return its id, or -1 if there is no room before `release_ids`."""
    if rules.counts[FREE] == 0:
        return -1
    rules.counts[FREE] -= 1
    rule, last = rules.spare[rules.counts[FREE]], len(rules.starts) - 1
    action, hole = new.action, rules.starts[last]
    for other in range(last - 1, action, -1):  # later segments give their first place for one behind their last
        first = rules.starts[other]
        if first != hole:
            _move_condition(rules, first, hole)
            hole = first
        rules.starts[other + 1] += 1
    rules.starts[action + 1] += 1
    for row in range(len(condition)):
        rules.conditions[row, hole] = condition[row]
    rules.ids[hole], rules.slots[rule] = rule, hole
    rules.action[rule], rules.stamp[rule], rules.niche[rule] = action, new.stamp, new.niche
    rules.prediction[rule], rules.error[rule], rules.fitness[rule] = new.prediction, new.error, new.fitness
    rules.experience[rule], rules.numerosity[rule] = 0, 1
    for i in range(rules.weights.shape[1]):
        rules.weights[rule, i] = 0.0
    rules.counts[TOTAL] += 1
    return rule


@kernel
def remove(rules: Population, rule: int) -> None:
    """Remove a rule, with all its numerosity; its id is retired."""
    action, last = rules.action[rule], len(rules.starts) - 1
    hole = rules.slots[rule]
    for other in range(action, last):
        end = rules.starts[other + 1] - 1
        if end >= rules.starts[other]:
            if end != hole:
                _move_condition(rules, end, hole)
            hole = end
        if other > action:
            rules.starts[other] -= 1
    rules.starts[last] -= 1
    rules.counts[TOTAL] -= rules.numerosity[rule]
    rules.numerosity[rule] = 0
    rules.counts[RETIRED] += 1
    rules.spare[len(rules.spare) - rules.counts[RETIRED]] = rule


@kernel
def release_ids(rules: Population) -> None:
    """Let retired ids be reused: no action set refers to them any more."""
    retired = len(rules.spare) - rules.counts[RETIRED]
    for i in range(rules.counts[RETIRED]):  # from the front, since both places may overlap
        rules.spare[rules.counts[FREE] + i] = rules.spare[retired + i]
    rules.counts[FREE] += rules.counts[RETIRED]
    rules.counts[RETIRED] = 0


@kernel
def match(rules: Population, action: int, view: View, misses: NDArray[np.uint64], out: ActionSet, n: int):
    """Write the ids of the rules for `action` that match `view` into out[n:]: the part of the match set [M] that
    advises it. Returns the new n; `misses` [room] is room to work in."""
    end = match_rules(rules.conditions, rules.starts[action], rules.starts[action + 1], view, misses, out, n)
    for i in range(n, end):
        out[i] = rules.ids[out[i]]
    return end


@inlined
def _symbol_bit(symbol: int) -> tuple[int, np.uint64]:
    """The row of a symbol's mask in a condition, and its bit there."""
    square = symbol // 2
    return 4 * (square // 64) + 2 * (symbol % 2), U(1) << U(square % 64)


@kernel
def cover(rules: Population, constants: Constants, action: int, view: View, time: int, rng: Rng):
    """Covering: insert a rule for `action` that matches `view`, each of its symbols # by chance; -1 without room."""
    condition = empty(2 * len(view), np.uint64)
    for w in range(len(view) // 2):
        first, second = U(0), U(0)
        for square in range(min(64, constants.symbols // 2 - 64 * w)):  # chance would mispredict every other branch
            first |= U(uniform(rng) >= constants.any_chance) << U(square)
            second |= U(uniform(rng) >= constants.any_chance) << U(square)
        condition[4 * w], condition[4 * w + 1] = first, view[2 * w] & first
        condition[4 * w + 2], condition[4 * w + 3] = second, view[2 * w + 1] & second
    new = NewRule(action, constants.prediction_0, constants.error_start, constants.fitness_0, 1.0, time)
    return insert(rules, condition, new)


@kernel
def system_prediction(rules: Population, constants: Constants, members: ActionSet, indices: WeightIndices) -> float:
    """The payoff that these rules predict: the mean of their predictions, weighted by fitness; an entry of [PA].

    The prediction of no rules is that of a new one.
    """
    total, weight = 0.0, 0.0
    for i in range(len(members)):
        total += computed_prediction(rules.prediction, rules.weights, members[i], indices) * rules.fitness[members[i]]
        weight += rules.fitness[members[i]]
    return total / weight if weight > 0.0 else constants.prediction_0


@kernel
def update_set(
    rules: Population, constants: Constants, members: ActionSet, indices: WeightIndices, payoff: float
) -> None:
    """Update an action set by the payoff of its action [UPDATE SET, UPDATE FITNESS]."""
    shares = empty(len(members), np.float64)
    update_predictions(rules, constants, members, indices, payoff, shares)
    _share_fitness(rules, constants, members, shares)


@kernel
def update_predictions(
    rules: Population,
    constants: Constants,
    members: ActionSet,
    indices: WeightIndices,
    payoff: float,
    shares: NDArray[np.float64],
) -> None:
    """Update the predictions, errors and niches of an action set by the payoff of its action [UPDATE SET].

    Writes the accuracy of each member, times its numerosity, into `shares`.

    A computed prediction (Wilson 2002, "Classifiers that approximate functions") goes the same part of the way as a
    number would, each weight that took part in it an equal share.
    """
    size = 0
    for i in range(len(members)):
        size += rules.numerosity[members[i]]
    for i in range(len(members)):
        rule = members[i]
        if rules.numerosity[rule] == 0:
            continue
        rules.experience[rule] += 1
        mean = 1.0 / rules.experience[rule]  # the first values are averaged [MAM]
        td_error = payoff - computed_prediction(rules.prediction, rules.weights, rule, indices)
        step = (max(mean, constants.alpha) if len(indices) == 0 else constants.alpha) * td_error
        share = step / (1 + len(indices))
        rules.prediction[rule] += share
        for k in range(len(indices)):
            rules.weights[rule, indices[k]] += share
        rate = max(mean, constants.beta_error)
        rules.error[rule] += rate * (abs(td_error - step) - rules.error[rule])
        rules.niche[rule] += rate * (size - rules.niche[rule])
        shares[i] = _accuracy(rules, constants, rule) * rules.numerosity[rule]


@kernel
def update_fitness(rules: Population, constants: Constants, members: ActionSet) -> None:
    """Let the fitness of each of these rules follow its part of their accuracies [UPDATE FITNESS]."""
    shares = empty(len(members), np.float64)
    for i in range(len(members)):
        shares[i] = _accuracy(rules, constants, members[i]) * rules.numerosity[members[i]]
    _share_fitness(rules, constants, members, shares)


@inlined
def _share_fitness(rules: Population, constants: Constants, members: ActionSet, shares: NDArray[np.float64]) -> None:
    """Let the fitness of each member follow its part of the sum of `shares`."""
    total = 0.0
    for i in range(len(members)):
        if rules.numerosity[members[i]] > 0:
            total += shares[i]
    for i in range(len(members)):
        rule = members[i]
        if rules.numerosity[rule] > 0 and total > 0.0:  # it is 0 where all are too small for a number
            rules.fitness[rule] += constants.beta_fitness * (shares[i] / total - rules.fitness[rule])


@kernel
def distinct(members: ActionSet, marked: NDArray[np.bool_], out: ActionSet) -> int:
    """Write each rule of several action sets once; return how many there are.

    `marked` [room] is false for every rule, before and after.
    """
    n = 0
    for i in range(len(members)):
        if not marked[members[i]]:
            marked[members[i]] = True
            out[n] = members[i]
            n += 1
    for i in range(n):
        marked[out[i]] = False
    return n


@inlined
def _accuracy(rules: Population, constants: Constants, rule: int):
    """The accuracy kappa of a rule, which falls with its error above error_0."""
    if rules.error[rule] < constants.error_0:
        return 1.0
    part = constants.error_0 / rules.error[rule]
    if constants.power == 5.0:  # as nearly always; a general power takes longer than all the rest of an update
        return constants.accuracy * part * (part * part) * (part * part)
    return constants.accuracy * part**constants.power


@inlined
def _subsumes(rules: Population, constants: Constants, rule: int, condition: Condition) -> bool:
    """Whether the rule is accurate and experienced, and matches whatever that condition does [DOES SUBSUME]."""
    if rules.experience[rule] <= constants.subsume_experience or rules.error[rule] >= constants.error_0:
        return False
    slot = rules.slots[rule]
    for row in range(0, len(condition), 2):
        care = rules.conditions[row, slot]
        if care & ~condition[row] or (condition[row + 1] & care) != rules.conditions[row + 1, slot]:
            return False
    return True


@kernel
def subsume_set(rules: Population, constants: Constants, members: ActionSet) -> None:
    """Let the most general accurate rule of an action set subsume others of it [DO ACTION SET SUBSUMPTION]."""
    rows = len(rules.conditions)
    condition, best, fewest = empty(rows, np.uint64), -1, 1 << 30
    for i in range(len(members)):
        rule = members[i]
        if rules.numerosity[rule] == 0 or rules.experience[rule] <= constants.subsume_experience:
            continue
        cares = 0
        for row in range(0, rows, 2):
            left = rules.conditions[row, rules.slots[rule]]
            while left:
                cares += 1
                left &= left - U(1)
        if rules.error[rule] < constants.error_0 and cares < fewest:
            best, fewest = rule, cares
    if best < 0:
        return
    for i in range(len(members)):
        rule = members[i]
        if rule != best and rules.numerosity[rule] > 0:
            for row in range(rows):
                condition[row] = rules.conditions[row, rules.slots[rule]]
            if _subsumes(rules, constants, best, condition):
                taken = rules.numerosity[rule]
                remove(rules, rule)
                rules.numerosity[best] += taken
                rules.counts[TOTAL] += taken


@kernel
def ga_is_due(rules: Population, constants: Constants, members: ActionSet, time: int) -> bool:
    """Whether the genetic algorithm last ran in this niche, on average, longer ago than `ga_time`."""
    total, size = 0, 0
    for i in range(len(members)):
        rule = members[i]
        total += rules.stamp[rule] * rules.numerosity[rule]
        size += rules.numerosity[rule]
    return size > 0 and time - total / size > constants.ga_time


@inlined
def _roulette(rules: Population, members: ActionSet, rng: Rng) -> int:
    """Fitness proportionate selection of one of the members that have not been removed [SELECT OFFSPRING]."""
    total = 0.0
    for i in range(len(members)):
        if rules.numerosity[members[i]] > 0:
            total += rules.fitness[members[i]]
    point, found = uniform(rng) * total, -1
    for i in range(len(members)):
        if rules.numerosity[members[i]] > 0:
            found = members[i]
            point -= rules.fitness[found]
            if point < 0.0:
                break
    return found


@kernel
def run_ga(
    rules: Population,
    constants: Constants,
    members: ActionSet,
    view: View,
    legal: NDArray[np.int64],
    time: int,
    rng: Rng,
) -> None:
    """The genetic algorithm of a niche, if it is due: insert two children of members of an action set [RUN GA].

    `view` is what the members matched; `legal` are the actions that a mutation may choose from.
    """
    if not ga_is_due(rules, constants, members, time):
        return
    for i in range(len(members)):
        rules.stamp[members[i]] = time
    parents = (_roulette(rules, members, rng), _roulette(rules, members, rng))
    rows = len(rules.conditions)
    children = empty((2, rows), np.uint64)
    for child in range(2):
        for row in range(rows):
            children[child, row] = rules.conditions[row, rules.slots[parents[child]]]
    crossed = uniform(rng) < constants.crossover
    if crossed:
        _cross_over(children, constants.symbols, rng)
    mean_prediction = (rules.prediction[parents[0]] + rules.prediction[parents[1]]) / 2.0
    mean_error = (rules.error[parents[0]] + rules.error[parents[1]]) / 2.0
    mean_fitness = (rules.fitness[parents[0]] + rules.fitness[parents[1]]) / 2.0
    for child in range(2):
        parent = parents[child]
        _mutate(children[child], view, constants, rng)
        action = rules.action[parent]
        if constants.mutates_action and uniform(rng) < constants.mutation:
            action = legal[randint(rng, len(legal))]
        subsumer = -1
        if constants.ga_subsumption:
            for other in parents:
                if (
                    subsumer < 0
                    and rules.action[other] == action
                    and _subsumes(rules, constants, other, children[child])
                ):
                    subsumer = other
        if subsumer < 0:
            subsumer = _find(rules, action, children[child])
        if subsumer >= 0:
            rules.numerosity[subsumer] += 1
            rules.counts[TOTAL] += 1
            continue
        new = NewRule(
            action,
            mean_prediction if crossed else rules.prediction[parent],
            constants.child_error * (mean_error if crossed else rules.error[parent]),
            constants.child_fitness * (mean_fitness if crossed else rules.fitness[parent]),
            rules.niche[parent],
            time,
        )
        born = insert(rules, children[child], new)
        for i in range(rules.weights.shape[1] if born >= 0 else 0):
            other = parents[1 - child] if crossed else parent
            rules.weights[born, i] = (rules.weights[parent, i] + rules.weights[other, i]) / 2.0


@inlined
def _cross_over(children: NDArray[np.uint64], symbols: int, rng: Rng) -> None:
    """Two-point crossover of two conditions, children [2, 4 * words]; a square's two symbols are neighbours."""
    x, y = randint(rng, symbols + 1), randint(rng, symbols + 1)
    for symbol in range(min(x, y), max(x, y)):
        row, bit = _symbol_bit(symbol)
        for each in range(row, row + 2):
            differ = (children[0, each] ^ children[1, each]) & bit
            children[0, each] ^= differ
            children[1, each] ^= differ


@inlined
def _mutate(condition: Condition, view: View, constants: Constants, rng: Rng) -> None:
    """Niche mutation: turn symbols into #, or # into what is in `view`, so that the condition still matches it."""
    if constants.mutates_each:
        for symbol in range(constants.symbols):
            if uniform(rng) < constants.mutation:
                _flip(condition, view, symbol)
    elif uniform(rng) < constants.mutation:
        _flip(condition, view, randint(rng, constants.symbols))


@inlined
def _flip(condition: Condition, view: View, symbol: int) -> None:
    row, bit = _symbol_bit(symbol)
    condition[row] ^= bit
    condition[row + 1] &= ~bit
    condition[row + 1] |= condition[row] & bit & view[row // 2]


@kernel
def _find(rules: Population, action: int, condition: Condition):
    """The rule with that action and condition, or -1."""
    first, second = rules.conditions[0], rules.conditions[2]
    for slot in range(rules.starts[action], rules.starts[action + 1]):
        if first[slot] == condition[0] and second[slot] == condition[2]:
            for row in range(1, len(condition)):
                if rules.conditions[row, slot] != condition[row]:
                    break
            else:
                return rules.ids[slot]
    return -1


@inlined
def _bisect(sums: NDArray[np.float64], size: int, point: float) -> int:
    """How many of the first `size` sums, which rise, are at most `point`."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if sums[middle] <= point:
            low = middle + 1
        else:
            high = middle
    return low


MISSES = 1000
"""After so many draws of rules that are used up, votes are counted anew."""


@kernel
def delete_excess(rules: Population, constants: Constants, votes: NDArray[np.float64], rng: Rng) -> None:
    """Delete classifiers until the numerosity is no more than allowed [DELETE FROM POPULATION].

    All are drawn by the deletion votes as they stand at the beginning, unless a rule that is used up has nearly all of
    them: then the others vote again. `votes` [room] is room to work in.
    """
    while rules.counts[TOTAL] > constants.rules:
        size = rules.starts[len(rules.starts) - 1]
        total, misses = _deletion_votes(rules, constants, size, votes), 0
        emptied, n = empty(rules.counts[TOTAL] - constants.rules, np.int64), 0
        while rules.counts[TOTAL] > constants.rules and misses < MISSES:
            slot = min(_bisect(votes, size, uniform(rng) * total), size - 1)
            rule = rules.ids[slot]
            if rules.numerosity[rule] > 0:
                rules.numerosity[rule] -= 1
                rules.counts[TOTAL] -= 1
                misses = 0
                if rules.numerosity[rule] == 0:
                    k = n
                    while k > 0 and emptied[k - 1] < slot:
                        emptied[k] = emptied[k - 1]
                        k -= 1
                    emptied[k], n = slot, n + 1
            else:
                misses += 1
        for k in range(n):  # from the last: what is moved into a hole comes from behind it
            remove(rules, rules.ids[emptied[k]])


@inlined
def _deletion_votes(rules: Population, constants: Constants, size: int, votes: NDArray[np.float64]):
    """Write the sums of the votes of the first slots up to each [DELETION VOTE]; return that of all."""
    fitness = 0.0
    for slot in range(size):
        fitness += rules.fitness[rules.ids[slot]]
    mean, total = fitness / rules.counts[TOTAL], 0.0
    for slot in range(size):
        rule = rules.ids[slot]
        vote = rules.niche[rule] * rules.numerosity[rule]
        if rules.experience[rule] > constants.delete_experience:
            own = rules.fitness[rule] / rules.numerosity[rule]
            if own < constants.delete_fitness * mean:
                vote *= mean / max(own, 1e-300)
        total += vote
        votes[slot] = total
    return total
