"""Players that look one move ahead by an n-tuple network: trained ones that come with the package, and random ones.

Most entries of large tables are never seen in a game. A compact file leaves out the weights that are 0, and has the
others in half precision: `weights` [those that are not 0] and `present` [bytes], a bit for each weight in order.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.compile.rng import stream, uniform
from ludus.errors import InvalidSetting
from ludus.evaluators.ntuples import MAX_STAGES, ntuples, table_sizes
from ludus.evaluators.placements import MAX_LENGTH, MAX_TUPLES, NO_SQUARE, Places, padded, snakes
from ludus.games.game import Game, Option
from ludus.games.names import game as game_named
from ludus.players.base import CompiledPlayer, PlayerKind
from ludus.players.files import load_player, read_player, save_player
from ludus.players.greedy import Greedy, one_move_ahead
from ludus.players.names import settings
from ludus.players.search.alphabeta import Search
from ludus.players.shipped import shipped, shipped_player

OPTIONS = (
    Option("seed", 1, "which tuples and weights", low=0, high=2**53),
    Option("tuples", 12, "how many tuples", low=1, high=200),
    Option("length", 6, "squares in each", low=1, high=MAX_LENGTH),
)


MOST_WEIGHTS = 1 << 24
"""Of a network that is random, or whose file has fewer weights than it."""


MOST_HALF = 40
"""Weights of a compact file are smaller: of numbers in half precision, player files have none whose cube overflows."""


def _make(text: str, game: Game, arguments: str) -> CompiledPlayer:
    if arguments in shipped("ntuples"):
        return shipped_player(text, game)
    chosen = settings("ntuples", arguments, OPTIONS)
    rng = stream(chosen["seed"], "random n-tuples")
    places = padded(snakes(game, chosen["tuples"], min(chosen["length"], game.squares), rng))
    entries = int(table_sizes(game, places).sum())
    if entries > MOST_WEIGHTS:
        raise InvalidSetting(
            f"invalid {text} for {game.name}: {entries:,} weights are too many; ask for shorter tuples"
        )
    weights = np.array([[2 * uniform(rng) - 1 for _ in range(entries)]])
    return CompiledPlayer(text, game, Greedy(ntuples(game, places, weights, symmetric=True)))


def _loaded(game: Game, arrays: Mapping[str, NDArray[Any]], chosen: Mapping[str, Any]) -> Greedy | Search:
    places, weights, symmetric = arrays["places"], arrays["weights"], chosen["symmetric"]
    if places.ndim != 2 or places.dtype != np.int64 or not 1 <= places.shape[1] <= MAX_LENGTH or not len(places):
        raise ValueError(f"it needs an array 'places' of int64, [tuples, up to {MAX_LENGTH} squares]")
    if len(places) > MAX_TUPLES:
        raise ValueError(f"it has {len(places)} tuples, and at most {MAX_TUPLES} are possible")
    missing = places == NO_SQUARE
    if (places[~missing] < 0).any() or places.max() >= game.squares:
        raise ValueError(f"its places are not all squares from 0 to {game.squares - 1}")
    if missing[:, 0].any() or (missing[:, :-1] & ~missing[:, 1:]).any():
        raise ValueError(f"its places have {NO_SQUARE} elsewhere than behind the squares of a tuple")
    entries = int(table_sizes(game, places).sum())
    if "present" in arrays:
        weights = _dense(weights, arrays["present"], chosen["stages"], entries)
    if weights.shape == (len(places), 3 ** places.shape[1]):
        weights = weights.reshape(1, -1)  # as files had it when all tuples were of one length and one stage
    if game.piece_kinds == 2:
        weights = _with_kings(places, weights)
    shaped = weights.ndim == 2 and 1 <= len(weights) <= MAX_STAGES and weights.shape[1] == entries
    if weights.dtype != np.float64 or not shaped:
        raise ValueError(f"it needs an array 'weights' of float64, [1 to {MAX_STAGES} stages, {entries}]")
    if not isinstance(symmetric, bool):
        raise ValueError("its setting 'symmetric' is neither true nor false")
    return one_move_ahead(ntuples(game, places, np.ascontiguousarray(weights), symmetric), chosen)


def _dense(weights: NDArray[Any], present: NDArray[Any], stages: object, entries: int) -> NDArray[np.float64]:
    """All weights of a compact file, [stages, entries]."""
    if not isinstance(stages, int) or not 1 <= stages <= MAX_STAGES or stages * entries > MOST_WEIGHTS:
        raise ValueError(f"it needs a number of stages from 1 to {MAX_STAGES}, and at most {MOST_WEIGHTS:,} weights")
    if present.dtype != np.uint8 or present.shape != (-(-stages * entries // 8),):
        raise ValueError(f"it needs an array 'present' of uint8, a bit for each of {stages * entries:,} weights")
    there = np.unpackbits(present, count=stages * entries).astype(bool)
    if weights.dtype != np.float16 or weights.shape != (np.count_nonzero(there),):
        raise ValueError(f"it needs an array 'weights' of {np.count_nonzero(there)} float16")
    found = np.zeros(stages * entries)
    found[there] = weights
    return found.reshape(stages, entries)


def write_compact(source: Path, target: Path) -> None:
    """Write the n-tuple player in a file as a compact file."""
    header, arrays = read_player(source)
    if header.kind != "ntuples":
        raise InvalidSetting(
            f"{source} has no n-tuple network (it is of kind {header.kind}); only these can be compact"
        )
    game = game_named(header.game)
    found = load_player(source, game)
    assert isinstance(found, CompiledPlayer)
    weights = found.parts.evaluator.weights
    if np.abs(weights).max() >= MOST_HALF:
        raise InvalidSetting(f"{source} has weights of {MOST_HALF} or more, which half precision does not hold well")
    small = weights.astype(np.float16)
    save_player(
        target,
        "ntuples",
        game,
        {"places": arrays["places"], "weights": small[small != 0], "present": np.packbits(small.reshape(-1) != 0)},
        {**header.settings, "stages": len(weights)},
        header.provenance,
    )


def _with_kings(places: Places, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of a file that had kings count as men, in tables that tell them apart; others as they are."""
    lengths = np.sum(places != NO_SQUARE, axis=1)
    if weights.ndim != 2 or weights.shape[1] != np.sum(3**lengths):
        return weights
    if len(weights) * np.sum(5**lengths) > MOST_WEIGHTS:
        raise ValueError("its tuples are too long to tell kings from men")
    tables = []
    for table, length in zip(np.split(weights, np.cumsum(3**lengths)[:-1], axis=1), lengths.tolist(), strict=True):
        digits = np.indices((5,) * length).reshape(length, -1)  # of every index, the first square's first
        as_men = np.array([0, 1, 2, 1, 2])[digits]
        tables.append(table[:, 3 ** np.arange(length)[::-1] @ as_men])
    return np.concatenate(tables, axis=1)


PLAYERS = (
    PlayerKind(
        "ntuples", "one move ahead by an n-tuple network: a trained one that comes with Ludus, or a random one",
        "ntuples:othello8", _make, _loaded, OPTIONS,
        learned_description="one move ahead by a learned n-tuple network",
    ),
)  # fmt: skip
