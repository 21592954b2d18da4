"""Reviews: a played game move by move, judged by a strong player.

Of every move a judge (`ludus.measures.judges`) says what it lost: the value of the best move less that of the move
made, looked at equally deep. What it loses decides its grade, by the thresholds of the game (`Defaults.grades`). A move
that by exact play turns a won game into a draw or a loss, or a draw into a loss, is a blunder whatever it costs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ludus.errors import InvalidSetting
from ludus.games.game import Position
from ludus.games.opening_names import opening_name
from ludus.games.words import sentence
from ludus.measures.judges import Judge, judge
from ludus.play.tables import html_table
from ludus.players.base import Player
from ludus.records.record import Record

GRADES = ("", "inaccuracy", "mistake", "blunder")
PLURALS = ("", "inaccuracies", "mistakes", "blunders")
MARKS = ("", "?!", "?", "??")
"""How players have long marked such moves."""


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game, and what the judge says of it."""

    ply: int
    """How many moves were made before it."""
    side: int
    move: str
    choices: int
    """How many moves were legal."""
    value: float
    """Of the position before it, to the first player, with best play."""
    loss: float
    """What the move lost to its side."""
    grade: int
    """A number of GRADES: 0 for a move that lost little or nothing."""
    best: str
    line: tuple[str, ...]
    """Best play from here, the best move first; only that move if the one made has no grade."""
    exact: bool
    """Whether the judge saw the end of the game after the best move and after the one made."""
    chance: float | None
    """The first player's chance of winning before it, from 0 to 1, where it is known."""
    sentence: str
    """What the move does on the board."""
    better: str
    """What the best move does, if the move made is at least an inaccuracy; else nothing."""


@dataclass(frozen=True)
class SideSummary:
    """How one side played."""

    moves: int
    """Moves where there was a choice."""
    loss: float
    """The mean loss of these."""
    grades: tuple[int, int, int]
    """How many inaccuracies, mistakes and blunders."""


@dataclass(frozen=True, repr=False)
class Review:
    """A game, judged move by move."""

    record: Record
    judge: str
    unit: str
    thresholds: tuple[float, float, float]
    """What an inaccuracy, a mistake and a blunder lose at the least, in `unit`."""
    moves: tuple[ReviewedMove, ...]
    opening: str
    """What the opening is called, or nothing."""
    final: float
    """The value of the last position to the first player."""

    def side(self, side: int) -> SideSummary:
        """How the first (0) or the second player (1) played."""
        chosen = [each for each in self.moves if each.side == side and each.choices > 1]
        counts = [sum(each.grade == grade for each in chosen) for grade in (1, 2, 3)]
        mean = sum(each.loss for each in chosen) / max(len(chosen), 1)
        return SideSummary(len(chosen), mean, (counts[0], counts[1], counts[2]))

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
        """The moves with a grade."""
        return tuple(each for each in self.moves if each.grade)

    @property
    def values(self) -> list[float]:
        """The evaluation through the game, to the first player: before each move, and at the end."""
        return [*(each.value for each in self.moves), self.final]

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.record.game.name,
            "players": list(self.record.players),
            "opening": self.opening or None,
            "judge": self.judge,
            "unit": self.unit,
            "thresholds": dict(zip(GRADES[1:], self.thresholds, strict=True)),
            "final": self.final,
            "sides": [
                {
                    "side": self.record.game.type.sides[side],
                    "moves": found.moves,
                    "mean_loss": found.loss,
                    **dict(zip(PLURALS[1:], found.grades, strict=True)),
                }
                for side, found in ((0, self.side(0)), (1, self.side(1)))
            ],
            "moves": [
                {
                    "ply": each.ply,
                    "side": self.record.game.type.sides[each.side],
                    "move": each.move,
                    "value": each.value,
                    "chance": each.chance,
                    "loss": each.loss,
                    "grade": GRADES[each.grade] or None,
                    "best": each.best,
                    "line": list(each.line),
                    "exact": each.exact,
                    "sentence": each.sentence,
                    "better": each.better or None,
                }
                for each in self.moves
            ],
        }

    def __repr__(self) -> str:
        counts = [sum(each.grade == grade for each in self.moves) for grade in (1, 2, 3)]
        return f"Review({self.record.game.name}, {len(self.moves)} moves: {graded(counts)})"

    def _repr_html_(self) -> str:
        rows = [
            [
                each.ply + 1,
                self.record.game.type.sides[each.side],
                f"{each.move}{MARKS[each.grade]}",
                f"{each.loss:.3g}",
                each.best if each.grade else "",
                each.better or each.sentence,
            ]
            for each in self.moves
            if each.grade
        ]
        title = escape(f"{self!r}{', ' + self.opening if self.opening else ''}, judged by {self.judge}")
        table = html_table(["", "side", "move", f"lost ({self.unit})", "better", "why"], rows)
        return f"<p>{title}</p>{graph(self)}{table}"


