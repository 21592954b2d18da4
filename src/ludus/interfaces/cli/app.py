"""What all commands share: the application, its entry point, and how results are shown."""

import io
import json
import os
import sys
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.console import Console

from ludus import __version__
from ludus.errors import LudusError

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

WHAT_NEXT = f"""\
Ludus {__version__}, a school for board-game players.

  ludus demo                        train a player in half a minute and see how good it is
  ludus serve                       play in the browser, see why a player moves, watch it learn

  ludus games                       the games, their sizes and options
  ludus players                     the players, and the strings that name them
  ludus train tdl                   train a player (or marker, cel, ...); interrupted runs resume
  ludus runs                        what has been trained
  ludus match heuristic discs       a thousand games between two players
  ludus league random discs heuristic           everybody against everybody, rated
  ludus ladder PLAYER               its Elo among named opponents and other people's programs
  ludus rate results.csv            ratings from results or game records
  ludus measure PLAYER              how good a player is, by two measures
  ludus profile PLAYER ...          how it fares against opponents of rising strength
  ludus behaviour A B               pieces and choices of two players, move by move
  ludus dependence PLAYER           how much its choice depends on the position
  ludus strategies PLAYER ...       which trained players have learned alike
  ludus explain alphabeta           what a player weighs in a position
  ludus convert PLAYER FILE.txt     an n-tuple player of Othello in the Othello League's format
  ludus solve othello6 POSITION     best play to the end of an Othello game
  ludus rules xcs:othello6          the rules that an XCS player goes by
  ludus adapt RUN PLAYER            let rules, or a social player, learn from their games
  ludus replay games.sgf            check and show game records
  ludus review games.sgf            what each move of a game lost, and what was better
  ludus paper jaskowski2014         check the claims of a paper

  ludus gtp PLAYER                  play for a program that speaks GTP; `ludus nboard` for NBoard
  ludus perft othello8 --depth 9    check the rules by counting
  ludus check go9                   check that a game, yours too, keeps what others rely on
  ludus bench                       speed, beside C and OpenSpiel
  ludus reference                   write the reference of everything installed here

`ludus COMMAND --help` describes each."""


@app.callback(invoke_without_command=True)
def start(
    version: Annotated[bool, typer.Option("--version", help="print the version and stop")] = False,
) -> None:
    """A school for board-game players: train them, measure them, play against them."""
    if version:
        print(f"ludus {__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command; whatever is wrong with its input is reported in one sentence, with exit code 2."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # names of files and other programs' words may be no text
            stream.reconfigure(errors="backslashreplace")
    try:
        if sys.argv[1:]:
            status = app(standalone_mode=False)
        else:  # answered at once: to parse arguments takes as long again as to start
            print(WHAT_NEXT)
            status = 0
        sys.stdout.flush()
    except (LudusError, typer.TyperException) as problem:
        sentence = problem.format_message() if isinstance(problem, typer.TyperException) else str(problem)
        status = _complain(" ".join(sentence.splitlines()))
    except (KeyboardInterrupt, typer.Abort):
        status = 130
    except (BrokenPipeError, SystemExit) as end:
        if not isinstance(end, BrokenPipeError) and not isinstance(end.__context__, BrokenPipeError):
            raise
        _let_go()  # whoever reads our output has seen enough; typer would make that exit code 1
        status = 0
    except OSError as problem:
        _let_go()
        status = _complain(f"{problem.filename or 'the output'} can't be used: {problem.strerror}")
    sys.exit(status)


def _complain(sentence: str) -> int:
    """Say what is wrong, after what was said before; returns the exit code."""
    with suppress(OSError):
        sys.stdout.flush()
    print(f"ludus: {sentence}", file=sys.stderr)
    return 2


def _let_go() -> None:
    """Write no more to standard output, which Python would try again as the process ends."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - stays open while the process ends


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # for `main`, whereas rich would end the process with exit code 1


def console() -> Console:
    """Lines are as long as they need to be where nobody watches, and words are shown as they stand."""
    plain: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False}
    return _Console(**plain) if sys.stdout.isatty() else _Console(width=200, **plain)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))
