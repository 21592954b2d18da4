"""Players as engines that speak GTP, the Go Text Protocol, version 2 (Farnebäck, 2002): Go, and Othello.

Othello programs such as `gtp-rhino` use it with Othello's own notation. A forced pass may be sent or left out. In Go a
player may be asked to move out of turn, as handicaps and problems need it; then the other side has passed. Such a pass
belongs to the move after it, and is taken back with it.
"""

import re
from collections.abc import Callable, Iterable
from typing import TextIO

from ludus import __version__
from ludus.errors import LudusError, WrongGame
from ludus.games.game import Game
from ludus.games.names import game as find
from ludus.interfaces.engine_board import Board, Make
from ludus.players.engines.process import Forfeit

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
MAX_LINE = 4096


class CommandError(Exception):
    """A command that fails; the message is the answer."""


class GtpServer:
    """Answers commands, one at a time."""

    def __init__(self, make: Make, game: Game, name: str, seed: int = 1) -> None:
        if game.type.name not in ("go", "othello"):
            raise WrongGame(f"GTP can't play {game.name}; it is for Go and Othello")
        self.board, self.name, self.over = Board(make, game, seed), f"Ludus {name}", False
        self._undo_to = list[int]()  # for each move that the other program has seen, how many were on the board before
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
        if game.type.name == "go":
            self._commands["komi"] = self._komi

    def answer(self, line: str) -> str:
        """The whole answer to a line, empty for one without a command."""
        if len(line) > MAX_LINE:
            return f"? the line is too long: at most {MAX_LINE} characters are accepted\n\n"
        text = "".join(each for each in line.replace("\t", " ") if each.isprintable())
        words = text.partition("#")[0].split()
        if not words:
            return ""
        number = words.pop(0) if words[0].isdigit() else ""
        name = words.pop(0).lower() if words else ""
        try:
            if name not in self._commands:
                raise CommandError("unknown command")
            return f"={number} {self._commands[name](words)}".rstrip() + "\n\n"
        except (CommandError, LudusError) as problem:  # the latter where a player's file is gone
            return f"?{number} {' '.join(str(problem).split())}\n\n"

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
            raise CommandError("syntax error")
        return words[0].lower()

    def _quit(self, words: list[str]) -> str:
        self.over = True
        return ""

    def _new_game(self, name: str) -> None:
        try:
            self.board.clear(find(name))
        except LudusError as problem:
            raise CommandError(f"unacceptable size: {problem}") from problem
        self._undo_to.clear()

    def _boardsize(self, words: list[str]) -> str:
        if not re.fullmatch(r"\d{1,3}", self._first(words)):
            raise CommandError("syntax error")
        game = self.board.game
        options = game.name.partition(":")[2]
        if int(words[0]) not in game.type.sizes:
            raise CommandError("unacceptable size")
        self._new_game(f"{game.type.name}{words[0]}" + (f":{options}" if options else ""))
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self.board.clear(self.board.game)
        self._undo_to.clear()
        return ""

    def _komi(self, words: list[str]) -> str:
        try:
            chosen = dict(self.board.game.options) | {"komi": float(self._first(words))}
            options = ",".join(f"{name}={value}" for name, value in chosen.items())
            game = find(f"{self.board.game.board}:{options}")
        except (ValueError, LudusError):
            raise CommandError("syntax error") from None
        self.board.clear(game, moves=tuple(self.board.moves))
        return ""

    def _colour(self, words: list[str]) -> int:
        if self._first(words) not in COLOURS:
            raise CommandError("syntax error")
        return COLOURS[words[0].lower()]

    def _give_turn(self, colour: int) -> None:
        """Make it that colour's turn, by a pass if need be."""
        position = self.board.position
        if not position.over and position.current_player != colour:
            if "pass" not in position.legal:
                raise CommandError("illegal move")
            self.board.play("pass")

    def _cut(self, plies: int) -> None:
        """Take back all moves but the first ones."""
        while len(self.board.moves) > plies:
            self.board.undo()

    def _play(self, words: list[str]) -> str:
        colour = self._colour(words)
        if len(words) < 2:
            raise CommandError("syntax error")
        move, before = words[1].lower(), len(self.board.moves)
        passes = move == "pass" and self.board.game.type.name == "othello"
        # else it is a forced pass that was made already
        if not passes or "pass" in self.board.position.legal or self.board.position.current_player == colour:
            try:
                self._give_turn(colour)
                self.board.play(move)
            except (LudusError, CommandError):
                self._cut(before)
                raise CommandError("illegal move") from None
        self._undo_to.append(before)
        return ""

    def _genmove(self, words: list[str]) -> str:
        before = len(self.board.moves)
        move = self._chosen(words)
        if move == "resign":
            self._cut(before)
            return move
        if not self.board.position.over:
            self.board.play(move)
        self._undo_to.append(before)
        return move

    def _reg_genmove(self, words: list[str]) -> str:
        before = len(self.board.moves)
        move = self._chosen(words)
        self._cut(before)
        return move

    def _chosen(self, words: list[str]) -> str:
        """The player's move for a colour, whose turn it is from now on."""
        self._give_turn(self._colour(words))
        if self.board.position.over:
            return "pass"
        try:
            return self.board.choose()
        except Forfeit:  # of another engine behind ours
            return "resign"

    def _undo(self, words: list[str]) -> str:
        if not self._undo_to:
            raise CommandError("cannot undo")
        self._cut(self._undo_to.pop())
        return ""

    def _final_score(self, words: list[str]) -> str:
        position = self.board.position
        if not position.over:
            raise CommandError("cannot score: the game is not over")
        lead = position.margin
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
