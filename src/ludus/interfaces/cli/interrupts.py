"""Ctrl-C ends every command within two seconds, with a sentence about what is kept.

Python hears of Ctrl-C only between its own instructions, but a kernel may work for minutes, and threads are waited for.
So a thread of its own listens, and if the command has not ended a moment later, ends the process with everything that
it has started. That loses nothing: whatever Ludus writes, it writes whole or not at all.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ludus.interfaces.cli.leaving import STATUS, leaving_at_once

if TYPE_CHECKING:
    import socket

    import psutil

PATIENCE_SECONDS = 1.0
"""How long a command may take to end by itself."""


class _Stopped:
    words = "stopped; nothing is kept"
    said = False
    saying = threading.Lock()
    heard = threading.Event()


def when_stopped(words: str) -> None:
    """From now on, Ctrl-C says that: what is kept, and how to resume."""
    _Stopped.words = words


def say_stopped() -> None:
    """Say it once."""
    with _Stopped.saying:
        if not _Stopped.said:
            _Stopped.said = True
            with suppress(OSError, ValueError):
                print(
                    f"\nludus: {_Stopped.words}" if sys.stderr.isatty() else f"ludus: {_Stopped.words}", file=sys.stderr
                )
                sys.stderr.flush()


def interrupted() -> bool:
    """Whether Ctrl-C has been heard: whatever goes wrong from then on is its doing."""
    return _Stopped.heard.is_set()


def _interrupt(*_: object) -> None:
    _Stopped.heard.set()
    # what is cut short somewhere in a library, as in an import, is nothing to tell
    sys.unraisablehook = lambda _: None
    threading.excepthook = lambda _: None
    raise KeyboardInterrupt


@contextmanager
def watching_for_interrupts() -> Iterator[None]:
    """While a command runs, Ctrl-C that does not end it within a moment ends the process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with leaving_at_once():
        import socket  # here, since it takes a moment

        hears, rings = socket.socketpair()
        rings.setblocking(False)
        before = signal.set_wakeup_fd(rings.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=_watch, args=(hears,), daemon=True).start()
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # else somebody has decided otherwise
        signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        if not interrupted():  # else this process is to end, whoever it still waits for
            signal.signal(signal.SIGINT, usual)
            signal.set_wakeup_fd(before)
            rings.close()


def _watch(hears: "socket.socket") -> None:
    with hears:
        while (signals := hears.recv(1)) != b"":
            # a server has a handler of its own, and its own way to close
            if signal.SIGINT in signals and signal.getsignal(signal.SIGINT) is _interrupt:
                _Stopped.heard.set()
                import psutil  # now, since the command has a moment to end by itself

                time.sleep(PATIENCE_SECONDS)
                # in whose places a bar puts itself
                sys.stdout, sys.stderr = sys.__stdout__ or sys.stdout, sys.__stderr__ or sys.stderr
                with suppress(OSError, ValueError):
                    if sys.stdout.isatty():
                        sys.stdout.write("\x1b[?25h")  # the cursor, which a bar hides
                    sys.stdout.flush()
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)  # for a bar that would draw itself below the last words
                say_stopped()
                os.dup2(nowhere, 2)  # for threads that would complain of what ends now
                _end_descendants(psutil.Process())
                os._exit(STATUS)


def _end_descendants(process: "psutil.Process") -> None:
    """Engines and workers, which are in sessions of their own."""
    import psutil

    with suppress(psutil.Error):
        found = process.children(recursive=True)
        for end in (psutil.Process.suspend, psutil.Process.kill):  # so that none complains of the end of another
            for each in found:
                with suppress(psutil.Error):
                    end(each)
