"""Markdown pages as the tests read them: blocks of commands, Python and files, in the order of the page.

A comment before a block says what is special about it:

    <!-- not run: REASON -->    its commands have to exist, with these options, but are not run
    <!-- file: PATH -->         it is the content of that file, which what follows on the page may use
    <!-- from: PATH -->         it stands so in that file of the repository
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES += sorted((ROOT / "examples").rglob("*.md"))

LANGUAGES = ("console", "python", "toml", "text")
"""What a block may be. Commands are in `console` only, so that none of them escapes."""

_COMMENT = re.compile(r"<!-- (not run|file|from): (.+) -->")
_FENCE = re.compile(r"( *)```(\w*)")


@dataclass(frozen=True)
class Block:
    line: int
    """Of its first line in the page."""
    language: str
    text: str
    not_run: str = ""
    file: str = ""
    source: str = ""


@dataclass(frozen=True)
class Command:
    line: int
    text: str
    shown: str
    """The output as the page shows it; nothing if it shows none."""


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page."""
    said, fence, inside = dict[str, str](), None, list[str]()
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if fence and line.strip() == "```":
            text = "".join(line.removeprefix(fence[1]) + "\n" for line in inside)
            special = [said.get(name, "") for name in ("not run", "file", "from")]
            yield Block(number - len(inside), fence[2], text, *special)
            said, fence, inside = {}, None, []
        elif fence:
            inside.append(line)
        elif comment := _COMMENT.fullmatch(line.strip()):
            said[comment[1]] = comment[2]
        else:
            fence = _FENCE.fullmatch(line)
            assert fence or not (line.strip() and said), f"{page}, line {number}: the comment above is about a block"
    assert fence is None, f"{page}: the last block is not closed"


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block; a line that ends with a backslash goes on in the next."""
    joined = block.text.replace("\\\n", "\\\0")
    number, parts = block.line, re.split(r"^\$ ", joined, flags=re.MULTILINE)
    assert not parts[0], f"line {number}: a console block begins with a command"
    for part in parts[1:]:
        text, _, shown = part.partition("\n")
        yield Command(number, text.replace("\\\0", " "), shown)
        number += part.count("\n") + part.count("\0")


def prose(page: Path) -> str:
    """The page without its blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
