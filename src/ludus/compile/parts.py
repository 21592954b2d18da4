"""How kernels and their parts are compiled.

Numba compiles every function for itself: it optimises it, makes machine code of it, and wraps it for Python. For a
function that only kernels call, most of that is thrown away, since its code is linked into its callers and optimised
there again. So a part stops at the code that callers link; only a kernel that Python calls goes the whole way.

A kernel is both: called from Python it is an entry with machine code of its own, called from other kernels a part.

Parts are kept on disk too, so that another process that needs a new kernel finds most of it made. What one process
named must then never mean something else in another: see `_unique_names`.
"""

import gc
import itertools
import os
import pickle
from collections.abc import Callable
from functools import update_wrapper
from types import FunctionType
from typing import Any

import numba
from llvmlite import binding
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

from ludus.compile.cache import CodeCache, KernelCache


def _unique_names() -> None:
    """Let the functions that this process compiles have names that no other process gives.

    Numba tells functions of one name and signature apart by a number, counted from one in every process; two numba
    functions with other closures could then share a name, and the linker would take one for the other.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6), "big") << 16)


_unique_names()


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part, for others to link: no machine code."""

    part_names: set[str] | None = None

    @classmethod
    def loaded(cls, codegen: Any, name: str, names: list[str], bitcode: bytes) -> "_Part":
        """The same from disk."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = binding.parse_bitcode(bitcode)
        library.part_names = set(names)
        library._finalized = True
        return library

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return _WithoutEnvironment(self._codegen)


class _RawPart(_Part):
    """The same as it was written: it is optimised with its callers alone."""

    def _optimize_final_module(self) -> None:
        pass


_PLAIN = (types.Number, types.Boolean, types.Literal, types.Array, types.BaseTuple, types.NoneType, types.Omitted)


def _is_plain(kind: Any) -> bool:
    """Whether all that a type says is in its text and in the code of its classes."""
    if (referred := getattr(kind, "referred", None)) is not None:
        return _is_plain(referred)
    return isinstance(kind, _PLAIN) and all(map(_is_plain, kind.types if isinstance(kind, types.BaseTuple) else ()))


class PartCache(CodeCache):
    """The code of one part, and what its callers must know of it."""

    def __init__(self, function: Callable[..., Any], suffix: str) -> None:
        super().__init__(function)
        self.suffix = suffix

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return super().load_overload(sig, target_context) if self._keeps(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        module = data.library._get_module_for_linking()
        unlinked = any(each.is_declaration and each.name.startswith("_ZN") for each in module.functions)
        if unlinked or data.library.has_dynamic_globals or not self._keeps(sig):
            return  # the other half of a recursion, or the address of something in this process
        described = data.fndesc
        described.typemap = described.calltypes = None  # as numba does for its own files
        payload = (
            data.library.name, module.as_bitcode(), described, data.environment, data.signature, data.reload_init,
            data._find_referenced_environments(),
        )  # fmt: skip
        self._save(sig, data, pickle.dumps(payload, protocol=-1))

    def _keeps(self, sig: Any) -> bool:
        return all(map(_is_plain, getattr(sig, "args", sig)))

    def _rebuild(self, target_context: Any, names: list[str], payload: Any) -> Any:
        name, bitcode, described, environment, signature, reload_init, environments = payload
        for each in reload_init:
            each()
        library = _Part.loaded(target_context.codegen(), name, names, bitcode)
        library._reload_init.update(reload_init)
        return CompileResult(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=target_context.get_executable(library, described, environment),
            typing_error=None,
            type_annotation="",
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=described,
            library=library,
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=reload_init,
            referenced_envs=tuple(environments),
        )


class _WithoutEnvironment:
    """The code generator as a part sees it: numba would give a part's environment to machine code that there is not."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        pass


class _Entry(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of a kernel with all its parts, which need their environments to raise exceptions."""

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv") and (found := lookup_environment(variable.name)) is not None:
                self._codegen.set_env(variable.name, found)


class _LibraryCompiler(Compiler):  # type: ignore[misc]
    library: type[JITCodeLibrary]

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        name = f"{function.__module__}.{function.__qualname__}"
        self.state.library = self.library(self.state.targetctx.codegen(), name)
        self.state.library.enable_object_caching()
        collects = gc.isenabled()
        gc.disable()  # a tenth of all compile time would go into looking for garbage that is not there
        try:
            return super().compile_extra(function)
        finally:
            if collects:
                gc.enable()


class _PartCompiler(_LibraryCompiler):
    library = _Part


class _RawPartCompiler(_LibraryCompiler):
    library = _RawPart


class _EntryCompiler(_LibraryCompiler):
    library = _Entry


class Part(CPUDispatcher):  # type: ignore[misc]
    """A function that kernels call; if `inlined`, it is compiled into each place where they do."""

    def __init__(self, function: Callable[..., Any], inlined: bool = False, raw: bool = False) -> None:
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        options = {"nopython": True, "nogil": True, "forceinline": inlined} | wrappers
        super().__init__(function, {}, options, pipeline_class=_RawPartCompiler if raw else _PartCompiler)
        self._cache = PartCache(function, ".raw.bc" if raw else ".bc")


class Kernel(Part):
    """A compiled function that Python and other kernels can call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._entry: CPUDispatcher | None = None

    @property
    def entry(self) -> CPUDispatcher:
        """What Python calls. It is made when it is first wanted, since a function that calls itself must find it."""
        if self._entry is None:
            function = self.py_func
            names = function.__globals__
            if function.__name__ in function.__code__.co_names:
                names = names | {function.__name__: None}
            copied = FunctionType(
                function.__code__, names, function.__name__, function.__defaults__, function.__closure__
            )
            compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=_EntryCompiler)
            entry = compiled(update_wrapper(copied, function))
            entry._cache = KernelCache(function)
            if names is not function.__globals__:
                names[function.__name__] = entry
            self._entry = entry
        return self._entry

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.entry(*arguments, **named)
