"""GNU Go on 5x5: as an opponent, and as a source of games to initialise codebooks with."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ludus.games.names import game
from ludus.learners.sarsa.seed_games import seed_file
from ludus.measures.performance import compiled
from ludus.papers.abramson2001.setup import Budget
from ludus.papers.study import Study
from ludus.play.matches import match, pair_scores
from ludus.players.base import CompiledPlayer, Player
from ludus.players.names import player
from ludus.records.files import read_games, write_games
from ludus.records.record import Record

ENGINE = (
    "gtp:gnugo --mode gtp --level {} --chinese-rules --positional-superko --capture-all-dead --never-resign --seed {}"
)
BOARD = "go5:komi=0"
OPENING = "random:2"


def installed() -> bool:
    """Whether GNU Go is installed."""
    return bool(shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games"))


def restrained(name: str) -> CompiledPlayer:
    """The player of that string, or of the run in that folder, keeping to the paper's moves under the usual rules."""
    return compiled(player(f"restrained:{name}", game(BOARD)))


@dataclass(frozen=True)
class Opponent:
    """GNU Go at a level, making some moves at random."""

    level: int = 1
    errs: float = 0.0

    @property
    def words(self) -> str:
        return f"level {self.level}" + (", errs in every fifth move" if self.errs else "")

    def player(self, seed: int) -> Player:
        engine = ENGINE.format(self.level, seed)
        return player(f"noisy:{self.errs},{engine}" if self.errs else engine, game(BOARD))


STRAIGHT, ERRING, STRONGER = Opponent(), Opponent(errs=0.2), Opponent(level=10)


def meet(
    study: Study[Budget], name: str, one: Player, opponent: Opponent, games: int, seed: int = 0
) -> list[list[float]]:
    """Pairs of games from random openings with colours swapped: of each the score, and the part of the board lost."""
    seed = seed or study.workspace.seed

    def play() -> list[list[float]]:
        played = match(one, opponent.player(seed), games, seed=seed, opening=OPENING, record=True)
        leads = [record.positions()[-1].margin for record in played.records()]
        greatest = one.game.type.max_margin(one.game.rules)
        lost = np.array(leads) * np.where(np.arange(games) % 2 == 0, -1, 1) / greatest
        return [pair_scores(played.scores).tolist(), pair_scores(lost).tolist()]

    asked = {"games": games, "errs": opponent.errs, "seed": seed, "trained": study.budget.games}
    kind = f"{opponent.level}{'-errs' if opponent.errs else ''}"
    found: list[list[float]] = study.workspace.cached(f"gnugo/{name}-{kind}", asked, play)
    return found


def own_games(study: Study[Budget]) -> Path:
    """A file of games of GNU Go, at level 1, with itself."""
    count = study.budget.seed_games
    file = study.workspace.runs / f"seeds-gnugo-{count}.sgf"
    if not file.exists():
        study.workspace.log(f"{count} games of GNU Go with itself")
        # not the seed of the engine that the players meet, nor the openings
        seed = study.workspace.seed + 500
        one, other = (player(ENGINE.format(1, each), game(BOARD)) for each in (seed, seed + 1))
        _write(file, match(one, other, count, seed=seed, opening=OPENING, record=True).records())
    return file


def games_with_wally(study: Study[Budget], count: int) -> Path:
    """A file of games of Wally against GNU Go at level 10: those that are shipped, and more of the same kind."""
    file, shipped = study.workspace.runs / f"seeds-wally-{count}.sgf", seed_file("shipped", study.game)
    assert shipped is not None
    if not file.exists():
        records = list(read_games(shipped, strict=True))
        if more := max(0, count - len(records)):
            study.workspace.log(f"{more} games of Wally against GNU Go")
            wally = player("wally:source=abramson2001", game(BOARD))  # as in those that are shipped
            records += match(
                wally, player(ENGINE.format(10, 2), game(BOARD)), more, seed=2, opening="none", record=True
            ).records()
        _write(file, records[:count])
    return file


def _write(file: Path, records: Iterable[Record]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_games(file, records)
