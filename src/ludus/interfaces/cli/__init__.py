"""The command line. Each file holds related commands; what is heavy to import is imported by the command that needs it."""

from ludus.interfaces.cli import rules, speed
from ludus.interfaces.cli.app import main

__all__ = ["main", "rules", "speed"]
