"""The front door: what a researcher does with Ludus, each in one call. The commands call these same functions.

Players are given as strings (`"heuristic"`, `"alphabeta:depth=4"`, the path of a player file or a finished run), as
runs, or as `Player` objects; games as strings (`"othello8"`, `"go9:komi=5.5"`) or `Game` objects. Where no game is
given, it is the one that the players were trained for, else `othello8`, else the only one that they can play.

Each file is for one kind of work. Import from `ludus` or from here, whatever the file:

    playing      games and players by name, matches, leagues
    training     runs that make players, players that go on learning, both as files for others
    measuring    how strong a player is, and how it plays
    experiments  methods compared, settings tuned, papers reproduced
    records      played games read and reviewed, their players rated
    explaining   what a player weighs in a position, and what is best there
"""

from ludus.api._given import CORES, DEFAULT_GAME, GameLike, PlayerLike
from ludus.api.experiments import compare, reproduce, tune
from ludus.api.explaining import explain, solve
from ludus.api.measuring import behaviour, dependence, ladder, measure, profile, regret, rungs, strategies
from ludus.api.playing import game, league, match, player
from ludus.api.records import rate, read_games, review
from ludus.api.training import adapt, convert, export_run, find_runs, follow, follow_all, import_run, plan_runs, train

__all__ = [
    "CORES",
    "DEFAULT_GAME",
    "GameLike",
    "PlayerLike",
    "adapt",
    "behaviour",
    "compare",
    "convert",
    "dependence",
    "explain",
    "export_run",
    "find_runs",
    "follow",
    "follow_all",
    "game",
    "import_run",
    "ladder",
    "league",
    "match",
    "measure",
    "plan_runs",
    "player",
    "profile",
    "rate",
    "read_games",
    "regret",
    "reproduce",
    "review",
    "rungs",
    "solve",
    "strategies",
    "train",
    "tune",
]
