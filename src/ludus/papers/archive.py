"""The finished work behind a report as one file, so that others can rebuild the report, or complete it.

An archive (tar.xz) has of each finished run what was asked, its metrics and its player, and all that was measured; no
checkpoints, so what is not finished is left out. The same work gives the same bytes.
"""

import io
import lzma
import re
import tarfile
from pathlib import Path

from ludus.errors import DamagedFile, StorageError
from ludus.storage import present, write_whole

RUN_FILES = ("run.json", "metrics.csv", "player.safetensors")

_NAME = re.compile(r"(?:[\w.,=+-]+/)*(?:metrics\.csv|player\.safetensors|[\w.,=+-][\w .,=+-]*\.(?:json|sgf))")
"""Names that files of a workspace have; those of matches have spaces, as in `C0 - RR.json`."""
MOST_BYTES = 1 << 30
"""Of all files in an archive."""


def pack(folder: Path, archive: Path) -> int:
    """Write the finished work in a folder into an archive; return how many files it has."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and _belongs(file))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz", format=tarfile.GNU_FORMAT) as tar:
        for file in files:
            content = file.read_bytes()
            entry = tarfile.TarInfo(file.relative_to(folder).as_posix())
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    write_whole(archive, buffer.getvalue())
    return len(files)


def unpack(archive: Path, folder: Path) -> int:
    """Put the work in an archive into a folder, except where there is some already; return how many files were new.

    A run that was begun there but is not finished becomes the archive's, with all its metrics.
    """
    new = 0
    try:
        with lzma.open(archive) as compressed:
            content = compressed.read(MOST_BYTES)
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as tar:
            for entry in tar:
                name = entry.name
                if not entry.isreg() or not _NAME.fullmatch(name) or ".." in name:
                    raise DamagedFile(f"{archive} is no archive of a paper's runs: it has an entry {name!r}")
                file = tar.extractfile(entry)
                if file is not None and (not present(folder / name) or _of_unfinished(folder / name)):
                    write_whole(folder / name, file.read())
                    new += 1
    except (tarfile.TarError, lzma.LZMAError, EOFError, ValueError) as problem:
        raise DamagedFile(f"{archive} is no archive of a paper's runs, or damaged: {problem}") from problem
    except OSError as problem:
        raise StorageError(f"can't read {archive}: {problem.strerror or problem}") from problem
    return new


def _of_unfinished(file: Path) -> bool:
    """Whether these are the metrics of a run without a player: they would stay too short for one from an archive."""
    return file.name == "metrics.csv" and not present(file.parent / "player.safetensors")


def _belongs(file: Path) -> bool:
    """Whether a file is one of finished work."""
    if file.name in RUN_FILES:
        return present(file.parent / "player.safetensors")
    return file.suffix in (".json", ".sgf")
