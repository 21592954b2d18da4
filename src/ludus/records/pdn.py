"""PDN, Portable Draughts Notation: English checkers (GameType 21). See https://wiegerw.github.io/pdn.

Reads the moves of every game; comments and variations are dropped. PDN has no draw by a number of moves, so the limit
is raised for longer games; another limit is written as the tag `[Rules "moves=40"]`.

Ludus reads and writes 1-0 as a win for White, and adds {White wins} for people. But many files of English checkers,
such as the Open Checkers Archive, mean a win for Black, who moves first. So each file decides: if in most of its games
that name the winner in a last comment, or that were played to the end, 1-0 is a win for Black, it is so in all.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ludus.errors import LudusError, WrongGame
from ludus.games.checkers import GAME as CHECKERS
from ludus.records.record import (
    BadRecord,
    Move,
    Record,
    game_with_options,
    one_line,
    options_text,
    parse_options_text,
    replay,
    replay_record,
    start_text,
    write_each,
)

TOKEN = re.compile(
    r"""(?P<blank> \s+ | \{[^}]*\} | [;%][^\n]* | \$[0-9]+ | [!?]+ | \.{2,3} )
      | (?P<bracket> [()] )
      | (?P<tag> \[ \s* (?P<name>[A-Za-z]\w*) \s*
            "(?P<value> (?: \\["\\] | \\(?!["\\]) | [^"\\\n] | "(?!\s*\]) )*)" \s* \] )
      | (?P<result> (?: 1/2\s*-\s*1/2 | [12]-0 | 0-[012] | 1-1 | \* ) (?![0-9x:-]) )
      | (?P<move> [0-9]{1,2} (?: \s*[-x:]\s* [0-9]{1,2} )+ (?![0-9]) ) [!?*]*
      | (?P<number> [0-9]+ \s* \.+ )""",
    re.VERBOSE | re.IGNORECASE,
)
TAG_NAMES = {"Event": "event", "Site": "place", "Date": "date", "Round": "round"}
OWN_TAGS = ("white", "black", "result", "gametype", "setup", "fen", "termination", "rules")
WHITE_SCORES = {"1-0": 1.0, "2-0": 1.0, "0-1": 0.0, "0-2": 0.0, "1/2-1/2": 0.5, "1-1": 0.5}
OTHER_DRAUGHTS = {"20": "international", "22": "Italian", "23": "pool", "25": "Russian", "26": "Brazilian"}


@dataclass
class Source:
    """A game as the file has it, not yet replayed."""

    line: int
    tags: list[tuple[str, str, int]] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    comment: str = ""
    """The last one since the last move."""
    result: str = ""

    def tag(self, name: str) -> tuple[str, int]:
        """The value of a tag, whatever the case of its name, and its line."""
        return next(((value, line) for each, value, line in self.tags if each.lower() == name), ("", self.line))


class Reading(NamedTuple):
    record: Record
    """With 1-0 as White's win."""
    has_result: bool
    """Whether the file has a result."""
    shown: float | None
    """The outcome that a comment or the board shows."""


def read(text: str) -> list[Record]:
    """The games of a PDN file."""
    found = list[Reading]()
    try:
        for source in _sources(text):
            found.append(_reading(source))
    except BadRecord as bad:
        raise BadRecord(bad.problem, f"game {len(found) + 1}, {bad.where}", _with_results_as_meant(found)) from None
    return _with_results_as_meant(found)


def write(records: Iterable[Record]) -> str:
    """A PDN file with these games of checkers."""
    return "\n".join(write_each(records, _text))


def _with_results_as_meant(found: list[Reading]) -> list[Record]:
    """The records with their results as the file means them, given what comments and boards show."""
    pairs = [(each.record.outcome, each.shown) for each in found if each.has_result]
    agreeing = [written == shown for written, shown in pairs if {written, shown} <= {0.0, 1.0}]
    swapped = 2 * sum(agreeing) < len(agreeing)
    return [
        replace(record, outcome=1.0 - record.outcome)
        if swapped and has_result and record.outcome is not None
        else record
        for record, has_result, _ in found
    ]


def _sources(text: str) -> Iterator[Source]:
    line, place, depth, opened = 1, 0, 0, 1
    source: Source | None = None
    while place < len(text) and (token := TOKEN.match(text, place)) and depth >= 0:
        kind = token.lastgroup
        if kind == "bracket":
            opened = opened if depth else line
            depth += 1 if token[0] == "(" else -1
        elif depth == 0 and kind in ("tag", "move", "result"):
            if source and kind != "result" and (source.result or (kind == "tag" and source.moves)):
                yield source
                source = None
            if not (kind == "result" and source and source.result):  # a second result says nothing new
                source = source or Source(line)
                _add(source, token, line)
        elif depth == 0 and source and token[0][0] == "{":
            source.comment = token[0]
        line, place = line + token[0].count("\n"), token.end()
    complete = place == len(text) and depth == 0
    if source and (complete or source.result or (source.moves and text[place : place + 1] == "[")):
        yield source
    if not complete:
        raise BadRecord(_unexpected(text, place, depth), f"line {opened if place == len(text) else line}")