def graded(counts: Sequence[int]) -> str:
    """How many inaccuracies, mistakes and blunders: `1 inaccuracy, 0 mistakes, 2 blunders`."""
    names = [(GRADES if count == 1 else PLURALS)[grade] for grade, count in enumerate(counts, 1)]
    return ", ".join(f"{count} {name}" for count, name in zip(counts, names, strict=True))


def grade_of(loss: float, thresholds: Sequence[float]) -> int:
    """The number of the grade of a move that loses so much."""
    return sum(loss >= each - 1e-9 for each in thresholds)


def reviewing(record: Record, by: str | Player = "") -> Iterator[ReviewedMove]:
    """The moves of a game, each as soon as it is judged. Raises LudusError if the game can't be replayed or judged."""
    judging, positions = judge(record.game, by), record.positions()
    for ply, move in enumerate(record.moves):
        yield reviewed_move(judging, positions[ply], move, ply)


def reviewed_move(judging: Judge, position: Position, move: str, ply: int) -> ReviewedMove:
    """One move, which was made in this position after `ply` others."""
    text = next(each for each, number in position.legal.items() if number == position.move(move))
    best = judging.judge(position)
    made = best if text == best.move else judging.judge(position, [text])
    if made.value > best.value:  # it is at least as good, and was only looked at more closely
        best = made
    loss, exact = judging.loss(best, made), best.exact and made.exact
    grade = grade_of(loss, judging.grades) if text != best.move else 0
    if exact and _result(made.value) < _result(best.value):
        grade = len(GRADES) - 1
    sign = 1 if position.current_player == 0 else -1
    chance = judging.chance(best)
    return ReviewedMove(
        ply=ply,
        side=position.current_player,
        move=text,
        choices=len(position.legal),
        value=sign * best.value + 0.0,
        loss=loss,
        grade=grade,
        best=best.move,
        line=judging.line(position, best.move) if grade else (best.move,),
        exact=exact,
        chance=chance if chance is None or sign == 1 else 1 - chance,
        sentence=sentence(position, text, text),
        better=sentence(position, best.move, best.move) if grade else "",
    )


def _result(value: float) -> int:
    return (value > 0) - (value < 0)


def review(record: Record, by: str | Player = "", moves: Sequence[ReviewedMove] | None = None) -> Review:
    """The whole review of a game; `moves` are those that `reviewing` has found already."""
    if not record.moves:
        raise InvalidSetting("the game has no moves, so there is nothing to review")
    judging, found = judge(record.game, by), tuple(reviewing(record, by) if moves is None else moves)
    positions = record.positions()
    return Review(
        record=record,
        judge=judging.name,
        unit=judging.unit,
        thresholds=judging.grades,
        moves=found,
        opening=opening_name(positions),
        final=final_value(judging, positions[-1]),
    )


def final_value(judging: Judge, last: Position) -> float:
    """The value of the last position of a game, which may be unfinished, to the first player."""
    if not last.over:
        value = judging.judge(last).value
        return value if last.current_player == 0 else -value
    if judging.unit == last.game.type.unit == "discs":
        return last.game.type.final_margin(last)
    return judging.most * (2 * float(last.outcome or 0.0) - 1)


def graph(review: Review, width: int = 640, height: int = 160) -> str:
    """The evaluation through the game as SVG: above the line the first player is ahead; mistakes are dots."""
    values = review.values
    top = max(1.0, *map(abs, values))
    across, middle = (width - 20) / max(len(values) - 1, 1), height / 2

    def place(ply: int, value: float) -> tuple[float, float]:
        return round(10 + across * ply, 1), round(middle - value / top * (middle - 12), 1)

    points = [place(ply, value) for ply, value in enumerate(values)]
    line = " ".join(f"{x},{y}" for x, y in points)
    dots = "".join(
        f'<circle cx="{points[each.ply + 1][0]}" cy="{points[each.ply + 1][1]}" r="{1.5 + each.grade}" fill="#E69F00">'
        f"<title>{each.ply + 1}. {escape(each.move)}{MARKS[each.grade]}</title></circle>"
        for each in review.mistakes
    )
    first, second = map(escape, review.record.game.type.sides)
    words = 'font-size="10" font-family="sans-serif" fill="#666"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">'
        f'<line x1="10" x2="{width - 10}" y1="{middle}" y2="{middle}" stroke="#999" stroke-dasharray="3"/>'
        f'<polyline points="{line}" fill="none" stroke="#0072B2" stroke-width="2"/>{dots}'
        f'<text x="10" y="10" {words}>{first} ahead, {top:g} {escape(review.unit)}</text>'
        f'<text x="10" y="{height - 3}" {words}>{second} ahead</text></svg>'
    )
