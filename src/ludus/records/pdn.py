"""PDN, Portable Draughts Notation: English checkers (GameType 21). See https://wiegerw.github.io/pdn.

Reads the moves of every game; comments and variations are dropped. A capture that is written by its first and last
square alone, and may go several ways, is the one with which the rest of the game is legal. PDN has no draw by a number
of moves, so the limit is raised for longer games; another limit is written as the tag `[Rules "moves=40"]`. A man on
its last row in a FEN is read as a king.

Ludus writes 1-0 for a win for White, and adds {White wins}. In many files of English checkers it is a win for Black,
who moves first: what it means is judged by all games of a file (`ludus.records.pdn_results`).
"""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from ludus.errors import LudusError, WrongGame
from ludus.games.checkers import GAME as CHECKERS
from ludus.games.game import Game, Position
from ludus.records.pdn_results import FIRST_MOVER, Testimony, check_convention, convention, lead
from ludus.records.record import (
    BadRecord,
    Games,
    Move,
    Record,
    Told,
    game_with_options,
    one_line,
    options_text,
    parse_options_text,
    start_text,
    untold,
    write_each,
)
from ludus.records.replaying import replay, replay_record

TOKEN = re.compile(
    r"""(?:
        (?P<result> (?: 1/2\s*[-\u2013]\s*1/2 | \u00bd\s*[-\u2013]\s*\u00bd
                      | [12][-\u2013]0 | 0[-\u2013][012] | 1[-\u2013]1 | \* ) (?![0-9x:\u2013-]) )
      | (?: (?P<number> [0-9]+ ) \s* \.+ \s*
            (?! (?: [12][-\u2013]0 | 0[-\u2013][012] | 1[-\u2013]1 ) (?![0-9x:\u2013-]) ) )?
            (?P<move> [0-9]{1,2} (?: \s*[-x:\u2013]\s* [0-9]{1,2} )+ (?![0-9]) ) [!?*]*
      | (?P<comment> \{ (?: [^}\n] | \n (?! \s*\[\s*[A-Za-z]\w*\s*" ) )*+ \} )
      | (?P<blank> [;%][^\n]* | [\x1a\ufeff] | \$[0-9]+ | [!?]+ | \.{2,3} | [0-9]+\s*\.+ | \Z )
      | (?P<tag> \[ \s* (?P<name>[A-Za-z]\w*) \s*
            "(?P<value> (?: \\["\\] | \\(?!["\\]) | [^"\\\n] | "(?!\s*\]) )*)" \s* \] )
      | (?P<bracket> [()] ) )""",
    re.VERBOSE | re.IGNORECASE,
)
RUN = re.compile(
    r"""(?: \s* (?: [0-9]++ \s* \.++ \s* )? (?! [12]-0\s | 0-[012]\s | 1-1\s )
            [0-9]{1,2} (?: [-x][0-9]{1,2} )+ (?=\s) )+""",
    re.VERBOSE,
)
"""Moves one after another without anything between them but numbers, as most games have."""
PLAIN_MOVE = re.compile("[0-9]{1,2}(?:[-x][0-9]{1,2})+")
OPEN_COMMENT = re.compile(r'\{ (?: [^}\n] | \n (?! \s*\[\s*[A-Za-z]\w*\s*" ) )*+', re.VERBOSE)
SPACE, WORD = re.compile(r"\s*"), re.compile(r"\[[^\n]*|[{/)]|[^\s\[{]+")
"""WORD is what is skipped where nothing is understood: a line that begins as a tag, or else a word."""
TAG_NAMES = {"Event": "event", "Site": "place", "Date": "date", "Round": "round"}
OWN_TAGS = ("white", "black", "result", "gametype", "setup", "fen", "termination", "rules")
WHITE_SCORES = {"1-0": 1.0, "2-0": 1.0, "0-1": 0.0, "0-2": 0.0, "1/2-1/2": 0.5, "1-1": 0.5}
WINNER = re.compile(r"\b(black|red|white)\s+(wins|won|resign)", re.IGNORECASE)
"""Who has won, in a comment; the older books call Black red."""
LAST_ROWS = {"B": ("29", "30", "31", "32"), "W": ("1", "2", "3", "4")}
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
    problem: BadRecord | None = None
    """The first thing in it that can't be understood."""
    in_tags: bool = False
    """Whether that was meant to be a tag."""

    def tag(self, name: str) -> tuple[str, int]:
        """The value of a tag, whatever the case of its name, and its line."""
        return self._named.get(name, ("", self.line))

    @cached_property
    def _named(self) -> dict[str, tuple[str, int]]:
        """All tags once the game is complete; the first of a name counts."""
        return {name.lower(): (value, line) for name, value, line in reversed(self.tags)}

    def fail(self, problem: str, line: int) -> None:
        """Note what can't be understood, if it is the first."""
        self.problem = self.problem or BadRecord(problem, f"line {line}")

    def ends_before(self, kind: str | None, token: re.Match[str] | None, sign: str) -> bool:
        """Whether the game is over where this follows, which begins with that sign."""
        if self.result:
            return kind in ("tag", "move", "unknown")
        begins = kind == "tag" or (kind == "unknown" and sign == "[")
        again = self.problem is not None and token is not None and kind == "move" and token["number"] == "1"
        # what is meant to be a tag belongs to the game behind it, but other words belong to nothing
        loose = self.problem is not None and not self.tags and not self.in_tags
        return (begins or again) and (bool(self.moves) or loose)

    def add_moves(self, run: str, line: int) -> int:
        """Add the moves of a run; returns the line where it ends."""
        self.comment = ""
        for text in run.split("\n"):
            where = f"line {line}"
            self.moves += [Move(move, None, where) for move in PLAIN_MOVE.findall(text)]
            line += 1
        return line - 1

    def add(self, token: re.Match[str], line: int) -> None:
        if text := token["move"]:
            text = re.sub(r"\s", "", text).lower().replace(":", "x").replace("\u2013", "-")
            self.comment = ""
            self.moves.append(Move(text, None, f"line {line}"))
        elif token["tag"]:
            self.tags.append((token["name"], re.sub(r'\\(["\\])', r"\1", token["value"]), line))
        elif not self.result:  # a second result says nothing new
            self.result = token["result"]


