"""The front door: what a researcher does with Ludus, each in one call. The commands call these same functions.

Players are given as strings (`"heuristic"`, `"alphabeta:depth=4"`, the path of a player file or a finished run), as
runs, or as `Player` objects; games as strings (`"othello8"`, `"go9:komi=5.5"`) or `Game` objects. Where no game is
given, it is the one that the players were trained for, else `othello8`.
"""

import os
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ludus.errors import InvalidSetting, UnknownName, WrongGame
from ludus.games.game import Game, Position
from ludus.games.names import game as game_named
from ludus.play.intervals import SequentialTest
from ludus.play.matches import Match
from ludus.play.matches import match as play_match
from ludus.players.base import Player
from ludus.players.explanations import Explanation, explanation
from ludus.players.files import read_header
from ludus.players.names import player as player_named
from ludus.players.names import player_file
from ludus.progress import progress_bar
from ludus.records.files import check_format, write_games
from ludus.records.files import read_games as read_games
from ludus.records.record import Record
from ludus.runs.run import Progress, Run
from ludus.runs.spec import RunSpec
from ludus.storage import present

if TYPE_CHECKING:
    from ludus.measures.adaptation import Played, PlayedByRules
    from ludus.measures.behaviour import Behaviour
    from ludus.measures.dependence import Dependence
    from ludus.measures.ladder import Climb, Rung
    from ludus.measures.leagues import League
    from ludus.measures.performance import Measures
    from ludus.measures.profiles import Profile
    from ludus.measures.ratings import Ratings, Result
    from ludus.measures.regret import Regret
    from ludus.measures.review import Review
    from ludus.measures.strategies import Strategies
    from ludus.papers.base import Report
    from ludus.players.search.solver import Solution
    from ludus.runs.dask import Cluster

PlayerLike = str | Path | Player | Run
GameLike = str | Game

DEFAULT_GAME = "othello8"
CORES = os.cpu_count() or 1


def game(name: GameLike) -> Game:
    """The game of that name, such as `othello8`, `checkers`, or `go9:komi=5.5,ko=simple`."""
    return name if isinstance(name, Game) else game_named(name)


def player(given: PlayerLike, game: GameLike | None = None) -> Player:
    """The player that a string, a path or a run names, for this game."""
    return _players([given], game)[0]


@overload
def train(
    learner: str, game: GameLike = ..., *, seed: int = ..., folder: str | Path | None = ..., workers: int = ...,
    cluster: "Cluster | None" = ..., progress: bool | str = ..., **settings: Any,
) -> Run: ...  # fmt: skip
@overload
def train(
    learner: str, game: GameLike = ..., *, seeds: Iterable[int], folder: str | Path | None = ..., workers: int = ...,
    cluster: "Cluster | None" = ..., progress: bool | str = ..., **settings: Any,
) -> list[Run]: ...  # fmt: skip
def train(
    learner: str,
    game: GameLike = DEFAULT_GAME,
    *,
    seed: int = 1,
    seeds: Iterable[int] | None = None,
    folder: str | Path | None = None,
    workers: int = CORES,
    cluster: "Cluster | None" = None,
    progress: bool | str = True,
    **settings: Any,
) -> Run | list[Run]:
    """Train a player, or several with `seeds`, and return the finished run or runs.

    The settings of the learner are keywords. A run is kept in `folder` (by default below `runs/`); one that was
    interrupted resumes from there, and one that is finished is returned at once. `workers` runs go on at the same time,
    in processes of this machine or on a Dask `cluster`.
    """
    from ludus.runs.pool import complete_all

    runs = plan_runs(
        learner, game, settings, [seed] if seeds is None else list(seeds), folder, several=seeds is not None
    )
    if seeds is None and cluster is None:
        follow(runs[0], progress)
        return runs[0]
    with progress_bar(f"{learner} on {runs[0].spec.game}", progress) as update:
        for number, run in enumerate(complete_all(runs, workers, cluster), 1):
            update(number / len(runs), f"{number} of {len(runs)} runs finished ({run.folder})")
    return runs if seeds is not None else runs[0]


