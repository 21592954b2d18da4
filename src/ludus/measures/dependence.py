"""How much a player's choice depends on the position, rather than on which moves happen to be legal.

A player that always makes the first legal move of some fixed ranking doesn't look at the board at all. So a player's
games are compared with the ranking of actions (`protocol.action`: squares in Othello and Go) that explains its choices
best. The ranking is made from one half of the games; the dependence is the share of choices in the other half that it
gets wrong. Where only one move is legal there is no choice, and such positions are counted apart. Moves that a player
draws by lot, as `random` does, can't be explained by a ranking either; `chance` says how many a random mover would hit.

Two rankings are tried. One is fitted to the choices by Luce's axiom: of the legal actions, each is chosen with a
probability proportional to its weight (a multinomial logit). The weights are found by the minorization-maximization
algorithm of Hunter (2004, Annals of Statistics 32). The other is for policy networks alone: the mean score of each
action, over the positions where it was legal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.game import Game
from ludus.measures.comparison_statistics import quantile
from ludus.measures.performance import NOISE
from ludus.play.intervals import Z95, Estimate, wilson
from ludus.play.matches import Block, Match, match
from ludus.play.tables import html_table
from ludus.players.base import CompiledPlayer
from ludus.players.names import player as player_named
from ludus.players.policy_networks import activate, is_policy_network, move_score
from ludus.players.protocol import with_fresh_memory
from ludus.players.ranking import action_names, nan_last, ranking_player, save_ranking

Table = NDArray[np.float64]

FEWEST_GAMES = 8
"""Two pairs of games against each of two opponents, so that both halves have games against both."""

STEPS = 1000
"""Of the fit, after which rankings of evolved networks change no more than one choice in a thousand."""

PRIOR = 0.01
"""What the fit counts beside the real choices, so that weights of actions never or always chosen are finite."""


class Choices(NamedTuple):
    """Positions in which a player had a choice, and what it chose."""

    options: NDArray[np.int32]  # [positions, most legal moves] the actions of the legal moves, -1 beyond them
    made: NDArray[np.int64]  # [positions] the number of the move made, among the legal ones
    pairs: NDArray[np.int64]  # [positions] the pair of games


@dataclass(frozen=True)
class Fit:
    """A ranking of actions, and how often it makes the player's move in held-out games."""

    by: str
    """`outputs` (the mean scores of a policy network) or `choices` (fitted to them)."""
    values: Table
    """[actions] the highest goes first; nan where an action was never legal."""
    same: Estimate
    """Percent of the positions with a choice in which it makes the same move."""
    same_of_all: Estimate
    """The same over all positions; where one move is legal, it is the same."""


@dataclass(frozen=True, repr=False)
class Dependence:
    """How much a player's choice depends on the position, in percent."""

    player: CompiledPlayer
    games: int
    positions: int
    """In which the player was to move, openings left out."""
    forced: int
    """Those of them with a single legal move."""
    held_out: int
    """Those with a choice in the half of the games by which rankings are judged."""
    chance: float
    """Percent of these in which a random legal move would be the same."""
    fits: tuple[Fit, ...]
    """The ranking that makes most of the held-out choices comes first."""

    @property
    def same(self) -> Estimate:
        """Percent of the choices in held-out games that the best ranking makes too."""
        return self.fits[0].same

    @property
    def dependence(self) -> Estimate:
        """Percent of the choices that it doesn't make: those that depend on the position, or on chance."""
        low, high = self.same.interval
        return Estimate(100 - self.same.value, (100 - high, 100 - low))

    @property
    def values(self) -> dict[str, float]:
        """The best ranking: values by the names of actions, the highest first, those that were never legal left out."""
        named = zip(action_names(self.player.game), self.fits[0].values.tolist(), strict=True)
        return dict(sorted(((name, value) for name, value in named if value == value), key=lambda each: -each[1]))

    def ranking_player(self) -> CompiledPlayer:
        """A player that goes by the best ranking."""
        return ranking_player(self.player.game, self.fits[0].values, f"ranking of {self.player.label}")

    def save(self, path: Path | str) -> None:
        """Write that player as a player file."""
        found = {"player": self.player.name, "dependence": self.dependence.value, "games": self.games}
        save_ranking(Path(path), self.ranking_player(), found)

    def __repr__(self) -> str:
        return f"Dependence({self.player.label}: {self.dependence}% of choices, {self.held_out:,} held out)"

    def _repr_html_(self) -> str:
        rows = [(f"ranking by {each.by}", str(each.same), str(each.same_of_all)) for each in self.fits]
        rows.append(("random moves", f"{self.chance:.1f}", ""))
        return html_table(["", "percent of choices made alike (95% interval)", "of all moves"], rows)

    def to_json(self) -> dict[str, Any]:
        """What was never legal has no value."""
        names = action_names(self.player.game)
        return {
            "player": self.player.name,
            "game": self.player.game.name,
            "games": self.games,
            "positions": self.positions,
            "forced": self.forced,
            "held_out": self.held_out,
            "chance": self.chance,
            "dependence": _as_json(self.dependence),
            "rankings": [
                {
                    "by": each.by,
                    "same": _as_json(each.same),
                    "same_of_all": _as_json(each.same_of_all),
                    "values": {n: v for n, v in zip(names, each.values.tolist(), strict=True) if v == v},
                }
                for each in self.fits
            ],
        }


