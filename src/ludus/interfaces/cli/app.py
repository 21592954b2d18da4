"""What all commands share: the application, the words for common arguments, and how results are shown."""

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

GameName = Annotated[str, typer.Argument(metavar="GAME", help="a game, such as othello8, checkers or go9:komi=5.5")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object instead of text")]

WHAT_NEXT = f"""\
Ludus {__version__}, a school for board-game players.

  ludus demo                        grow a player in half a minute and see how good it is
  ludus games                       the games, their sizes and options
  ludus perft othello8 --depth 9    check the rules by counting
  ludus check go9                   check that a game, yours too, holds to what others rely on
  ludus bench                       speed, beside C and OpenSpiel
  ludus players                     the players, and the strings that name them
  ludus match heuristic discs       a thousand games between two players
  ludus league random discs heuristic           everybody against everybody, rated
  ludus rate results.csv            ratings from results or game records
  ludus replay games.sgf            check and show game records
  ludus train tdl                   train a player (or marker, cel, ...); stopped, the same command goes on
  ludus runs                        what has been trained
  ludus measure PLAYER              how good a player is, by two measures
  ludus profile PLAYER ...          by opponents of rising strength
  ludus adapt RUN PLAYER            let a social player change its strategy as it loses
  ludus explain alphabeta           what a player weighs in a position
  ludus gtp PLAYER                  play for a program that speaks GTP; `ludus nboard` for NBoard
  ludus rules xcs:othello6          the rules that a player goes by
  ludus serve                       play in the browser, see why a player moves, watch it learn
  ludus paper jaskowski2014         check the claims of a paper
  ludus reference                   write the reference of all that is installed here

`ludus COMMAND --help` tells more about each."""


@app.callback(invoke_without_command=True)
def start(
    version: Annotated[bool, typer.Option("--version", help="print the version and stop")] = False,
) -> None:
    """A school for board-game players: grow them, measure them, play against them."""
    if version:
        print(f"ludus {__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command; whatever is wrong with its input is told in one sentence, with exit code 2."""
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
        told = problem.format_message() if isinstance(problem, typer.TyperException) else str(problem)
        status = _complain(" ".join(told.splitlines()))
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
