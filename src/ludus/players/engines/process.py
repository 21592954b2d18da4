"""Players that are programs of their own and speak GTP, the Go Text Protocol, version 2.

An engine is a stranger: it may hang, crash, flood its pipes or leave children behind. So every exchange has a
deadline, nothing it writes is kept beyond a bound, and whatever it does wrong costs it the game (`Forfeit`) and
its process, never the caller. The next game starts a fresh one.

GTP is made for Go, but says little that is: colours, moves, a board's size. Engines of other games speak it with
their own notation of moves, for instance Debian's `gtp-rhino` for Othello.

What an engine has started ends with it, unless that has left both its parent and its session. Engines need pipes that
can be polled, which Windows doesn't have.
"""

import os
import re
import select
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self
from weakref import finalize

import numpy as np

from ludus.errors import EngineError, IllegalMove, InvalidPosition, InvalidSetting, LudusError, MissingDependency
from ludus.games.game import Game, Position
from ludus.games.go_rules import Go
from ludus.processes import end_trees, own_group

DID_NOT_START = "did not start"
TIME = "time"
ILLEGAL_MOVE = "illegal move"
CRASHED = "crashed"
NONSENSE = "nonsense"
RESIGNED = "resigned"

ANSWER_BYTES = 1 << 16  # longer answers are nonsense
QUIT_SECONDS = 1.0  # how long an engine may take to quit before it is killed
GLANCE_SECONDS = 0.1  # how often to see whether a process has ended whose pipes another one holds open


