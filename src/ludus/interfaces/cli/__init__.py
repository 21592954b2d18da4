"""The command line: each file holds related commands. What is heavy to import, the command that needs it imports."""

from ludus.interfaces.cli import demo, explaining, matches, measures, papers, rating, records, rules, speed, training
from ludus.interfaces.cli.app import main

__all__ = [
    "demo",
    "explaining",
    "main",
    "matches",
    "measures",
    "papers",
    "rating",
    "records",
    "rules",
    "speed",
    "training",
]
