"""GGF, the format of the Generic Game Server: Othello. See https://skatgame.net/mburo/ggsa/ggf.

Evaluations and times of moves are dropped. Games of anti-Othello, where fewer discs win, are refused.
"""

import re
from collections.abc import Iterable, Iterator

from ludus.errors import LudusError, WrongGame
from ludus.games.game import Game, Position
from ludus.games.othello import GAME as OTHELLO
from ludus.records.record import (
    BadRecord,
    Found,
    Games,
    Move,
    Record,
    Told,
    collect,
    good_or_bad,
    one_line,
    outcome_of,
    score_of,
    score_tag,
    start_text,
    untold,
    write_each,
)
from ludus.records.replaying import replay, replay_record
from ludus.records.sgf_syntax import Node, Property, escape, main_lines

TAG_NAMES = {"EV": "event", "PC": "place", "DT": "date", "RO": "round"}
REASONS = {"r": "resigned", "t": "time"}
NOT_TAGS = ("GM", "PB", "PW", "RE", "TY", "BO", "B", "W")


def read(text: str, *, strict: bool = False, progress: Told = untold) -> Games:
    """The games of a GGF file."""
    return collect(_records(text), strict, progress)


def write(records: Iterable[Record]) -> str:
    """A GGF file with these games of Othello, one on each line."""
    return "".join(write_each(records, _line))


def _records(text: str) -> Iterator[Found]:
    for share, nodes in main_lines(text):
        yield share, nodes if isinstance(nodes, BadRecord) else good_or_bad(_record, nodes)


def _record(nodes: list[Node]) -> Record:
    listed = [each for node in nodes for each in node]
    moves = [each for each in listed if each.name in ("B", "W")]
    properties = {each.name: each for each in reversed(listed)}
    if "GM" not in properties or properties["GM"].value.strip().lower() not in ("othello", "reversi"):
        where = properties["GM"].where if "GM" in properties else f"line {listed[0].line}" if listed else "line 1"
        raise BadRecord("not a game of Othello, which would begin with (;GM[Othello]", where)
    if "TY" in properties and "a" in properties["TY"].value.lower():
        raise BadRecord(f"{properties['TY'].excerpt} is anti-Othello, which Ludus can't play", properties["TY"].where)
    start = _start(properties)
    played = [_move(each) for each in moves]
    found, _, last, _ = replay(start, played)
    outcome, reason, score = _result(properties["RE"].value if "RE" in properties else "")
    if outcome is None:
        outcome = last.outcome
    names = tuple(one_line(properties[name].value) if name in properties else "" for name in ("PB", "PW"))
    tags = [
        (TAG_NAMES.get(each.name, each.name), one_line(each.value))
        for each in listed
        if each.name not in NOT_TAGS and one_line(each.value)
    ]
    return Record(
        start.game, start_text(start), found, (names[0], names[1]), outcome, reason, (*tags, *score_tag(last, score))
    )


def _start(properties: dict[str, Property]) -> Position:
    board = properties.get("BO")
    given = re.match(r"\s*s?(\d+)", (board or properties["TY"]).value) if board or "TY" in properties else None
    size = int(given[1][:4]) if given else 8
    if size not in OTHELLO.sizes:
        problem = f"Othello can't be played on a board of size {size}; sizes: {', '.join(map(str, OTHELLO.sizes))}"
        raise BadRecord(problem, (board or properties["TY"]).where)
    game = Game(OTHELLO, size)
    if not board:
        return game.start()
    squares = "".join(board.value.split()[1:]).replace("*", "X")
    try:
        return game.position(squares)
    except LudusError:
        problem = f"BO[{one_line(board.value)[:80]}] is not a board; write BO[{_board(game.start())}]"
        raise BadRecord(problem, board.where) from None


def _move(each: Property) -> Move:
    text = each.value.split("/")[0].strip().lower()
    return Move("pass" if text in ("pa", "pass", "--") else text, "BW".index(each.name), each.where)


def _result(text: str) -> tuple[float | None, str, float | None]:
    """What RE says: outcome, reason and score."""
    result = re.fullmatch(r"\s*([+-]?\d{1,2}(?:\.\d{1,6})?)\s*(?::(\w+))?\s*", text, re.ASCII)
    score = float(result[1]) if result else 65.0
    if not result or abs(score) > 64:  # unknown; some programs write -127 for that
        return None, "", None
    reason = REASONS.get((result[2] or "")[:1], "")
    return outcome_of(score), reason, None if reason else score


def _line(record: Record) -> str:
    if record.game.type is not OTHELLO:
        raise WrongGame(f"GGF can't hold games of {record.game.name}; here it holds Othello")
    if record.setups:
        raise WrongGame("GGF can't hold a position that is set up in the middle of a game")
    (moves, sides, last, _), first = replay_record(record)
    codes = {name: code for code, name in TAG_NAMES.items()}
    tags = [(codes.get(name, name), value) for name, value in record.tags]
    tags = [(name, value) for name, value in tags if re.fullmatch("[A-Z]+", name) and name not in NOT_TAGS]
    if "PC" not in dict(tags):
        tags.insert(0, ("PC", ""))  # other programs look for it
    tags += [("PB", record.players[0]), ("PW", record.players[1]), ("RE", _result_text(record, last))]
    tags += [("TY", str(record.game.size)), ("BO", _board(first))]
    text = "".join(f"{name}[{escape(one_line(value))}]" for name, value in tags)
    made = zip(sides, moves, strict=True)
    text += "".join(f"{'BW'[side]}[{'PA' if move == 'pass' else move}]" for side, move in made)
    return f"(;GM[Othello]{text};)\n"


def _board(position: Position) -> str:
    size, squares = position.game.size, position.text.replace("X", "*")
    return " ".join([str(size), *(squares[size * i : size * (i + 1)] for i in range(size)), squares[-1]])


def _result_text(record: Record, last: Position) -> str:
    if record.outcome is None:
        return "?"
    score = score_of(record, last)
    if score is None or abs(score) > 64:  # which is read as unknown
        score = 128 * record.outcome - 64  # whoever resigns loses all
    how = {"resigned": ":r", "time": ":t"}.get(record.reason, "")
    return f"{score:+.3f}{how}"