def plan_runs(
    learner: str,
    game: GameLike,
    settings: Mapping[str, Any],
    seeds: Sequence[int],
    folder: str | Path | None = None,
    several: bool = True,
) -> list[Run]:
    """The runs that `train` would do, in their folders; raises LudusError if anything is wrong with them."""
    if not seeds:
        raise InvalidSetting("there are no seeds, so there is nothing to train; give one or more")
    specs = [RunSpec.create(learner, game, settings, seed) for seed in seeds]
    place = Path(folder or f"runs/{learner}-{specs[0].game.replace(':', '-')}-{seeds[0]}")
    return [Run(spec, place / f"seed-{spec.seed}" if several else place) for spec in specs]


def follow(run: Run, progress: bool | str = True) -> None:
    """Do a run to its end and show how far it is."""
    begin, first = time.monotonic(), list[float]()

    def words(at: Progress) -> str:
        first.append(at.done)
        spent, gained = time.monotonic() - begin, at.done - first[0]
        left = f", {spent * (1 - at.done) / gained:.0f} s left" if gained else ""
        games = at.row.get("games", 0.0)
        speed = f", {games / max(at.seconds, 1e-9):,.0f} games/s" if games else ""
        figures = ", ".join(f"{name} {value:.4g}" for name, value in at.row.items())
        return f"{at.done:.0%}{speed}{left} ({figures})"

    with progress_bar("", progress) as update:
        for at in run.steps():
            update(at.done, words(at))


def find_runs(folder: str | Path = "runs") -> list[Run]:
    """Every run in a folder or below it that can be read, by name."""
    from ludus.runs.store import find_runs as find

    return find(Path(folder))[0]


def match(
    a: PlayerLike,
    b: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 1000,
    seed: int = 1,
    workers: int = CORES,
    opening: str = "usual",
    sprt: tuple[float, float] | None = None,
    record: bool = False,
    save: str | Path | None = None,
    progress: bool | str = True,
) -> Match:
    """Play many games between two players, colours swapped over the same openings.

    With `sprt=(low, high)` the match stops as soon as a sequential test has decided which Elo difference is true. The
    moves are kept with `record`, and written to a file (.sgf, .pdn, .ggf or .wtb) with `save`.
    """
    one, other = _players([a, b], game)
    test = SequentialTest(*sprt) if sprt else None
    if save:
        check_format(save, one.game)
    with progress_bar("games", progress) as update:
        played = play_match(
            one,
            other,
            games,
            seed=seed,
            workers=workers,
            opening=opening,
            record=record or bool(save),
            test=test,
            progress=lambda scores: update(
                len(scores) / games, f"{len(scores)} of {games} games, score {scores.mean():.1%}"
            ),
        )
    if save:
        write_games(save, list(played.records()))
    return played


def league(
    players: Sequence[PlayerLike],
    game: GameLike | None = None,
    *,
    games: int = 100,
    seed: int = 1,
    workers: int = CORES,
    opening: str = "usual",
    folder: str | Path = "league",
    on_result: "Callable[[Result], None]" = lambda result: None,
) -> "League":
    """Let everybody play everybody, and rate them. An interrupted league resumes from its folder.

    `on_result` is called with each result as it is known.
    """
    from ludus.measures.leagues import League
    from ludus.measures.leagues import league as play
    from ludus.measures.ratings import rate as rated

    everybody, results = _players(players, game), []
    for result in play(everybody, games, Path(folder), seed=seed, workers=workers, opening=opening):
        results.append(result)
        on_result(result)
    return League(tuple(results), rated(results))


def rungs(game: GameLike = DEFAULT_GAME) -> "tuple[Rung, ...]":
    """The ladder of a game: named opponents on one Elo scale, on which `random` has 0, the highest first."""
    from ludus.measures.ladder import ladder as of

    return of(_game_of([], game))


