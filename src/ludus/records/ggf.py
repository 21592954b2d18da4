"""GGF, the format of the Generic Game Server: Othello. See https://skatgame.net/mburo/ggsa/ggf.

Evaluations and times of the moves are not kept. Games of anti-Othello, which fewer discs win, are refused.
"""

import re
from collections.abc import Iterable

from ludus.errors import LudusError
from ludus.games.game import Game, Position
from ludus.games.othello import GAME as OTHELLO
from ludus.records.record import (
    BadRecord,
    Move,
    Record,
    clean,
    collected,
    outcome_of,
    replayed,
    score_of,
    score_tag,
    start_text,
    steps,
    written,
)
from ludus.records.trees import Node, Property, escaped, main_lines

NAMES = {"EV": "event", "PC": "place", "DT": "date", "RO": "round"}
REASONS = {"r": "resigned", "t": "time"}
NO_TAGS = ("GM", "PB", "PW", "RE", "TY", "BO", "B", "W")


def read(text: str) -> list[Record]:
    """The games of a GGF file."""
    return collected(_record(nodes) for nodes in main_lines(text))


def write(records: Iterable[Record]) -> str:
    """A GGF file with these games of Othello, one on each line."""
    return "".join(written(records, _line))


def _record(nodes: list[Node]) -> Record:
    everything = [each for node in nodes for each in node]
    moves = [each for each in everything if each.name in ("B", "W")]
    facts = {each.name: each for each in reversed(everything)}
    if "GM" not in facts or facts["GM"].value.strip().lower() not in ("othello", "reversi"):
        where = facts["GM"].where if "GM" in facts else f"line {everything[0].line}" if everything else "line 1"
        raise BadRecord("this is not a game of Othello; such a game begins with (;GM[Othello]", where)
    if "TY" in facts and "a" in facts["TY"].value.lower():
        raise BadRecord(f"{facts['TY'].shown} is anti-Othello, which Ludus does not know", facts["TY"].where)
    start = _start(facts)
    played = [_move(each) for each in moves]
    found, last = replayed(start, played)
    outcome, reason, score = _result(facts["RE"].value if "RE" in facts else "")
    if outcome is None:
        outcome = last.outcome
    names = tuple(clean(facts[name].value) if name in facts else "" for name in ("PB", "PW"))
    tags = [
        (NAMES.get(each.name, each.name), clean(each.value))
        for each in everything
        if each.name not in NO_TAGS and clean(each.value)
    ]
    return Record(
        start.game, start_text(start), found, (names[0], names[1]), outcome, reason, (*tags, *score_tag(last, score))
    )


def _start(facts: dict[str, Property]) -> Position:
    board = facts.get("BO")
    size = re.match(r"\s*s?(\d+)", (board or facts["TY"]).value) if board or "TY" in facts else None
    lines = int(size[1][:4]) if size else 8
    if lines not in OTHELLO.sizes:
        problem = f"Othello can't be played on a board of size {lines}; the sizes are 4, 6, 8"
        raise BadRecord(problem, (board or facts["TY"]).where)
    game = Game(OTHELLO, lines)
    if not board:
        return game.start()
    squares = "".join(board.value.split()[1:]).replace("*", "X")
    try:
        return game.position(squares)
    except LudusError:
        problem = f"BO[{clean(board.value)[:80]}] is no board; write BO[{_board(game.start())}]"
        raise BadRecord(problem, board.where) from None


def _move(each: Property) -> Move:
    text = each.value.split("/")[0].strip().lower()
    return Move("pass" if text in ("pa", "pass", "--") else text, "BW".index(each.name), each.where)


def _result(text: str) -> tuple[float | None, str, float | None]:
    """What RE says: outcome, reason and score."""
    said = re.fullmatch(r"\s*([+-]?\d{1,2}(?:\.\d{1,6})?)\s*(?::(\w+))?\s*", text, re.ASCII)
    score = float(said[1]) if said else 65.0
    if not said or abs(score) > 64:  # unknown; some programs write -127 for that
        return None, "", None
    reason = REASONS.get((said[2] or "")[:1], "")
    return outcome_of(score), reason, None if reason else score


def _line(record: Record) -> str:
    if record.game.family is not OTHELLO:
        raise LudusError(f"GGF has no place for {record.game.name}; here it holds Othello")
    moves, last = steps(record)
    codes = {name: code for code, name in NAMES.items()}
    tags = [(codes.get(name, name), value) for name, value in record.tags]
    tags = [(name, value) for name, value in tags if re.fullmatch("[A-Z]+", name) and name not in NO_TAGS]
    if "PC" not in dict(tags):
        tags.insert(0, ("PC", ""))  # other programs look for it
    first = moves[0][0] if moves else last
    tags += [("PB", record.players[0]), ("PW", record.players[1]), ("RE", _result_text(record, last))]
    tags += [("TY", str(record.game.size)), ("BO", _board(first))]
    text = "".join(f"{name}[{escaped(clean(value))}]" for name, value in tags)
    text += "".join(f"{'BW'[position.mover]}[{'PA' if move == 'pass' else move}]" for position, move in moves)
    return f"(;GM[Othello]{text};)\n"


def _board(position: Position) -> str:
    size, squares = position.game.size, position.text.replace("X", "*")
    return " ".join([str(size), *(squares[size * i : size * (i + 1)] for i in range(size)), squares[-1]])


def _result_text(record: Record, last: Position) -> str:
    if record.outcome is None:
        return "?"
    score = score_of(record, last)
    if score is None:
        score = 128 * record.outcome - 64  # whoever resigns loses all
    how = {"resigned": ":r", "time": ":t"}.get(record.reason, "")
    return f"{score:+.3f}{how}"
