"""One played game, and what the readers of all formats share.

In every game here the first player is Black. Positions and moves are in Ludus's own notation, passes included.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from ludus.errors import LudusError
from ludus.games.game import Family, Game, Position
from ludus.games.othello import GAME as OTHELLO

Tags = tuple[tuple[str, str], ...]
Written = TypeVar("Written")


@dataclass(frozen=True)
class Record:
    """One played game. Nothing is checked until `positions` replays it."""

    game: Game
    start: str
    """The position it began in, or nothing if that is the game's own start."""
    moves: tuple[str, ...]
    players: tuple[str, str]
    """The names of the first player, who has Black, and of the second."""
    outcome: float | None
    """For the first player: 1.0 a win, 0.5 a draw, 0.0 a loss; None if it is unfinished or unknown."""
    reason: str = ""
    """Why it ended if the board does not tell: resigned, time, forfeit, void, ..."""
    tags: Tags = ()
    """What else a file says. All formats call these alike: event, place, date, round, score (Black's lead)."""

    def positions(self) -> list[Position]:
        """The position at the start and after each move. Raises LudusError naming the first move that is illegal."""
        found = [self.game.position(self.start) if self.start else self.game.start()]
        for number, move in enumerate(self.moves, 1):
            try:
                found.append(found[-1].play(move))
            except LudusError as problem:
                raise LudusError(f"move {number}: {without_list(problem)}") from None
        return found

    def tag(self, name: str) -> str:
        """The first tag of that name, or nothing."""
        return next((value for each, value in self.tags if each == name), "")


class BadRecord(LudusError):  # noqa: N818 - it is the record that is bad
    """A file with a game that can't be read: where it is, and the good `records` before it."""

    def __init__(self, problem: object, where: str, records: Sequence[Record] = (), file: str = "") -> None:
        super().__init__(f"{file + ', ' if file else ''}{where}: {problem}")
        self.problem, self.where, self.records = str(problem), where, list(records)


class Move(NamedTuple):
    """A move as a file has it."""

    text: str
    side: int | None
    """Who makes it: 0 the first player, 1 the second, None if the file does not say."""
    where: str


def collected(records: Iterable[Record]) -> list[Record]:
    """All records; if one is bad, the error also has its number and those before it."""
    found: list[Record] = []
    try:
        for record in records:  # not `extend`, which need not keep what came before an error
            found.append(record)
    except BadRecord as bad:
        raise BadRecord(bad.problem, f"game {len(found) + 1}, {bad.where}", found) from None
    return found


def replayed(start: Position, moves: Iterable[Move]) -> tuple[tuple[str, ...], Position]:
    """The moves in our notation, and the last position.

    Many files leave out passes: one is added where the side to move can do nothing else, or where the other side
    moves. Passes after the end of the game are left out.
    """
    position, found = start, list[str]()
    for text, side, where in moves:
        if "pass" in position.legal and (
            side == 1 - position.mover or (side is None and text != "pass" and len(position.legal) == 1)
        ):
            position = position.play("pass")
            found.append("pass")
        if position.over and text == "pass":
            continue
        if side == 1 - position.mover and not position.over:
            raise BadRecord(f"move {len(found) + 1}, {text}, is made by the wrong side: {position.side} moves", where)
        try:
            move = position.move(text)
        except LudusError as problem:
            raise BadRecord(f"move {len(found) + 1}: {without_list(problem)}", where) from None
        found.append(_spelled(position, move))
        position = position.play(move)
    return tuple(found), position


def steps(record: Record) -> tuple[list[tuple[Position, str]], Position]:
    """Each position with the move made in it, as Ludus spells it, and the last position."""
    positions = record.positions()
    made = zip(positions, record.moves, strict=False)
    return [(position, _spelled(position, position.move(move))) for position, move in made], positions[-1]


def _spelled(position: Position, move: int) -> str:
    return position.game.family.move_text(position.game.rules, position.state, move)


def without_list(problem: LudusError) -> str:
    """What is wrong with a move, without the hundreds of moves that would be right in Go."""
    return str(problem).partition("; legal is")[0]


def start_text(position: Position) -> str:
    """The `start` of a record that begins in this position."""
    return "" if position == position.game.start() else position.text


def variant(family: Family, size: int, options: Mapping[str, Any]) -> Game:
    """The game with these options; those that are defaults go without saying."""
    defaults = {option.name: option.default for option in family.options}
    return Game(family, size, tuple(sorted((k, v) for k, v in options.items() if v != defaults[k])))


def options_text(game: Game, besides: str = "") -> str:
    """The game's options but one, for files that have a place for rules: `ko=simple,plies=50`."""
    return ",".join(f"{name}={value}" for name, value in game.options if name != besides)


def options_from(family: Family, text: str) -> dict[str, Any]:
    """The options that `options_text` wrote; none if it is something else, such as `Japanese`."""
    known, found = {option.name: option for option in family.options}, {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in known:
            return {}
        try:
            found[name] = known[name].parse(value)
        except LudusError:
            return {}
    return found


def full_margin(position: Position) -> float:
    """By how much the first player leads; in Othello the winner is given the empty squares, as in tournaments."""
    if position.game.family is not OTHELLO:
        return position.margin
    empty = float((position.cells == 0).sum())
    return position.margin + (empty if position.margin > 0 else -empty if position.margin < 0 else 0.0)


def score_tag(last: Position, score: float | None) -> Tags:
    """What a file says of the first player's lead, if the last position does not say the same."""
    known = (last.margin, full_margin(last)) if last.over else ()
    return () if score is None or score in known else (("score", f"{score:+g}"),)


def score_of(record: Record, last: Position) -> float | None:
    """The first player's lead as a file or else the last position has it; None where that is not what decided."""
    try:
        score = float(record.tag("score"))
    except ValueError:
        score = last.margin
        if record.reason or not last.over:
            return None
    return score if outcome_of(score) == record.outcome else None


def outcome_of(score: float) -> float:
    return 1.0 if score > 0 else (0.5 if score == 0 else 0.0)


def clean(text: str) -> str:
    """Text on one line: single spaces, nothing that could move a terminal's cursor."""
    return "".join(each for each in " ".join(text.split()) if each.isprintable())


def written(records: Iterable[Record], write: Callable[[Record], Written]) -> Iterator[Written]:
    """What `write` makes of each record; an error also has the record's number."""
    for number, record in enumerate(records, 1):
        try:
            yield write(record)
        except LudusError as problem:
            raise LudusError(f"game {number} can't be written: {problem}") from None
