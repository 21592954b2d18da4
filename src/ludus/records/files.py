"""Files of games: the ending of a file's name decides its format."""

import codecs
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ludus.errors import DamagedFile, InvalidSetting, WrongGame
from ludus.games.game import Game
from ludus.records import ggf, pdn, sgf, wthor
from ludus.records.pdn_results import check_convention
from ludus.records.record import BadRecord, Games, Record, Told, untold
from ludus.storage import check_place, read_whole, write_whole

MOST_BYTES = 1 << 28
"""Of a file of games."""


class Format(NamedTuple):
    """How a format is read and written: as bytes if it is binary, else as text."""

    read: Callable[..., Games]
    write: Callable[[Iterable[Record]], Any]
    example: str = ""
    """A short game, for the message about a file without one."""
    binary: bool = False


FORMATS = {
    ".sgf": Format(sgf.read, sgf.write, "(;GM[1]SZ[9];B[ee])"),
    ".pdn": Format(pdn.read, pdn.write, "1. 11-15 23-18 *"),
    ".ggf": Format(ggf.read, ggf.write, "(;GM[Othello]B[f5];)"),
    ".wtb": Format(wthor.read, wthor.write, binary=True),
}
"""The formats by the endings of file names. Which of them suit a game, its type says (`GameType.record_formats`)."""

WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950", "shift_jis": "cp932", "euc_kr": "cp949"}
"""What files are often written in that name a narrower character set. A ] may be a part of these letters."""

CHARSETS = r"ascii|utf-8|iso8859-\d+|cp\d+|gb\w+|hz|big5\w*|shift_jis\w*|euc_\w+|koi8-\w+|johab"


def read_games(path: str | Path, *, strict: bool = False, pdn_result: str = "", progress: Told = untold) -> Games:
    """The games in a file: .sgf (Go, Othello), .pdn (checkers), .ggf or .wtb (Othello).

    Every game is replayed. Those that can't be read are left out: `problems` says of each where it is and what is wrong
    with it. With `strict`, or if none can be read, the first is raised as BadRecord, with the good games before it.
    Another LudusError is raised if the file as a whole can't be read. `pdn_result` says whose win 1-0 is in PDN,
    `first-mover` or `white`; if it does not, the games of the file must tell.
    """
    check_convention(pdn_result)
    ending = _ending(path)
    form, data = FORMATS[ending], read_whole(Path(path), MOST_BYTES, "file of games")
    content = data if form.binary else _decode(data, ending, str(path))
    asked: dict[str, Any] = {"strict": strict, "progress": progress}
    if ending == ".pdn":
        asked["result"] = pdn_result
    try:
        found = form.read(content, **asked)
    except BadRecord as bad:
        raise BadRecord(bad.problem, bad.where, bad.records, str(path), bad.number) from None
    except InvalidSetting as unclear:
        raise InvalidSetting(f"{path}: {unclear}") from None
    problems = [BadRecord(bad.problem, bad.where, file=str(path), number=bad.number) for bad in found.problems]
    if problems and not found:
        raise problems[0]
    if not found:
        example = f"a game in {ending} looks like {form.example}" if form.example else "name a file with games"
        raise DamagedFile(f"{path} {'holds no game' if content.strip() else 'is empty'}; {example}")
    return Games(found, found.numbers, problems, f"{path}: {found.remark}" if found.remark else "")


def write_games(path: str | Path, records: Iterable[Record]) -> None:
    """Write the games to a file, whole or not at all, in place of what it held.

    What the format has no place for is left out.
    """
    form = FORMATS[_ending(path)]
    data = form.write(records)
    write_whole(Path(path), data if form.binary else data.encode("utf-8", "replace"))


def check_format(path: str | Path, game: Game) -> None:
    """Raise LudusError unless such a file can be written and hold games of this kind; before they are played, say."""
    suitable = [f".{each}" for each in game.record_formats]
    if _ending(path) not in suitable:
        right = f"use a file ending in {' or '.join(suitable)}" if suitable else "no format of games here can"
        raise WrongGame(f"{path} can't hold games of {game.name}; {right}")
    check_place(Path(path))


def _ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InvalidSetting(f"{path} is not a file of games; such files end in {', '.join(FORMATS)}")
    return ending


def _decode(data: bytes, ending: str, path: str) -> str:
    """The text in the character set that a byte order mark or an SGF file names, else in UTF-8, else in Latin-1."""
    marked = ["utf-16"] if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else []
    named = _charset(data) if ending == ".sgf" else []
    for charset in [*marked, *named, "utf-8-sig", *(WIDER[each] for each in named if each in WIDER)]:
        try:
            text = data.decode(charset)
            break
        except UnicodeDecodeError as problem:
            place = problem.start
    else:
        if ending == ".ggf":
            line = data.count(b"\n", 0, place) + 1
            raise DamagedFile(f"{path}, line {line}: this is not text in UTF-8, as .ggf files are")
        text = data.decode("latin-1")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _charset(data: bytes) -> list[str]:
    """The character set that CA names, if it is one."""
    if named := re.search(rb"CA\[\s*([\w.: -]{1,40}?)\s*\]", data[:4000]):
        try:
            name = codecs.lookup(named[1].decode("ascii")).name
        except (LookupError, ValueError):
            return []
        return [name] if re.fullmatch(CHARSETS, name) and name != "utf-8" else []
    return []
