"""How a match went, move by move: the pieces of both players, and their mobility, the moves they could choose from.

moriarty1995 recognizes by these curves which strategy a network has found: one that plays for mobility holds few discs
and has many moves until the end, one that plays for position holds more discs early (Figures 4, 5, 6 and 8).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.compile.arrays import empty
from ludus.compile.jit import kernel
from ludus.errors import InvalidSetting
from ludus.games import protocol
from ludus.games.protocol import Moves
from ludus.play.matches import Match
from ludus.play.tables import html_table

Table = NDArray[np.float64]


class MobilityWindow(NamedTuple):
    """The mean number of moves to choose from, over the turns after `begin` moves and before `end`; nan without any."""

    begin: int
    end: int
    a: float
    b: float

    @property
    def ratio(self) -> float:
        """How many times as many player a has; nan if one of them never had a turn, or b never had a choice."""
        return self.a / self.b if self.b else float("nan")

    def __str__(self) -> str:
        a, b, ratio = ("-" if np.isnan(each) else f"{each:.2f}" for each in (self.a, self.b, self.ratio))
        return f"{self.begin}-{self.end}: A {a}, B {b}, ratio {ratio}"

    def to_json(self) -> dict[str, Any]:
        ((a, b, ratio),) = _without_nan(np.array([[self.a, self.b, self.ratio]]))
        return {"begin": self.begin, "end": self.end, "a": a, "b": b, "ratio": ratio}


@dataclass(frozen=True, repr=False)
class Behaviour:
    """Averages over games after 0, 1, 2, ... moves, forced passes not counted; nan where nothing was seen.

    Columns are for players a and b.
    """

    games: int
    reached: NDArray[np.int64]
    """[moves] how many games lasted so long."""
    pieces: Table
    """[moves, 2] the pieces of each on the board."""
    turns: NDArray[np.int64]
    """[moves, 2] how often each was to move then."""
    choices: Table
    """[moves, 2] how many moves each could choose from when it was to move; none where it had to pass."""

    def __repr__(self) -> str:
        return (
            f"Behaviour({self.games} games, turning point {self.turning_point}, overtaking {self.overtaking}, "
            f"up to {len(self.reached) - 1} moves)"
        )

    def _repr_html_(self) -> str:
        headers = ["moves", "games", "A pieces", "B pieces", "A choices", "B choices"]
        rows = [
            [
                move,
                count,
                *("-" if np.isnan(each) else f"{each:.1f}" for each in (*self.pieces[move], *self.choices[move])),
            ]
            for move, count in enumerate(self.reached)
        ]
        return html_table(headers, rows)

    def to_json(self) -> dict[str, Any]:
        """What was never seen is None, since JSON has no nan."""
        return {
            "games": self.games,
            "turning_point": self.turning_point,
            "overtaking": self.overtaking,
            "reached": self.reached.tolist(),
            "pieces": _without_nan(self.pieces),
            "turns": self.turns.tolist(),
            "choices": _without_nan(self.choices),
            "mobility": [each.to_json() for each in self.mobility()],
        }

    @property
    def turning_point(self) -> int | None:
        """After how many moves player b has the most pieces, which it loses from then on; None if it never does.

        Moves that fewer than half of the games reached are left out.
        """
        theirs = self.pieces[: self._typical, 1]
        most = int(np.argmax(theirs))
        return most if theirs[most:].min() < theirs[most] else None

    @property
    def overtaking(self) -> int | None:
        """After how many moves player a has more pieces than b and keeps the lead; None if it has none in the end."""
        behind = np.flatnonzero(self.pieces[: self._typical, 0] <= self.pieces[: self._typical, 1])
        first = int(behind[-1]) + 1 if len(behind) else 0
        return first if first < self._typical else None

    @property
    def _typical(self) -> int:
        """How many moves half of the games or more have reached, the start counted."""
        return int(np.sum(self.reached >= self.games / 2))

    def freedom(self, begin: int, end: int) -> tuple[float, float]:
        """The mean mobility of each: moves to choose from, over its turns after `begin` moves and before `end`; nan if
        it had none."""
        turns = self.turns[begin:end]
        choices = np.where(turns > 0, self.choices[begin:end], 0.0) * turns
        with np.errstate(invalid="ignore"):
            mean = choices.sum(axis=0) / turns.sum(axis=0)
        return float(mean[0]), float(mean[1])

    def mobility(self, windows: Sequence[tuple[int, int]] = ()) -> list[MobilityWindow]:
        """The mobility of both in each window, from its first number of moves up to before its second.

        By default the windows are the thirds of a game, as long as half of the games have lasted.
        """
        length = self._typical - 1
        thirds = [(round(length * i / 3), round(length * (i + 1) / 3)) for i in range(3)]
        return [MobilityWindow(begin, end, *self.freedom(begin, end)) for begin, end in windows or thirds]


def parse_windows(text: str) -> list[tuple[int, int]]:
    """The windows that a text such as `20-40,40-60` names."""
    found = []
    for part in filter(None, (each.strip() for each in text.split(","))):
        numbers = re.fullmatch("([0-9]{1,6})-([0-9]{1,6})", part)
        if not numbers or int(numbers[1]) >= int(numbers[2]):
            raise InvalidSetting(f"invalid window {part!r}: write windows of moves as 0-20,20-40,40-60")
        found.append((int(numbers[1]), int(numbers[2])))
    return found


class Sums(NamedTuple):
    """What `Behaviour` has averages of, by moves made."""

    reached: NDArray[np.int64]  # [moves]
    pieces: Table  # [moves, 2]
    turns: NDArray[np.int64]  # [moves, 2]
    choices: Table  # [moves, 2]


def behaviour(played: Match, won: bool = False) -> Behaviour:
    """The averages over a match whose moves were recorded: over all games, or those that player a has won."""
    game = played.a.game
    most = max(int(block.lengths.max()) for block in played.blocks)
    sums = Sums(
        np.zeros(most + 1, np.int64),
        np.zeros((most + 1, 2)),
        np.zeros((most + 1, 2), np.int64),
        np.zeros((most + 1, 2)),
    )
    games = 0
    for block in played.blocks:
        if not len(block.moves):
            raise InvalidSetting("the moves of this match were not recorded; play it with record=True")
        wanted = np.flatnonzero((block.scores == 1) | (not won))
        games += len(wanted)
        cells = np.empty(game.squares, np.int8)
        replay(game.rules, (block.moves, block.lengths), block.begin, wanted, cells, sums)
    if not games:
        raise InvalidSetting(f"{played.a.label} has won no game of {len(played.scores)}; play more, or take all games")
    seen = int(np.max(np.flatnonzero(sums.reached))) + 1
    reached, turns = sums.reached[:seen], sums.turns[:seen]
    with np.errstate(invalid="ignore"):  # nan where there is nothing to average
        return Behaviour(games, reached, sums.pieces[:seen] / reached[:, None], turns, sums.choices[:seen] / turns)


def _without_nan(table: Table) -> list[list[float | None]]:
    return [[None if np.isnan(each) else each for each in row] for row in table.tolist()]


@kernel
def replay(
    game: Any, played: tuple[Moves, Moves], begin: int, wanted: Moves, cells: NDArray[np.int8], sums: Sums
) -> None:
    """Replay the wanted games of a block and add up what is seen.

    played  the moves [games, most moves] and how many were made in each game [games]
    begin   the number of the block's first game, which says who moves first
    wanted  the games of the block that count
    cells   [squares] where a position is written
    """
    (moves, lengths), (reached, pieces, turns, choices) = played, sums
    work = empty(protocol.max_legal_moves(game), np.int64)
    for i in wanted:
        a_moves = (begin + i) % 2
        state, ply, passed = protocol.initial(game), 0, False
        for turn in range(lengths[i] + 1):
            if not passed:
                protocol.cells(game, state, cells)
                reached[ply] += 1
                for cell in cells:
                    if cell != 0:
                        pieces[ply, a_moves if cell > 0 else 1 - a_moves] += 1
            if turn < lengths[i]:
                side = 0 if protocol.current_player(game, state) == a_moves else 1
                free = protocol.mobility(game, state, work)
                turns[ply, side] += 1
                choices[ply, side] += free
                state = protocol.play(game, state, moves[i, turn])
                passed = free == 0
                if not passed:
                    ply += 1
