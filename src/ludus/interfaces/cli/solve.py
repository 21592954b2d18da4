"""`ludus solve`."""

from typing import TYPE_CHECKING, Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson, GameName

if TYPE_CHECKING:
    from ludus.players.search.solver import Solution

# a position may begin with empty squares, which look like an option
POSITIONS_WITH_DASHES = {"ignore_unknown_options": True}


@app.command(context_settings=POSITIONS_WITH_DASHES)
def solve(
    game: GameName,
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="a position to begin from instead of the start")
    ] = "",
    moves: Annotated[str, typer.Option(help='the moves so far, as "d3 c3 c4"')] = "",
    scoring: Annotated[
        str, typer.Option(help="tournament (empty squares go to the winner) or discs (they go to nobody)")
    ] = "tournament",
    nodes: Annotated[
        int | None, typer.Option(min=1, max=1 << 62, help="stop after about so many positions", show_default="no limit")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="stop after so many seconds", show_default="no limit")] = None,
    as_json: AsJson = False,
) -> None:
    """Solve an Othello position: the final score with best play of both sides, and the best move.

    The score is also shown as discs alone count it, without the empty squares that tournaments give to the winner.
    Example: ludus solve othello4 "-----OX--XO----- X" --moves "b1 a1"
    """
    from ludus import api

    found = api.solve(game, position, moves=moves, scoring=scoring, nodes=nodes, seconds=seconds)
    if as_json:
        print_json(found.to_json())
        return
    print(found.position)
    print(f"\n{_verdict(found)}")
    if found.line:
        print(f"Best play: {' '.join(found.line)}")
    if ends := found.final_scores:
        left = abs(ends["tournament"]) - abs(ends["discs"])
        whose = f", since the winner is given {left} empty square{'s' if left > 1 else ''}" if left else ""
        print(f"Final score: {ends['tournament']:+} in tournaments, {ends['discs']:+} by discs{whose}")
    print(f"{found.nodes:,} positions in {found.seconds:.2f} s")


def _verdict(found: "Solution") -> str:
    side = found.position.side
    if found.score is None:
        ensured = f"; {found.move} makes sure of {found.low:+}" if found.move else ""
        return f"Stopped early: {side}'s score is between {found.low:+} and {found.high:+}{ensured}."
    if found.score == 0:
        return f"{found.move} is best: a draw."
    return f"{found.move} is best: {side} {'wins' if found.score > 0 else 'loses'} by {abs(found.score)}."
