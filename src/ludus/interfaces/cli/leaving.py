"""Ctrl-C before a command has begun. Imports next to nothing, since it counts while the rest is imported."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

STATUS = 128 + signal.SIGINT


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """While nothing has begun yet, Ctrl-C ends the process without a word."""
    usual = signal.getsignal(signal.SIGINT)
    with suppress(ValueError):  # in another thread than the main one, which alone hears of Ctrl-C
        if usual is signal.default_int_handler:  # else somebody has decided otherwise
            signal.signal(signal.SIGINT, lambda *_: os._exit(STATUS))
    try:
        yield
    finally:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, usual)