class Reading(NamedTuple):
    record: Record
    """With 1-0 as White's win."""
    has_result: bool
    """Whether the file has a result."""
    testimony: Testimony | None
    """What the game shows of the meaning of 1-0, if it has a winner."""
    black_begins: bool
    """Whether GameType says so."""


def read(text: str, *, strict: bool = False, progress: Told = untold, result: str = "") -> Games:
    """The games of a PDN file; `result` says whose win 1-0 is, first-mover or white, if not the games themselves."""
    check_convention(result)
    found, numbers, problems = list[Reading](), list[int](), list[BadRecord]()
    for number, (place, source) in enumerate(_sources(text), 1):
        try:
            if source.problem:
                raise source.problem
            found.append(_reading(source))
            numbers.append(number)
        except BadRecord as bad:
            problems.append(BadRecord(bad.problem, bad.where, number=number))
            if strict:
                break
        if number % 256 == 0:
            progress(place / len(text), number)
    records, remark = _with_results_as_meant(found, result)
    if strict and problems:
        raise BadRecord(problems[0].problem, problems[0].where, records, number=problems[0].number)
    return Games(records, numbers, problems, remark)


def write(records: Iterable[Record]) -> str:
    """A PDN file with these games of checkers."""
    return "\n".join(write_each(records, _text))


def _with_results_as_meant(found: list[Reading], result: str) -> tuple[list[Record], str]:
    """The records with their results as the file means them, and why these."""
    remark, shown = "", [each.testimony for each in found if each.testimony]
    if shown and not result:
        result, remark = convention(shown, any(each.black_begins for each in found))
    swapped = result == FIRST_MOVER
    return [
        replace(record, outcome=1.0 - record.outcome)
        if swapped and has_result and record.outcome is not None
        else record
        for record, has_result, _, _ in found
    ], remark


