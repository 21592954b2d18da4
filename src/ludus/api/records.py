"""Records: played games are read and reviewed, and their players rated."""

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.api._given import PlayerLike, as_players
from ludus.checked import checked
from ludus.errors import InvalidSetting, WrongGame
from ludus.play.matches import Match
from ludus.progress import progress_bar
from ludus.records.files import read_games as read_games_of
from ludus.records.record import Games, Record

if TYPE_CHECKING:
    from ludus.measures.leagues import League
    from ludus.measures.ratings import Ratings, Result
    from ludus.measures.review import Review


@checked
def read_games(path: str | Path, *, strict: bool = False, pdn_result: str = "") -> Games:
    """The games in a file: .sgf (Go, Othello), .pdn (checkers), .ggf or .wtb (Othello), all of them replayed.

    Games that can't be read are left out with a warning; `problems` of the result says of each where it is and what is
    wrong with it, and `numbers` which games of the file the others are. With `strict`, or if none can be read, the
    first raises BadRecord. `pdn_result` says whose win 1-0 is in PDN, `first-mover` or `white`; if it does not, the
    games of the file must tell, and `remark` says what they told.
    """
    games = read_games_of(path, strict=strict, pdn_result=pdn_result)
    _warn(path, games.problems)
    return games


@checked
def rate(
    results: "str | Path | Match | League | Iterable[Result | Match]",
    *,
    draw_elo: float = 97.3,
    prior: float = 2.0,
    advantage: float = 0.0,
    exact: bool = False,
    strict: bool = False,
    pdn_result: str = "",
) -> "Ratings":
    """Rate players by BayesElo, from matches or a league, from results, or from a file of results or of games (see
    `read_games`)."""
    from ludus.measures.leagues import League
    from ludus.measures.ratings import Result, read_any_results
    from ludus.measures.ratings import rate as rated

    if isinstance(results, str | Path):
        read = read_any_results(Path(results), strict=strict, pdn_result=pdn_result)
        _warn(results, read.problems)
        found = read.results
    else:
        given = results.results if isinstance(results, League) else results
        several = list(given) if isinstance(given, Iterable) else [given]
        if not all(isinstance(each, Match | Result) for each in several):
            raise InvalidSetting("invalid results: must be matches, results, a league, or a file of results or games")
        if len(games := {each.a.game.board for each in several if isinstance(each, Match)}) > 1:
            raise WrongGame(f"the matches are of {' and '.join(sorted(games))}; rate players of one game")
        found = [
            Result(each.a.label, each.b.label, each.wins, each.draws, each.losses) if isinstance(each, Match) else each
            for each in several
        ]
    return rated(found, draw_elo=draw_elo, prior=prior, advantage=advantage, exact=exact)


@checked
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
        records = read_games_of(given)
        _warn(given, records.problems)
        if number not in records.numbers:
            held = len(records) + len(records.problems)
            absent = InvalidSetting(f"there is no game {number} in {given}; it holds {held}")
            raise next((bad for bad in records.problems if bad.number == number), absent)
        given = records[records.numbers.index(number)]
    by = as_players([judge], given.game)[0] if judge else ""
    moves = []
    with progress_bar("moves", progress) as update:
        for each in reviewing(given, by):
            moves.append(each)
            update(len(moves) / len(given.moves), f"{len(moves)} of {len(given.moves)} moves judged")
    return reviewed(given, by, moves)


def _warn(path: str | Path, problems: Sequence[Exception]) -> None:
    """Let nobody miss that games were left out."""
    if problems:
        warnings.warn(f"{path}: games that can't be read: {len(problems)}; the first: {problems[0]}", stacklevel=3)
