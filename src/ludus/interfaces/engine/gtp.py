"""Our players for programs that speak GTP, the Go Text Protocol, version 2 (Farnebäck, 2002): Go, and Othello.

Othello engines speak it with their own notation of moves, as Debian's `gtp-rhino` does. A forced pass may be told or
left out. In Go a player may be told to move out of turn, as handicaps and problems want it; then the other has passed.
"""

import re
from collections.abc import Callable, Iterable
from typing import TextIO

from ludus import __version__
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.interfaces.engine.board import Board, Make
from ludus.players.engines import Forfeit
from ludus.registry import game as find

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
LONGEST_LINE = 4096


class Refused(Exception):  # noqa: N818, it is an answer
    """The answer to a command that can't be done."""


class GtpServer:
    """Answers commands, one at a time."""

    def __init__(self, make: Make, game: Game, name: str, seed: int = 1) -> None:
        if game.family.name not in ("go", "othello"):
            raise LudusError(f"GTP has no moves for {game.name}; it is for Go and Othello")
        self.board, self.name, self.over = Board(make, game, seed), f"Ludus {name}", False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: self.name,
            "version": lambda words: __version__,
            "known_command": lambda words: str(self._first(words) in self._commands).lower(),
            "list_commands": lambda words: "\n".join(sorted(self._commands)),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda words: "\n" + str(self.board.position),
            "final_score": self._final_score,
            "time_settings": lambda words: "",
            "time_left": lambda words: "",
        }
        if game.family.name == "go":
            self._commands["komi"] = self._komi

    def answer(self, line: str) -> str:
        """The whole answer to a line, empty for one that holds no command."""
        text = "".join(each if each.isprintable() else " " for each in line[:LONGEST_LINE].replace("\t", " "))
        words = text.partition("#")[0].split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdigit() else ""
        name = words.pop(0).lower() if words else ""
        try:
            if name not in self._commands:
                raise Refused("unknown command")
            return f"={number} {self._commands[name](words)}".rstrip() + "\n\n"
        except Refused as refusal:
            return f"?{number} {refusal}\n\n"

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer all lines until `quit`."""
        try:
            for line in lines:
                out.write(self.answer(line))
                out.flush()
                if self.over:
                    return
        finally:
            self.board.close()

    def _first(self, words: list[str]) -> str:
        if not words:
            raise Refused("syntax error")
        return words[0].lower()

    def _quit(self, words: list[str]) -> str:
        self.over = True
        return ""

    def _renew(self, name: str) -> None:
        try:
            self.board.clear(find(name))
        except LudusError as problem:
            raise Refused(f"unacceptable size: {problem}") from problem

    def _boardsize(self, words: list[str]) -> str:
        if not re.fullmatch(r"\d{1,3}", self._first(words)):
            raise Refused("syntax error")
        family, _, options = self.board.game.name.partition(":")
        family = family.rstrip("0123456789")
        if int(words[0]) not in self.board.game.family.sizes:
            raise Refused("unacceptable size")
        self._renew(f"{family}{words[0]}" + (f":{options}" if options else ""))
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self.board.clear(self.board.game)
        return ""

    def _komi(self, words: list[str]) -> str:
        try:
            chosen = dict(self.board.game.options) | {"komi": float(self._first(words))}
            options = ",".join(f"{name}={value}" for name, value in chosen.items())
            game = find(f"{self.board.game.board}:{options}")
        except (ValueError, LudusError):
            raise Refused("syntax error") from None
        self.board.clear(game, moves=tuple(self.board.moves))
        return ""

    def _colour(self, words: list[str]) -> int:
        if self._first(words) not in COLOURS:
            raise Refused("syntax error")
        return COLOURS[words[0].lower()]

    def _give_turn(self, colour: int) -> None:
        """Let it be that colour's turn, by a pass if it is not."""
        position = self.board.position
        if not position.over and position.mover != colour:
            if "pass" not in position.legal:
                raise Refused("illegal move")
            self.board.play("pass")

    def _play(self, words: list[str]) -> str:
        colour = self._colour(words)
        if len(words) < 2:
            raise Refused("syntax error")
        move, before = words[1].lower(), len(self.board.moves)
        passes = move == "pass" and self.board.game.family.name == "othello"
        try:
            if passes and "pass" not in self.board.position.legal and self.board.position.mover != colour:
                return ""  # a forced pass that we have taken for granted
            self._give_turn(colour)
            self.board.play(move)
        except (LudusError, Refused):
            while len(self.board.moves) > before:
                self.board.undo()
            raise Refused("illegal move") from None
        return ""

    def _genmove(self, words: list[str]) -> str:
        move = self._reg_genmove(words)
        if move != "resign" and not self.board.position.over:
            self.board.play(move)
        return move

    def _reg_genmove(self, words: list[str]) -> str:
        self._give_turn(self._colour(words))
        if self.board.position.over:
            return "pass"
        try:
            return self.board.choose()
        except Forfeit:  # of an engine that plays for us
            return "resign"

    def _undo(self, words: list[str]) -> str:
        if not self.board.undo():
            raise Refused("cannot undo")
        return ""

    def _final_score(self, words: list[str]) -> str:
        position = self.board.position
        if not position.over:
            raise Refused("cannot score: the game is not over")
        lead = position.margin
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