def ladder(
    player: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 400,
    precision: float = 30.0,
    seed: int = 1,
    workers: int = CORES,
    progress: bool | str = True,
) -> "Climb":
    """Rate a player on its game's ladder: until its Elo is known to `precision` either way, or the games are played."""
    from ludus.measures.ladder import climb

    (one,) = _players([player], game)
    with progress_bar("games", progress) as update:
        return climb(
            one,
            games=games,
            precision=precision,
            seed=seed,
            workers=workers,
            progress=lambda played, elo: update(played / games, f"{played} games, {elo:.0f} Elo"),
        )


def measure(
    player: PlayerLike, game: GameLike | None = None, *, games: int = 50_000, seed: int = 1, workers: int = CORES
) -> "Measures":
    """Measure a player in percent of all points: against random weights, and against the game's standard player."""
    from ludus.measures.performance import compiled
    from ludus.measures.performance import measure as measured

    return measured(compiled(_players([player], game)[0]), games, seed, workers)


def regret(
    player: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 100,
    empty: int = 12,
    seed: int = 1,
    workers: int = CORES,
) -> "Regret":
    """What a player of Othello loses to perfect play: discs a game, from the moment when `empty` squares are empty."""
    from ludus.measures.regret import regret as measured

    return measured(_players([player], game)[0], games, empty, seed, workers)


def profile(
    *players: PlayerLike,
    game: GameLike | None = None,
    build: bool = False,
    per_bin: int = 10,
    bin_width: float = 5.0,
    games: int = 10,
    seed: int = 1,
    workers: int = CORES,
    progress: bool | str = True,
) -> "dict[str, Profile]":
    """How players fare against opponents of each strength, from the weakest to the strongest, by the player's label.

    The opponents are made once, with `build`: in a minute as they are by default, in a quarter of an hour with
    `per_bin=50, bin_width=1`.
    """
    from ludus.measures import profiles
    from ludus.measures.performance import compiled

    measured = [compiled(each) for each in _players(players, game)]
    variant = measured[0].game
    path = profiles.usual_path(variant, per_bin, bin_width)
    if path.exists() or not build:
        opponents = profiles.load(path, variant)
    else:
        with progress_bar("opponents", progress) as update:
            opponents = profiles.build(
                variant, path, per_bin, width=bin_width, workers=workers, progress=lambda done, what: update(done, what)
            )
    return {each.label: profiles.profile(each, opponents, games, seed, workers) for each in measured}


def rate(
    results: "str | Path | Iterable[Result | Match]",
    *,
    draw_elo: float = 97.3,
    prior: float = 2.0,
    advantage: float = 0.0,
    exact: bool = False,
) -> "Ratings":
    """Rate players by BayesElo, from matches, from results, or from a file of either or of games."""
    from ludus.measures.ratings import Result, read_any_results
    from ludus.measures.ratings import rate as rated

    if isinstance(results, str | Path):
        found = read_any_results(Path(results))[0]
    else:
        found = [
            Result(each.a.label, each.b.label, each.wins, each.draws, each.losses) if isinstance(each, Match) else each
            for each in results
        ]
    return rated(found, draw_elo=draw_elo, prior=prior, advantage=advantage, exact=exact)


def explain(
    player: PlayerLike,
    position: str | Position = "",
    game: GameLike | None = None,
    *,
    moves: str | Sequence[str] = (),
) -> Explanation:
    """What a player weighs in a position (by default the start, or where `moves` lead): each move's value, and why."""
    if isinstance(position, Position):
        here = position
    else:
        variant = _game_of([player], game)
        here = variant.position(position) if position else variant.start()
    here = _after(here, moves)
    if here.over:
        raise InvalidSetting("the game is over there, so there is no move to explain; give fewer moves")
    return explanation(_players([player], here.game)[0], here)


