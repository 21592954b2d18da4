"""Player files: arrays with a JSON header, in the safetensors format. Reading one runs nothing.

The header's entry `ludus` is JSON: the version of the format, the kind of player, its game, its settings and where it
comes from. A file that is damaged, of another game or of a later version is refused with one clear sentence.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.players.player import CompiledPlayer, Player
from ludus.players.strings import kinds
from ludus.storage import why, write_whole

FORMAT = 1
MOST_BYTES = 256 << 20
MOST_HEADER_BYTES = 1 << 20


def save_player(
    path: Path,
    kind: str,
    game: Game,
    arrays: Mapping[str, NDArray[Any]],
    settings: Mapping[str, Any] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> None:
    """Write a player of that kind, whole or not at all. The same player gives the same bytes."""
    told = {
        "format": FORMAT,
        "kind": kind,
        "game": game.name,
        "game_version": game.family.version,
        "settings": dict(settings or {}),
        "provenance": dict(provenance or {}),
    }
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {"ludus": json.dumps(told)})
    write_whole(path, content)


def load_player(path: Path, game: Game) -> Player:
    """The player in that file, if it plays this game; how long a game lasts and such options don't matter."""
    told, arrays = read_player(path)
    if told["game"].partition(":")[0] != game.board or told["game_version"] != game.family.version:
        raise LudusError(
            f"{path} plays {told['game']} (version {told['game_version']}), not {game.name} "
            f"(version {game.family.version}); choose a player of {game.board}"
        )
    kind = kinds()[told["kind"]]
    assert kind.load is not None
    try:
        parts = kind.load(game, arrays, told["settings"])
    except (KeyError, TypeError, ValueError) as problem:
        raise LudusError(f"{path} is not a whole player of kind {kind.name}: {problem}") from problem
    return CompiledPlayer(str(path), game, parts)


def read_player(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the arrays of a player file."""
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as problem:
        raise LudusError(f"{path} can't be read ({why(problem)}); name a player file") from problem
    if len(content) > MOST_BYTES:
        raise LudusError(f"{path} is larger than {MOST_BYTES >> 20} MB, more than any player file")
    size = int.from_bytes(content[:8], "little")
    if not 2 <= size <= min(MOST_HEADER_BYTES, len(content) - 8):
        raise LudusError(f"{path} is not a player file, or only a part of one")
    try:
        arrays = load(content)
        told = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["ludus"])
        wanted = {"format": int, "kind": str, "game": str, "game_version": int, "settings": dict, "provenance": dict}
        whole = isinstance(told, dict) and all(isinstance(told.get(name), kind) for name, kind in wanted.items())
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise LudusError(f"{path} is damaged or not a player file ({type(problem).__name__})") from problem
    if not whole:
        raise LudusError(f"{path} has a header that is not a player's")
    if told["format"] > FORMAT:
        raise LudusError(f"{path} is of format {told['format']}, made by a later Ludus; this one reads up to {FORMAT}")
    if told["kind"] not in kinds() or kinds()[told["kind"]].load is None:
        known = ", ".join(kind.name for kind in kinds().values() if kind.load)
        raise LudusError(f"{path} holds a player of kind {told['kind']!r}; known are {known}")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
            raise LudusError(f"{path} has numbers in {name!r} that are not finite, so it can't play")
    return told, arrays
