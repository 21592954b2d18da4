"""Fewer rules that play as well: which of a rule set matter, and what it costs to do without the others.

Rules are ranked by how much of all predictions they made in games of their own: over every move that was weighed, a
rule's part of the fitness that spoke for it. The compact set is the shortest beginning of that ranking whose score
against an opponent falls no further than allowed, found by halving; the same games decide at each size. What it really
costs is then measured in other games: against that opponent again, and against the whole set itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.dice import key, throw
from ludus.errors import LudusError
from ludus.kernels import kernel
from ludus.measures.matches import match, pair_scores
from ludus.measures.performance import Performance, compiled, performance
from ludus.players.matching import eyes
from ludus.players.player import CompiledPlayer, Player
from ludus.players.rules import RuleSet, chosen_rules, speaking, workroom

HELD_OUT = 1
"""Added to the seed for the games that tell the cost."""


@dataclass(frozen=True)
class Compaction:
    """A compact rule set beside the whole one."""

    compact: CompiledPlayer
    rules: int
    kept: int
    before: Performance
    """The whole set against the opponent."""
    after: Performance
    """The compact set in the same games."""
    head_to_head: Performance
    """The compact set against the whole one."""

    @property
    def loss(self) -> float:
        """How many percent of the points against the opponent are lost."""
        return self.before.percent - self.after.percent


def rule_player(given: Player) -> CompiledPlayer:
    """The same player, if it goes by rules."""
    if not isinstance(given, CompiledPlayer) or not isinstance(given.parts, RuleSet):
        raise LudusError(f"{given.name} does not go by rules; name a player that `ludus train xcs` has made")
    return given


def compacted(
    whole: CompiledPlayer,
    opponent: Player,
    games: int = 2000,
    loss: float = 1.0,
    seed: int = 1,
    workers: int = 1,
    tell: Callable[[int, float], None] = lambda kept, percent: None,
) -> Compaction:
    """The rules that are needed to lose no more than `loss` percent of the points; `tell` hears of each attempt."""
    rival = compiled(opponent)
    ranked = np.argsort(-used(whole, rival, max(1, games // 4), seed), kind="stable")

    def of(kept: int) -> CompiledPlayer:
        return CompiledPlayer(
            f"{whole.name}, {kept} rules", whole.game, chosen_rules(whole.parts, np.sort(ranked[:kept]))
        )

    def scored(one: CompiledPlayer, other: Player, seed: int) -> Performance:
        return performance(pair_scores(match(one, other, games, seed=seed, workers=workers).scores))

    goal = scored(whole, rival, seed).percent - loss
    low, high = 0, len(ranked)  # so few are too few, so many are enough
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        percent = scored(of(middle), rival, seed).percent
        tell(middle, percent)
        low, high = (low, middle) if percent >= goal else (middle, high)
    compact = of(high)
    return Compaction(
        compact,
        len(ranked),
        high,
        scored(whole, rival, seed + HELD_OUT),
        scored(compact, rival, seed + HELD_OUT),
        scored(compact, whole, seed + HELD_OUT),
    )


def used(whole: CompiledPlayer, rival: CompiledPlayer, games: int, seed: int) -> NDArray[np.float64]:
    """How much of all predictions each rule made in games with both colours."""
    shares = np.zeros(whole.parts.starts[-1])
    count_use(whole.game.rules, whole.parts, rival.parts, key(seed, "use of rules"), games, shares)
    return shares


@kernel
def count_use(game, rules, opponent, seed, games, shares):
    """Add to `shares` each rule's part of the fitness behind each move that was weighed in these games."""
    moves, dice = np.empty(words.width(game), np.int64), np.empty(4, np.uint64)
    view_room, work = eyes(rules.sight), workroom(rules)
    for index in range(games):
        throw(dice, seed, index)
        state = words.initial(game)
        n = words.moves(game, state, moves)
        while n > 0:
            if words.mover(game, state) != index % 2:
                move = words.choose(opponent, game, state, moves, n, dice)
            else:
                for i in range(n if n > 1 else 0):
                    there, total = speaking(rules, game, state, moves[i], view_room, work), 0.0
                    for k in range(there):
                        total += rules.fitness[rules.ids[work.found[k]]]
                    for k in range(there):
                        if total > 0.0:
                            shares[work.found[k]] += rules.fitness[rules.ids[work.found[k]]] / total
                move = words.choose(rules, game, state, moves, n, dice)
            state = words.play(game, state, move)
            n = words.moves(game, state, moves)
