"""The command line: each file holds related commands. What is heavy to import, the command that needs it imports."""

from ludus.interfaces.cli import matches, rating, records, rules, speed
from ludus.interfaces.cli.app import main

__all__ = ["main", "matches", "rating", "records", "rules", "speed"]
