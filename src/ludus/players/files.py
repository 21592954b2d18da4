"""Player files: arrays with a JSON header (see `ludus.tensors`).

The header has the version of the format, the kind of player, its game, its settings and where it comes from. A file
that is damaged, of another game or of a later version is refused with one clear sentence.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import DamagedFile, WrongGame
from ludus.games.game import Game
from ludus.players.base import CompiledPlayer, Player
from ludus.registry import player_kinds
from ludus.tensors import read_metadata, read_tensors, write_tensors

FORMAT = 1
MOST_BYTES = 256 << 20


class Header(NamedTuple):
    """What a player file says of itself."""

    format: int
    kind: str
    game: str
    game_version: int
    settings: dict[str, Any]
    provenance: dict[str, Any]

    @property
    def board(self) -> str:
        """The name of the game without options, such as `go9`."""
        return self.game.partition(":")[0]

    def plays(self, game: Game) -> bool:
        """Whether the player plays this game; how long a game lasts and such options don't matter."""
        return self.board == game.board and self.game_version == game.type.version


def save_player(
    path: Path,
    kind: str,
    game: Game,
    arrays: Mapping[str, NDArray[Any]],
    settings: Mapping[str, Any] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> None:
    """Write a player of that kind, whole or not at all. The same player gives the same bytes."""
    header = Header(FORMAT, kind, game.name, game.type.version, dict(settings or {}), dict(provenance or {}))
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    write_tensors(path, contiguous, header._asdict())


def load_player(path: Path, game: Game, name: str = "", **settings: Any) -> Player:
    """The player in that file, if it plays this game; `settings` replace those of the file."""
    header, arrays = read_player(path)
    if not header.plays(game):
        raise WrongGame(
            f"{name or path} plays {header.game} (version {header.game_version}), not {game.name} "
            f"(version {game.type.version}); choose a player of {game.board}"
        )
    kind = player_kinds()[header.kind]
    assert kind.load is not None
    try:
        parts = kind.load(game, arrays, header.settings | settings)
    except (KeyError, TypeError, ValueError) as problem:
        raise DamagedFile(f"{path} is not a whole player of kind {kind.name}: {problem}") from problem
    return CompiledPlayer(name or str(path), game, parts)


def read_header(path: Path) -> Header:
    """What a player file says of itself, without its arrays."""
    return _header(path, read_metadata(path, "player file"))


def read_player(path: Path) -> tuple[Header, dict[str, NDArray[Any]]]:
    """The header and the arrays of a player file."""
    metadata, arrays = read_tensors(path, "player file", MOST_BYTES)
    header = _header(path, metadata)
    for name, array in arrays.items():
        # with larger ones a sum of products may overflow, and what is not a number compares with nothing
        if array.dtype.kind == "f" and not np.all(np.abs(array) < np.cbrt(np.finfo(array.dtype).max)):
            raise DamagedFile(f"{path} has numbers in {name!r} that are too large or not finite, so it can't play")
    return header, arrays


def _header(path: Path, metadata: Mapping[str, Any]) -> Header:
    types = {"format": int, "kind": str, "game": str, "game_version": int, "settings": dict, "provenance": dict}
    if not all(isinstance(metadata.get(name), kind) for name, kind in types.items()):
        raise DamagedFile(f"{path} has a header that is not a player's")
    header = Header(*(metadata[name] for name in Header._fields))
    if header.format > FORMAT:
        raise DamagedFile(f"{path} is of format {header.format}, made by a later Ludus; this one reads up to {FORMAT}")
    if header.kind not in player_kinds() or player_kinds()[header.kind].load is None:
        known = ", ".join(kind.name for kind in player_kinds().values() if kind.load)
        raise DamagedFile(f"{path} holds a player of kind {header.kind!r}; known kinds: {known}")
    return header