def _add(source: Source, token: re.Match[str], line: int) -> None:
    if token["tag"]:
        source.tags.append((token["name"], re.sub(r'\\(["\\])', r"\1", token["value"]), line))
    elif token["move"]:
        source.comment = ""
        source.moves.append(Move(re.sub(r"\s", "", token["move"]).lower().replace(":", "x"), None, f"line {line}"))
    else:
        source.result = re.sub(r"\s", "", token["result"])


def _reading(source: Source) -> Reading:
    kind, line = source.tag("gametype")
    number = kind.split(",")[0].strip()
    if number not in ("", "?", "21"):
        name = f" ({OTHER_DRAUGHTS[number]} draughts)" if number in OTHER_DRAUGHTS else ""
        problem = f"GameType {number[:20]}{name} is another game; Ludus reads GameType 21, English checkers"
        raise BadRecord(problem, f"line {line}")
    fen, line = source.tag("fen")
    if len(fen) > 300:
        raise BadRecord("the FEN is too long; write one such as B:W21-32:B1-12", f"line {line}")
    options = parse_options_text(CHECKERS, source.tag("rules")[0])
    game = game_with_options(CHECKERS, 0, options)
    try:
        start = game.position(fen) if fen.strip() not in ("", "?") else game.start()
    except LudusError as problem:
        raise BadRecord(problem, f"line {line}") from None
    plies = start.state.ply + len(source.moves)
    if not options and plies > 2 * game.rules.moves_each:
        game = game_with_options(CHECKERS, 0, {"moves": (plies + 1) // 2})
        start = game.position(start.text)
    moves, last = replay(start, source.moves)
    result = source.tag("result")[0].replace(" ", "")
    white = WHITE_SCORES.get(result, WHITE_SCORES.get(source.result))
    winner = re.search(r"\b(black|white) wins", source.comment, re.IGNORECASE)
    shown = last.outcome if winner is None else float(winner[1].lower() == "black")
    names = ["" if (name := one_line(source.tag(side)[0])) == "?" else name for side in ("black", "white")]
    tags = [
        (TAG_NAMES.get(name, name), one_line(value))
        for name, value, _ in source.tags
        if name.lower() not in OWN_TAGS and value not in ("", "?")
    ]
    outcome = last.outcome if white is None else 1.0 - white
    reason = one_line(source.tag("termination")[0])
    record = Record(game, start_text(start), moves, (names[0], names[1]), outcome, reason, tuple(tags))
    return Reading(record, white is not None, shown)


def _unexpected(text: str, place: int, depth: int) -> str:
    found = text[place : place + 20].split("\n")[0]
    if depth < 0:
        return "a ) has no ( before it; variations are written in ( and )"
    match text[place : place + 1]:
        case "":
            return "a variation begins with ( but has no end; it ends with )"
        case "{":
            return "a comment begins with { but has no end; it ends with }"
        case "[":
            return f'{found!r} is not a tag; write one such as [Event "Scottish Open"]'
        case "/":
            return "pieces can't be set up in the middle of a game; begin a new game with a FEN tag"
    return f"{found.split()[0]!r} is neither a move nor a result; write moves such as 11-15 or 15x22, comments in {{ }}"


def _text(record: Record) -> str:
    if record.game.type is not CHECKERS:
        raise WrongGame(f"PDN can't hold games of {record.game.name}; here it holds checkers")
    moves, last = replay_record(record)
    codes = {name: code for code, name in TAG_NAMES.items()}
    result = {None: "*", 1.0: "0-1", 0.5: "1/2-1/2"}.get(record.outcome, "1-0")
    tags = [(codes.get(name, name), value) for name, value in record.tags if name.lower() not in OWN_TAGS]
    if not record.tag("event"):
        tags.insert(0, ("Event", "?"))
    tags += [("Black", record.players[0] or "?"), ("White", record.players[1] or "?"), ("Result", result)]
    tags += [("GameType", "21"), ("Rules", options_text(record.game)), ("Termination", record.reason)]
    if start := start_text(moves[0][0] if moves else last):
        tags += [("SetUp", "1"), ("FEN", start.removesuffix(":F1"))]
    head = [
        f'[{name} "{_quoted(one_line(value))}"]'
        for name, value in tags
        if value and re.fullmatch(r"[A-Z]\w*", name, re.ASCII)
    ]
    spelled = [move for _, move in moves]
    pairs = [f"{i // 2 + 1}. {' '.join(spelled[i : i + 2])}" for i in range(0, len(spelled), 2)]
    end = {"1-0": "{White wins} 1-0", "0-1": "{Black wins} 0-1"}.get(result, result)
    return "\n".join([*head, "", textwrap.fill(" ".join([*pairs, end]), 79, break_on_hyphens=False)]) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
