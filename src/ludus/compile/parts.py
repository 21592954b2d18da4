"""How kernels and their parts are compiled.

Numba compiles every function for itself: it optimises it, makes machine code of it, and wraps it for Python. For a
function that only kernels call, most of that is thrown away, since its code is linked into its callers and optimised
there again. So a part stops at the code that callers link; only a kernel that Python calls goes the whole way.

A kernel is both: called from Python it is an entry with machine code of its own, called from other kernels a part.
"""

import gc
from collections.abc import Callable
from functools import update_wrapper
from types import FunctionType
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

from ludus.compile.cache import KernelCache


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part, for others to link: no machine code."""

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
