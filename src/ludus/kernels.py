"""Compiled functions, and the folder on disk where their machine code is kept between processes.

`@kernel` compiles a function with numba. The machine code lives in the user's cache folder, in a
subfolder named by a hash of what shaped it: our sources and those of packages that extend us, the
compiler and its switches. So an edited callee can never leave stale code in its callers, which
numba's own cache, watching only the caller's file, would allow.

Numba numbers the files of its cache by reading an index and writing it back; two processes that do so at
once can leave the index of one pointing at the code of the other. Saving therefore happens under a lock.

With `NUMBA_DISABLE_JIT=1` nothing is compiled: the same functions run as the Python that they are written in, to the
same results, a thousand times slower. That is for looking into them, and for testing the compiler.
"""

import atexit
import hashlib
import os
import pickle
import platform
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import intrinsic

try:
    import fcntl
except ImportError:  # no advisory locks on this platform: each process then keeps a cache of its own
    fcntl = None  # type: ignore[assignment]

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""Whether the compiler is off."""

SOURCES = Path(__file__).parent
WITHOUT_KERNELS = ("interfaces", "records")
"""Folders that can be edited without compiling anew, since no kernel calls anything there."""

UNUSED_DAYS = 30
"""Machine code of other versions of the sources is removed when nobody has used it for this long."""


def fingerprint() -> str:
    """A hash of all that decides the machine code but the processor, which numba sees to: sources and compiler."""
    parts = hashlib.sha256()
    ours = [path for path in SOURCES.rglob("*.py") if path.relative_to(SOURCES).parts[0] not in WITHOUT_KERNELS]
    for folder, sources in ((SOURCES, ours), *_other_sources()):
        for source in sorted(sources):
            parts.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    switches = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    parts.update(repr((numba.__version__, llvmlite.__version__, sys.version, platform.machine(), switches)).encode())
    return parts.hexdigest()[:20]


def _other_sources() -> Iterator[tuple[Path, list[Path]]]:
    """The sources of other packages that offer games, players or learners; of each the folder, and the files in it."""
    for package in sorted({point.module.partition(".")[0] for point in entry_points(group="ludus")}):
        spec = find_spec(package)  # of a package on top, which imports nothing
        if spec is None or spec.origin is None:
            continue
        origin = Path(spec.origin)
        yield origin.parent, list(origin.parent.rglob("*.py")) if spec.submodule_search_locations else [origin]


def cache_home() -> Path:
    """Where Ludus keeps what it can make again: `$LUDUS_CACHE`, or `ludus` in the user's cache folder."""
    if chosen := os.environ.get("LUDUS_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludus"


def _open_folder() -> Path:
    """This version's folder, private to the user; a temporary one, with a line that says so, if that fails."""
    home = cache_home() / "kernels"
    try:
        if fcntl is None:
            raise OSError("this platform has no file locks")
        folder = home / fingerprint()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = folder.stat()
        if hasattr(os, "getuid") and owner.st_uid != os.getuid():
            raise OSError("the folder belongs to another user")
        if stat.S_IMODE(owner.st_mode) & 0o077:  # the files in it are unpickled: nobody else may write here
            folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _forget_unused(home, folder)
        return folder
    except (OSError, RuntimeError) as problem:
        folder = Path(tempfile.mkdtemp(prefix="ludus-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        print(
            f"ludus: compiled code can't be kept in {home} ({problem}), so each start compiles anew; "
            "set LUDUS_CACHE to a folder that can be written",
            file=sys.stderr,
        )
        return folder


def _forget_unused(home: Path, current: Path) -> None:
    for other in home.iterdir():
        if other != current and time.time() - other.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)


FOLDER = _open_folder()
"""Where this process loads and saves machine code."""


class _OurFolder(_CacheLocator):  # type: ignore[misc]
    """Tells numba to keep a function's machine code in `FOLDER`."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._line = py_func.__code__.co_firstlineno
        self._path = FOLDER / py_func.__module__

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return "the folder's name is the stamp"

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_OurFolder":
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_OurFolder]


class _LockedCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _Files

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged file can raise anything; compiling again replaces it
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            with _saving():
                try:
                    super().save_overload(sig, data)
                except (pickle.UnpicklingError, EOFError):  # the index is damaged: begin a new one
                    self.flush()
                    super().save_overload(sig, data)
        except OSError as problem:
            print(f"ludus: compiled code can't be kept in {FOLDER} ({problem})", file=sys.stderr)


@contextmanager
def _saving() -> Iterator[None]:
    """Lets one process at a time write machine code."""
    if fcntl is None:
        yield
        return
    with open(FOLDER / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def kernel(function: Function) -> Function:
    """Compile `function` when it is first called with given types, and keep the machine code on disk.

    No fast-math and no threads of its own: the same input gives the same bits. Other threads can run meanwhile.
    """
    if INTERPRETED:
        return _as_if_compiled(function)
    compiled = numba.njit(nogil=True)(function)
    compiled._cache = _LockedCache(function)
    return compiled  # type: ignore[no-any-return]


class _Thread(threading.local):
    within_kernel = False


_thread = _Thread()


def _as_if_compiled(function: Function) -> Function:
    """The function as Python: numbers pass their limits as quietly as in machine code, and whoever is no kernel is
    given Python's own numbers."""

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        if _thread.within_kernel:
            return function(*arguments, **named)
        _thread.within_kernel = True
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                return _plain(function(*arguments, **named))
        finally:
            _thread.within_kernel = False

    return call  # type: ignore[return-value]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple):
        parts = map(_plain, value)
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def inlined(function: Function) -> Function:
    """A part of kernels that is compiled into each of its callers, for what is called in their innermost loops.

    Left to itself, the compiler often decides against it, and passing a game and a state costs more than the work.
    """
    return numba.njit(forceinline=True)(function)  # type: ignore[no-any-return]


def instruction(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Makes a function that writes the instructions for a part of kernels itself, one that in Python is `plain`."""
    return lambda written: plain if INTERPRETED else intrinsic(written)


@instruction(lambda value: value)
def borrowed(context: Any, value: Any) -> Any:
    """The same arrays, or NamedTuple of arrays, whose owners are no longer counted.

    Numba counts the owners of an array at every call that takes it, by atomic operations, which in a small function
    that calls itself cost more than its work. Safe for what a function is given: its caller owns that meanwhile.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owner(context, builder, value, arguments[0])

    return value(value), generate


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = array.meminfo.type(None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, each in enumerate(kind.types):
            part = _without_owner(context, builder, each, builder.extract_value(value, i))
            value = builder.insert_value(value, part, i)
    return value


class _Announcement(event.Listener):  # type: ignore[misc]
    """One line on standard error when this process first has to compile something, since that takes seconds."""

    def on_start(self, _: Any) -> None:
        event.unregister("numba:compile", self)
        print(f"ludus: compiling for first use, a few seconds (kept in {FOLDER.parent})", file=sys.stderr)

    def on_end(self, _: Any) -> None:
        pass


event.register("numba:compile", _Announcement())
