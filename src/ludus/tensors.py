"""Arrays with a JSON header, in the safetensors format: player files, checkpoints and databases of opponents.

The header's entry `ludus` is JSON: the metadata. Reading runs nothing, and whatever is damaged is refused.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ludus.errors import DamagedFile, StorageError
from ludus.storage import why, write_whole

MOST_HEADER_BYTES = 1 << 20


def write_tensors(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, Any]) -> None:
    """Write contiguous arrays and metadata, whole or not at all. The same content gives the same bytes."""
    write_whole(path, save(dict(arrays), {"ludus": json.dumps(metadata)}))


def read_metadata(path: Path, what: str) -> dict[str, Any]:
    """The metadata alone, without the arrays; `what` names the kind of file in errors, such as `player file`."""
    try:
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            return _metadata(path, size, file.read(min(size, MOST_HEADER_BYTES)), what)
    except (OSError, ValueError) as problem:
        if isinstance(problem, DamagedFile):
            raise
        raise StorageError(f"{path} can't be read ({why(problem)}); name a {what}") from problem


def read_tensors(path: Path, what: str, most_bytes: int = 1 << 40) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The metadata and the arrays."""
    try:
        with open(path, "rb") as file:
            content = file.read(min(most_bytes, os.fstat(file.fileno()).st_size) + 1)
    except (OSError, ValueError) as problem:
        raise StorageError(f"{path} can't be read ({why(problem)}); name a {what}") from problem
    if len(content) > most_bytes:
        raise DamagedFile(f"{path} is larger than {most_bytes >> 20} MB, more than any {what}")
    size = int.from_bytes(content[:8], "little")
    metadata = _metadata(path, size, content[8 : 8 + min(size, MOST_HEADER_BYTES)], what)
    try:
        return metadata, load(content)
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise DamagedFile(f"{path} is damaged or not a {what} ({type(problem).__name__})") from problem


def is_whole(path: Path) -> bool:
    """Whether there is such a file with metadata, and as long as its header says."""
    try:
        if not path.is_file():
            return False
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = file.read(min(size, MOST_HEADER_BYTES))
            _metadata(path, size, header, "file")
            ends = [entry["data_offsets"][1] for name, entry in json.loads(header).items() if name != "__metadata__"]
            return bool(os.fstat(file.fileno()).st_size == 8 + size + max(ends, default=0))
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return False


def _metadata(path: Path, size: int, header: bytes, what: str) -> dict[str, Any]:
    if not 2 <= size == len(header):
        raise DamagedFile(f"{path} is not a {what}, or only a part of one")
    try:
        metadata = json.loads(json.loads(header)["__metadata__"]["ludus"])
        if not isinstance(metadata, dict):
            raise TypeError("no object")
        return metadata
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise DamagedFile(f"{path} is damaged or not a {what} ({type(problem).__name__})") from problem
