"""The syntax that SGF and GGF share: trees of nodes with properties, `(;GM[1]SZ[9];B[ee](;W[gc])(;W[ge]))`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ludus.records.record import BadRecord, one_line

OPENING = re.compile(r"\(\s*;")
TOKEN = re.compile(r"\s+|[();]|[A-Za-z]+|\[[^\]\\]*(?:\\.[^\]\\]*)*\]", re.DOTALL)


class Property(NamedTuple):
    name: str
    values: list[str]
    line: int

    @property
    def value(self) -> str:
        """The first value; most properties have only one."""
        return self.values[0]

    @property
    def excerpt(self) -> str:
        """As it stands in the file, but not too much of it."""
        return f"{self.name}[{one_line(self.value)[:30]}]"

    @property
    def where(self) -> str:
        return f"line {self.line}"


Node = list[Property]


def main_lines(text: str) -> Iterator[list[Node]]:
    """The nodes of each game's main line. Variations and text between games are skipped."""
    line, place = 1, 0
    while opening := OPENING.search(text, place):
        line += text.count("\n", place, opening.start())
        place, depth, nodes, branched = opening.start(), 0, list[Node](), False
        while True:
            token = TOKEN.match(text, place)
            if token is None:
                raise BadRecord(_unexpected(text[place : place + 1]), f"line {line}")
            match token[0][0]:
                case "(":
                    depth += 1
                case ")":
                    # the first end of a branch is that of the main line: whatever follows is a variation
                    depth, branched = depth - 1, True
                case ";" if not branched:
                    nodes.append([])
                case "[" if not branched:
                    if not nodes[-1]:
                        raise BadRecord(
                            f"the value {token[0][:20]} has no name; write B{token[0][:20]}", f"line {line}"
                        )
                    nodes[-1][-1].values.append(_unescape(token[0][1:-1]))
                case letter if letter.isalpha() and not branched:
                    # before 1997 a name could have lower-case letters, which say nothing: GaMe is GM
                    name = "".join(each for each in token[0] if each.isupper())
                    nodes[-1].append(Property(name, [], line))
            line, place = line + token[0].count("\n"), token.end()
            if depth == 0:
                break
        yield [_check_values(node) for node in nodes]


def escape(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", text)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: found[1].strip("\n"), text, flags=re.DOTALL)


def _check_values(node: Node) -> Node:
    for each in node:
        if not each.values:
            raise BadRecord(f"{each.name} has no value; write {each.name}[...]", each.where)
    return node


def _unexpected(found: str) -> str:
    if not found:
        return "the file ends inside a game; close the game with )"
    if found == "[":
        return "a value begins with [ but never ends; close it with ]"
    return f"unexpected {found!r}; write properties such as B[dd], nodes with ; and variations in ( )"