def review(
    given: str | Path | Record,
    number: int = 1,
    *,
    judge: PlayerLike = "",
    progress: bool | str = True,
) -> "Review":
    """Review a played game: what each move lost, which were mistakes, and what was better.

    The game is a record (of `read_games` or `Match.records`), or the game of that number in a file (.sgf, .pdn, .ggf or
    .wtb). By default the strongest player of the game that answers soon enough judges it (`Defaults.judge`), exactly
    near the end of an Othello game.
    """
    from ludus.measures.review import review as reviewed
    from ludus.measures.review import reviewing

    if isinstance(given, str | Path):
        records = read_games(given)
        if not 1 <= number <= len(records):
            raise InvalidSetting(f"there is no game {number} in {given}; it holds {len(records)}")
        given = records[number - 1]
    by = _players([judge], given.game)[0] if judge else ""
    moves = []
    with progress_bar("moves", progress) as update:
        for each in reviewing(given, by):
            moves.append(each)
            update(len(moves) / len(given.moves), f"{len(moves)} of {len(given.moves)} moves judged")
    return reviewed(given, by, moves)


def convert(player: PlayerLike, file: str | Path) -> None:
    """Write an n-tuple player of 8x8 Othello as the text file that the Othello League takes."""
    from ludus.players.othello_league import write_league_file

    write_league_file(_players([player], None)[0], Path(file))


def solve(
    start: GameLike | Position,
    position: str = "",
    *,
    moves: str | Sequence[str] = (),
    scoring: str = "tournament",
    nodes: int | None = None,
    seconds: float | None = None,
) -> "Solution":
    """Solve a position of Othello: the final score with best play of both sides, the best move and a line of play.

    The position is given as a `Position` or in a game's notation, or is the game's start; `moves` lead on from there.
    The score is that of the player to move. With `scoring="tournament"` the winner is given the empty squares, with
    `"discs"` nobody. Stopped by a limit of nodes or seconds, the solution has bounds of the score.
    """
    from ludus.players.search.solver import solve as solved

    if isinstance(start, Position):
        if position:
            raise InvalidSetting("two positions were given; give one, or the name of a game and one")
        here = start
    else:
        here = game(start).position(position) if position else game(start).start()
    return solved(_after(here, moves), scoring=scoring, nodes=nodes, seconds=seconds)


def behaviour(
    a: PlayerLike,
    b: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 1000,
    seed: int = 1,
    workers: int = CORES,
    opening: str = "usual",
    won: bool = False,
) -> "Behaviour":
    """The pieces that two players have and the moves that they can choose from, move by move over many games."""
    from ludus.measures.behaviour import behaviour as observed

    played = match(a, b, game, games=games, seed=seed, workers=workers, opening=opening, record=True, progress=False)
    return observed(played, won)


def dependence(
    player: PlayerLike, game: GameLike | None = None, *, games: int = 1000, seed: int = 1, workers: int = CORES
) -> "Dependence":
    """How much a player's choice depends on the position: how many choices no fixed ranking of moves explains.

    The result has that ranking, and with `ranking_player()` a player that goes by it.
    """
    from ludus.measures.dependence import dependence as measured
    from ludus.measures.performance import compiled

    return measured(compiled(_players([player], game)[0]), games, seed, workers)


def strategies(players: Sequence[PlayerLike], game: GameLike | None = None, *, quantile: float = 0.3) -> "Strategies":
    """Which of three or more players with weights have learned alike: clusters of their weights, on a map."""
    import numpy as np

    from ludus.evaluators.piece_counter import PieceCounter
    from ludus.measures.strategies import strategies as clustered

    weights = []
    for each in _players(players, game):
        evaluator = getattr(getattr(each, "parts", None), "evaluator", None)
        if not isinstance(evaluator, PieceCounter):
            raise WrongGame(f"{each.label} has no weights of squares to compare; name runs or files of piece counters")
        weights.append(evaluator.weights)
    names = [str(each.folder) if isinstance(each, Run) else getattr(each, "label", str(each)) for each in players]
    return clustered(np.array(weights), quantile=quantile, players=names)