def _sources(text: str) -> Iterator[tuple[int, Source]]:
    """The games one after another, and where each ends.

    A game ends with its result, or where tags begin after its moves. What can't be understood is noted in its game and
    skipped; after that a game also ends where moves are numbered from 1 again. A tag ends variations that have no end.
    """
    line, place, depth, opened, unclosed = 1, 0, 0, 1, 0
    source: Source | None = None
    while place < len(text):
        if source and source.moves and not depth and not (source.result or source.problem):
            run = RUN.match(text, place)
            if run:
                line, place = source.add_moves(run[0], line), run.end()
                continue
        space = SPACE.match(text, place)[0]  # type: ignore[index]
        line, place = line + space.count("\n"), place + len(space)
        token = None if text[place : place + 1] == "{" and place < unclosed else TOKEN.match(text, place)
        if token is None and place >= unclosed and (comment := OPEN_COMMENT.match(text, place)):
            unclosed = comment.end()  # nor has any other an end that begins before there
        kind = token.lastgroup if token else "unknown"
        if token and kind == "bracket":
            opened = opened if depth else line
            depth += 1 if token[0][-1] == "(" else -1
        elif depth and (kind == "tag" or (kind == "unknown" and text[place] == "[")):
            source = source or Source(line)
            source.fail("a variation begins with ( but has no end; it ends with )", opened)
            depth = 0
        if source and depth <= 0 and source.ends_before(kind, token, text[place : place + 1]):
            yield place, source
            source = None
        if token is None or depth < 0:
            source = source or Source(line)
            source.fail(_unexpected(text, place, depth), line)
            source.in_tags = source.in_tags or text[place] == "["
            end, depth = WORD.match(text, place).end(), 0  # type: ignore[union-attr]
        else:
            end = token.end()
            if depth == 0 and kind in ("tag", "move", "result"):
                source = source or Source(line)
                source.add(token, line)
            elif depth == 0 and source and kind == "comment":
                source.comment = token[0]
        line, place = line + text.count("\n", place, end), end
    if depth:
        source = source or Source(line)
        source.fail("a variation begins with ( but has no end; it ends with )", opened)
    if source:
        yield place, source


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
        start = game.position(_with_kings(fen)) if fen.strip() not in ("", "?") else _usual_start(game)
    except LudusError as problem:
        raise BadRecord(problem, f"line {line}") from None
    plies = start.state.ply + len(source.moves)
    if not options and plies > 2 * game.rules.moves_each:
        game = game_with_options(CHECKERS, 0, {"moves": (plies + 1) // 2})
        start = game.position(start.text)
    moves, _, last, _ = replay(start, source.moves)
    given = ("".join(text.split()) for text in (source.tag("result")[0], source.result))
    written = (text.replace("\u00bd", "1/2").replace("\u2013", "-") for text in given)
    white = next((WHITE_SCORES[text] for text in written if text in WHITE_SCORES), None)
    testimony = None
    if white in (0.0, 1.0):
        named = WINNER.search(source.comment) if source.comment else None
        winner = last.outcome if named is None else _winner(named)
        testimony = Testimony(white == 1.0, winner, lead(last) if winner is None else 0)
    names = ["" if (name := one_line(source.tag(side)[0])) == "?" else name for side in ("black", "white")]
    tags = [
        (TAG_NAMES.get(name, name), one_line(value))
        for name, value, _ in source.tags
        if name.lower() not in OWN_TAGS and value not in ("", "?")
    ]
    outcome = last.outcome if white is None else 1.0 - white
    reason = one_line(source.tag("termination")[0])
    begins = start_text(start) if fen else ""
    record = Record(game, begins, moves, (names[0], names[1]), outcome, reason, tuple(tags))
    return Reading(record, white is not None, testimony, kind.replace(" ", "").upper().startswith("21,B"))


@cache
def _usual_start(game: Game) -> Position:
    return game.start()


def _winner(named: re.Match[str]) -> float:
    """The outcome for Black of `Black wins`, or of `White resigns`."""
    return float((named[1].lower() != "white") == named[2].lower().startswith("w"))


def _with_kings(fen: str) -> str:
    """The FEN with a K before each man that has reached its last row, where many files leave it out."""

    def crowned(side: re.Match[str]) -> str:
        squares = []
        for piece in side[2].split(","):
            low, _, high = piece.partition("-")
            if not (high.isdecimal() and low.isdecimal() and 0 < int(low) <= int(high) <= 32):
                squares.append(piece)
            else:
                squares += [str(square) for square in range(int(low), int(high) + 1)]
        last_row = LAST_ROWS[side[1].upper()]
        return f":{side[1]}{','.join('K' + each if each in last_row else each for each in squares)}"

    return re.sub(r":([BW])([0-9K,-]+)", crowned, "".join(fen.split()), flags=re.IGNORECASE)


def _unexpected(text: str, place: int, depth: int) -> str:
    found = text[place : place + 20].split("\n")[0]
    if depth < 0:
        return "a ) has no ( before it; variations are written in ( and )"
    match found[:1]:
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
    if record.setups:
        raise WrongGame("PDN can't hold a position that is set up in the middle of a game")
    (moves, _, _, _), first = replay_record(record)
    codes = {name: code for code, name in TAG_NAMES.items()}
    result = {None: "*", 1.0: "0-1", 0.5: "1/2-1/2"}.get(record.outcome, "1-0")
    tags = [(codes.get(name, name), value) for name, value in record.tags if name.lower() not in OWN_TAGS]
    if not record.tag("event"):
        tags.insert(0, ("Event", "?"))
    tags += [("Black", record.players[0] or "?"), ("White", record.players[1] or "?"), ("Result", result)]
    tags += [("GameType", "21"), ("Rules", options_text(record.game)), ("Termination", record.reason)]
    if start := start_text(first) if record.start else "":
        tags += [("SetUp", "1"), ("FEN", start.removesuffix(":F1"))]
    head = [
        f'[{name} "{_quoted(one_line(value))}"]'
        for name, value in tags
        if value and re.fullmatch(r"[A-Z]\w*", name, re.ASCII)
    ]
    pairs = [f"{i // 2 + 1}. {' '.join(moves[i : i + 2])}" for i in range(0, len(moves), 2)]
    end = {"1-0": "{White wins} 1-0", "0-1": "{Black wins} 0-1"}.get(result, result)
    return "\n".join([*head, "", textwrap.fill(" ".join([*pairs, end]), 79, break_on_hyphens=False)]) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
