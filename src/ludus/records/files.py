"""Files of games: the ending of the name tells the format."""

import codecs
import re
from collections.abc import Iterable
from pathlib import Path

from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.records import ggf, pdn, sgf, wthor
from ludus.records.record import BadRecord, Record
from ludus.storage import check_place, why, write_whole

READERS = {".sgf": sgf.read, ".pdn": pdn.read, ".ggf": ggf.read}
WRITERS = {".sgf": sgf.write, ".pdn": pdn.write, ".ggf": ggf.write}
HELD = {".sgf": "go othello", ".pdn": "checkers", ".ggf": "othello", ".wtb": "othello8"}
CHARSETS = r"ascii|utf-8|iso8859-\d+|cp\d+|gb\w+|hz|big5\w*|shift_jis\w*|euc_\w+|koi8-\w+|johab"


def read_games(path: str | Path) -> list[Record]:
    """The games in a file: .sgf (Go, Othello), .pdn (checkers), .ggf or .wtb (Othello).

    Every game is replayed. Raises BadRecord, which has the good games before it, at the first that can't be read, and
    LudusError if the file as a whole can't.
    """
    ending = _ending(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        raise LudusError(f"{path} can't be read: {why(problem)}") from None
    try:
        if ending == ".wtb":
            return wthor.read(data)
        text = _decoded(data, ending, str(path))
        found = READERS[ending](text)
    except BadRecord as bad:
        raise BadRecord(bad.problem, bad.where, bad.records, str(path)) from None
    if not found and text.strip():
        example = {".pdn": "1. 11-15 23-18 *", ".ggf": "(;GM[Othello]B[f5];)"}.get(ending, "(;GM[1]SZ[9];B[ee])")
        raise LudusError(f"{path} holds no game; a game in {ending} looks like {example}")
    return found


def write_games(path: str | Path, records: Iterable[Record]) -> None:
    """Write the games to a file, whole or not at all, in place of what it held.

    What the format has no place for is left out.
    """
    ending = _ending(path)
    data = wthor.write(records) if ending == ".wtb" else WRITERS[ending](records).encode("utf-8", "replace")
    write_whole(Path(path), data)


def check_format(path: str | Path, game: Game) -> None:
    """Raise LudusError unless such a file can be written and hold games of this kind; before they are played, say."""
    fitting = [ending for ending, held in HELD.items() if {game.family.name, game.name} & set(held.split())]
    if _ending(path) not in fitting:
        right = f"files that can end in {' or '.join(fitting)}" if fitting else "no format of games here can"
        raise LudusError(f"{path} can't hold games of {game.name}; {right}")
    check_place(Path(path))


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in HELD:
        raise LudusError(f"{path} does not end like a file of games; the formats are {', '.join(HELD)}")
    return ending


def _decoded(data: bytes, ending: str, path: str) -> str:
    """The text in the character set that an SGF file names, else in UTF-8, else in Latin-1."""
    for charset in [*(_named(data) if ending == ".sgf" else ()), "utf-8-sig"]:
        try:
            text = data.decode(charset)
            break
        except UnicodeDecodeError as problem:
            place = problem.start
    else:
        if ending == ".ggf":
            line = data.count(b"\n", 0, place) + 1
            raise LudusError(f"{path}, line {line}: this is not text in UTF-8, as .ggf files are")
        text = data.decode("latin-1")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _named(data: bytes) -> list[str]:
    """The character set that CA names, if it is one."""
    if named := re.search(rb"CA\[\s*([\w.: -]{1,40}?)\s*\]", data[:4000]):
        try:
            name = codecs.lookup(named[1].decode("ascii")).name
        except (LookupError, ValueError):
            return []
        return [name] if re.fullmatch(CHARSETS, name) and name != "utf-8" else []
    return []
