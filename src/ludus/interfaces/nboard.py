"""Players as engines for NBoard and other programs that speak its protocol, version 2: Othello on 8x8.

Unknown lines are ignored, as the protocol demands.
"""

import re
import time
from collections.abc import Iterable
from typing import TextIO

from ludus.errors import DamagedFile, LudusError, WrongGame
from ludus.games.game import Game
from ludus.interfaces.engine_board import Board, Make
from ludus.players.engines.process import Forfeit
from ludus.players.explanations import MoveValue, explanation
from ludus.records import ggf

MAX_LINE = 1 << 16


class NBoardServer:
    """Answers commands, one at a time."""

    def __init__(self, make: Make, game: Game, name: str, seed: int = 1) -> None:
        if game.board != "othello8":
            raise WrongGame(f"NBoard can't play {game.name}; it is for othello8")
        self._make, self.board, self.name = make, Board(make, game, seed), f"Ludus {name}"

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer all lines until `quit` or the end."""
        try:
            for line in lines:
                if line.strip() == "quit":
                    return
                for answer in self.answers(line):
                    out.write(answer + "\n")
                out.flush()
        finally:
            self.board.close()

    def answers(self, line: str) -> list[str]:
        """The lines that answer one."""
        if len(line) > MAX_LINE:
            return [f"status the line is too long: at most {MAX_LINE} characters are accepted"]
        command, _, rest = line.strip().partition(" ")
        if command == "nboard":
            return [f"set myname {self.name}"]
        if command == "ping":
            return [f"pong {rest}"]
        if command == "learn":
            return ["learned"]
        try:
            if command == "set" and rest.startswith("game "):
                self._set_game(rest.removeprefix("game "))
            elif command == "move":
                self.board.play(_from_nboard(rest.partition("/")[0]))
            elif command == "go":
                return self._go()
            elif command == "hint":
                return self._hint(int(rest) if re.fullmatch("[0-9]{1,4}", rest) else 1)
        except LudusError as problem:
            return [f"status {' '.join(str(problem).split())}"]
        except Forfeit as forfeit:
            return [f"status the player has lost: {forfeit.reason}"]
        return []

    def _set_game(self, text: str) -> None:
        records = ggf.read(text, strict=True)
        if len(records) != 1:
            raise DamagedFile(f"expected one game in GGF, found {len(records)}")
        (record,) = records
        self.board.clear(record.game, record.positions()[0], record.moves)

    def _go(self) -> list[str]:
        if self.board.position.over:
            return ["status the game is over"]
        begin = time.perf_counter()
        move = self.board.choose()
        seconds = time.perf_counter() - begin
        value = next((each.value for each in self._move_values() if each.move == move), 0.0)
        return [f"status {self.name} is thinking", f"=== {_to_nboard(move)}/{value:.2f}/{seconds:.2f}", "status"]

    def _hint(self, count: int) -> list[str]:
        found = self._move_values()[:count]
        return [f"search {_to_nboard(each.move)} {each.value:.2f} 0 1" for each in found] + ["status"]

    def _move_values(self) -> tuple[MoveValue, ...]:
        if self.board.position.over:
            return ()
        return explanation(self._make(self.board.game), self.board.position).moves


def _from_nboard(move: str) -> str:
    return "pass" if move.strip().lower() in ("pa", "pass") else move.strip()


def _to_nboard(move: str) -> str:
    return "PA" if move == "pass" else move.upper()