def adapt(
    player: str | Path | Run,
    opponent: PlayerLike,
    game: GameLike | None = None,
    *,
    games: int = 20,
    seed: int = 1,
    save: str | Path | None = None,
) -> "Generator[Played | PlayedByRules, None, None]":
    """Let a player go on learning from its games: rules (`xcs`), or several strategies (`social`).

    Rules are updated and bred as in their training. Who has several strategies changes its own when it loses. Its file
    remembers; with `save` a copy learns and is kept there. Yields each game.
    """
    from ludus.measures.adaptation import adapted, file_to_adapt, learning_file

    given = player.folder if isinstance(player, Run) else player
    variant = _game_of([learning_file(str(given))], game)
    rival = _players([opponent], variant)[0]
    return adapted(file_to_adapt(str(given), variant, Path(save) if save else None), rival, variant, games, seed)


def reproduce(
    paper: str,
    *,
    scale: str = "quick",
    seed: int = 1,
    folder: str | Path = "reports",
    runs: str | Path = "runs/papers",
    workers: int = CORES,
    cluster: "Cluster | None" = None,
    partial: bool = False,
    unpack: str | Path = "",
    pack: str | Path = "",
    tell: Callable[[str], None] = lambda line: None,
) -> "Report":
    """Run the experiments behind a paper's claims, or what is left of them, and write the report into `folder/PAPER`.

    With `partial` nothing is started: the report covers the runs that are finished. `unpack` takes finished work from
    an archive first, and `pack` writes it into one afterwards (`ludus.papers.archive`).
    """
    from ludus.papers import archive
    from ludus.papers.base import Workspace
    from ludus.papers.names import paper as find_paper
    from ludus.papers.report import reproduce as run_experiments

    chosen = find_paper(paper)
    place = Workspace(
        runs=Path(runs).resolve() / paper / f"{scale}-seed-{seed}",
        report=Path(folder) / paper,
        workers=workers,
        cluster=cluster,
        seed=seed,
        partial=partial,
        log=tell,
    )
    if unpack:
        tell(f"{archive.unpack(Path(unpack), place.runs)} files of finished work are new from {unpack}")
    report = run_experiments(chosen, scale, place)
    if pack:
        tell(f"{archive.pack(place.runs, Path(pack))} files of finished work are in {pack}")
    return report


def _after(position: Position, moves: str | Sequence[str]) -> Position:
    """The position after these moves."""
    for move in moves.replace(",", " ").split() if isinstance(moves, str) else moves:
        position = position.play(move)
    return position


def _players(given: Sequence[PlayerLike], game: GameLike | None) -> list[Player]:
    """The players, all of one game."""
    if not given:
        raise UnknownName("no player was given; name one or more")
    variant = _game_of(given, game)
    found = []
    for each in given:
        one = each.player if isinstance(each, Run) else each
        if isinstance(one, Player):
            if one.game.board != variant.board:
                raise WrongGame(f"{one.label} plays {one.game}, not {variant}; all players must play one game")
            if one.game != variant and isinstance(each, Run):  # the same board with other options
                one = player_named(str(each.folder), variant)
        found.append(one if isinstance(one, Player) else player_named(str(one), variant))
    return found


def _game_of(given: Sequence[PlayerLike], asked: GameLike | None) -> Game:
    """The game that was asked for, else the one that the players were trained for, else the default."""
    if asked is not None:
        return game(asked)
    for each in given:
        if isinstance(each, Player):
            return each.game
        if isinstance(each, Run):
            return game(each.spec.game)
        file = player_file(str(each))
        if present(file) and file.is_file():
            return game(read_header(file).game)
    return game(DEFAULT_GAME)