def dependence(player: CompiledPlayer, games: int = 1000, seed: int = 1, workers: int = 1) -> Dependence:
    """Measure it in so many games: half of them against a random mover, half against the game's standard player.

    The standard player now and then makes a random move, so that its games differ.
    """
    game = player.game
    if games < FEWEST_GAMES:
        raise InvalidSetting(f"invalid games={games}: must be {FEWEST_GAMES} or more, so that there are two halves")
    rivals = [player_named(each, game) for each in ("random", f"noisy:{NOISE},{game.defaults.opponent}")]
    amounts = (games - games // 4 * 2, games // 4 * 2)  # whole pairs of games, but for the last
    played = [
        match(player, rival, amount, seed=seed, workers=workers, record=True)
        for rival, amount in zip(rivals, amounts, strict=True)
    ]
    choices, forced = _choices(game, played)
    fitted, held_out = (_some(choices, choices.pairs % 2 == half) for half in (0, 1))
    if not len(fitted.made) or not len(held_out.made):
        raise InvalidSetting(f"{player.label} never had a choice in half of the games; play more than {games} games")
    rankings = {"choices": luce_values(fitted, game.type.actions(game.rules))}
    if is_policy_network(player.parts):
        rankings["outputs"] = _mean_scores(player, played)
    fits = [_judged(by, values, held_out, forced) for by, values in rankings.items()]
    return Dependence(
        player,
        games,
        positions=len(choices.made) + int(forced.sum()),
        forced=int(forced.sum()),
        held_out=len(held_out.made),
        chance=100 * float(np.mean(1 / np.sum(held_out.options >= 0, axis=1))),
        fits=tuple(sorted(fits, key=lambda fit: -fit.same.value)),
    )


def _judged(by: str, values: Table, held_out: Choices, forced: NDArray[np.int64]) -> Fit:
    """The ranking with these values, judged by the odd pairs of games."""
    same = makes_same(values, held_out)
    alike = np.bincount(held_out.pairs[same], minlength=len(forced))[1::2]
    count, none = np.bincount(held_out.pairs, minlength=len(forced))[1::2], forced[1::2]
    return Fit(by, values, share(alike, count), share(alike + none, count + none))


def makes_same(values: Table, choices: Choices) -> NDArray[np.bool_]:
    """[positions] whether a ranking with these values [actions] makes the player's move, the first of equal ones."""
    known = np.append(nan_last(values), -np.inf)  # which is what -1 takes
    return np.asarray(np.argmax(known[choices.options], axis=1) == choices.made)


def share(same: NDArray[Any], count: NDArray[Any]) -> Estimate:
    """The share of positions in percent, from how many there are in each group of games [groups] and how many count.

    Positions of a game are not independent, so the interval is Wilson's for as many independent positions as would have
    the observed variance between groups; of few groups for fewer, since Student's quantile is greater than the normal.
    """
    same, count = same[count > 0], count[count > 0]
    groups, ratio = len(count), float(same.sum() / count.sum())
    # of a ratio of two sums, by linearization
    variance = float(np.sum((same - ratio * count) ** 2)) / count.sum() ** 2 * groups / max(1, groups - 1)
    # where all groups agree, they are no more than that many observations
    alike = ratio * (1 - ratio) / variance * (Z95 / quantile(groups - 1)) ** 2 if variance > 0 else groups
    low, high = wilson(ratio, alike)
    return Estimate(100 * ratio, (100 * low, 100 * high))


def luce_values(choices: Choices, actions: int, steps: int = STEPS, prior: float = PRIOR) -> Table:
    """[actions] the logarithms of the weights by which such choices are likeliest; nan for actions never legal."""
    chosen = choices.options[np.arange(len(choices.made)), choices.made]
    wins = np.bincount(chosen, minlength=actions).astype(np.float64)
    seen = np.bincount(choices.options[choices.options >= 0], minlength=actions) > 0
    weights = np.ones(actions)
    fit_weights(choices.options, wins, steps, prior, weights)
    return np.where(seen, np.log(weights), np.nan)


def _choices(game: Game, played: Sequence[Match]) -> tuple[Choices, NDArray[np.int64]]:
    """The choices of player a in these matches, and in how many positions of each pair of games it had none."""
    found, forced, before = [], [], 0
    for each in played:
        none = np.zeros((len(each.scores) + 1) // 2, np.int64)
        for block in each.blocks:
            most = int(block.lengths.sum())
            room = Choices(
                np.full((most, game.max_legal_moves), -1, np.int32), np.empty(most, np.int64), np.empty(most, np.int64)
            )
            n = list_choices(game.rules, _moves(each, block), room, none)
            found.append(_some(room, slice(n))._replace(pairs=room.pairs[:n] + before))
        forced.append(none)
        before += len(none)
    return Choices(*map(np.concatenate, zip(*found, strict=True))), np.concatenate(forced)


def _some(choices: Choices, which: Any) -> Choices:
    return Choices(*(each[which] for each in choices))


def _mean_scores(network: CompiledPlayer, played: Sequence[Match]) -> Table:
    """[actions] the mean score that a policy network gives to each, in the even pairs of games; nan if never legal."""
    sums, before = np.zeros((2, network.game.type.actions(network.game.rules))), 0
    for each in played:
        for block in each.blocks:
            add_scores(network.parts, network.game.rules, _moves(each, block), before % 2, sums)
        before += (len(each.scores) + 1) // 2
    with np.errstate(invalid="ignore"):  # nan where there is nothing to average
        return np.asarray(sums[0] / sums[1])


class PlayedGames(NamedTuple):
    """Some games of a match."""

    begin: int  # the number of the first game, which says who moves first
    opening: int  # how many moves were made before the players took over
    lengths: NDArray[np.int64]  # [games]
    moves: NDArray[np.int64]  # [games, most moves]


def _moves(of: Match, block: Block) -> PlayedGames:
    return PlayedGames(block.begin, of.openings.length, block.lengths, block.moves)


@kernel
def list_choices(game: Any, played: PlayedGames, choices: Choices, forced: NDArray[np.int64]) -> Any:
    """Write the choices of player a in these games and return how many there were; count other moves in `forced`.

    forced  [pairs of games]
    """
    work, n = empty(protocol.max_legal_moves(game), np.int64), 0
    for i in range(len(played.lengths)):
        index, state = played.begin + i, protocol.initial(game)
        for ply in range(played.lengths[i]):
            move = played.moves[i, ply]
            if ply >= played.opening and protocol.current_player(game, state) == index % 2:
                legal = protocol.legal_moves(game, state, work)
                if legal == 1:
                    forced[index // 2] += 1
                else:
                    for k in range(legal):
                        choices.options[n, k] = protocol.action(game, state, work[k])
                        if work[k] == move:
                            choices.made[n] = k
                    choices.pairs[n] = index // 2
                    n += 1
            state = protocol.play(game, state, move)
    return n


@kernel
def add_scores(network: Any, game: Any, played: PlayedGames, odd: int, sums: Table) -> None:
    """Show a policy network its games again; add up the score of each action where it was legal, and how often it was.

    Only pairs of games that are even when `odd` is added to their number count.

    sums  [2, actions]
    """
    work = empty(protocol.max_legal_moves(game), np.int64)
    for i in range(len(played.lengths)):
        index, state, player = played.begin + i, protocol.initial(game), with_fresh_memory(network, game)
        if (index // 2 + odd) % 2 == 1:
            continue
        for ply in range(played.lengths[i]):
            mover = protocol.current_player(game, state)
            if ply >= played.opening and mover == index % 2:
                activate(player, game, state)  # before a forced move too, since it may remember
                legal = protocol.legal_moves(game, state, work)
                if legal > 1:
                    for k in range(legal):
                        action = protocol.action(game, state, work[k])
                        sums[0, action] += move_score(game, work[k], player.outputs, player.views, mover)
                        sums[1, action] += 1.0
            state = protocol.play(game, state, played.moves[i, ply])


@kernel
def fit_weights(options: NDArray[np.int32], wins: Table, steps: int, prior: float, weights: Table) -> None:
    """Improve the weights [actions] of Luce's model by so many steps of Hunter's algorithm.

    The prior is a gamma distribution of each weight with its mode at 1.

    options  [positions, most legal moves] the actions that were legal, -1 beyond them
    wins     [actions] how often each was chosen
    """
    rates = empty(len(weights), np.float64)
    for _ in range(steps):
        rates[:] = prior
        for i in range(len(options)):
            total, n = 0.0, 0
            while n < len(options[i]) and options[i, n] >= 0:
                total += weights[options[i, n]]
                n += 1
            for k in range(n):
                rates[options[i, k]] += 1.0 / total
        for action in range(len(weights)):
            weights[action] = (prior + wins[action]) / rates[action]


def _as_json(found: Estimate) -> dict[str, Any]:
    return {"percent": found.value, "interval": found.interval}
