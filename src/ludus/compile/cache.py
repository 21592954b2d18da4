"""Machine code on disk, so that a kernel is compiled once and not in every process.

A file holds one kernel for one signature (`.nbc`), or one part of kernels as code for its callers to link (`.bc`), so
that a new kernel is not made from the ground up. Its name contains a hash of everything that shaped the code: the
signature, the processor, and the sources that the function can reach, which are its own module, the modules of the
classes in its signature, and whatever these import. `@implements` sees to it that no other module can matter. Comments,
docstrings, annotations of functions and formatting don't count. So an edited callee never leaves stale code in its
callers (numba's own cache, which watches only the caller's file, would allow that), and an edit elsewhere compiles
nothing anew. A process that goes on while one of these sources is edited neither loads nor keeps such code: what it has
in memory is the source of before. Code that has no source file (typed in, or in a cell of a notebook) is not kept, nor
are functions made by others, whose code depends on more than the source.

Numba numbers its files through an index that two processes can corrupt when both save at once. Here there is no index:
files are addressed by content and replaced atomically.

The folder is private to its user, since the files are unpickled.
"""

import ast
import atexit
import hashlib
import json
import os
import pickle
import platform
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.runtime import rtsys

from ludus.errors import StorageError
from ludus.storage import home_folder

FORMAT = 2
"""The form of the files, raised when it changes: what another version of Ludus kept is then left alone."""

UNUSED_DAYS = 30
"""Machine code that nobody has used for this long is removed."""


BEGAN = time.time()
"""When this process had loaded next to nothing."""


def cache_home() -> Path:
    """Where Ludus keeps what it can make again: `$LUDUS_CACHE`, or `ludus` in the user's cache folder."""
    if chosen := os.environ.get("LUDUS_CACHE"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or home_folder("LUDUS_CACHE") / ".cache") / "ludus"


