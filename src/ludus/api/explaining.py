"""Explaining: what a player weighs in a position, and what is best there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludus.api._given import GameLike, PlayerLike, as_game, as_players, game_of
from ludus.checked import checked
from ludus.errors import InvalidSetting
from ludus.games.game import Position
from ludus.players.explanations import Explanation, explanation
from ludus.progress import progress_bar

if TYPE_CHECKING:
    from ludus.players.search.solver import Solution


@checked
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
        variant = game_of([player], game)
        here = variant.position(position) if position else variant.start()
    here = _after(here, moves)
    if here.over:
        raise InvalidSetting("the game is over there, so there is no move to explain; give fewer moves")
    return explanation(as_players([player], here.game)[0], here)


@checked
def solve(
    start: GameLike | Position,
    position: str = "",
    *,
    moves: str | Sequence[str] = (),
    scoring: str = "",
    nodes: int | None = None,
    seconds: float | None = None,
    progress: bool | str = True,
) -> "Solution":
    """Solve a position of Othello, or of Go on a small board: the final score with best play of both sides, the best
    move and a line of play.

    The position is given as a `Position` or in a game's notation, or is the game's start; `moves` lead on from there.
    The score is that of the player to move. In Othello, with `scoring="tournament"`, the default, the winner is given
    the empty squares, with `"discs"` nobody. In Go, area is counted without komi; with superko the score is exact for
    the game so far, with simple ko play that never ends counts for neither side. Stopped by a limit of nodes or
    seconds, the solution has bounds of the score.
    """
    from ludus.players.search.solver import solve as solved

    if isinstance(start, Position):
        if position:
            raise InvalidSetting("two positions were given; give one, or the name of a game and one")
        here = start
    else:
        here = as_game(start).position(position) if position else as_game(start).start()
    with progress_bar("solving", progress) as update:
        return solved(_after(here, moves), scoring=scoring, nodes=nodes, seconds=seconds, report=update)


def _after(position: Position, moves: str | Sequence[str]) -> Position:
    """The position after these moves."""
    for move in moves.replace(",", " ").split() if isinstance(moves, str) else moves:
        position = position.play(move)
    return position
