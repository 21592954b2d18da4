"""What `ludus --help` shows: all commands in groups, each with its whole first sentence."""

import inspect
import shutil
import sys
import textwrap
from typing import Any

import typer
from typer.core import TyperGroup

GROUPS = {
    "Begin": ("demo", "serve", "games", "players", "help"),
    "Train": ("train", "tune", "runs", "compare", "adapt"),
    "Measure": ("match", "league", "ladder", "rate", "measure", "profile", "behaviour", "dependence", "strategies"),
    "Understand": ("explain", "review", "rules", "solve"),
    "Reproduce": ("paper",),
    "Games and files": ("replay", "convert", "export", "import", "perft", "check"),
    "Other programs": ("gtp", "nboard"),
    "Ludus itself": ("bench", "reference"),
}
"""The commands by what they are for; one that is in no group comes last."""

WIDTH = 100


def line_width() -> int:
    """How long a line of help may be: less on a narrow terminal."""
    return min(WIDTH, max(40, shutil.get_terminal_size().columns)) if sys.stdout.isatty() else WIDTH


class Grouped(TyperGroup):
    """The application, whose help is in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = {name: self.commands[name] for name in self.list_commands(ctx)}
        grouped = {name for names in GROUPS.values() for name in names}
        rest = tuple(name for name in commands if name not in grouped)
        wide, width = max(map(len, commands)) + 2, line_width()
        for title, names in [*GROUPS.items(), ("More", rest)]:
            known = [name for name in names if name in commands]
            if known:
                formatter.write(f"\n{typer.style(title, bold=True)}:\n")
            for name in known:
                lines = textwrap.wrap(first_sentence(commands[name].help or ""), width - wide - 2)
                formatter.write(f"  {name:{wide}}{lines[0] if lines else ''}\n")
                for line in lines[1:]:
                    formatter.write(f"  {'':{wide}}{line}\n")
        formatter.write("\n`ludus COMMAND --help` describes each, with an example.\n")


def first_sentence(text: str) -> str:
    """What a command does, in a sentence."""
    return " ".join(inspect.cleandoc(text).split("\n\n")[0].split()).split(". ")[0].removesuffix(".")