class Forfeit(Exception):
    """An engine has lost its game by what it did, for one of the reasons that this module names."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Child:
    """A process in a session of its own, to which one command at a time is sent. Raises Forfeit; never blocks."""

    def __init__(self, arguments: Sequence[str]) -> None:
        if not hasattr(select, "poll"):
            raise MissingDependency("engines can't be run on Windows; run Ludus on Linux, on macOS or in WSL")
        try:
            # unbuffered, and without stderr: what nobody reads can't fill up
            self.process = subprocess.Popen(
                arguments,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                **own_group(),
            )
        except OSError as error:
            raise Forfeit(DID_NOT_START) from error
        assert self.process.stdin
        assert self.process.stdout
        self.to, self.back = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self.to, False)
        os.set_blocking(self.back, False)
        self.asked = 0
        self.received = b""

    def ask(self, command: str, deadline: float) -> str | None:
        """What the engine answers, or None if it refuses."""
        self.asked += 1
        self._exchange(f"{self.asked} {command}\n".encode(), deadline)
        answer, _, rest = self.received.partition(b"\n\n")
        self.received = rest.lstrip(b"\n")
        parts = re.fullmatch(rb"([=?])(\d*)(?:\s(.*))?", answer, re.DOTALL)
        if parts is None or parts[2] != b"%d" % self.asked:
            raise Forfeit(NONSENSE)
        return (parts[3] or b"").decode(errors="replace").strip() if parts[1] == b"=" else None

    def _exchange(self, unsent: bytes, deadline: float) -> None:
        """Send a command and receive until there is an answer, which ends with an empty line."""
        events = select.poll()
        events.register(self.to, select.POLLOUT)
        events.register(self.back, select.POLLIN)
        while unsent or b"\n\n" not in self.received:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Forfeit(TIME)
            ready = [file for file, _ in events.poll(1000 * min(left, GLANCE_SECONDS))]
            if self.to in ready:
                unsent = unsent[self._send(unsent) :]
                if not unsent:
                    events.unregister(self.to)
            if self.back in ready:
                self._receive()
            elif not ready and self.process.poll() is not None:
                raise Forfeit(CRASHED)

    def _send(self, unsent: bytes) -> int:
        try:
            return os.write(self.to, unsent)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Forfeit(CRASHED) from error

    def _receive(self) -> None:
        chunk = os.read(self.back, ANSWER_BYTES)
        if not chunk:
            raise Forfeit(CRASHED)
        # the protocol wants carriage returns ignored, and some engines separate answers by more than one line
        self.received = (self.received + chunk.replace(b"\r", b"")).lstrip(b"\n")
        if self.received[:1] not in (b"", b"=", b"?") or len(self.received) > ANSWER_BYTES:
            raise Forfeit(NONSENSE)

    def end(self, patience_seconds: float = QUIT_SECONDS) -> None:
        """Ask the process to quit, then kill it and all that it started, and close the pipes."""
        process = self.process
        assert process.stdin
        assert process.stdout
        try:
            with suppress(OSError):
                os.write(self.to, b"quit\n")
            process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(patience_seconds)
        finally:
            end_trees([process])
            process.stdout.close()


class Engine:
    """A program that plays `game`, run by `command`. It starts with its first game and plays many.

    Ends when closed, when forgotten and when Python exits. What `new_game`, `tell` and `genmove` raise: Forfeit for
    what the engine does, LudusError for what the caller does.
    """

    def __init__(self, command: str, game: Game, move_seconds: float = 10.0, start_seconds: float = 10.0) -> None:
        if not (move_seconds > 0 and start_seconds > 0):
            raise InvalidSetting(
                f"an engine needs time: {move_seconds} s a move and {start_seconds} s to start must be more than 0"
            )
        self.command, self.game = command, game
        self.move_seconds, self.start_seconds = move_seconds, start_seconds
        self.name = command
        """What the engine calls itself, once it has started."""
        self._arguments = _arguments(command)
        self._child: Child | None = None

    def new_game(self, position: Position, moves: Sequence[str] = ()) -> None:
        """Begin a game in `position`, to which `moves` have led from the game's start."""
        unsent, reached = [], self.game.start()
        for move in moves:
            unsent.append((_spelled(reached, move), reached.current_player))
            reached = reached.play(move)
        if reached != position:
            raise InvalidPosition(
                f"an engine follows games from their start only: give the moves that lead to {position.text}"
            )
        if self._child:
            # between games there is nothing to lose: if this process fails, another takes its place
            with suppress(Forfeit):
                self._clear(time.monotonic() + self.start_seconds)
        if not self._child:
            self._start()
        for move, mover in unsent:
            self.tell(move, mover)

    def tell(self, move: str, mover: int) -> None:
        """Tell the engine a move, as `Position.legal_moves` has it, that another has made."""
        answer = self._ask(f"play {self._colour(mover)} {move}", time.monotonic() + self.move_seconds)
        # gtp-rhino passes for both sides by itself and refuses to be told
        if answer is None and move != "pass":
            raise self._forfeit(NONSENSE)

    def genmove(self, position: Position) -> str:
        """The move that the engine makes in `position`, as `Position.legal_moves` has it."""
        if position.over:
            raise IllegalMove("an engine can't move: the game is over")
        answer = self._demand(f"genmove {self._colour(position.current_player)}", time.monotonic() + self.move_seconds)
        if answer.lower() == "resign":
            raise Forfeit(RESIGNED)
        try:
            return _spelled(position, answer)
        except LudusError as error:
            raise self._forfeit(ILLEGAL_MOVE) from error

    def dead_stones(self, position: Position) -> frozenset[int] | None:
        """The stones that the engine gives up as dead after two passes in Go; None if it can't tell.

        The game is over by then, so an engine that fails here loses its process and its say, but not the game.
        """
        if not isinstance(self.game.rules, Go) or not self._child:
            return None
        with suppress(Forfeit):
            answer = self._ask("final_status_list dead", time.monotonic() + self.move_seconds)
            if answer is None:
                return None
            stones = [int(square) for square in np.flatnonzero(position.cells)]
            squares = {self.game.type.square_name(self.game.rules, stone): stone for stone in stones}
            named = set(answer.upper().split())
            if named <= set(squares):
                return frozenset(squares[name] for name in named)
        return None

    def close(self) -> None:
        """End the process, if it runs. A new game would start another."""
        self._end(QUIT_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _colour(self, mover: int) -> str:
        return self.game.type.sides[mover].lower()

    def _start(self) -> None:
        deadline = time.monotonic() + self.start_seconds
        self._child = Child(self._arguments)
        self._finalizer = finalize(self, self._child.end)
        try:
            if self._demand("protocol_version", deadline) != "2":
                raise self._forfeit(DID_NOT_START)
            self.name = self._demand("name", deadline)
            self._clear(deadline)
        except Forfeit as forfeit:
            raise Forfeit(DID_NOT_START) from forfeit

    def _clear(self, deadline: float) -> None:
        if self.game.size:
            self._demand(f"boardsize {self.game.size}", deadline)
        self._demand("clear_board", deadline)
        if isinstance(self.game.rules, Go):
            self._demand(f"komi {self.game.rules.komi}", deadline)

    def _demand(self, command: str, deadline: float) -> str:
        """The answer to a command that no engine may refuse."""
        answer = self._ask(command, deadline)
        if answer is None:
            raise self._forfeit(NONSENSE)
        return answer

    def _ask(self, command: str, deadline: float) -> str | None:
        if not self._child:
            raise EngineError("the engine has no game to play: call new_game first")
        try:
            return self._child.ask(command, deadline)
        except BaseException:  # an interrupted exchange too leaves an answer behind that nobody expects
            self._end(0)
            raise

    def _forfeit(self, reason: str) -> Forfeit:
        """What to raise when an engine that answers does so wrongly: it ends too."""
        self._end(0)
        return Forfeit(reason)

    def _end(self, patience_seconds: float) -> None:
        if self._child:
            child, self._child = self._child, None
            self._finalizer.detach()
            child.end(patience_seconds)


def _arguments(command: str) -> list[str]:
    """The program and its arguments, split as a shell would."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidSetting(f"the engine's command {command!r} can't be split into words: {error}") from error
    if not words or "\0" in command:
        raise InvalidSetting(f"{command!r} is not an engine's command; one looks like `gnugo --mode gtp`")
    # Debian keeps engines in a folder that not every user's PATH has
    program = shutil.which(words[0]) or shutil.which(words[0], path="/usr/games")
    if not program:
        raise MissingDependency(
            f"there is no program {words[0]!r} to run as an engine; install it or give its full path"
        )
    return [program, *words[1:]]


def _spelled(position: Position, move: str) -> str:
    """The legal move that `move` means, as `Position.legal_moves` has it."""
    meant = position.move(move)
    return next(text for text, number in position.legal.items() if number == meant)
