"""SGF, Smart Game Format: Go (GM[1]) and Othello (GM[2]). See https://www.red-bean.com/sgf.

Reads the main line of every game; comments, markup and variations are dropped. Without KM, komi is 0. A game that
breaks positional superko, as other rules allow, is read with `ko=simple`. Options of Ludus's own are written in RU, as
`RU[ko=simple,plies=50]`. Stones that are set up after the first move are refused.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ludus.errors import LudusError, WrongGame
from ludus.games.game import Game, Position
from ludus.games.go import COLUMNS
from ludus.games.go import GAME as GO
from ludus.games.othello import GAME as OTHELLO
from ludus.records.record import (
    BadRecord,
    Move,
    Record,
    collect,
    game_with_options,
    one_line,
    options_text,
    parse_options_text,
    replay,
    replay_record,
    score_of,
    score_tag,
    start_text,
    write_each,
)
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


def read(text: str) -> list[Record]:
    """The games of an SGF file."""
    return collect(_record(nodes) for nodes in main_lines(text))


def write(records: Iterable[Record]) -> str:
    """An SGF file with these games of Go and Othello."""
    return "\n".join(write_each(records, _tree))


def _record(nodes: list[Node]) -> Record:
    properties: dict[str, Property] = {}
    setup, moves = list[Property](), list[Property]()
    for node in nodes:
        for each in node:
            if each.name in ("B", "W"):
                moves.append(each)
            elif each.name in ("AB", "AW", "AE"):
                if moves:
                    raise BadRecord(f"{each.name} sets up stones after the first move; play moves instead", each.where)
                setup.append(each)
            elif not moves or node is nodes[0]:
                properties.setdefault(each.name, each)
    game = _game(properties, moves)
    start = _start(game, properties, setup, moves)
    played = [_move(game, each) for each in moves]
    try:
        found, last = replay(start, played)
    except BadRecord:
        if game.type is not GO or "ko" in dict(game.options):
            raise
        game = game_with_options(GO, game.size, dict(game.options) | {"ko": "simple"})
        start = game.position(start.text)
        found, last = replay(start, played)
    result = _text(properties, "RE")
    outcome, reason, score = _result(result)
    if outcome is None and game.type is OTHELLO and reason != "void":
        outcome = last.outcome  # in Go a finished board may hold dead stones, so only the players know
    names = _text(properties, "PB"), _text(properties, "PW")
    tags = [
        (TAG_NAMES.get(name, name), one_line(property.value))
        for name, property in properties.items()
        if len(property.values) == 1
        and (name not in NOT_TAGS or (name == "RU" and not parse_options_text(GO, property.value)))
    ]
    if outcome is None and result.lower() not in ("", "?", "void"):
        tags.append(("RE", result))
    return Record(game, start_text(start), found, names, outcome, reason, (*tags, *score_tag(last, score)))


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
    corners = [_point(game, each.strip(), where) for each in value.split(":")]
    (left, top), (right, bottom) = corners[0], corners[-1]
    yield from ((column, row) for row in range(top, bottom + 1) for column in range(left, right + 1))


def _point(game: Game, text: str, where: str) -> tuple[int, int]:
    letters, point = LETTERS[: game.size], text.lower()
    if game.type is OTHELLO and re.fullmatch(r"[a-h][1-8]", point):  # as Edax and others write
        point = point[0] + LETTERS[int(point[1]) - 1]
    if len(point) != 2 or not set(point) <= set(letters):
        problem = f"{text[:20]!r} is not a point of this board; a point is two letters from a to {letters[-1]}"
        raise BadRecord(problem, where)
    return letters.index(point[0]), letters.index(point[1])


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
        r"([BW])(?:lack|hite)?\s*\+\s*(?:(\d{1,3}(?:[.,]\d{1,6})?)|([A-Z]))?", text, re.IGNORECASE | re.ASCII
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
    moves, last = replay_record(record)
    first = moves[0][0] if moves else last
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
    nodes = [f";{'BW'[position.current_player]}[{_letters(game, move)}]" for position, move in moves]
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
