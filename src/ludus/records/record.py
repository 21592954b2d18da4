"""One played game, and what readers and writers of all formats share.

In every game here the first player is Black. Positions and moves are in Ludus's own notation, passes included.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from ludus.errors import DamagedFile, LudusError
from ludus.games.game import Game, GameType, Position

Tags = tuple[tuple[str, str], ...]
Setups = tuple[tuple[int, str], ...]
Text = TypeVar("Text", str, bytes)
Source = TypeVar("Source")


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
    """What else a file says. In all formats these are called event, place, date, round, score (Black's lead)."""
    setups: Setups = ()
    """Positions that were set up in the middle of the game: after how many moves, and the position."""

    def positions(self) -> list[Position]:
        """The position at the start and after each move. Raises a MoveError naming the first illegal move.

        One that was set up takes the place of the one that the move before it led to.
        """
        found = [self.game.position(self.start) if self.start else self.game.start()]
        setups = dict(self.setups)
        for number, move in enumerate((*self.moves, ""), 1):
            if number - 1 in setups:
                found[-1] = self.game.position(setups[number - 1])
            if number > len(self.moves):
                break
            try:
                found.append(found[-1].play(move))
            except LudusError as problem:
                raise type(problem)(f"move {number}: {without_move_list(problem)}") from None
        return found

    def tag(self, name: str) -> str:
        """The first tag of that name, or nothing."""
        return next((value for each, value in self.tags if each == name), "")


class BadRecord(DamagedFile):
    """A game that can't be read: where it is and, if reading stopped there, the good `records` before it."""

    def __init__(
        self, problem: object, where: str, records: Sequence[Record] = (), file: str = "", number: int = 0
    ) -> None:
        place = f"game {number}, {where}" if number else where
        super().__init__(f"{file + ', ' if file else ''}{place}: {problem}")
        self.problem, self.where, self.number, self.records = str(problem), where, number, list(records)


class Games(list[Record]):
    """The games of a file, those that can be read, and what is to be said of the rest."""

    def __init__(
        self,
        records: Iterable[Record] = (),
        numbers: Iterable[int] = (),
        problems: Iterable[BadRecord] = (),
        remark: str = "",
    ) -> None:
        super().__init__(records)
        self.numbers = list(numbers) or list(range(1, len(self) + 1))
        """Which game of the file each is, from 1 on."""
        self.problems = list(problems)
        """The games that can't be read."""
        self.remark = remark
        """How the file was understood where it leaves that open."""

    def __repr__(self) -> str:
        left_out = f", {len(self.problems)} can't be read" if self.problems else ""
        return f"Games({len(self)} games{left_out})"


Found = tuple[float, Record | BadRecord]
"""Which share of a file is read so far, and the next game in it, good or bad."""

Told = Callable[[float, int], None]
"""Is told the share of a file that is read, and how many games that is."""


def untold(share: float, games: int) -> None:
    """Tells nobody."""


class Move(NamedTuple):
    """A move as a file has it."""

    text: str
    side: int | None
    """Who makes it: 0 the first player, 1 the second, None if the file does not say."""
    where: str


def collect(found: Iterable[Found], strict: bool, progress: Told = untold) -> Games:
    """All good games, and what is wrong with the others, by their numbers in the file.

    With `strict` the first bad one is raised, with the games before it.
    """
    records, numbers, problems = list[Record](), list[int](), list[BadRecord]()
    for number, (share, each) in enumerate(found, 1):
        if isinstance(each, Record):
            records.append(each)
            numbers.append(number)
        elif strict:
            raise BadRecord(each.problem, each.where, records, number=number)
        else:
            problems.append(BadRecord(each.problem, each.where, number=number))
        if number % 256 == 0:
            progress(share, number)
    return Games(records, numbers, problems)


def good_or_bad(read: Callable[[Source], Record], source: Source) -> Record | BadRecord:
    """The record that is made of a source, or what is wrong with it."""
    try:
        return read(source)
    except BadRecord as bad:
        return bad


def without_move_list(problem: LudusError) -> str:
    """What is wrong with a move, without the list of legal moves, which in Go are hundreds."""
    return str(problem).partition("; legal moves:")[0]


def start_text(position: Position) -> str:
    """The `start` of a record that begins in this position."""
    return "" if position == position.game.start() else position.text


def game_with_options(game_type: GameType, size: int, options: Mapping[str, Any]) -> Game:
    """The game with these options, of which it keeps those that are not defaults."""
    defaults = {option.name: option.default for option in game_type.options}
    return Game(game_type, size, tuple(sorted((k, v) for k, v in options.items() if v != defaults[k])))


def options_text(game: Game, besides: str = "") -> str:
    """The game's options but one, for a file's field of rules: `ko=simple,plies=50`."""
    return ",".join(f"{name}={value}" for name, value in game.options if name != besides)


def parse_options_text(game_type: GameType, text: str) -> dict[str, Any]:
    """The options that `options_text` wrote; none if it is something else, such as `Japanese`."""
    known, found = {option.name: option for option in game_type.options}, {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in known:
            return {}
        try:
            found[name] = known[name].parse(value)
        except LudusError:
            return {}
    return found


def score_tag(last: Position, score: float | None) -> Tags:
    """The tag for the first player's lead in a file, if the last position does not show the same."""
    known = (last.margin, last.game.type.final_margin(last)) if last.over else ()
    return () if score is None or score in known else (("score", f"{score:+g}"),)


def score_of(record: Record, last: Position) -> float | None:
    """The first player's lead as a file or else the last position has it; None where that is not what decided."""
    try:
        score = float(record.tag("score"))
        if not math.isfinite(score):
            raise ValueError
    except ValueError:
        score = last.margin
        if record.reason or not last.over:
            return None
    return score if outcome_of(score) == record.outcome else None


def outcome_of(score: float) -> float:
    return 1.0 if score > 0 else (0.5 if score == 0 else 0.0)


def one_line(text: str) -> str:
    """Text on one line, with single spaces and no control characters."""
    return "".join(each for each in " ".join(text.split()) if each.isprintable())


def write_each(records: Iterable[Record], write: Callable[[Record], Text]) -> Iterator[Text]:
    """What `write` makes of each record; an error names the record by its number."""
    for number, record in enumerate(records, 1):
        try:
            yield write(record)
        except LudusError as problem:
            raise type(problem)(f"game {number} can't be written: {problem}") from None
