"""The player `mcts`: what its string may ask for, search against the clock, and how it explains its moves."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus.compile.rng import Rng, stream
from ludus.errors import InvalidSetting
from ludus.evaluators.pictures import boards
from ludus.games.game import Game, Option, Position, parse_options
from ludus.games.guided_playouts import guides
from ludus.players.base import CompiledPlayer, Player, PlayerKind, Seat
from ludus.players.explanations import Explanation, MoveValue, explains
from ludus.players.greedy import chosen_evaluator
from ludus.players.names import settings
from ludus.players.search.uct import (
    MCTS,
    UNKNOWN,
    Playouts,
    RecordedPlayouts,
    SearchTree,
    chosen_child,
    new_tree,
    simulate,
    standing,
    with_scale,
)

MOST_SIMULATIONS = 10**7

EXPLAINED = 10_000
"""How many simulations an explanation makes at the most: whoever asks does not want to wait."""


@dataclass(frozen=True, repr=False, eq=False)
class TimedMCTS(Player):
    """Goes on with simulations until its time for the move is over. How many it makes depends on the machine."""

    parts: MCTS
    seconds: float

    def seat(self) -> Seat:
        return _TimedSeat(self)


class _TimedSeat(Seat):
    def __init__(self, player: TimedMCTS) -> None:
        self._parts, self._seconds = with_scale(player.parts, player.game.rules), player.seconds

    def choose(self, position: Position, rng: Rng) -> int:
        if len(position.legal) == 1:
            return next(iter(position.legal.values()))
        parts, rules, state = self._parts, position.game.rules, position.state
        tree = new_tree(parts, rules, state, rng)
        simulate(parts, rules, state, tree, 1, rng)  # compiles
        left, done, chunk = self._seconds, 1, 1
        while left > 0 and done < parts.simulations and tree.proven[0] == UNKNOWN:
            begin = time.perf_counter()
            simulate(parts, rules, state, tree, chunk, rng)
            taken = max(time.perf_counter() - begin, 1e-9)
            left, done = left - taken, done + chunk
            chunk = max(1, min(2 * chunk, int(chunk * left / taken), parts.simulations - done))
        return int(tree.moves[chosen_child(tree, 0)])


@explains(MCTS)
def _explained(player: MCTS, position: Position) -> Explanation:
    return explained_by(player, position, min(player.simulations, EXPLAINED))


def explained_by(player: MCTS, position: Position, count: int) -> Explanation:
    """Why it moves as it does, by so many simulations."""
    rules, state = position.game.rules, position.state
    rng, limited = stream(1, "mcts explanation"), with_scale(player._replace(simulations=count), rules)
    tree = new_tree(limited, rules, state, rng)
    simulate(limited, rules, state, tree, count, rng)
    found, child = dict[int, tuple[float, float, float]](), int(tree.children[0])
    while child:
        found[int(tree.moves[child])] = standing(tree, child)
        child = int(tree.siblings[child])
    order = sorted(position.legal, key=lambda move: found.get(position.legal[move], (-1.0, 0.0, 0.0)), reverse=True)
    how = _how(player.evaluator)
    short = f" The values are those of {count:,}, which are quicker to find." if count < player.simulations else ""
    return Explanation(
        f"It makes {player.simulations:,} simulations, {how}, and prefers the move that they try most often.{short}",
        "the mean result of the simulations, from 1 for a win to -1 for a loss",
        tuple(_move_value(move, *found.get(position.legal[move], (0.0, 0.0, 0.0))) for move in order),
        _principal_variation(tree, position),
        boards(player.evaluator, position),
    )


def _how(evaluator: Any) -> str:
    """What becomes of a simulation where it leaves the tree, in words."""
    if isinstance(evaluator, RecordedPlayouts):
        moves = "by moves that are mostly sensible" if evaluator.guided else "by random moves"
        return f"plays each out {moves}" + (", lets it count for all moves that it made" if evaluator.rave else "")
    return "plays each out by random moves" if isinstance(evaluator, Playouts) else "evaluates where each leads"


def _move_value(move: str, certain: float, visits: float, value: float) -> MoveValue:
    proven = {1.0: ", a proven win", -1.0: ", a proven loss"}.get(certain, "")
    return MoveValue(move, value, f"{visits:.0f} simulation{'s' if visits != 1 else ''}{proven}", proven=bool(proven))


def _principal_variation(tree: SearchTree, position: Position) -> tuple[str, ...]:
    """The moves that have been tried most often, each after the one before."""
    line, node, here = list[str](), 0, position
    while node := int(chosen_child(tree, node)):
        number = int(tree.moves[node])
        line.append(next(move for move, legal in here.legal.items() if legal == number))
        here = here.play(number)
    return tuple(line)


OPTIONS = (
    Option("simulations", 1000, "for each move; with seconds, at most so many", low=1, high=MOST_SIMULATIONS),
    Option(
        "c",
        1.4,
        "how much it explores: the constant of UCT, for results from -1 to 1; with rave, 0 unless it is given",
        low=0.0,
        high=100.0,
    ),
    Option("value", "playouts", "random playouts, or an evaluator (`ludus players`) to take their place"),
    Option(
        "playouts",
        "usual",
        "guided by what the game knows of good moves, which Go does, or random; usual is guided where possible",
        ("usual", "guided", "random"),
    ),
    Option(
        "rave",
        3000.0,
        "simulations after which a move's own results count as much as those of all simulations that make it later "
        "(RAVE); 0 is without, as random playouts are unless it is given",
        low=0.0,
        high=1e9,
    ),
    Option("seconds", 0.0, "time for each move; 0 is no limit", low=0, high=3600),
)


def _evaluator(game: Game, chosen: Mapping[str, Any], given: Mapping[str, Any]) -> Any:
    """What takes the place of an evaluator, or the evaluator itself."""
    if chosen["value"] != "playouts":
        if wrong := [name for name in ("playouts", "rave") if name in given]:
            raise InvalidSetting(f"mcts with value={chosen['value']} has no playouts; leave out {wrong[0]}=")
        return chosen_evaluator(chosen["value"], game)
    can_guide = bool(guides(game.rules))
    if chosen["playouts"] == "guided" and not can_guide:
        raise InvalidSetting(f"{game.name} knows no guided playouts; leave out playouts=, or write playouts=random")
    guided = can_guide and chosen["playouts"] != "random"
    rave = chosen["rave"] if guided or "rave" in given else 0.0
    return RecordedPlayouts(guided, rave, game.type.actions(game.rules)) if guided or rave else Playouts()


def _make(text: str, game: Game, arguments: str) -> Player:
    chosen, given = settings("mcts", arguments, OPTIONS), parse_options("mcts", arguments, OPTIONS)
    evaluator = _evaluator(game, chosen, given)
    by_rave = isinstance(evaluator, RecordedPlayouts) and evaluator.rave > 0
    parts = MCTS(
        evaluator,
        MOST_SIMULATIONS if chosen["seconds"] and "simulations" not in given else chosen["simulations"],
        0.0 if by_rave and "c" not in given else chosen["c"],
    )
    if chosen["seconds"]:
        return TimedMCTS(text, game, parts, chosen["seconds"])
    return CompiledPlayer(text, game, parts)


PLAYERS = (
    PlayerKind(
        "mcts",
        "Monte Carlo tree search (UCT, in Go with RAVE), with playouts or an evaluator",
        "mcts:simulations=1000",
        _make,
        options=OPTIONS,
    ),
)