def _environment() -> str:
    """A hash of what decides a file besides sources and processor: its form, the compiler and its switches."""
    switches = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    parts = (FORMAT, numba.__version__, llvmlite.__version__, sys.version, platform.machine(), switches)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _open_folder() -> Path:
    """The folder for this environment; a temporary one, with a line that says so, if it can't be used."""
    where = ""
    try:
        home = cache_home() / "kernels"
        where = f" in {home}"
        folder = home / _environment()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = folder.stat()
        if hasattr(os, "getuid") and owner.st_uid != os.getuid():
            raise OSError("the folder belongs to another user")
        if os.name == "posix" and stat.S_IMODE(owner.st_mode) & 0o077:
            folder.chmod(0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
        _remove_unused(home, folder)
        return folder
    except (OSError, StorageError) as problem:
        folder = Path(tempfile.mkdtemp(prefix="ludus-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        advice = "; set LUDUS_CACHE to a writable folder" if isinstance(problem, OSError) else ""
        print(
            f"ludus: compiled code can't be kept{where}, so every start compiles again: {problem}{advice}",
            file=sys.stderr,
        )
        return folder


def _remove_unused(home: Path, current: Path) -> None:
    """At most once a day, remove folders of other environments and single files that have not been used for long."""
    swept, day = current / "swept", 86400.0
    if swept.exists() and time.time() - swept.stat().st_mtime < day:
        return
    swept.touch()
    for other in home.iterdir():
        if other.is_dir() and other != current and time.time() - _used(other) > UNUSED_DAYS * day:
            shutil.rmtree(other, ignore_errors=True)
    for file in [each for each in current.rglob("*") if each.suffix in (".nbc", ".bc", ".part")]:
        if time.time() - _used(file) > UNUSED_DAYS * day:
            file.unlink(missing_ok=True)


def _used(path: Path) -> float:
    with suppress(OSError):
        return (path / "swept" if (path / "swept").exists() else path).stat().st_mtime
    return time.time()


FOLDER = _open_folder()
"""Where this process loads and saves machine code."""


class _Sources:
    """What modules import and a hash of their code, remembered on disk as long as the files don't change."""

    def __init__(self, file: Path) -> None:
        self._file, self._changed = file, False
        try:
            self._known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self._known = {}

    def module(self, path: str, package: str) -> tuple[str | None, list[str]]:
        """The hash of a module's code, None if it was edited meanwhile, and what it imports at its top level."""
        status = os.stat(path)
        stamp = [status.st_mtime_ns, status.st_size, package]
        known = self._known.get(path)
        if not known or known[:3] != stamp:
            tree = ast.parse(Path(path).read_bytes())
            code = hashlib.sha256(ast.dump(_without_prose(tree)).encode()).hexdigest()
            known = self._known[path] = [*stamp, code, sorted(set(_imports(tree.body, package)))]
            self._changed = True
        return None if _edited(path) else known[3], known[4]

    def save(self) -> None:
        if self._changed:
            self._changed = False
            with suppress(OSError):
                _replace(self._file, json.dumps(self._known).encode())


def _edited(path: str) -> bool:
    """Whether a source was edited, or removed, since it was loaded."""
    try:
        changed = os.stat(path).st_mtime
    except OSError:
        return True
    return BEGAN < changed <= time.time()  # a time to come is that of another clock


def _without_prose(tree: ast.Module) -> ast.Module:
    """The code without docstrings and annotations of functions, which the compiler ignores."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    return tree


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imports(body: Iterable[ast.stmt], package: str) -> Iterator[str]:
    """The modules that may be imported when the module is: functions, which import later, are left out."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test):
            yield from _imports([*node.body, *node.orelse], package)
        elif isinstance(node, ast.Try):
            yield from _imports([*node.body, *node.orelse, *(s for each in node.handlers for s in each.body)], package)


_sources = _Sources(FOLDER / "sources.json")


@cache
def _extensions() -> frozenset[str]:
    """The packages whose code counts although they are installed: ours, and those that extend us."""
    return frozenset({"ludus", *(point.module.partition(".")[0] for point in entry_points(group="ludus"))})


def _counts(name: str, packages: frozenset[str]) -> str | None:
    """The file of a module whose code counts; None for Python's own and for installed libraries but these packages."""
    file = getattr(sys.modules.get(name), "__file__", None)
    top = name.partition(".")[0]
    if file is None or not file.endswith(".py") or top in sys.stdlib_module_names:
        return None
    return file if top in packages or "site-packages" not in Path(file).parts else None


@cache
def reached(name: str) -> dict[str, str | None]:
    """The hashes of the code of a module and of all that it imports, directly or not, by module.

    Its own is missing if it has no source file.
    """
    found: dict[str, str | None] = {}
    waiting, packages = [name], _extensions() | {name.partition(".")[0]}
    while waiting:
        each = waiting.pop()
        if each in found or (file := _counts(each, packages)) is None:
            continue
        package = each if file.endswith("__init__.py") else each.rpartition(".")[0]
        found[each], imported = _sources.module(file, package)
        waiting += imported
    _sources.save()
    return found


def classes_of(kind: Any) -> Iterator[type]:
    """The NamedTuples that a type is made of."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    for each in kind.types if isinstance(kind, types.BaseTuple) else ():
        yield from classes_of(each)
    if (referred := getattr(kind, "referred", None)) is not None:
        yield from classes_of(referred)


_classes: dict[str, type] = {}


def check_class(given: type) -> None:
    """Refuse two NamedTuples of one name: numba tells them apart by name alone, so they would share machine code."""
    if (known := _classes.setdefault(given.__name__, given)) is not given:
        raise TypeError(
            f"two classes are named {given.__name__} (in {known.__module__} and {given.__module__}); rename one"
        )


def part_names(library: Any) -> set[str]:
    """The names of the functions that a kernel's code was made of; a part that was loaded has them with it."""
    loaded = getattr(library, "part_names", None)
    return loaded or {library.name}.union(*(part_names(each) for each in library._linking_libraries))


def kernels_on_disk() -> set[str]:
    """The names of all functions whose machine code is in the cache, alone or as parts of kernels."""
    found: set[str] = set()
    for file in FOLDER.rglob("*.nbc"):
        with open(file, "rb") as content:
            found.update(pickle.load(content))
    return found


@cache
def _code(modules: frozenset[str]) -> str | None:
    """A hash of all code that these modules can reach; None if one of them has no source file, or if some of it was
    edited since it was loaded."""
    code = dict.fromkeys(modules) | {name: found for module in modules for name, found in reached(module).items()}
    return None if None in code.values() else hashlib.sha256(repr(sorted(code.items())).encode()).hexdigest()


@cache
def _files(modules: frozenset[str]) -> frozenset[str]:
    """The sources of all code that these modules can reach."""
    return frozenset(str(sys.modules[name].__file__) for module in modules for name in reached(module))


class CodeCache(_Cache):  # type: ignore[misc]
    """The code of one function, in a file of `FOLDER` for each signature."""

    suffix: str

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._folder = FOLDER / function.__module__

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # machine code needs no more, and all of numba takes longer than most commands
        file = self._file(sig, target_context.codegen())
        if file is None:
            return None
        try:
            with open(file, "rb") as content:
                names = pickle.load(content)
                found = self._rebuild(target_context, names, pickle.load(content))
            if time.time() - file.stat().st_mtime > 86400:
                os.utime(file)
            return found
        except Exception:  # there is none, or a damaged one, which can raise anything: compiling again replaces it
            return None

    def _rebuild(self, target_context: Any, names: list[str], payload: Any) -> Any:
        """The result of compiling that a file holds."""
        raise NotImplementedError

    def _save(self, sig: Any, data: Any, payload: bytes) -> None:
        file = self._file(sig, data.codegen)
        if file is None:
            return
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            names = pickle.dumps(sorted(part_names(data.library)), protocol=-1)
            _replace(file, names + payload)
        except OSError as problem:
            print(f"ludus: compiled code can't be kept in {FOLDER} ({problem})", file=sys.stderr)

    def _file(self, sig: Any, codegen: Any) -> Path | None:
        """Where the code for a signature is kept; None if it is not."""
        if self._function.__closure__ is not None:
            return None
        classes = {each for kind in getattr(sig, "args", sig) for each in classes_of(kind)}
        for each in classes:
            check_class(each)
        modules = frozenset({self._function.__module__, *(each.__module__ for each in classes)})
        code = _code(modules)
        if code is None or any(map(_edited, _files(modules))):
            return None  # what was edited since the hash was made may have been loaded again
        parts = (str(sig), codegen.magic_tuple(), code)
        name = f"{self._function.__qualname__}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}{self.suffix}"
        return self._folder / name.replace("<", "").replace(">", "")

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


class KernelCache(CodeCache):
    """The machine code of one kernel."""

    suffix = ".nbc"

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._format = CompileResultCacheImpl.__new__(CompileResultCacheImpl)

    def _rebuild(self, target_context: Any, names: list[str], payload: Any) -> Any:
        return self._format.rebuild(target_context, payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        if self._format.check_cachable(data):
            self._save(sig, data, pickle.dumps(self._format.reduce(data), protocol=-1))


def _replace(file: Path, content: bytes) -> None:
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=file.name[:40], suffix=".part")
    try:
        with open(handle, "wb") as opened:
            opened.write(content)
        os.replace(beside, file)
    except OSError:
        with suppress(OSError):
            os.unlink(beside)
        raise
