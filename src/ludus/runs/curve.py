"""curve.csv: what a run's player is worth as it learns, in percent of the points against a fixed opponent.

That is the game's standard opponent, or who suits the learner better (`Learner.curve_opponent`).

A learner's own metrics say little about how well it plays; points against a fixed opponent do. They are measured about
twenty times in a run, always from the same openings, with random streams of their own. So learning is the same to the
bit whether anybody measures or not, and a resumed run has the same curve: each line has the number of its step, and
those after the last checkpoint are measured again.
"""

import csv
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludus.errors import DamagedFile, LudusError
from ludus.games.game import Game
from ludus.learners.base import Learner
from ludus.play.matches import match
from ludus.players.base import CompiledPlayer
from ludus.players.names import player
from ludus.registry import player_kinds
from ludus.storage import present, write_whole

FILE = "curve.csv"
POINTS = "measured_points"
"""The name of the column, beside a learner's own metrics."""
MEASURED = 20
"""How often a run is measured, if it has so many steps."""


class CurveWriter:
    """Measures a run's player at some of its steps."""

    def __init__(
        self, folder: Path, learner: Learner[Any, Any], opponent: CompiledPlayer, seed: int, steps: int, done: float
    ) -> None:
        game = opponent.game
        self._file, self._learner, self._game, self._seed = folder / FILE, learner, game, seed
        self._steps, self._done = steps, done
        self._points = {step: value for step, value in read_curve(folder).items() if step <= steps}
        self._opponent = opponent

    def measure(self, settings: Any, state: Any, done: float) -> float | None:
        """After another step: the points in percent, if this is a step to measure at."""
        self._steps += 1
        due = done >= 1 or int(done * MEASURED) > int(self._done * MEASURED)
        self._done = done
        if not due:
            return None
        points = self._measured(settings, state)
        if points is not None:
            self._points[self._steps] = points
            self._write()
        return points

    def _measured(self, settings: Any, state: Any) -> float | None:
        spec = self._learner.player(settings, self._game, state)
        load = player_kinds()[spec.kind].load
        assert load is not None
        try:
            parts = load(self._game, spec.arrays, spec.settings)
        except ValueError:  # what has been learned so far may not make a player yet
            return None
        learned = CompiledPlayer(self._learner.name, self._game, parts)
        played = match(learned, self._opponent, self._learner.curve_games, seed=self._seed)
        return round(100 * float(played.scores.mean()), 2)

    def _write(self) -> None:
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(("step", POINTS))
        table.writerows(sorted(self._points.items()))
        write_whole(self._file, text.getvalue().encode())


def read_curve(folder: Path) -> dict[int, float]:
    """The points after those steps at which they were measured, the first step being 1."""
    file = folder / FILE
    if not present(file):
        return {}
    try:
        with open(file, newline="", encoding="utf-8") as text:
            return {int(row["step"]): float(row[POINTS]) for row in csv.DictReader(text)}
    except (OSError, ValueError, KeyError, TypeError, csv.Error) as problem:
        raise DamagedFile(f"{file} is damaged; remove it") from problem


def curve_opponent(learner: Learner[Any, Any], game: Game) -> CompiledPlayer | None:
    """Whom a run of that learner meets; None if there is nobody who plays tens of games in no time."""
    for name in (learner.curve_opponent, "usual"):
        with suppress(LudusError):
            found = player(game.defaults.opponent if name == "usual" else name, game)
            if isinstance(found, CompiledPlayer):
                return found
    return None
