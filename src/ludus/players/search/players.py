"""The players `alphabeta` and `minimax`: what their strings may ask for, and how they explain their moves."""

import numpy as np

from ludus.evaluators.pictures import boards
from ludus.games.game import Game, Option, Position
from ludus.players.base import CompiledPlayer, Player, PlayerKind
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.greedy import TIES, VALUE, chosen_evaluator
from ludus.players.names import settings
from ludus.players.search.alphabeta import EXTENSIONS, Search, search, unlimited_budget
from ludus.players.search.iterative_deepening import TimedSearch
from ludus.players.search.transposition import remembering

EXPLAINED = 1_000_000
"""How many positions an explanation may look at for each depth: without pruning between moves it takes far more of
them than the search itself, and whoever asks does not want to wait."""

DEEP = 5
"""From so many moves ahead on, a search that remembers and sorts is the faster one."""

DEEPEST = 60
"""How far a search against the clock may look, unless it is asked for less."""


@explains(Search)
def _explained(player: Search, position: Position) -> Explanation:
    values, depth = _move_values(player, position)
    short = f" The values are those of {depth}, which are quicker to find." if depth < player.depth else ""
    return Explanation(
        f"It looks {player.depth} moves ahead and expects the best reply to each.{short}",
        "what the position will be worth; a won game counts a billion",
        ranked(values),
        principal_variation(player, position, depth),
        boards(player.evaluator, position),
    )


def _move_values(player: Search, position: Position) -> tuple[dict[str, float], int]:
    """The value of every legal move, and the depth at which it was found: the deepest that is quick enough."""
    values, depth = dict.fromkeys(position.legal, 0.0), 0
    for deeper in range(1, player.depth + 1):
        budget, found = np.full(1, EXPLAINED, np.int64), {}
        for move, number in position.legal.items():
            found[move] = float(
                search(player, position.game.rules, position.state, np.array([number]), deeper, budget)[1]
            )
            if budget[0] < 0:
                return values, depth
        values, depth = found, deeper
    return values, depth


def principal_variation(player: Search, position: Position, depth: int) -> tuple[str, ...]:
    """The moves that a search of that depth expects."""
    line, here = [], position
    for left in range(depth, 0, -1):
        if here.over:
            break
        legal = {number: move for move, number in here.legal.items()}
        chosen = int(search(player, here.game.rules, here.state, np.array(list(legal)), left, unlimited_budget())[0])
        line.append(legal[chosen])
        here = here.play(chosen)
    return tuple(line)


OPTIONS = (
    Option("depth", 3, "moves to look ahead; with seconds, at most so many", low=1, high=DEEPEST),
    VALUE,
    TIES,
    Option("exact", 0, "Othello: search to the end when this many squares are free", low=0, high=30),
    Option("extend", "no", "checkers: look further where captures are forced (quiescence)", EXTENSIONS),
    Option("seconds", 0.0, "time for each move; 0 is no limit", low=0, high=3600),
)


def _make(text: str, game: Game, arguments: str) -> Player:
    kind = text.partition(":")[0]
    chosen = settings(kind, arguments, OPTIONS)
    prunes, depth = kind == "alphabeta", chosen["depth"]
    if chosen["seconds"] and "depth=" not in arguments:
        depth = DEEPEST
    evaluator = chosen_evaluator(chosen["value"], game)
    if prunes and depth >= DEEP:
        evaluator = remembering(evaluator, 1 << min(depth + 8, 18))
    parts = Search(
        evaluator,
        depth,
        chosen["exact"],
        prunes,
        chosen["ties"] == "random",
        EXTENSIONS.index(chosen["extend"]),
    )
    if chosen["seconds"]:
        return TimedSearch(text, game, parts, chosen["seconds"])
    return CompiledPlayer(text, game, parts)


PLAYERS = (
    PlayerKind(
        "alphabeta",
        "searches to a depth, or against the clock",
        "alphabeta:depth=4,value=positional",
        _make,
        options=OPTIONS,
    ),
    PlayerKind("minimax", "the same moves without pruning, slower", "minimax:depth=2", _make, options=OPTIONS),
)
