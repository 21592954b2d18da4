"""SGF, Smart Game Format: Go (GM[1]) and Othello (GM[2]). See https://www.red-bean.com/sgf.

Reads the main line of every game; comments, markup and variations are dropped. Without KM, komi is 0. A game that
breaks positional superko, as other rules allow, is read with `ko=simple`. Options of Ludus's own are written in RU, as
`RU[ko=simple,plies=50]`. Where stones are set up in the middle of a game, or play goes on after two passes, the record
has the position there (`Record.setups`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from ludus.errors import LudusError, WrongGame
from ludus.games.game import Game, GameType, Position
from ludus.games.go import COLUMNS
from ludus.games.go import GAME as GO
from ludus.games.othello import GAME as OTHELLO
from ludus.records.record import (
    BadRecord,
    Found,
    Games,
    Move,
    Record,
    Told,
    collect,
    game_with_options,
    good_or_bad,
    one_line,
    options_text,
    parse_options_text,
    score_of,
    score_tag,
    start_text,
    untold,
    write_each,
)
from ludus.records.replaying import Replay, replay, replay_record
from ludus.records.sgf_syntax import Node, Property, escape, main_lines

LETTERS = "abcdefghijklmnopqrs"
TAG_NAMES = {"EV": "event", "PC": "place", "DT": "date", "RO": "round"}
REASONS = {"R": "resigned", "T": "time", "F": "forfeit"}
REASON_LETTERS = {reason: letter for letter, reason in REASONS.items()} | {"illegal move": "F"}
NOT_TAGS = {
    "FF", "GM", "SZ", "CA", "AP", "ST", "KM", "RE", "PB", "PW", "RU", "AB", "AW", "AE", "PL", "B", "W", "MN", "KO",
    "C", "N", "V", "DM", "GB", "GW", "HO", "UC", "BM", "DO", "IT", "TE", "BL", "WL", "OB", "OW", "FG", "PM", "VW",
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TR", "TB", "TW",
}  # fmt: skip
"""Properties that say something about the board, a move or the file rather than about the game."""


class Part(NamedTuple):
    """A part of a game: stones that are set up, and the moves that follow."""

    setup: list[Property]
    first: str
    """Who moves first, B or W, if PL says so."""
    moves: list[Property]


def read(text: str, *, strict: bool = False, progress: Told = untold) -> Games:
    """The games of an SGF file."""
    return collect(_records(text), strict, progress)


def write(records: Iterable[Record]) -> str:
    """An SGF file with these games of Go and Othello."""
    return "\n".join(write_each(records, _tree))


def _records(text: str) -> Iterator[Found]:
    for share, nodes in main_lines(text):
        yield share, nodes if isinstance(nodes, BadRecord) else good_or_bad(_record, nodes)


def _record(nodes: list[Node]) -> Record:
    properties: dict[str, Property] = {}
    parts = [Part([], "", [])]
    for number, node in enumerate(nodes):
        if number and len(node) == 1 and node[0].name in ("B", "W"):  # as most are
            parts[-1].moves.append(node[0])
            continue
        setup = [each for each in node if each.name in ("AB", "AW", "AE")]
        if setup and parts[-1].moves:
            parts.append(Part([], "", []))
        parts[-1].setup.extend(setup)
        for each in node:
            if each.name in ("B", "W"):
                parts[-1].moves.append(each)
            elif each.name not in ("AB", "AW", "AE") and (number == 0 or not parts[0].moves):
                properties.setdefault(each.name, each)
            elif each.name == "PL" and setup:
                parts[-1] = parts[-1]._replace(first=each.value.strip()[:1].upper())
    moves = [each for part in parts for each in part.moves]
    game = _game(properties, moves)
    try:
        found, start = _replay(game, properties, parts)
    except BadRecord:
        if game.type is not GO or "ko" in dict(game.options):
            raise
        game = game_with_options(GO, game.size, dict(game.options) | {"ko": "simple"})
        found, start = _replay(game, properties, parts)
    result = _text(properties, "RE")
    outcome, reason, score = _result(result)
    if outcome is None and game.type is OTHELLO and reason != "void":
        outcome = found.last.outcome  # in Go a finished board may hold dead stones, so only the players know
    names = _text(properties, "PB"), _text(properties, "PW")
    tags = [
        (TAG_NAMES.get(name, name), one_line(property.value))
        for name, property in properties.items()
        if len(property.values) == 1
        and (name not in NOT_TAGS or (name == "RU" and not parse_options_text(GO, property.value)))
    ]
    if outcome is None and result.lower() not in ("", "?", "void"):
        tags.append(("RE", result))
    tags += score_tag(found.last, score)
    return Record(game, start, found.moves, names, outcome, reason, tuple(tags), found.setups)


def _replay(game: Game, properties: dict[str, Property], parts: list[Part]) -> tuple[Replay, str]:
    """The parts of a game replayed one after another, and the position in which the first begins."""
    start = position = _start(game, properties, parts[0].setup, parts[0].moves)
    found = Replay((), (), start)
    for number, part in enumerate(parts):
        if number:
            position = _set_up(found.last, part)
            if position is not found.last:
                found = found._replace(setups=(*found.setups, (len(found.moves), position.text)))
        names = _names(game.type, game.size)
        played = [
            Move(names[each[1][0]], 0 if each[0] == "B" else 1, f"line {each[2]}")
            if each[1][0] in names
            else _move(game, each)
            for each in part.moves
        ]
        more = replay(position, played, _resume, before=len(found.moves))
        found = Replay(found.moves + more.moves, found.sides + more.sides, more.last, found.setups + more.setups)
    usual = not parts[0].setup and start.current_player == 0
    return found, "" if usual else start_text(start)


def _set_up(last: Position, part: Part) -> Position:
    """The position with stones added or taken away; the same position if that changes nothing."""
    game, cells = last.game, last.cells
    for each in part.setup:
        for value in each.values:
            for column, row in _points(game, value, each.where):
                square = (game.size - 1 - row if game.type is GO else row) * game.size + column
                cells[square] = {"AB": 1, "AW": -1, "AE": 0}[each.name]
    if (cells == last.cells).all():
        return last
    first = part.first if part.first in ("B", "W") else part.moves[0].name if part.moves else ""
    player = "BW".index(first) if first else last.current_player
    like = last.state._replace(passes=0) if game.type is GO else last.state
    made = Position(game, game.type.state_from_cells(game.rules, cells, player, like))
    try:
        return game.position(made.text)
    except LudusError as problem:
        raise BadRecord(problem, part.setup[0].where) from None


def _resume(position: Position, move: Move) -> Position | None:
    """Players who disagree about dead stones go on after two passes."""
    game, state = position.game, position.state
    if game.type is not GO or state.passes < 2 or state.ply >= game.rules.plies:
        return None
    player = position.current_player if move.side is None else move.side
    return Position(game, GO.state_from_cells(game.rules, position.cells, player, state._replace(passes=0)))


def _game(properties: dict[str, Property], moves: list[Property]) -> Game:
    number, size = properties.get("GM"), properties.get("SZ")
    if number and number.value.strip() not in ("1", "2"):
        raise BadRecord(f"{number.excerpt} is another game; GM[1] is Go and GM[2] is Othello", number.where)
    game_type = OTHELLO if number and number.value.strip() == "2" else GO
    sides = (size.value.strip() if size else "8" if game_type is OTHELLO else "19").split(":")
    if len(set(sides)) != 1 or sides[0] not in [str(each) for each in game_type.sizes]:
        sizes = ", ".join(str(each) for each in game_type.sizes)
        shape = "x".join(sides)[:20]
        problem = f"{game_type.name} can't be played on a board of {shape}; boards are square, of sizes {sizes}"
        raise BadRecord(problem, size.where if size else "line 1")
    if game_type is OTHELLO:
        return Game(OTHELLO, int(sides[0]))
    options = parse_options_text(GO, _text(properties, "RU"))
    options["komi"] = _komi(properties["KM"]) if "KM" in properties else 0.0
    length, points = len(moves) + sum(one.name == other.name for one, other in pairwise(moves)), int(sides[0]) ** 2
    if "plies" not in options and length > 4 * points:
        options["plies"] = min(length, 10 * points)  # no game is longer, but a hostile file may be
    return game_with_options(GO, int(sides[0]), options)


def _text(properties: dict[str, Property], name: str) -> str:
    return one_line(properties[name].value) if name in properties else ""


def _komi(property: Property) -> float:
    text = property.value.strip().replace(",", ".") or "0"
    if not re.fullmatch(r"[+-]?(\d{1,4}(\.\d{0,20})?|\.\d{1,20})", text, re.ASCII):
        raise BadRecord(f"{property.excerpt} is not a number; write komi such as KM[6.5]", property.where)
    komi = float(text)
    return komi / 100 if abs(komi) > 361 else komi  # some Chinese servers write 375 for 3.75


def _start(game: Game, properties: dict[str, Property], setup: list[Property], moves: list[Property]) -> Position:
    first = _text(properties, "PL")[:1].upper()
    if first not in ("B", "W"):
        handicap = setup and _text(properties, "HA") not in ("", "0", "1")
        first = moves[0].name if moves and (setup or game.type is GO) else "W" if handicap else "B"
    if not setup and first == "B":
        return game.start()
    standard = game.type is OTHELLO and not any(each.name in ("AB", "AW") for each in setup)
    size = game.size
    grid = [["O.X"[cell + 1] if standard else "." for cell in row] for row in game.start().cells.reshape(size, size)]
    for each in setup:
        for value in each.values:
            for column, row in _points(game, value, each.where):
                grid[row][column] = {"AB": "X", "AW": "O", "AE": "."}[each.name]
    separator = "/" if game.type is GO else ""
    try:
        return game.position(separator.join("".join(row) for row in grid) + " " + "XO"["BW".index(first)])
    except LudusError as problem:
        raise BadRecord(problem, [*setup, *moves, *properties.values()][0].where) from None


def _points(game: Game, value: str, where: str) -> Iterator[tuple[int, int]]:
    """The points of `cd`, or of a rectangle `aa:cc`, as column and row from the top left."""
    corners = [_point(game, each.strip(), where) for each in value.split(":", 1)]
    (left, right), (top, bottom) = map(sorted, zip(corners[0], corners[-1], strict=True))
    yield from ((column, row) for row in range(top, bottom + 1) for column in range(left, right + 1))


def _point(game: Game, text: str, where: str) -> tuple[int, int]:
    letters, point = LETTERS[: game.size], text.lower()
    if game.type is OTHELLO and re.fullmatch(r"[a-h][1-8]", point):  # as Edax and others write
        point = point[0] + LETTERS[int(point[1]) - 1]
    if len(point) != 2 or not set(point) <= set(letters):
        problem = f"{text[:20]!r} is not a point of this board; a point is two letters from a to {letters[-1]}"
        raise BadRecord(problem, where)
    return letters.index(point[0]), letters.index(point[1])


@cache
def _names(game_type: GameType, size: int) -> dict[str, str]:
    """The names of points by the letters of SGF."""
    game = Game(game_type, size)
    squares = range(game.squares)
    return {_letters(game, name): name for name in (game_type.square_name(game.rules, each) for each in squares)}


def _move(game: Game, each: Property) -> Move:
    side, text = "BW".index(each.name), each.value.strip()
    if text.lower() in ("", "tt") or (game.type is OTHELLO and text.lower() in ("pa", "pass", "--")):
        return Move("pass", side, each.where)
    column, row = _point(game, text, each.where)
    name = f"{COLUMNS[column]}{game.size - row}" if game.type is GO else f"{LETTERS[column]}{row + 1}"
    return Move(name, side, each.where)


def _result(text: str) -> tuple[float | None, str, float | None]:
    """What RE says: outcome, reason and score."""
    if text.lower() in ("0", "draw", "jigo"):
        return 0.5, "", None
    won = re.match(
        # no score in fractions, such as 1/2 or 3 1/4
        r"([BW])(?:lack|hite)?\s*\+\s*(?:(\d{1,3}(?:[.,]\d{1,6})?)(?![\d\s]*/)|([A-Z]))?",
        text,
        re.IGNORECASE | re.ASCII,
    )
    if not won:
        return None, "void" if text.lower() == "void" else "", None
    black = won[1].upper() == "B"
    score = float(won[2].replace(",", ".")) * (1 if black else -1) if won[2] else None
    return float(black), REASONS.get((won[3] or "").upper(), ""), score


def _tree(record: Record) -> str:
    game = record.game
    if game.type not in (GO, OTHELLO):
        raise WrongGame(f"SGF can't hold games of {game.name}; here it holds Go and Othello")
    (moves, sides, last, _), first = replay_record(record)
    head = [("FF", "4"), ("GM", "1" if game.type is GO else "2"), ("CA", "UTF-8"), ("SZ", str(game.size))]
    if game.type is GO:
        head.append(("KM", str(game.rules.komi).removesuffix(".0")))
        head.append(("RU", options_text(game, besides="komi")))
    head += [("PB", record.players[0]), ("PW", record.players[1]), ("RE", _result_text(record, last))]
    head = [(name, value) for name, value in head if value]
    taken = (NOT_TAGS - {"RU"}) | {name for name, _ in head}
    codes = {name: code for code, name in TAG_NAMES.items()}
    tags = [(codes.get(name, name), value) for name, value in record.tags]
    head += [(name, value) for name, value in tags if re.fullmatch("[A-Z]+", name) and name not in taken]
    text = "".join(f"{name}[{escape(one_line(value))}]" for name, value in head)
    if start_text(first) or game.type is OTHELLO:  # other programs want to see Othello's first four discs
        text += _setup(first)
    nodes = [f";{'BW'[side]}[{_letters(game, move)}]" for side, move in zip(sides, moves, strict=True)]
    for number, (ply, text_there) in reversed(list(enumerate(record.setups))):
        before, _ = replay_record(replace(record, moves=record.moves[:ply], setups=record.setups[:number]))
        nodes.insert(ply, _changes(before.last, game.position(text_there)))
    rows = ["".join(nodes[i : i + 12]) for i in range(0, len(nodes), 12)]
    return "\n".join([f"(;{text}", *rows]) + ")\n"


def _setup(position: Position) -> str:
    game, text = position.game, ""
    for name, colour in (("AB", 1), ("AW", -1)):
        squares = (position.cells == colour).nonzero()[0].tolist()
        names = [game.type.move_text(game.rules, position.state, square) for square in squares]
        if names:
            text += name + "".join(f"[{_letters(game, each)}]" for each in names)
    return text + f"PL[{'BW'[position.current_player]}]"


def _changes(before: Position, after: Position) -> str:
    """The node that sets up the stones in which two positions differ; none if players only went on after passing."""
    game, text = before.game, ""
    for name, colour in (("AB", 1), ("AW", -1), ("AE", 0)):
        squares = ((after.cells == colour) & (before.cells != colour)).nonzero()[0].tolist()
        if squares:
            names = (game.type.square_name(game.rules, square) for square in squares)
            text += name + "".join(f"[{_letters(game, each)}]" for each in names)
    return f";{text}PL[{'BW'[after.current_player]}]" if text else ""


def _letters(game: Game, move: str) -> str:
    """Our `C3` or `c3` as SGF counts, from the top left."""
    if move == "pass":
        return ""
    if game.type is GO:
        return LETTERS[COLUMNS.index(move[0])] + LETTERS[game.size - int(move[1:])]
    return move[0] + LETTERS[int(move[1:]) - 1]


def _result_text(record: Record, last: Position) -> str:
    if record.outcome is None:
        return "Void" if record.reason == "void" else record.tag("RE")
    if record.outcome == 0.5:
        return "0"
    score = score_of(record, last)
    how = REASON_LETTERS.get(record.reason) or ("" if score is None else f"{abs(score):g}")
    return f"{'B' if record.outcome == 1.0 else 'W'}+{how}"
