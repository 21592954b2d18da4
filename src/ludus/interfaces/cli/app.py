"""What all commands share: the application, its entry point, and how results are shown."""

import io
import json
import math
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column

from ludus import __version__
from ludus.colours import BAD
from ludus.errors import AlreadyAsked, LudusError
from ludus.interfaces.cli.groups import Grouped
from ludus.interfaces.cli.interrupts import interrupted, say_stopped, watching_for_interrupts
from ludus.interfaces.cli.leaving import STATUS

MOST_USUAL = 1e6
"""Numbers below it are aligned with each other."""

app = typer.Typer(cls=Grouped, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

WHAT_NEXT = f"""\
Ludus {__version__}, a school for board-game players.

  ludus demo                        train a player in half a minute and see how good it is
  ludus serve                       play in the browser, see why a player moves, watch it learn

  ludus games                       the games, their sizes and options
  ludus players                     the players, and the strings that name them
  ludus train tdl                   train a player (or marker, cel, ...); interrupted runs resume
  ludus runs                        what has been trained
  ludus match heuristic discs       a thousand games between two players
  ludus league A B C                everybody against everybody, rated
  ludus ladder PLAYER               its Elo among named opponents and other people's programs
  ludus rate results.csv            ratings from results or game records
  ludus compare tdl ctdl            two methods over many runs: which is better, and is that certain?
  ludus tune tdl                    search for good settings of a learner
  ludus export RUN FOLDER           a run for others, with a model card; `ludus import` takes it back
  ludus measure PLAYER              how good a player is, by two measures
  ludus profile PLAYER ...          how it fares against opponents of rising strength
  ludus behaviour A B               pieces and choices of two players, move by move
  ludus dependence PLAYER           how much its choice depends on the position
  ludus strategies PLAYER ...       which trained players have learned alike
  ludus explain alphabeta           what a player weighs in a position
  ludus convert PLAYER FILE.txt     an n-tuple player of Othello in the Othello League's format
  ludus solve othello6 POSITION     best play to the end: Othello, or Go on a small board
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
    # a process may begin without them, and what is printed then goes nowhere
    sys.stdout, sys.stderr = sys.stdout or open(os.devnull, "w"), sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # names of files and other programs' words may be no text
            stream.reconfigure(errors="backslashreplace")
    try:
        with watching_for_interrupts():
            status = _run()
    except KeyboardInterrupt:  # between the command and what is around it
        say_stopped()
        status = STATUS
    sys.exit(status)


def _run() -> int:
    """Run the command and return the exit code."""
    try:
        if sys.argv[1:]:
            status = app(standalone_mode=False, prog_name="ludus")
            if status == STATUS:  # which is how typer says that Ctrl-C has ended the command
                say_stopped()
        else:  # answered at once: to parse arguments takes as long again as to start
            print(WHAT_NEXT)
            status = 0
        sys.stdout.flush()
    except (LudusError, typer.TyperException) as problem:
        sentence = str(problem)
        if isinstance(problem, typer.TyperException):
            sentence = _in_our_words(problem.format_message())
        if isinstance(problem, AlreadyAsked):
            sentence = sentence.replace("another folder", "another folder with --out")
        status = _complain(" ".join(sentence.splitlines()))
    except (KeyboardInterrupt, typer.Abort):
        say_stopped()
        status = STATUS
    except (BrokenPipeError, SystemExit) as end:
        if not isinstance(end, BrokenPipeError) and not isinstance(end.__context__, BrokenPipeError):
            raise
        _let_go()  # whoever reads our output has seen enough; typer would make that exit code 1
        status = 0
    except OSError as problem:
        _let_go()
        status = _complain(f"{problem.filename or 'the output'} can't be used: {problem.strerror}")
    except Exception:
        if not interrupted():
            raise
        say_stopped()  # a library may turn Ctrl-C into an error of its own
        status = STATUS
    return int(status or 0)


_WORDS = {
    "Invalid value for": "invalid",
    "Input should be a valid integer, unable to parse string as an integer": "must be a whole number",
    "Input should be a valid number, unable to parse string as a number": "must be a number",
    "Input should be greater than or equal to": "must be at least",
    "Input should be less than or equal to": "must be at most",
    "Input should be": "must be",
    "Missing argument": "missing argument:",
    "Got unexpected extra argument(s)": "unexpected argument:",
    "No such command": "unknown command:",
    "Option --": "--",
    "requires an argument": "needs a value",
    "No such option:": "unknown option:",
    "Did you mean": "did you mean",
}
"""Ours for those of the library that reads the command line."""


def _in_our_words(sentence: str) -> str:
    for theirs, ours in _WORDS.items():
        sentence = sentence.replace(theirs, ours)
    sentence = re.sub(r" \(Possible options: (.*)\)", lambda found: f"; did you mean {_either(found[1])}?", sentence)
    return sentence.removesuffix(".").replace("'", "").replace(". did you", "; did you")


def _either(names: str) -> str:
    """Names with commas between them, as a choice.

    >>> _either("--game, --games, --gain")
    '--game, --games or --gain'
    """
    return " or ".join(names.rsplit(", ", 1))


def _complain(sentence: str) -> int:
    """Say what is wrong, after what was said before; returns the exit code."""
    with suppress(OSError):
        sys.stdout.flush()
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    name = "ludus:" if plain else typer.style("ludus:", fg=_rgb(BAD), bold=True)
    typer.echo(f"{name} {sentence}", err=True)
    return 2


def _rgb(colour: str) -> tuple[int, int, int]:
    """A colour as terminals know it."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:], 16)


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


def columns(*names: str) -> list[Column]:
    """The columns of a table; the name of one with numbers, which stand to the right, ends with #.

    On a narrow terminal words and numbers are broken, since one that is cut off would look like another.
    """
    return [
        Column(name.rstrip("#"), justify="right" if name.endswith("#") else "left", overflow="fold") for name in names
    ]


def same_decimals(values: Sequence[float], digits: int = 3) -> list[str]:
    """Numbers as a column shows them: all with as many decimals as give the largest so many digits.

    What counts for certain, such as a won game's billion, is out of their range.

    >>> same_decimals([23.512, 1, -0.081, 1e9])
    ['23.5', '1.0', '-0.1', '1e+09']
    >>> same_decimals([12, -3])
    ['12', '-3']
    """
    usual = [abs(each) for each in values if abs(each) < MOST_USUAL]
    largest = max(usual, default=0.0)
    whole = largest == 0 or all(each == int(each) for each in usual)
    decimals = 0 if whole else max(0, digits - 1 - math.floor(math.log10(largest)))
    return [f"{each:z.{decimals}f}" if abs(each) < MOST_USUAL else f"{each:.4g}" for each in values]


def counted(wins: int, draws: int, losses: int) -> str:
    """A result in words.

    >>> counted(3, 1, 0)
    '3 wins, 1 draw, 0 losses'
    """
    words = zip((wins, draws, losses), ("win", "draw", "loss"), ("wins", "draws", "losses"), strict=True)
    return ", ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in words)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))
