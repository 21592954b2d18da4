"""The syntax that SGF and GGF share: trees of nodes with properties, `(;GM[1]SZ[9];B[ee](;W[gc])(;W[ge]))`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ludus.records.record import BadRecord, one_line

OPENING = re.compile(r"\(\s*;")
TOKEN = re.compile(r"\s*(?:[();]|[A-Za-z]+|\[[^\]\\]*(?:\\.[^\]\\]*)*\])", re.DOTALL)
SPACE = re.compile(r"\s*")
RUN = re.compile(r"(?: \s* ; [BW] \[ \w* \] )++ (?= \s* [;)] )", re.VERBOSE)
"""Nodes one after another with nothing but a move, as most are."""
MOVE = re.compile(r";([BW])\[(\w*)\]")
NEXT_GAME = re.compile(r"\(\s*;\s*(?i:FF|GM|SZ|CA|AP|KM|PB|PW|EV|DT|GN|US)\s*\[[^\]]*\]")
"""What a game begins with but no variation, to go on from behind a game that can't be read."""


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


def main_lines(text: str) -> Iterator[tuple[float, list[Node] | BadRecord]]:
    """The nodes of each game's main line, or what is wrong with the game, with the share of the text up to there.

    Variations and text between games are skipped. Behind a game that can't be read, the next one is looked for.
    """
    line, place = 1, 0
    while opening := OPENING.search(text, place):
        line += text.count("\n", place, opening.start())
        place = opening.start()
        try:
            nodes, end = _main_line(text, place, line)
            yield end / len(text), [_check_values(node) for node in nodes]
        except BadRecord as bad:
            following = NEXT_GAME.search(text, opening.end())
            end = following.start() if following else len(text)
            yield end / len(text), bad
        line += text.count("\n", place, end)
        place = end


def _main_line(text: str, place: int, line: int) -> tuple[list[Node], int]:
    """The nodes of the main line of the game that begins there, and where the game ends."""
    depth, nodes, branched = 0, list[Node](), False
    while True:
        if run := RUN.match(text, place):
            place = run.end()
            for row in run[0].split("\n"):
                if not branched:
                    nodes += [[Property(name, [value], line)] for name, value in MOVE.findall(row)]
                line += 1
            line -= 1
        token = TOKEN.match(text, place)
        if token is None:
            space = SPACE.match(text, place)
            assert space
            raise BadRecord(_unexpected(text[space.end() : space.end() + 1]), f"line {line + space[0].count(chr(10))}")
        place, found = token.end(), token[0].lstrip()
        line += token[0].count("\n") - found.count("\n")
        match found[:1]:
            case "(":
                if depth and NEXT_GAME.match(text, place - 1):
                    raise BadRecord("the game has no end before the next one begins; close it with )", f"line {line}")
                depth += 1
            case ")":
                # the first end of a branch is that of the main line: whatever follows is a variation
                depth, branched = depth - 1, True
                if depth == 0:
                    return nodes, place
            case ";" if not branched:
                nodes.append([])
            case "[" if not branched:
                if not nodes[-1]:
                    raise BadRecord(f"the value {found[:20]} has no name; write B{found[:20]}", f"line {line}")
                if "(" in found and (inner := NEXT_GAME.search(found)) and inner.end() == len(found):
                    raise BadRecord(_unexpected("["), f"line {line}")  # the end belongs to the next game
                nodes[-1][-1].values.append(_unescape(found[1:-1]) if "\\" in found else found[1:-1])
            case letter if letter.isalpha() and not branched:
                nodes[-1].append(Property(_name(found, line), [], line))
        line += found.count("\n")


def _name(found: str, line: int) -> str:
    """Before 1997 a name could have lower-case letters, which say nothing: GaMe is GM. Without any other, gm is GM."""
    name = "".join(each for each in found if each.isupper())
    if name:
        return name
    if len(found) > 2:
        raise BadRecord(f"{found[:20]} is no property; write names in upper case, such as B[dd]", f"line {line}")
    return found.upper()


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
