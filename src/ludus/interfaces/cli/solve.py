"""`ludus solve`."""

from typing import Annotated

import typer

from ludus.interfaces.cli.app import app, print_json
from ludus.interfaces.cli.arguments import AsJson, GameName

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
        str,
        typer.Option(
            help="Othello: tournament (empty squares go to the winner) or discs (they go to nobody)",
            show_default="tournament; Go: area",
        ),
    ] = "",
    nodes: Annotated[
        int | None, typer.Option(min=1, max=1 << 62, help="stop after about so many positions", show_default="no limit")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="stop after so many seconds", show_default="no limit")] = None,
    as_json: AsJson = False,
) -> None:
    """Solve a position of Othello or of Go on a small board: the final score with best play, and the best move.

    An Othello score is also shown as discs alone count it, without the empty squares that tournaments give to the
    winner. 6x6 Othello is solved from the start in some minutes, 8x8 from about 24 empty squares on. Go is solved on
    2x2, 3x3 and 4x4 from the start, on 5x5 late in a game or as far as a limit goes; points are those on the board,
    without komi, and proved for the game's ko rule.
    Example: ludus solve othello4 "-----OX--XO----- X" --moves "b1 a1"
    """
    from ludus import api

    found = api.solve(
        game,
        position,
        moves=moves,
        scoring=scoring,
        nodes=nodes,
        seconds=seconds,
        progress=False if as_json else "lines",
    )
    if as_json:
        print_json(found.to_json())
        return
    print(found.position)
    print(f"\n{found.verdict}")
    if found.line:
        print(f"Best play: {' '.join(found.line)}")
    for note in found.notes:
        print(note)
    print(f"{found.nodes:,} positions in {found.seconds:.2f} s")
