"""Playing: games and players by name, matches and leagues between them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.api._given import CORES, GameLike, PlayerLike, as_game, as_players
from ludus.checked import checked
from ludus.games.game import Game
from ludus.play.intervals import SequentialTest
from ludus.play.matches import Match
from ludus.play.matches import match as play_match
from ludus.players.base import Player
from ludus.progress import Pace, progress_bar
from ludus.records.files import check_format, write_games

if TYPE_CHECKING:
    from ludus.measures.leagues import League
    from ludus.measures.ratings import Result


@checked
def game(name: GameLike) -> Game:
    """The game of that name, such as `othello8`, `checkers`, or `go9:komi=5.5,ko=simple`."""
    return as_game(name)


@checked
def player(given: PlayerLike, game: GameLike | None = None) -> Player:
    """The player that a string, a path or a run names, for this game."""
    return as_players([given], game)[0]


@checked
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
    one, other = as_players([a, b], game)
    test = SequentialTest(*sprt) if sprt else None
    if save:
        check_format(save, one.game)
    with progress_bar("games", progress) as update:
        pace = Pace()
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
                len(scores) / games,
                f"{len(scores):,} of {games:,} games{pace.left(len(scores) / games)}, score {scores.mean():.1%}",
            ),
        )
    if save:
        write_games(save, list(played.records()))
    return played


@checked
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
    progress: bool | str = True,
) -> "League":
    """Let everybody play everybody, and rate them. An interrupted league resumes from its folder.

    `on_result` is called with each result as it is known.
    """
    from ludus.measures.leagues import League
    from ludus.measures.leagues import league as play
    from ludus.measures.ratings import rate as rated

    everybody, results = as_players(players, game), []
    with progress_bar("games", progress) as update:
        pace = Pace()
        for result in play(
            everybody,
            games,
            Path(folder),
            seed=seed,
            workers=workers,
            opening=opening,
            progress=lambda done, pair: update(done, f"{done:.0%}{pace.left(done)}, {pair}"),
        ):
            results.append(result)
            on_result(result)
    return League(tuple(results), rated(results))
