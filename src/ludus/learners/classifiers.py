"""The rule set of XCS: matching, covering, prediction, updates, the genetic algorithm, subsumption, deletion.

Butz and Wilson (2000), "An Algorithmic Description of XCS"; names there are in brackets. Whoever asks for a payoff, a
game or a test problem, uses these same kernels.

A rule has an id for as long as it lives. Its condition stands in the segment of its action, where it can be matched in
one pass; making or removing a rule moves one condition of each later segment, so `ids` and `slots` tell which rule
stands where. The id of a rule that was removed is not given away before `release`, so that action sets of a game under
way never mean another rule than they did.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.dice import below, uniform
from ludus.kernels import inlined, kernel
from ludus.players.matching import computed, matching

U = np.uint64

FREE, RETIRED, TOTAL, TIME = 0, 1, 2, 3
"""Places in `counts`: ids that can be given, ids to be released, the numerosity of all rules, and a clock."""


class Population(NamedTuple):
    conditions: NDArray[np.uint64]  # [4 * words, room], by slot: see `matching`
    ids: NDArray[np.int64]  # [room]: which rule stands in a slot
    slots: NDArray[np.int64]  # [room]: where a rule stands
    starts: NDArray[np.int64]  # [actions + 1]: where the rules of each action begin
    action: NDArray[np.int64]  # from here on by id
    prediction: NDArray[np.float64]
    error: NDArray[np.float64]
    fitness: NDArray[np.float64]
    experience: NDArray[np.int64]
    numerosity: NDArray[np.int64]  # 0 means that the rule is no more
    stamp: NDArray[np.int64]  # when it last took part in the genetic algorithm
    niche: NDArray[np.float64]  # how large its action sets are [as]
    weights: NDArray[np.float64]  # [room, 4 * squares] for computed predictions; no columns without
    spare: NDArray[np.int64]  # [room]: free ids from the front, retired ones from the back
    counts: NDArray[np.int64]  # see FREE, RETIRED, TOTAL, TIME


class Constants(NamedTuple):
    """What Butz and Wilson call the learning parameters."""

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


def unpopulated(actions: int, words: int, room: int, weights: int = 0) -> Population:
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
def _move(rules, source, target):
    for row in range(len(rules.conditions)):
        rules.conditions[row, target] = rules.conditions[row, source]
    rules.ids[target] = rules.ids[source]
    rules.slots[rules.ids[target]] = target


@kernel
def insert(rules, action, condition, prediction, error, fitness, niche, stamp):
    """Add a rule of numerosity 1 and return its id, or -1 if there is no room before `release`."""
    if rules.counts[FREE] == 0:
        return -1
    rules.counts[FREE] -= 1
    rule, last = rules.spare[rules.counts[FREE]], len(rules.starts) - 1
    hole = rules.starts[last]
    for other in range(last - 1, action, -1):  # later segments give their first place for one behind their last
        first = rules.starts[other]
        if first != hole:
            _move(rules, first, hole)
            hole = first
        rules.starts[other + 1] += 1
    rules.starts[action + 1] += 1
    for row in range(len(condition)):
        rules.conditions[row, hole] = condition[row]
    rules.ids[hole], rules.slots[rule] = rule, hole
    rules.action[rule], rules.stamp[rule], rules.niche[rule] = action, stamp, niche
    rules.prediction[rule], rules.error[rule], rules.fitness[rule] = prediction, error, fitness
    rules.experience[rule], rules.numerosity[rule] = 0, 1
    for i in range(rules.weights.shape[1]):
        rules.weights[rule, i] = 0.0
    rules.counts[TOTAL] += 1
    return rule


@kernel
def remove(rules, rule):
    """Take a rule out, with all its numerosity; its id is retired."""
    action, last = rules.action[rule], len(rules.starts) - 1
    hole = rules.slots[rule]
    for other in range(action, last):
        end = rules.starts[other + 1] - 1
        if end >= rules.starts[other]:
            if end != hole:
                _move(rules, end, hole)
            hole = end
        if other > action:
            rules.starts[other] -= 1
    rules.starts[last] -= 1
    rules.counts[TOTAL] -= rules.numerosity[rule]
    rules.numerosity[rule] = 0
    rules.counts[RETIRED] += 1
    rules.spare[len(rules.spare) - rules.counts[RETIRED]] = rule


@kernel
def release(rules):
    """Let retired ids be given again: nobody remembers the rules that had them."""
    retired = len(rules.spare) - rules.counts[RETIRED]
    for i in range(rules.counts[RETIRED]):  # from the front, since both places may overlap
        rules.spare[rules.counts[FREE] + i] = rules.spare[retired + i]
    rules.counts[FREE] += rules.counts[RETIRED]
    rules.counts[RETIRED] = 0


@kernel
def match(rules, action, view, misses, out, n):
    """Write the ids of the rules for `action` that hold in `view` into out[n:], the part of [M] that advises it."""
    end = matching(rules.conditions, rules.starts[action], rules.starts[action + 1], view, misses, out, n)
    for i in range(n, end):
        out[i] = rules.ids[out[i]]
    return end


@inlined
def _place(symbol):
    """The row of a symbol's mask in a condition, and its bit there."""
    square = symbol // 2
    return 4 * (square // 64) + 2 * (symbol % 2), U(1) << U(square % 64)


@kernel
def cover(rules, constants, action, view, symbols, stamp, dice):
    """A new rule for `action` that holds in `view`, each of its symbols # by chance; -1 if there is no room."""
    condition = np.zeros(2 * len(view), np.uint64)
    for symbol in range(symbols):
        if uniform(dice) >= constants.any_chance:
            row, bit = _place(symbol)
            condition[row] |= bit
            condition[row + 1] |= view[row // 2] & bit
    return insert(
        rules, action, condition, constants.prediction_0, constants.error_start, constants.fitness_0, 1.0, stamp
    )


@kernel
def predicted(rules, constants, members, begin, end, marks):
    """The payoff that the rules `members[begin:end]` predict: the mean of their predictions, weighed by fitness.

    Nobody's prediction is that of a new rule. `marks` tells what stands on the squares; see `mark`.
    """
    total, weight = 0.0, 0.0
    for i in range(begin, end):
        total += computed(rules.prediction, rules.weights, members[i], marks) * rules.fitness[members[i]]
        weight += rules.fitness[members[i]]
    return total / weight if weight > 0.0 else constants.prediction_0


@kernel
def update(rules, constants, members, begin, end, marks, payoff):
    """Teach an action set the payoff that came of its action [UPDATE SET, UPDATE FITNESS].

    A computed prediction (Wilson 2002, "Classifiers that approximate functions") goes the same part of the way as a
    number would, each weight that took part in it an equal share.
    """
    size, total = 0, 0.0
    shares = np.empty(end - begin)
    for i in range(begin, end):
        size += rules.numerosity[members[i]]
    for i in range(begin, end):
        rule = members[i]
        if rules.numerosity[rule] == 0:
            continue
        rules.experience[rule] += 1
        mean = 1.0 / rules.experience[rule]  # the first values are averaged [MAM]
        surprise = payoff - computed(rules.prediction, rules.weights, rule, marks)
        learned = (max(mean, constants.alpha) if len(marks) == 0 else constants.alpha) * surprise
        share = learned / (1 + len(marks))
        rules.prediction[rule] += share
        for k in range(len(marks)):
            rules.weights[rule, marks[k]] += share
        rate = max(mean, constants.beta_error)
        rules.error[rule] += rate * (abs(surprise - learned) - rules.error[rule])
        rules.niche[rule] += rate * (size - rules.niche[rule])
        shares[i - begin] = _accuracy(rules, constants, rule) * rules.numerosity[rule]
        total += shares[i - begin]
    for i in range(begin, end):
        rule = members[i]
        if rules.numerosity[rule] > 0:
            rules.fitness[rule] += constants.beta_fitness * (shares[i - begin] / total - rules.fitness[rule])


@inlined
def _accuracy(rules, constants, rule):
    if rules.error[rule] < constants.error_0:
        return 1.0
    part = constants.error_0 / rules.error[rule]
    if constants.power == 5.0:  # as nearly always; a general power takes longer than all the rest of an update
        return constants.accuracy * part * (part * part) * (part * part)
    return constants.accuracy * part**constants.power


@inlined
def _subsumes(rules, constants, rule, condition):
    """Whether the rule is accurate and experienced, and holds wherever that condition does."""
    if rules.experience[rule] <= constants.subsume_experience or rules.error[rule] >= constants.error_0:
        return False
    slot = rules.slots[rule]
    for row in range(0, len(condition), 2):
        care = rules.conditions[row, slot]
        if care & ~condition[row] or (condition[row + 1] & care) != rules.conditions[row + 1, slot]:
            return False
    return True


@kernel
def subsume(rules, constants, members, begin, end):
    """Let the most general accurate rule of an action set take over those it covers [DO ACTION SET SUBSUMPTION]."""
    rows = len(rules.conditions)
    condition, best, fewest = np.empty(rows, np.uint64), -1, 1 << 30
    for i in range(begin, end):
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
    for i in range(begin, end):
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
def due(rules, constants, members, begin, end, time):
    """Whether the genetic algorithm has left the action set alone for long enough."""
    total, size = 0, 0
    for i in range(begin, end):
        rule = members[i]
        total += rules.stamp[rule] * rules.numerosity[rule]
        size += rules.numerosity[rule]
    return size > 0 and time - total / size > constants.ga_time


@inlined
def _roulette(rules, members, begin, end, dice):
    """One of the living members, as likely as its part of their fitness."""
    total = 0.0
    for i in range(begin, end):
        if rules.numerosity[members[i]] > 0:
            total += rules.fitness[members[i]]
    point, found = uniform(dice) * total, -1
    for i in range(begin, end):
        if rules.numerosity[members[i]] > 0:
            found = members[i]
            point -= rules.fitness[found]
            if point < 0.0:
                break
    return found


@kernel
def breed(rules, constants, members, begin, end, view, symbols, choices, n_choices, time, dice):
    """Add two children of two members of an action set, which was formed in `view`, if that is due [RUN GA].

    `symbols` is how many a condition has; `choices[:n_choices]` are the actions that a mutation may choose from.
    """
    if not due(rules, constants, members, begin, end, time):
        return
    for i in range(begin, end):
        rules.stamp[members[i]] = time
    parents = (_roulette(rules, members, begin, end, dice), _roulette(rules, members, begin, end, dice))
    rows = len(rules.conditions)
    children = np.empty((2, rows), np.uint64)
    for child in range(2):
        for row in range(rows):
            children[child, row] = rules.conditions[row, rules.slots[parents[child]]]
    crossed = uniform(dice) < constants.crossover
    if crossed:
        _cross(children, symbols, dice)
    mean_prediction = (rules.prediction[parents[0]] + rules.prediction[parents[1]]) / 2.0
    mean_error = (rules.error[parents[0]] + rules.error[parents[1]]) / 2.0
    mean_fitness = (rules.fitness[parents[0]] + rules.fitness[parents[1]]) / 2.0
    for child in range(2):
        parent = parents[child]
        _mutate(children, child, view, symbols, constants, dice)
        action = rules.action[parent]
        if constants.mutates_action and uniform(dice) < constants.mutation:
            action = choices[below(dice, n_choices)]
        keeper = -1
        if constants.ga_subsumption:
            for other in parents:
                if keeper < 0 and rules.action[other] == action and _subsumes(rules, constants, other, children[child]):
                    keeper = other
        if keeper < 0:
            keeper = _twin(rules, action, children[child])
        if keeper >= 0:
            rules.numerosity[keeper] += 1
            rules.counts[TOTAL] += 1
            continue
        born = insert(
            rules,
            action,
            children[child],
            mean_prediction if crossed else rules.prediction[parent],
            constants.child_error * (mean_error if crossed else rules.error[parent]),
            constants.child_fitness * (mean_fitness if crossed else rules.fitness[parent]),
            rules.niche[parent],
            time,
        )
        for i in range(rules.weights.shape[1] if born >= 0 else 0):
            other = parents[1 - child] if crossed else parent
            rules.weights[born, i] = (rules.weights[parent, i] + rules.weights[other, i]) / 2.0


@inlined
def _cross(children, symbols, dice):
    """Exchange all symbols between two points, a square's two symbols being neighbours."""
    x, y = below(dice, symbols + 1), below(dice, symbols + 1)
    for symbol in range(min(x, y), max(x, y)):
        row, bit = _place(symbol)
        for each in range(row, row + 2):
            differ = (children[0, each] ^ children[1, each]) & bit
            children[0, each] ^= differ
            children[1, each] ^= differ


@inlined
def _mutate(children, child, view, symbols, constants, dice):
    """Turn a symbol into # or # into what stands in `view`, so that the condition still holds there."""
    if constants.mutates_each:
        for symbol in range(symbols):
            if uniform(dice) < constants.mutation:
                _flip(children, child, view, symbol)
    elif uniform(dice) < constants.mutation:
        _flip(children, child, view, below(dice, symbols))


@inlined
def _flip(children, child, view, symbol):
    row, bit = _place(symbol)
    children[child, row] ^= bit
    children[child, row + 1] &= ~bit
    children[child, row + 1] |= children[child, row] & bit & view[row // 2]


@kernel
def _twin(rules, action, condition):
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


@kernel
def cull(rules, constants, votes, dice):
    """Delete until no more than the allowed rules are left [DELETE FROM POPULATION].

    All are chosen by the votes as they stand at the beginning. `votes` is room for a number for each rule.
    """
    excess = rules.counts[TOTAL] - constants.rules
    if excess <= 0:
        return
    size = rules.starts[len(rules.starts) - 1]
    fitness = 0.0
    for slot in range(size):
        fitness += rules.fitness[rules.ids[slot]]
    mean, total = fitness / rules.counts[TOTAL], 0.0
    for slot in range(size):
        rule = rules.ids[slot]
        vote, own = rules.niche[rule] * rules.numerosity[rule], rules.fitness[rule] / rules.numerosity[rule]
        if rules.experience[rule] > constants.delete_experience and own < constants.delete_fitness * mean:
            vote *= mean / max(own, 1e-300)
        total += vote
        votes[slot] = total
    while excess > 0:
        slot = min(np.searchsorted(votes[:size], uniform(dice) * total, side="right"), size - 1)
        rule = rules.ids[slot]
        if rules.numerosity[rule] > 0:
            rules.numerosity[rule] -= 1
            rules.counts[TOTAL] -= 1
            excess -= 1
    for slot in range(size - 1, -1, -1):  # from behind, since what is moved into a hole comes from behind
        if rules.numerosity[rules.ids[slot]] == 0:
            remove(rules, rules.ids[slot])
