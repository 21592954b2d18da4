"""How a match went, move by move: the pieces of both players and the moves that they could choose from.

moriarty1995 tells by these curves which strategy a network has found: one that plays for mobility holds few discs and
has many moves until the end, one that plays for position holds more discs early (Figures 4, 5, 6 and 8).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus import vocabulary as words
from ludus.errors import LudusError
from ludus.kernels import kernel
from ludus.measures.matches import Match

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Behaviour:
    """Averages after 0, 1, 2, ... moves, forced passes not counted; nan where nothing was seen.

    Columns are for players a and b.
    """

    games: int
    reached: NDArray[np.int64]
    """[moves] how many games got so far."""
    pieces: Table
    """[moves, 2] the pieces of each on the board."""
    turns: NDArray[np.int64]
    """[moves, 2] how often each was to move then."""
    choices: Table
    """[moves, 2] how many moves each could choose from when it was to move; none where it had to pass."""

    @property
    def turning_point(self) -> int | None:
        """After how many moves player b has the most pieces, which it loses from then on; None if it never does.

        Moves that fewer than half of the games reached are left out.
        """
        theirs = self.pieces[: self._usual, 1]
        most = int(np.argmax(theirs))
        return most if most < len(theirs) - 1 else None

    @property
    def overtaking(self) -> int | None:
        """After how many moves player a has more pieces than b and keeps the lead; None if it has none in the end."""
        behind = np.flatnonzero(self.pieces[: self._usual, 0] <= self.pieces[: self._usual, 1])
        first = int(behind[-1]) + 1 if len(behind) else 0
        return first if first < self._usual else None

    @property
    def _usual(self) -> int:
        """How many moves half of the games or more have reached, the beginning counted."""
        return int(np.sum(self.reached >= self.games / 2))

    def freedom(self, begin: int, end: int) -> tuple[float, float]:
        """How many moves each could choose from, on average over its turns after `begin` moves and before `end`."""
        turns = self.turns[begin:end]
        free = np.where(turns > 0, self.choices[begin:end], 0.0) * turns
        mean = free.sum(axis=0) / np.maximum(turns.sum(axis=0), 1)
        return float(mean[0]), float(mean[1])


def behaviour(played: Match, won: bool = False) -> Behaviour:
    """The averages over a match whose moves were recorded: over all games, or those that player a has won."""
    game = played.a.game
    most = max(int(block.lengths.max()) for block in played.blocks)
    reached, turns = np.zeros(most + 1, np.int64), np.zeros((most + 1, 2), np.int64)
    pieces, choices = np.zeros((most + 1, 2)), np.zeros((most + 1, 2))
    games = 0
    for block in played.blocks:
        if not len(block.moves):
            raise LudusError("the moves of this match were not recorded; play it with record=True")
        wanted = np.flatnonzero((block.scores == 1) | (not won))
        games += len(wanted)
        cells = np.empty(game.squares, np.int8)
        watch(game.rules, block.moves, block.lengths, block.begin, wanted, cells, reached, pieces, turns, choices)
    if not games:
        raise LudusError(f"{played.a.name} has won no game of {len(played.scores)}; play more, or look at all games")
    got = int(np.max(np.flatnonzero(reached))) + 1
    with np.errstate(invalid="ignore"):  # nan where there is nothing to average
        mean_pieces, mean_choices = pieces[:got] / reached[:got, None], choices[:got] / turns[:got]
    return Behaviour(games, reached[:got], mean_pieces, turns[:got], mean_choices)


@kernel
def watch(game, moves, lengths, begin, wanted, cells, reached, pieces, turns, choices):
    """Play the wanted games of a block again and add up what is seen."""
    work = np.empty(words.width(game), np.int64)
    for i in wanted:
        a_moves = (begin + i) % 2
        state, ply, passed = words.initial(game), 0, False
        for turn in range(lengths[i] + 1):
            if not passed:
                words.cells(game, state, cells)
                reached[ply] += 1
                for cell in cells:
                    if cell != 0:
                        pieces[ply, a_moves if cell > 0 else 1 - a_moves] += 1
            if turn < lengths[i]:
                side = 0 if words.mover(game, state) == a_moves else 1
                free = words.mobility(game, state, work)
                turns[ply, side] += 1
                choices[ply, side] += free
                state = words.play(game, state, moves[i, turn])
                passed = free == 0
                if not passed:
                    ply += 1
