"""Fewer rules that play as well: which of a rule set matter, and what it costs to do without the others.

Rules (macro-classifiers) are ranked by how much of all predictions they made in games of their own: over every move
that was weighed, a rule's share of the fitness in the match set. The compact set is the shortest beginning of that
ranking whose score against an opponent falls no further than allowed, found by bisection; the same games decide at each
size. What it really costs is then measured in held-out games: against that opponent again, and against the whole set.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.compile.rng import key, seek
from ludus.errors import WrongGame
from ludus.games import protocol
from ludus.measures.performance import compiled, percent_of_games
from ludus.play.intervals import Estimate
from ludus.play.matches import match
from ludus.play.tables import html_table
from ludus.players.base import CompiledPlayer, Player
from ludus.players.protocol import choose, with_fresh_memory
from ludus.players.xcs import RuleSet, action_set, match_buffers, subset
from ludus.players.xcs_matching import view_buffers

HELD_OUT = 1
"""Added to the seed for the games by which the cost is measured."""


@dataclass(frozen=True, repr=False)
class Compaction:
    """A compact rule set beside the whole one."""

    compact: CompiledPlayer
    rules: int
    """In the whole set."""
    kept: int
    """In the compact set."""
    before: Estimate
    """The whole set against the opponent, in percent of the points."""
    after: Estimate
    """The compact set in the same games."""
    head_to_head: Estimate
    """The compact set against the whole one."""

    def to_json(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "kept": self.kept,
            "percent_before": round(self.before.value, 3),
            "percent_after": round(self.after.value, 3),
            "loss": round(self.loss, 3),
            "percent_against_all": round(self.head_to_head.value, 3),
        }

    def __repr__(self) -> str:
        points = f"{self.after.value:.1f}% of the points instead of {self.before.value:.1f}%"
        return f"Compaction({self.kept:,} of {self.rules:,} rules, {points})"

    def _repr_html_(self) -> str:
        rows = [("all rules", f"{self.rules:,}", self.before), ("compact", f"{self.kept:,}", self.after)]
        return html_table(["", "rules", "percent of points (95% interval)"], rows)

    @property
    def loss(self) -> float:
        """How many percent of the points against the opponent are lost."""
        return self.before.value - self.after.value


def rule_player(given: Player) -> CompiledPlayer:
    """The same player, if it goes by rules."""
    if not isinstance(given, CompiledPlayer) or not isinstance(given.parts, RuleSet):
        raise WrongGame(f"{given.label} has no rules; name a player that `ludus train xcs` has made")
    return given


def compacted(
    whole: CompiledPlayer,
    opponent: Player,
    games: int = 2000,
    loss: float = 1.0,
    seed: int = 1,
    workers: int = 1,
    progress: Callable[[int, float], None] = lambda kept, percent: None,
) -> Compaction:
    """The fewest rules that lose no more than `loss` percent of the points; `progress` gets the figures of each try."""
    rival = compiled(opponent)
    ranked = np.argsort(-rule_usage(whole, rival, max(1, games // 4), seed), kind="stable")

    def best(kept: int) -> CompiledPlayer:
        return CompiledPlayer(f"{whole.name}, {kept} rules", whole.game, subset(whole.parts, np.sort(ranked[:kept])))

    def scored(one: CompiledPlayer, other: Player, seed: int) -> Estimate:
        return percent_of_games(match(one, other, games, seed=seed, workers=workers).scores)

    goal = scored(whole, rival, seed).value - loss
    low, high = 0, len(ranked)  # so few are too few, so many are enough
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        score = scored(best(middle), rival, seed).value
        progress(middle, score)
        low, high = (low, middle) if score >= goal else (middle, high)
    compact = best(high)
    return Compaction(
        compact,
        len(ranked),
        high,
        scored(whole, rival, seed + HELD_OUT),
        scored(compact, rival, seed + HELD_OUT),
        scored(compact, whole, seed + HELD_OUT),
    )


def rule_usage(whole: CompiledPlayer, rival: CompiledPlayer, games: int, seed: int) -> NDArray[np.float64]:
    """[rules] how much of all predictions each rule made in games with both colours."""
    shares = np.zeros(whole.parts.starts[-1])
    count_usage(whole.game.rules, whole.parts, rival.parts, key(seed, "use of rules"), games, shares)
    return shares


@kernel
def count_usage(game: Any, rules: Any, opponent: Any, seed: np.uint64, games: int, shares: NDArray[np.float64]) -> None:
    """Add to `shares` [rules] each rule's share of the fitness behind each move that was weighed in these games."""
    moves, rng = empty(protocol.max_legal_moves(game), np.int64), empty(4, np.uint64)
    views, matches = view_buffers(rules.detectors), match_buffers(rules)
    for index in range(games):
        seek(rng, seed, index)
        state, rival = protocol.initial(game), with_fresh_memory(opponent, game)
        n = protocol.legal_moves(game, state, moves)
        while n > 0:
            if protocol.current_player(game, state) != index % 2:
                move = choose(rival, game, state, moves, n, rng)
            else:
                for i in range(n if n > 1 else 0):
                    there, total = action_set(rules, game, state, moves[i], views, matches), 0.0
                    for k in range(there):
                        total += rules.fitness[rules.ids[matches.found[k]]]
                    for k in range(there):
                        if total > 0.0:
                            shares[matches.found[k]] += rules.fitness[rules.ids[matches.found[k]]] / total
                move = choose(rules, game, state, moves, n, rng)
            state = protocol.play(game, state, move)
            n = protocol.legal_moves(game, state, moves)
