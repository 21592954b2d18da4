"""Plays the matches of a class's league: a process of its own, so that nobody who plays waits for it or its compiler.

A line of JSON on standard input asks for a match, a line on standard output says what came of it. When the server is
gone, so is standard input, and the process ends.
"""

import json
import sys
from typing import Any

from ludus.errors import LudusError
from ludus.games.names import game
from ludus.play.matches import match
from ludus.players.names import player


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            board = game(asked["game"])
            a, b = (player(text, board) for text in asked["players"])
            played = match(a, b, asked["games"], seed=asked["seed"])
            answer: dict[str, Any] = {"result": [played.wins, played.draws, played.losses]}
        except LudusError as problem:
            answer = {"error": str(problem)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
