"""The players `alphabeta` and `minimax`: what their strings may ask for, and how they explain their moves."""

import numpy as np

from ludus.errors import WrongGame
from ludus.evaluators.pictures import boards
from ludus.games.checkers import Checkers
from ludus.games.game import Game, Option, Position, parse_options
from ludus.games.othello import Othello
from ludus.players.base import CompiledPlayer, Player, PlayerKind
from ludus.players.explanations import Explanation, explains, ranked
from ludus.players.greedy import TIES, VALUE, chosen_evaluator
from ludus.players.names import settings
from ludus.players.search.alphabeta import EXTENSIONS, Search, full_depth, search, unlimited_budget
from ludus.players.search.checkers_endings import MOST_PIECES, EndingTable, plies_to_end, with_endings
from ludus.players.search.iterative_deepening import TimedSearch
from ludus.players.search.transposition import TranspositionTable, remembering

EXPLAINED = 1_000_000
"""How many positions an explanation may look at for each depth: without pruning between moves it takes far more of
them than the search itself, and whoever asks does not want to wait."""

DEEP = 5
"""From so many moves ahead on, a search that remembers and sorts is the faster one."""

DEEPEST = 60
"""How far a search against the clock may look, unless it is asked for less."""


@explains(Search)
def _explained(player: Search, position: Position) -> Explanation:
    wanted = full_depth(player, position.game.rules, position.state)
    values, depth = _move_values(player, position, wanted)
    ahead = f"{wanted} moves ahead" if wanted == player.depth else "to the end of the game"
    short = f" The values are those of {depth} moves, which are quicker to find." if depth < wanted else ""
    known = _known_ending(player, position)
    return Explanation(
        f"It looks {ahead} and expects the best reply to each.{short}{known}",
        "what the position will be worth; a won game counts a billion",
        ranked(values),
        principal_variation(player, position, depth),
        boards(player.evaluator, position),
    )


def _known_ending(player: Search, position: Position) -> str:
    """What the table of endings says of the position, if the player has one and it is in it."""
    evaluator = player.evaluator
    if isinstance(evaluator, TranspositionTable):
        evaluator = evaluator.evaluator
    if not isinstance(evaluator, EndingTable) or np.count_nonzero(position.cells) > evaluator.pieces:
        return ""
    plies = plies_to_end(position)
    if plies is None:
        return " It knows this ending: a draw."
    return f" It knows this ending: it {'wins' if plies % 2 else 'loses'} in {(plies + 1) // 2} moves."


def _move_values(player: Search, position: Position, wanted: int) -> tuple[dict[str, float], int]:
    """The value of every legal move, and the depth at which it was found: that wanted, or the deepest that is quick
    enough."""
    values, depth = dict.fromkeys(position.legal, 0.0), 0
    for deeper in range(1, wanted + 1):
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
    Option(
        "endings", 0, "checkers: know endings with up to so many pieces; they are solved once", low=0, high=MOST_PIECES
    ),
    Option("seconds", 0.0, "time for each move; 0 is no limit", low=0, high=3600),
)


def _make(text: str, game: Game, arguments: str) -> Player:
    kind = text.partition(":")[0]
    chosen = settings(kind, arguments, OPTIONS)
    prunes, depth = kind == "alphabeta", chosen["depth"]
    if chosen["seconds"] and "depth" not in parse_options(kind, arguments, OPTIONS):
        depth = DEEPEST
    evaluator = chosen_evaluator(chosen["value"], game)
    if chosen["exact"] and not isinstance(game.rules, Othello):
        raise WrongGame(f"invalid exact={chosen['exact']} for {game.name}: only Othello is searched to its end")
    if chosen["extend"] != "no" and not isinstance(game.rules, Checkers):
        raise WrongGame(f"invalid extend={chosen['extend']} for {game.name}: only checkers has forced captures")
    if chosen["endings"]:
        if not isinstance(game.rules, Checkers):
            raise WrongGame(f"invalid endings={chosen['endings']} for {game.name}: only those of checkers are solved")
        evaluator = with_endings(evaluator, chosen["endings"])
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
